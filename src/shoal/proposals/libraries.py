"""Taxonomies of the library that fit the values of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from shoal.policy.keys import hierarchy_of

FEWEST = 5  # different values; fewer may fit by chance
# Names of columns that speak for one of several that fit; ISCO and NACE are numbers, and need one.
CALLED = {
    "countries": r"countr|nation|citizen|birth ?place|origin|land|pays|pais|paese|kraj",
    "us-states": r"state|us ?st",
    "languages": r"lang|sprach|langue|idioma|lingua|taal|tongue",
    "months": r"month|monat|mois|mes\b|mese|maand",
    "isco-08": r"isco",
    "nace": r"nace|isic",
}
NEED_A_NAME = ("isco-08", "nace", "months")


def library_of(name: str, labels: Sequence[str]) -> str | None:
    """The taxonomy in which all values have a place, if it is the only one or the name says so.

    >>> library_of("from", ["Spain", "France", "Peru", "Chad", "Fiji"])
    'countries'
    >>> library_of("age", ["20", "21", "22", "23", "24"]) is None  # numbers of states
    True
    >>> library_of("x", ["DE", "AL", "AR", "CA", "ID"]) is None  # states, countries, languages
    True
    """
    if len(set(labels)) < FEWEST:
        return None
    words = re.sub(r"[^a-z]+", " ", name.casefold())
    said = [library for library, called in CALLED.items() if re.search(called, words)]
    # States and countries have numbers too, but ages from 20 to 39 are none of them.
    unsaid = () if any(label.isdecimal() for label in labels) else set(CALLED) - set(NEED_A_NAME)
    candidates = [library for library in CALLED if library in said or library in unsaid]
    fitting = [library for library in candidates if fits(library, labels)]
    named = [library for library in fitting if library in said]
    return named[0] if len(named) == 1 else fitting[0] if len(fitting) == 1 else None


def fits(library: str, labels: Sequence[str]) -> bool:
    """Whether all values have a place in a taxonomy."""
    spec = hierarchy_of({"library": library}, ("hierarchy",), Path())
    return spec is not None and all(map(spec.is_leaf, labels))

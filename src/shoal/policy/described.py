"""What the keys of a policy file mean, in a line each: editors show it, and `shoal init` writes it.

Options of algorithms, models, metrics and hierarchies are described by the docstrings of their
classes: by the sentences that name them in backquotes.
"""

from __future__ import annotations

import inspect
import re

from shoal.types.column import Role

ROLES: dict[Role, str] = {
    "identifier": "never released: it names or numbers a person",
    "pseudonym": "an identifier that is released as a stand-in, which shows whose rows belong "
    "together",
    "quasi": "quasi-identifier, can help to find a person: generalised until records look alike",
    "sensitive": "released unchanged: each group of records that look alike must have different "
    "values",
    "keep": "released unchanged, and not protected",
    "drop": "never released",
    "weight": "survey weight, how many people the record stands for: never generalised, released "
    "only with `release: true`",
}

REFINE = (
    "Improve the groups afterwards by the local search of sweep, which never loses more; cells are "
    "then those of each group on its own."
)

POLICY = {
    "columns": "What each column of the data is: a role, or keys with a role. Every column needs "
    "one.",
    "tables": "Several tables of the same people, in place of `columns`. One has a row for each "
    "person; the others point to it by their `key`.",
    "privacy": "The privacy models that every group of the release must satisfy.",
    "algorithm": "The algorithm that groups the records: its name, or its name with options.",
    "suppression": "The share of records that may be left out, from 0 to 1.",
    "missing": "What a missing value does. category: it counts as a value of its own. suppress: "
    "such records are left out, within `suppression`. error: it is refused.",
    "missing_values": "The texts that mean that a value is missing.",
    "unknown": "What a value does that its hierarchy does not have. error: it is refused. "
    "suppress: such records are left out, within `suppression`. other: it is read as one value "
    "below the root of the hierarchy.",
    "order": "The order of released rows. published: sorted by what is published, so that the "
    "order of the input is not revealed. input: as in the input, which links rows to people.",
    "decimal": "The sign before fractions in the numbers of the table, a point or a comma.",
    "thousands": "The sign between thousands in the numbers of the table.",
    "seed": "The same seed gives the same release.",
    "person": "The column, or the columns, that say whose record it is: then people are counted, "
    "not rows.",
    "population": "The people that the table is a sample of: their number (size), the part of them "
    "that is in the table (fraction), or a table of all of them (file).",
    "utility": "Measures of every release, each with its options. A release that misses the "
    "`at-most` or `at-least` of one is refused.",
    "context": "Why the table is released, and who receives it. The dossier shows it; it changes "
    "nothing in the release.",
}

COLUMN = {
    "role": "What the column is, and what becomes of it.",
    "hierarchy": "How values become more general: a kind with its options, or the name of a level "
    "table (csv).",
    "weight": "How much the column counts in the search, compared with the others.",
    "publish": "What a group shows in this column: a node of the hierarchy, a range, a set, a mean "
    "or a median.",
    "bounds": "Where ranges end. tight: at the lowest and highest value. grid: on multiples of a "
    "step, which may be named, as in {grid: 10} or {grid: month}.",
    "format": "How the dates of the column are written, where their text alone does not tell.",
    "age_on": "Read dates of birth as ages in whole years on this day, such as 2026-01-01.",
    "top": "All numbers from here on are one value, such as 90+.",
    "zip3": "census: read US ZIP codes as their first three digits, 000 where 20,000 people or "
    "fewer live. A list names further digits that become 000.",
    "decimal": "The sign before fractions in the numbers of the column, a point or a comma.",
    "thousands": "The sign between thousands in the numbers of the column.",
    "rare": "Values that too few people have, in sets. hide: such a group has the cell *. list: "
    "they are listed.",
    "severity": "How grave each value is: a number for each, or a csv file `value;severity`.",
    "determines": "accepted: the column may tell what a quasi-identifier hides.",
    "release": "true: survey weights are published, unchanged. false: they only count.",
    "reason": "Why the column has its role; the dossier shows it.",
}

TABLE = {
    "file": "The file of the table, relative to the policy.",
    "key": "The column that says whose row it is, and the table of people: {mrn: patients}.",
    "columns": "What each column of the table is.",
}


def about_option(cls: type, name: str) -> str:
    """The sentences of a class's docstring, and of those that it inherits from, on an option.

    >>> from shoal.group.partition.mondrian import Mondrian
    >>> about_option(Mondrian, "strict").partition(".")[0]
    '`strict=True` keeps equal values on one side'
    """
    spelled = re.sub("[-_]", "[-_]", name)
    names_it = re.compile(rf"`{spelled}(?![\w-])")
    return " ".join(
        sentence
        for base in cls.__mro__
        for sentence in _sentences(base.__doc__ or "")
        if names_it.search(sentence)
    )


def about_class(cls: type) -> str:
    """The first sentence that a class says of itself."""
    return next(iter(_sentences(cls.__doc__ or "")), "")


def _sentences(docstring: str) -> list[str]:
    prose = inspect.cleandoc(docstring).partition(">>>")[0]
    found = re.split(r"(?<=[.:])\s*\n\s*\n|(?<=\.)\s+(?=[A-Z`])", prose)
    return [" ".join(sentence.split()) for sentence in found if sentence.strip()]

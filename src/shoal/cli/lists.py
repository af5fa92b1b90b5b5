"""shoal algorithms, shoal models, shoal metrics, shoal hierarchies"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from shoal.cli import _options as options
from shoal.errors import PolicyError

if TYPE_CHECKING:
    from shoal.catalog import Part
    from shoal.types.metric import AnyMetric


KEYS: dict[Part, str] = {"algorithm": "Options", "model": "Keys"}


@click.command()
def algorithms() -> None:
    """List the algorithms and their options, with what each is unless you say otherwise."""
    _list("algorithm")


@click.command()
def models() -> None:
    """List the privacy models and their keys."""
    _list("model")


@click.command()
def metrics() -> None:
    """List the measures of information loss, and which a full-domain search can minimise."""
    _list("metric")


@click.command()
def hierarchies() -> None:
    """The kinds of hierarchies there are."""
    _list("hierarchy")


def _list(part: Part) -> None:
    from shoal import catalog
    from shoal.report.listing import print_names

    print_names({name: _about(part, name) for name in catalog.names(part)}, options.console())


def _about(part: Part, name: str) -> str:
    from shoal import catalog
    from shoal.types.options import options_in_words

    try:
        says = [catalog.summary(part, name)]
    except PolicyError as error:
        return f"Cannot be used: {error.message}."
    if part == "metric":
        says += _about_metric(catalog.load(part, name))
    if others := catalog.aliases(part, name):
        says.append(f"Also called {', '.join(others)}.")
    if part in KEYS and (options := options_in_words(catalog.load(part, name))):
        says.append(f"{KEYS[part]}: {options}.")
    return " ".join(says)


def _about_metric(kind: type[AnyMetric]) -> list[str]:
    """What it needs, which way is better, and whether a search can minimise it."""
    facts = {
        "Needs a sensitive column.": "sensitive" in kind.needs,
        "Needs severities of a sensitive column.": "severity" in kind.needs,
        "Higher is better.": not kind().lower_is_better,
        "Can be minimised.": kind.bound is not None,
        "Computed only where it is named.": kind.is_costly,
    }
    return [words for words, holds in facts.items() if holds]

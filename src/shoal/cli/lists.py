"""shoal algorithms, shoal models, shoal metrics, shoal hierarchies"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from shoal.cli import _options as options
from shoal.errors import PolicyError

if TYPE_CHECKING:
    from shoal.catalog import Part


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
    if part == "metric" and catalog.load(part, name).bound is not None:
        says.append("Can be minimised.")
    if others := catalog.aliases(part, name):
        says.append(f"Also called {', '.join(others)}.")
    if part in KEYS and (options := options_in_words(catalog.load(part, name))):
        says.append(f"{KEYS[part]}: {options}.")
    return " ".join(says)

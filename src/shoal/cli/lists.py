"""shoal algorithms, shoal models, shoal metrics"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from shoal.cli import _options as options

if TYPE_CHECKING:
    from shoal.catalog import Part


@click.command()
def algorithms() -> None:
    """List the algorithms."""
    _list("algorithm")


@click.command()
def models() -> None:
    """List the privacy models."""
    _list("model")


@click.command()
def metrics() -> None:
    """List the measures of information loss."""
    _list("metric")


def _list(part: Part) -> None:
    from shoal import catalog
    from shoal.report.listing import print_names

    print_names(
        {name: catalog.summary(part, name) for name in catalog.names(part)}, options.console()
    )

"""shoal hierarchy"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._outputs import protect
from shoal.errors import InputError, nearest

if TYPE_CHECKING:
    from shoal.runs.hierarchy import Rows, Values

PLAIN = re.compile(r"[\w-][\w .-]*")  # a column's name that can be a file's
MISSES = 1
NOTHING_FOUND = """\
Nothing shows which values belong together. Add a column of your own between them and *, or use
--grouping FILE (value;group lines) or --library NAME; `shoal docs hierarchies` lists libraries.\
"""
MOST_SHOWN = 50  # nodes of a level


@click.command(short_help="Write a level table for a column, or check one.")
@click.argument("column")
@click.argument("data", type=options.FILE)
@click.option(
    "-o", "--output", type=options.FILE, help="Level table to write (default: COLUMN.csv by DATA)."
)
@click.option("-p", "--policy", type=options.FILE, help="Policy that says how DATA is read.")
@click.option("--widths", help="Numbers by widths that nest: 5,10,20.")
@click.option(
    "--quantiles",
    type=int,
    help="Numbers in so many parts of about equally many records, with round ends.",
)
@click.option("--prefix", is_flag=True, help="Codes lose a character at each level.")
@click.option("--units", help="Dates by units that grow: month,quarter,year,decade.")
@click.option("--library", help="By a taxonomy of the library: countries.")
@click.option("--fewest", type=int, help="Texts with fewer records come together as Other.")
@click.option("--grouping", type=options.FILE, help="By your own file: value;group lines.")
@click.option("--check", "checked", type=options.FILE, help="Say what a level table misses.")
@click.option("--preview", is_flag=True, help="Count the records of each level. Writes nothing.")
@click.option(
    "--show-values", is_flag=True, help="Show values and nodes here. They are your data: take care."
)
@options.force
@options.delimiter
@options.encoding
def hierarchy(
    column: str,
    data: Path,
    output: Path | None,
    policy: Path | None,
    checked: Path | None,
    preview: bool,
    show_values: bool,
    force: bool,
    delimiter: str | None,
    encoding: str | None,
    **ways: Any,
) -> int:
    """Write a level table for COLUMN of DATA: all its values, with nodes above them, to edit."""
    from shoal.runs.hierarchy import level_table, refuse_wrong_way

    way = _chosen(ways)
    if way is not None:
        refuse_wrong_way(*way)
    writes = checked is None and not preview
    target = (output or _target(column, data)) if writes else None
    if target is not None:
        protect(target, force=force, inputs={"the data": data, "the policy": policy})
    values, proposed = _read(column, data, policy, delimiter, encoding)
    if checked is not None:
        return _check(values, checked, preview, show_values)
    rows = level_table(values, *(way or proposed))
    if target is not None:
        _write(rows, target, overwrite=force, inputs=(column, data))
    if preview or show_values:
        _preview(values, rows, show_values)
    return 0


def _read(
    name: str, data: Path, policy: Path | None, delimiter: str | None, encoding: str | None
) -> tuple[Values, tuple[Any, Any]]:
    """The column, and the way of generalising that fits it."""
    from shoal.proposals.level_tables import profile_of, way_for
    from shoal.read.columns import read_column
    from shoal.read.files import read_file
    from shoal.runs.hierarchy import Values

    source = read_file(data, delimiter=delimiter, encoding=encoding)
    if name not in source.frame.columns:
        near = nearest(name, source.frame.columns)
        raise InputError(f"{data} has no column {name!r}{near}")
    profile = profile_of(source, name, policy)
    if profile.column is None:
        raise InputError(f"Column {name!r} cannot be ordered or generalised.")
    written = read_column(source.frame[name], missing_values=profile.missing_values)
    return Values(written, profile.column), way_for(profile)


def _chosen(ways: dict[str, Any]) -> tuple[Any, Any] | None:
    """The way that an option asks for, with its value."""
    given = {name: value for name, value in ways.items() if value not in (None, False)}
    if len(given) > 1:
        names = " and ".join(f"--{name}" for name in given)
        raise click.UsageError(f"{names} are two ways to generalise. Choose one.")
    for name, value in given.items():
        match name:
            case "widths":
                return "widths", [part.strip() for part in value.split(",")]
            case "units":
                return "dates", [part.strip() for part in value.split(",")]
            case "fewest":
                return "frequency", value
            case "prefix":
                return "prefix", None
            case _:
                return name, value
    return None


def _target(column: str, data: Path) -> Path:
    if not PLAIN.fullmatch(column):
        raise click.UsageError("The column's name cannot be that of a file. Name one with -o.")
    return data.with_name(f"{column}.csv")


def _write(rows: Rows, target: Path, *, overwrite: bool, inputs: tuple[str, Path]) -> None:
    from shoal.write.level_table import level_table_text
    from shoal.write.private import private_file

    with private_file(target, overwrite=overwrite) as file:
        file.write(level_table_text(rows).encode())
    column, data = inputs
    words = ["shoal", "hierarchy", column, str(data), "--check", str(target)]
    n_levels = len(rows[0]) - 2
    click.echo(f"Wrote {target}: {len(rows):,} values, and {n_levels} levels between them and *.")
    if n_levels == 0:
        click.echo(NOTHING_FOUND)
    click.echo(
        "It lists values of the data: keep it with them. Edit it, then check it:\n"
        f"  {shlex.join(words)}\n"
        f"and name it in the policy: hierarchy: {target.name}"
    )


def _check(values: Values, file: Path, preview: bool, show_values: bool) -> int:
    from shoal.errors import counted
    from shoal.report.printable import printable
    from shoal.runs.hierarchy import check_table

    rows, found = check_table(values, file)
    n_records = sum(found.missing.values())
    click.echo(
        f"{file}: {counted(len(found.missing), 'value')} of {found.n_values:,} missing "
        f"({n_records:,} of {counted(found.n_records, 'record')}). "
        f"{counted(found.n_unused, 'leaf').replace('leafs', 'leaves')} without a record."
    )
    if found.missing and not show_values:
        click.echo("`--show-values` shows them here.")
    if show_values:
        for label, n in sorted(found.missing.items(), key=lambda item: -item[1]):
            click.echo(f"  {printable(label)}  {n:,}")
    if preview:
        _preview(values, rows, show_values)
    return MISSES if found.missing else 0


def _preview(values: Values, rows: Rows, show_values: bool) -> None:
    from shoal.errors import counted
    from shoal.report.printable import printable
    from shoal.runs.hierarchy import FEW, views

    for view in views(values, rows):
        sizes = sorted(view.records.values())
        spread = f"{sizes[0]:,} to {sizes[-1]:,} records each, " if sizes else ""
        rare = f"{counted(view.n_rare, 'record')} in nodes of fewer than {FEW}"
        click.echo(f"level {view.level}: {counted(len(sizes), 'node')}, {spread}{rare}")
        for label, n in list(view.records.items())[: MOST_SHOWN if show_values else 0]:
            click.echo(f"  {printable(label)}  {n:,}")
        if show_values and len(sizes) > MOST_SHOWN:
            click.echo(f"  and {len(sizes) - MOST_SHOWN:,} more")

"""What `shoal compare` and `shoal frontier` have in common: options, and the files of a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.cli._pipes import spooled
from shoal.errors import Cancelled, PolicyError

if TYPE_CHECKING:
    from shoal.comparison.comparison import Comparison
    from shoal.runs.compare import Plan, Trials
    from shoal.runs.processes import RunListener

FOLDER = click.Path(path_type=Path, file_okay=False)
Command = TypeVar("Command", bound=Callable[..., Any])


class Names(click.ParamType[Any]):
    """Names with commas between them."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        return tuple(part.strip() for part in str(value).split(",") if part.strip())


def names_begun(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """What a shell proposes after the last comma."""
    before, comma, last = begun.rpartition(",")
    return [f"{before}{comma}{name}" for name in options.algorithms(context, parameter, last)]


algorithms = click.option(
    "--algorithms",
    type=Names(),
    default="",
    metavar="A,B",
    shell_complete=names_begun,
    help="Algorithms to try, or `all` (default: the policy's).",
)
vary = click.option(
    "--vary",
    multiple=True,
    metavar="OPTION=V1,V2",
    help="Also try these values of an option, such as `algorithm.s` or `suppression`; repeatable.",
)


def on_runs(command: Command) -> Command:
    """The options of a command that tries many policies: where to, and what each may use."""
    for option in reversed(
        [
            click.option(
                "-o",
                "--output",
                "folder",
                type=FOLDER,
                help="Folder for tables, page and policies.",
            ),
            click.option(
                "--timeout",
                type=click.FloatRange(min=0, min_open=True),
                default=600.0,
                show_default=True,
                help="Seconds that a run may take.",
            ),
            click.option(
                "--memory",
                type=click.IntRange(min=1),
                help="Megabytes that a run may use (default: any).",
            ),
            click.option(
                "--processes",
                type=click.IntRange(min=1),
                help="Number of runs at once (default: as many as cores).",
            ),
            options.json,
            options.quiet,
            options.delimiter,
            options.encoding,
        ]
    ):
        command = option(command)
    return command


def values_of(text: str, path: str) -> list[Any]:
    """The values of an option: what stands between commas, `{...}` and `[...]` being one."""
    from shoal.policy.file import parse_policy

    try:
        found = parse_policy(f"values: [{text}]").content["values"]
    except PolicyError:
        raise PolicyError("the values cannot be read; write them as v1,v2", (path,)) from None
    values: list[Any] = found
    return values


def varied(given: Sequence[str]) -> dict[str, list[Any]]:
    """From `OPTION=v1,v2`: the values of each option."""
    return {path: values_of(text, path) for path, text in texts_of(given).items()}


def texts_of(given: Sequence[str]) -> dict[str, str]:
    """From `OPTION=v1,v2`, each option once, its values as they are written."""
    found: dict[str, str] = {}
    for one in given:
        path, has_values, text = one.partition("=")
        if not has_values or not path.strip():
            raise click.BadParameter(
                "write an option and its values: --vary suppression=0,0.01", param_hint="--vary"
            )
        if path in found:
            raise click.BadParameter(f"{path} is given twice", param_hint="--vary")
        found[path.strip()] = text
    return found


def whole_numbers(names: Sequence[str]) -> tuple[int, ...]:
    try:
        return tuple(int(name) for name in names)
    except ValueError:
        raise click.BadParameter(
            "write whole numbers with commas between them: --k 2,5,10", param_hint="--k"
        ) from None


@contextmanager
def tried_on(
    data: Path,
    plan: Plan,
    *,
    folder: Path | None,
    n_runs: int,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
    **limits: Any,
) -> Iterator[tuple[Trials, RunListener | None]]:
    """The table, read once and ready for policies, and who shows which of them are tried."""
    from shoal.read.files import read_file
    from shoal.report.comparison.progress import show_runs
    from shoal.report.progress import show_stages
    from shoal.runs.compare import Limits, Trials
    from shoal.runs.stages import Stages

    allowed = Limits(limits["timeout"], limits["memory"], limits["processes"])
    watch = Stages().watch
    with interrupting(watch):
        with show_stages(quiet=quiet) as listener, spooled(data) as table:
            stages = Stages(listener, watch)
            with stages("read"):
                source = read_file(table, delimiter=delimiter, encoding=encoding)
            trials = Trials(source, plan, folder=folder, limits=allowed, stages=stages)
            trials.open()
        trials.stages = Stages(watch=watch)  # a bar shows the runs
        n_at_once = allowed.n_processes(n_runs)
        with trials, show_runs(plan.variants, n_runs, n_at_once, quiet=quiet) as bar:
            try:
                yield trials, bar
            except (KeyboardInterrupt, Cancelled):
                _tell_to_go_on(folder)  # first: who waits too long is ended at once
                raise


def _tell_to_go_on(folder: Path | None) -> None:
    if folder is not None:
        click.echo(f"shoal: the same command goes on; what ended is in {folder}.", err=True)


def rows_of(comparison: Comparison) -> list[dict[str, Any]]:
    """The table for `--json`; what is infinite has no place there."""
    import math

    return [
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in row.items()
        }
        for row in comparison.frame.iter_rows(named=True)
    ]

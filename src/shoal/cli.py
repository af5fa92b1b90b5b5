"""The command line: what each command does, and how it ends."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal import __version__
from shoal.errors import OutputError, ShoalError

if TYPE_CHECKING:
    from shoal.policy import Policy
    from shoal.release import Release

INTERRUPTED = 130
BAD_INPUT = 2
NOBODY_READS = 141  # as shells call the end by a closed pipe

FILE = click.Path(path_type=Path, dir_okay=False)
policy_option = click.option("-p", "--policy", type=FILE, required=True, help="The policy file.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
quiet_option = click.option("--quiet", is_flag=True, help="Say nothing while working.")
force_option = click.option("--force", is_flag=True, help="Overwrite an existing file.")
delimiter_option = click.option("--delimiter", help="Of the csv file; found out by itself.")
encoding_option = click.option("--encoding", help="Of the csv file; UTF-8 and UTF-16 are known.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="shoal %(version)s")
def cli() -> None:
    """Anonymize tables of people so that they can be shared, and verify it.

    Begin with `shoal demo`, then `shoal init` on your own file.
    """


@cli.command()
@click.option(
    "-o", "--output", "folder", type=click.Path(path_type=Path, file_okay=False),
    default="shoal-demo", show_default=True, help="The folder to work in.",
)  # fmt: skip
@quiet_option
def demo(folder: Path, quiet: bool) -> None:
    """Anonymize the bundled Adult table, print the summary and write a report."""
    from shoal.datasets import copy_adult

    folder.mkdir(exist_ok=True, parents=True)
    if not (folder / "policy.yaml").exists():  # else it may have been edited: keep it
        copy_adult(folder)
    target, page = folder / "release.csv", folder / "report.html"
    release = _anonymize(folder / "adult.csv", folder / "policy.yaml", target, quiet=quiet)
    release.report(page)
    _print_summary(release)
    click.echo(
        f"\nThe table, its policy and hierarchies, the release and a report are in {folder}."
    )
    click.echo(f"Open {page}, change {folder / 'policy.yaml'}, and run it again:")
    click.echo(f"  shoal anonymize {folder / 'adult.csv'} -p {folder / 'policy.yaml'} -o {target}")


@cli.command()
@click.argument("data", type=FILE)
@click.option("-o", "--output", type=FILE, default="policy.yaml", show_default=True)
@force_option
@delimiter_option
@encoding_option
def init(
    data: Path, output: Path, force: bool, delimiter: str | None, encoding: str | None
) -> None:
    """Look at DATA and propose a policy: roles and hierarchies, with a reason for each."""
    from shoal.propose.policy_text import policy_text
    from shoal.propose.roles import propose
    from shoal.read.files import read_file
    from shoal.report.listing import print_proposal
    from shoal.write.atomic import write_text

    _protect(output, force=force, inputs={"the data": data})
    proposal = propose(read_file(data, delimiter=delimiter, encoding=encoding))
    write_text(output, policy_text(proposal, data_name=data.name))
    print_proposal(proposal, _console())
    click.echo(f"\n{output} is written. Check every role, then run:")
    click.echo(f"  shoal anonymize {data} -p {output} -o release{''.join(data.suffixes) or '.csv'}")


@cli.command()
@click.argument("data", type=FILE)
@policy_option
@click.option("-o", "--output", type=FILE, required=True, help="csv, csv.gz or parquet.")
@click.option("--report", type=FILE, help="Write a page about the release.")
@json_option
@click.option("--algorithm", help="Instead of the policy's; `shoal algorithms` lists them.")
@click.option("--k", type=int, help="Instead of the policy's.")
@click.option("--seed", type=int, help="Instead of the policy's.")
@click.option("--threads", type=click.IntRange(min=1), help="All cores, unless said otherwise.")
@force_option
@quiet_option
@delimiter_option
@encoding_option
def anonymize(
    data: Path,
    policy: Path,
    output: Path,
    report: Path | None,
    as_json: bool,
    force: bool,
    **settings: Any,
) -> None:
    """Anonymize DATA as a policy says, verify the result, and write it."""
    if report is not None:
        _protect(report, force=force, inputs=_named(data, policy) | {"the release": output})
    release = _anonymize(data, policy, output, **settings)
    if report is not None:
        release.report(report)
    if as_json:
        click.echo(json.dumps(release.summary() | {"output": str(output)}))
    else:
        _print_summary(release)
        click.echo(f"\n{output} is written" + (f", and {report}." if report else "."))


@cli.command()
@click.argument("release", type=FILE)
@policy_option
@click.option("--original", type=FILE, help="Also look whether the original's order is left.")
@json_option
@click.option("--junit", type=FILE, help="Write the result for a build server.")
@force_option
@delimiter_option
@encoding_option
def check(
    release: Path, policy: Path, original: Path | None, as_json: bool, junit: Path | None,
    force: bool, delimiter: str | None, encoding: str | None,
) -> int:  # fmt: skip
    """Verify a released file against a policy. Exit code 1 if it does not hold."""
    from shoal.pipeline import check as check_release
    from shoal.policy import Policy
    from shoal.read.files import read_file
    from shoal.report.junit import junit_text
    from shoal.report.text import print_verdict
    from shoal.write.atomic import write_text

    rules = Policy.load(policy)
    if junit is not None:
        inputs = _named(original or release, policy, rules.files) | {"the release": release}
        _protect(junit, force=force, inputs=inputs)
    source = read_file(release, delimiter=delimiter, encoding=encoding)
    verdict = check_release(
        source, rules, original=read_file(original, encoding=encoding) if original else None
    )
    if junit is not None:
        write_text(junit, junit_text(verdict, name=release.name))
    if as_json:
        click.echo(json.dumps(verdict.as_dict()))
    else:
        print_verdict(verdict, _console())
    return 0 if verdict.holds else 1


@cli.command()
def algorithms() -> None:
    """The algorithms there are."""
    _list("algorithm")


@cli.command()
def models() -> None:
    """The privacy models there are."""
    _list("model")


@cli.command()
def metrics() -> None:
    """The measures of what a release loses."""
    _list("metric")


def start() -> None:
    """What `shoal` runs: the command, and then an end without ceremony.

    Giving back every page of a large table takes a third of a second that nobody needs.
    """
    code = NOBODY_READS
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Run a command; every way to fail has its exit code and tells no cell's value."""
    signal.signal(signal.SIGTERM, _interrupt)
    gc.disable()  # a run lives for seconds and makes no cycles worth a tenth of its start
    sys.exit(_run())


def _run() -> int:
    try:
        return cli(standalone_mode=False) or 0
    except SystemExit:  # no command does this: click does, when nobody reads its output
        return NOBODY_READS
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except ShoalError as error:
        click.echo(f"shoal: {error}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("shoal: interrupted; nothing was written.", err=True)
        return INTERRUPTED
    except Exception as error:
        if "SHOAL_DEBUG" in os.environ:
            raise
        click.echo(_internal_error(error), err=True)
        return BAD_INPUT


def _anonymize(
    data: Path,
    policy: Path,
    output: Path,
    *,
    algorithm: str | None = None,
    k: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    quiet: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Release:
    """Read, anonymize, verify, write; refuse beforehand what could not be written."""
    from shoal.progress import Stages
    from shoal.read.files import read_file
    from shoal.report.progress import show_stages
    from shoal.write.atomic import check_target
    from shoal.write.files import check_ending, write_file

    check_ending(output)
    check_target(output)
    _refuse_inputs(output, _named(data, policy))
    with show_stages(quiet=quiet) as listener, ThreadPoolExecutor(1) as reader:
        stages = Stages(listener)
        # The file is read on one thread while this one loads the policy and the kernels.
        reading = reader.submit(
            stages.timed("read", read_file), data, delimiter=delimiter, encoding=encoding
        )
        rules = _overridden(_load(policy), algorithm=algorithm, k=k, seed=seed)
        _refuse_inputs(output, _named(data, policy, rules.files))
        from shoal import pipeline

        with stages("compile"):
            pipeline.compile_kernels(rules)
        release = pipeline.anonymize(reading.result(), rules, threads=threads, stages=stages)
        with stages("write"):
            write_file(release.published, output, delimiter=reading.result().delimiter)
    return release


def _load(policy: Path) -> Policy:
    from shoal.policy import Policy

    return Policy.load(policy)


def _overridden(
    policy: Policy, *, algorithm: str | None, k: int | None, seed: int | None
) -> Policy:
    from dataclasses import replace

    if algorithm is not None:
        policy = policy.with_algorithm(algorithm)
    if k is not None:
        policy = policy.with_k(k)
    return policy if seed is None else replace(policy, seed=seed)


def _protect(path: Path, *, force: bool, inputs: dict[str, Path]) -> None:
    """Refuse to overwrite an input, ever, and anything but our own pages unless told to."""
    from shoal.report.html import is_report
    from shoal.report.junit import is_junit
    from shoal.write.atomic import check_target

    _refuse_inputs(path, inputs)
    check_target(path)
    if path.exists() and not (force or is_report(path) or is_junit(path)):
        raise OutputError(f"{path} exists. Give another name, or `--force` to overwrite it.")


def _named(data: Path, policy: Path, hierarchies: Sequence[Path] = ()) -> dict[str, Path]:
    """The files that a command reads, by what they are."""
    files = {"the data": data, "the policy": policy}
    return files | {f"hierarchy {path.name}": path for path in hierarchies}


def _refuse_inputs(path: Path, inputs: dict[str, Path]) -> None:
    for what, other in inputs.items():
        if os.path.realpath(path) == os.path.realpath(other) or (
            path.exists() and other.exists() and path.samefile(other)
        ):
            raise OutputError(f"{path} is {what}. Give the output another name.")


def _print_summary(release: Release) -> None:
    from shoal.report.text import print_summary

    print_summary(release, _console())


def _list(part: Any) -> None:
    from shoal import catalog
    from shoal.report.listing import print_names

    print_names({name: catalog.summary(part, name) for name in catalog.names(part)}, _console())


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False)


def _interrupt(signum: int, frame: object) -> None:
    raise KeyboardInterrupt


def _internal_error(error: Exception) -> str:
    """Where it happened, but not what it says: the text of an exception may hold a cell."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}" if place else ""
    return (
        f"shoal: an internal error ({type(error).__name__}{where}).\n"
        "Please report it; SHOAL_DEBUG=1 shows the whole story, which may include data."
    )

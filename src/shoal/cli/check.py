"""shoal check"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._compared import Dossier, print_comparison
from shoal.cli._in_engine import check_in, refuse_of_files
from shoal.cli._interrupt import interrupting
from shoal.cli._outputs import named, protect
from shoal.cli._tables import check_tables, refuse_of_one_table
from shoal.errors import OutputError, ShoalError

if TYPE_CHECKING:
    from shoal.engines.location import Location
    from shoal.policy.policy import Policy
    from shoal.report.dossier.compare import Comparison
    from shoal.types.verdict import Verdict

INTERRUPTED = "The check was interrupted."
UNFINISHED = "The check was begun and did not end: it was interrupted, killed or out of memory."


@click.command(short_help="Verify a released table, or several.")
@click.argument("release", type=options.TABLE_OR_FILE_OR_FOLDER)
@click.option(
    "-p",
    "--policy",
    type=options.FILE,
    help="Policy file (YAML); not needed with --report, which carries one.",
)
@click.option(
    "--report",
    type=options.FILE,
    help="Also say whether this dossier (.html, .json) is of RELEASE.",
)
@click.option(
    "--original",
    type=options.FILE,
    help="Also compare with the original table: row order and distributions.",
)
@options.earlier
@options.json
@click.option(
    "--junit", type=options.FILE, help="Write the result as JUnit XML, for build servers."
)
@options.force
@options.quiet
@options.delimiter
@options.encoding
def check(
    release: Path | Location,
    policy: Path | None,
    report: Path | None,
    original: Path | None,
    earlier: tuple[Path, ...],
    as_json: bool,
    junit: Path | None,
    force: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> int:
    """Verify a released file against a policy. Exits with code 1 if it fails.

    RELEASE may also be a table in a database: file.duckdb::table.

    With --report it also says whether a dossier is of this file, and fails if it is not. With
    --earlier, all releases together must satisfy the policy; this needs --original. With `tables`
    in the policy, RELEASE is the folder that has the released tables.
    """
    if not isinstance(release, Path):
        given = {"--report": report, "--original": original, "--earlier": earlier, "--junit": junit}
        refuse_of_files(given)
        return check_in(release, _rules(policy, None), as_json=as_json, quiet=quiet or as_json)
    others = {f"the earlier release {path.name}": path for path in earlier}
    read = {"the release": release, "the policy": policy, "the dossier": report}
    read |= {"the original": original, **others}
    with _told_to_build_server(junit, release, read, force=force):
        return _check(
            release, policy, report, original, earlier, as_json=as_json, junit=junit, force=force,
            quiet=quiet, delimiter=delimiter, encoding=encoding,
        )  # fmt: skip


@contextmanager
def _told_to_build_server(
    junit: Path | None, release: Path, read: dict[str, Path | None], *, force: bool
) -> Iterator[None]:
    """With --junit, a check that cannot be made is in the test report too, however it ends.

    The report of an earlier check is replaced before anything else is done, by one that says that
    the check did not end: nothing else could say it for a process that is killed.
    """
    from shoal.report.junit import is_junit, junit_of_error
    from shoal.write.atomic import write_text

    if junit is None:
        yield
        return
    protect(junit, force=force, inputs=read)

    def tell(error: ShoalError) -> None:
        write_text(junit, junit_of_error(error, name=release.name))

    if not junit.exists() or is_junit(junit):
        tell(ShoalError(UNFINISHED))
    try:
        yield
    except OutputError:  # of the test report itself
        raise
    except ShoalError as error:
        tell(error)
        raise
    except click.UsageError as error:
        tell(ShoalError(error.message))
        raise
    except (KeyboardInterrupt, click.Abort):
        tell(ShoalError(INTERRUPTED))
        raise
    except MemoryError:
        tell(ShoalError("There was not enough memory for the check."))
        raise
    except Exception as error:
        tell(ShoalError(f"An internal error ended the check ({type(error).__name__})."))
        raise


def _check(
    release: Path,
    policy: Path | None,
    report: Path | None,
    original: Path | None,
    earlier: tuple[Path, ...],
    *,
    as_json: bool,
    junit: Path | None,
    force: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> int:
    from shoal.policy.tables import is_of_tables
    from shoal.report.junit import junit_text
    from shoal.write.atomic import write_text

    reading: dict[str, Any] = {
        "quiet": quiet or as_json,
        "delimiter": delimiter,
        "encoding": encoding,
    }
    if policy is not None and is_of_tables(policy):
        given = {"--original": original, "--report": report, "--earlier": earlier}
        refuse_of_one_table(None, given)
        return check_tables(release, policy, junit=junit, as_json=as_json, force=force, **reading)
    if earlier and original is None:
        raise click.UsageError("--earlier needs --original, the table that both were made of.")
    dossier = None if report is None else Dossier.read(report)
    rules = _rules(policy, dossier)
    if junit is not None:
        others = {f"the earlier release {path.name}": path for path in earlier}
        read = {"the release": release, "the dossier": report, **others}
        _protect(junit, read, policy or release, rules, original or release, force=force)
    verdict = None if rules is None else _verify(release, rules, original, earlier, **reading)
    comparison = None if dossier is None else dossier.compare(release, verdict)
    if junit is not None and verdict is not None:
        write_text(junit, junit_text(verdict, name=release.name))
    _tell(verdict, comparison, report, as_json=as_json)
    is_good = (verdict is None or verdict.holds) and (comparison is None or comparison.holds)
    return 0 if is_good else 1


def _verify(
    release: Path,
    rules: Policy,
    original: Path | None,
    earlier: tuple[Path, ...],
    *,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> Verdict:
    from shoal.read.files import read_either
    from shoal.report.progress import show_stages
    from shoal.runs import check as audit
    from shoal.runs.stages import Stages
    from shoal.runs.together import earlier_of

    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        with stages("read"):
            source = read_either(release, delimiter=delimiter, encoding=encoding)
            compared = read_either(original, encoding=encoding) if original else None
            others = earlier_of(earlier, encoding)
        with interrupting(stages.watch), stages("verify"):
            return audit.check(source, rules, original=compared, earlier=others, watch=stages.watch)


def _tell(
    verdict: Verdict | None, comparison: Comparison | None, report: Path | None, *, as_json: bool
) -> None:
    from shoal.report.text import print_verdict

    if as_json:
        facts = {} if verdict is None else verdict.as_dict()
        extra = {} if comparison is None else {"dossier": comparison.as_dict()}
        click.echo(json.dumps(facts | extra))
        return
    if verdict is not None:
        print_verdict(verdict, options.console())
    if comparison is not None and report is not None:
        print_comparison(comparison, report, options.console())


def _protect(
    junit: Path,
    read: dict[str, Path | None],
    policy: Path,
    rules: Policy | None,
    data: Path,
    *,
    force: bool,
) -> None:
    """Refuse to write the test report over a file that is read."""
    if rules is None:
        raise click.UsageError("--junit needs a policy: the dossier carries none.")
    protect(junit, force=force, inputs={**named(data, policy, rules.files), **read})


def _rules(policy: Path | None, dossier: Dossier | None) -> Policy | None:
    """The policy that was given, or that the dossier carries."""
    from shoal.policy.policy import Policy

    if policy is not None:
        return Policy.load(policy)
    if dossier is None:
        raise click.UsageError("Give a policy (-p), or a dossier that carries one (--report).")
    return dossier.policy()

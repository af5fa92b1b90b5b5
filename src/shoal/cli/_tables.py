"""`shoal anonymize` and `shoal check` with a policy that has `tables`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.cli._outputs import protect, refuse_inputs, tell_left_behind
from shoal.cli._pseudonyms import PseudonymFiles
from shoal.errors import InputError, OutputError

if TYPE_CHECKING:
    from shoal.policy.tables import TablesPolicy
    from shoal.read.source import Source


def refuse_of_one_table(data: Path | None, given: Mapping[str, Any]) -> None:
    """Refuse what only a policy of one table takes."""
    if data is not None:
        raise click.UsageError(
            "The policy has `tables`, and names the file of each. Leave DATA out."
        )
    for option, value in given.items():
        if value:
            raise click.UsageError(f"{option} is for one table, and the policy has `tables`.")


def anonymize_tables(
    policy: Path,
    folder: Path,
    pseudonyms: PseudonymFiles,
    *,
    as_json: bool,
    force: bool,
    threads: int | None,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
    **overrides: Any,
) -> None:
    """Read, anonymize, verify and write all tables; tell of it."""
    from shoal.read.files import read_file
    from shoal.report.progress import show_stages
    from shoal.report.tables_text import print_tables_summary
    from shoal.runs.anonymize_tables import anonymize_sources
    from shoal.runs.stages import Stages
    from shoal.types.schema import Schema
    from shoal.write.atomic import FileSet
    from shoal.write.folder import TableFile, add_folder, check_folder, new_folder

    rules = _load(policy, **overrides)
    check_folder(folder)
    targets = _targets(folder, rules)
    inputs = _inputs(policy, rules)
    for target in targets.values():
        _protect(target, inputs, force=force)
    key = pseudonyms.key_or_mapping(Schema(rules.tables[rules.people].columns).pseudonym)
    pseudonyms.protect({**inputs, **{f"the release of {n!r}": t for n, t in targets.items()}})
    files = FileSet(inputs=list(rules.files.values()))
    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        with interrupting(stages.watch):
            with stages("read"):
                sources = _read(
                    rules, rules.files, read_file, delimiter=delimiter, encoding=encoding
                )
            release = anonymize_sources(sources, rules, key=key, threads=threads, stages=stages)
        tables = [
            TableFile(
                target.name,
                release.tables[name].published,
                sources[name].delimiter,
                sources[name].labels,
            )
            for name, target in targets.items()
        ]
        with stages("write"), new_folder(folder), files:
            pseudonyms.write(release, files)
            add_folder(files, folder, tables)
    tell_left_behind(files)
    if as_json:
        written = {name: str(target) for name, target in targets.items()}
        facts = {"output": str(folder), "files": written} | pseudonyms.facts
        click.echo(json.dumps(release.summary() | facts))
        return
    print_tables_summary(release, options.console())
    click.echo(f"\nWrote {', '.join(str(target) for target in targets.values())}.")
    if pseudonyms.message:
        click.echo(pseudonyms.message)


def check_tables(
    folder: Path,
    policy: Path,
    *,
    junit: Path | None,
    as_json: bool,
    force: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> int:
    """Verify the tables in a folder; the exit code is 1 if any fails."""
    from shoal.policy.tables import TablesPolicy
    from shoal.read.files import read_either
    from shoal.report.junit import junit_text
    from shoal.report.progress import show_stages
    from shoal.report.tables_text import print_tables_verdict
    from shoal.runs.check_tables import check_sources
    from shoal.runs.stages import Stages
    from shoal.write.atomic import write_text

    rules = TablesPolicy.load(policy)
    files = _released(folder, rules)
    if junit is not None:
        released = {f"the release of {name!r}": file for name, file in files.items()}
        protect(junit, force=force, inputs=_inputs(policy, rules) | released)
    with show_stages(quiet=quiet or as_json) as listener:
        stages = Stages(listener)
        with stages("read"):
            sources = _read(rules, files, read_either, delimiter=delimiter, encoding=encoding)
        with interrupting(stages.watch), stages("verify"):
            verdict = check_sources(sources, rules, watch=stages.watch)
    if junit is not None:
        write_text(junit, junit_text(verdict.whole, name=folder.name))
    if as_json:
        click.echo(json.dumps(verdict.as_dict()))
    else:
        print_tables_verdict(verdict, options.console())
    return 0 if verdict.holds else 1


def _load(
    path: Path, *, algorithm: str | None = None, k: int | None = None, seed: int | None = None
) -> TablesPolicy:
    """The policy, with the settings that the command line overrides."""
    from shoal.policy.tables import TablesPolicy

    policy = TablesPolicy.load(path)
    if algorithm is not None:
        policy = policy.with_algorithm(algorithm)
    if k is not None:
        policy = policy.with_k(k)
    return policy if seed is None else policy.with_seed(seed)


def _inputs(policy: Path, rules: TablesPolicy) -> dict[str, Path]:
    """The files that are read, by what they are."""
    tables = {
        f"the table {name!r}": table.file
        for name, table in rules.tables.items()
        if table.file is not None
    }
    others = {f"{path.name}, which the policy reads": path for path in rules.other_files}
    return {"the policy": policy, **tables, **others}


def _targets(folder: Path, rules: TablesPolicy) -> dict[str, Path]:
    """A file for each table, of the same kind as its input."""
    from shoal.write.files import ending_of

    return {
        name: folder / f"{name}{ending_of(file) or '.csv'}" for name, file in rules.files.items()
    }


def _protect(target: Path, inputs: Mapping[str, Path], *, force: bool) -> None:
    refuse_inputs(target, inputs)
    if target.exists() and not force:
        raise OutputError(
            f"{target} exists. Choose another folder, or use `--force` to overwrite it."
        )


def _released(folder: Path, rules: TablesPolicy) -> dict[str, Path]:
    """The file of each table in the folder of a release."""
    from shoal.write.files import ending_of

    if not folder.is_dir():
        raise InputError(
            f"{folder} is not a folder. The policy has `tables`: give the folder of the release."
        )
    found: dict[str, Path] = {}
    for name in rules.tables:
        files = [f for f in sorted(folder.iterdir()) if f.name == f"{name}{ending_of(f)}"]
        if len(files) != 1:
            raise InputError(
                f"{folder}: there must be one file of the table {name!r}, such as {name}.csv, but "
                f"there are {len(files)}."
            )
        found[name] = files[0]
    return found


def _read(
    rules: TablesPolicy,
    files: Mapping[str, Path],
    read: Callable[..., Source],
    **how: str | None,
) -> dict[str, Source]:
    """The tables from their files. Those of events may be empty."""
    return {
        name: read(file, may_be_empty=name in rules.events, **how) for name, file in files.items()
    }

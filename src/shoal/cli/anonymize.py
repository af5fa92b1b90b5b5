"""shoal anonymize"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.cli._outputs import named, protect, refuse_inputs
from shoal.cli._pseudonyms import PseudonymFiles
from shoal.cli._reading import raise_early, start_reading
from shoal.cli._recoding import RecodingFile
from shoal.cli._tables import anonymize_tables, refuse_of_one_table

if TYPE_CHECKING:
    from shoal.policy.policy import Policy
    from shoal.release.release import Release


@click.command(short_help="Anonymize, verify and write a table, or several.")
@click.argument("data", type=options.FILE, required=False)
@options.policy
@click.option(
    "-o",
    "--output",
    type=options.FILE_OR_FOLDER,
    required=True,
    help="Release to write: .csv, .csv.gz, .tsv or .parquet; with `tables`, a folder.",
)
@click.option("--report", type=options.FILE, help="Write a report on the release as an HTML page.")
@options.json
@click.option(
    "--algorithm", help="Use this algorithm instead of the policy's. `shoal algorithms` lists them."
)
@click.option(
    "--k",
    type=int,
    help="Use this k in every model that has one; adds k-anonymity if none has.",
)
@click.option("--seed", type=int, help="Use this random seed instead of the policy's.")
@click.option(
    "--neighbours",
    is_flag=True,
    help="Also evaluate one level up and down per column (full-domain algorithms).",
)
@click.option(
    "--threads", type=click.IntRange(min=1), help="Number of threads (default: all cores)."
)
@options.earlier
@options.key_file
@click.option(
    "--mapping",
    type=options.FILE,
    help="Make pseudonyms at random instead, and write who is behind each (internal).",
)
@click.option(
    "--registry",
    type=options.FILE,
    help="Remember the release in this file (default: releases.jsonl next to DATA).",
)
@click.option("--no-registry", is_flag=True, help="Do not remember the release.")
@options.force
@options.quiet
@options.delimiter
@options.encoding
def anonymize(
    data: Path | None,
    policy: Path,
    output: Path,
    report: Path | None,
    as_json: bool,
    key_file: Path | None,
    mapping: Path | None,
    registry: Path | None,
    no_registry: bool,
    force: bool,
    **settings: Any,
) -> None:
    """Anonymize DATA by a policy, verify the result, and write it.

    A policy with `tables` names its files itself: leave DATA out, and give a folder as output.
    """
    from shoal.policy.tables import is_of_tables
    from shoal.report.text import print_summary

    pseudonyms = PseudonymFiles(key_file, mapping, force=force)
    if is_of_tables(policy):
        given = {name: settings.pop(name) for name in ("neighbours", "earlier")}
        given = {"--report": report, "--registry": registry} | {
            f"--{name}": value for name, value in given.items()
        }
        refuse_of_one_table(data, given)
        anonymize_tables(policy, output, pseudonyms, as_json=as_json, force=force, **settings)
        return
    if data is None:
        raise click.MissingParameter(
            ctx=click.get_current_context(), param_hint="'DATA'", param_type="argument"
        )
    if registry is not None and no_registry:
        raise click.UsageError("--registry and --no-registry exclude each other.")
    if report is not None:
        protect(report, force=force, inputs=named(data, policy) | {"the release": output})
    recoding = RecodingFile(output, force=force)
    release = anonymize_file(
        data,
        policy,
        output,
        other_output=report,
        recoding_file=recoding,
        pseudonyms=pseudonyms,
        registry=None if no_registry else registry or default_registry(data),
        **settings,
    )
    if report is not None:
        release.report(report, output=output)
    if as_json:
        summary = release.summary() | {"output": str(output)} | pseudonyms.facts
        click.echo(json.dumps(recoding.add_to(summary)))
    else:
        print_summary(release, options.console())
        click.echo(f"\nWrote {output}" + (f" and {report}." if report else "."))
        for message in filter(None, (recoding.message, pseudonyms.message)):
            click.echo(message)


def anonymize_file(
    data: Path,
    policy: Path,
    output: Path,
    *,
    other_output: Path | None = None,
    recoding_file: RecodingFile | None = None,
    pseudonyms: PseudonymFiles | None = None,
    threads: int | None = None,
    neighbours: bool = False,
    earlier: tuple[Path, ...] = (),
    registry: Path | None = None,
    quiet: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    **overrides: Any,
) -> Release:
    """Read, anonymize, verify, write; refuse beforehand what could not be written.

    `other_output` is a file that will be written later, which must not be an input either;
    `recoding_file` takes the recoding of a full-domain release, `pseudonyms` says what makes them,
    `registry` remembers the release.
    """
    from shoal.read.files import read_file
    from shoal.report.progress import show_stages
    from shoal.runs.stages import Stages
    from shoal.types.schema import Schema
    from shoal.write.atomic import check_target
    from shoal.write.files import check_ending

    pseudonyms = pseudonyms or PseudonymFiles()
    check_ending(output)
    check_target(output)
    refuse_inputs(output, named(data, policy))
    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        read = stages.timed("read", read_file)
        reading = start_reading(lambda: read(data, delimiter=delimiter, encoding=encoding))
        rules = _load(policy, **overrides)
        key = pseudonyms.key_or_mapping(Schema(rules.columns).pseudonym)
        inputs = named(data, policy, rules.files) | _named(earlier)
        outputs = {"the release": output, "the report": other_output, "the registry": registry}
        files = _protected(inputs, outputs, pseudonyms)
        if recoding_file is not None and rules.algorithm.traits.publishes_nodes:
            recoding_file.protect(files)
        raise_early(reading)
        from shoal.runs.anonymize import anonymize as run
        from shoal.runs.search import refuse_without_levels
        from shoal.runs.together import earlier_of
        from shoal.runs.warm_up import warm_up

        if neighbours:
            refuse_without_levels(rules.algorithm)
        with stages("compile"):
            warm_up(rules)
        source = reading.result()
        with stages("read"):
            others = earlier_of(earlier, encoding)
        with interrupting(stages.watch):
            release = run(
                source,
                rules,
                key=key,
                threads=threads,
                stages=stages,
                neighbours=neighbours,
                is_warm=True,
                earlier=others,
            )
        if recoding_file is not None and release.grouping.levels is not None:
            recoding_file.protect(files)
        with stages("write"):
            _write(release, output, source.delimiter, pseudonyms, recoding_file)
        if registry is None:
            return release
        from shoal.runs.registry import remembered

        return remembered(release, source, registry, data=data, output=output, earlier=others)


def _write(
    release: Release,
    output: Path,
    delimiter: str,
    pseudonyms: PseudonymFiles,
    recoding_file: RecodingFile | None,
) -> None:
    pseudonyms.write(release)  # first: it cannot be made again
    release.write(output, delimiter=delimiter)
    if recoding_file is not None:
        recoding_file.write(release)


def default_registry(data: Path) -> Path:
    """Where releases of a table are remembered: with the table, since it is as internal."""
    from shoal.read.registry import REGISTRY

    return data.parent / REGISTRY


def _named(earlier: Sequence[Path]) -> dict[str, Path]:
    return {f"the earlier release {path.name}": path for path in earlier}


def _protected(
    inputs: Mapping[str, Path], outputs: Mapping[str, Path | None], pseudonyms: PseudonymFiles
) -> dict[str, Path | None]:
    """All files of a run by what they are, once no output is an input or another output."""
    for what, target in outputs.items():
        if target is not None:
            others = {name: path for name, path in outputs.items() if path and name != what}
            refuse_inputs(target, {**inputs, **others})
    files = {**inputs, **outputs}
    pseudonyms.protect(files)
    return files | pseudonyms.files


def _load(
    path: Path, *, algorithm: str | None = None, k: int | None = None, seed: int | None = None
) -> Policy:
    """The policy, with the settings that the command line overrides."""
    from shoal.policy.policy import Policy

    policy = Policy.load(path)
    if algorithm is not None:
        policy = policy.with_algorithm(algorithm)
    if k is not None:
        policy = policy.with_k(k)
    return policy if seed is None else replace(policy, seed=seed)

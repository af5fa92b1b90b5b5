"""shoal anonymize"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._dossier import DossierFiles
from shoal.cli._in_engine import anonymize_in, refuse_of_files
from shoal.cli._interrupt import interrupting
from shoal.cli._outputs import named, tell_left_behind
from shoal.cli._pipes import (
    STANDARD,
    is_piped,
    refuse_with_standard_output,
    spooled,
    to_standard_output,
)
from shoal.cli._pseudonyms import PseudonymFiles
from shoal.cli._reading import raise_early, start_reading
from shoal.cli._recoding import RecodingFile
from shoal.cli._registry import RegistryFile, default_registry
from shoal.cli._run_files import RunFiles
from shoal.cli._tables import anonymize_tables, refuse_of_one_table

if TYPE_CHECKING:
    from shoal.engines.location import Location
    from shoal.policy.policy import Policy
    from shoal.release.release import Release
    from shoal.runs.together_columns import Earlier
    from shoal.write.atomic import FileSet


@click.command(short_help="Anonymize, verify and write a table, or several.")
@click.argument("data", type=options.TABLE_OR_FILE, required=False)
@options.policy
@click.option(
    "-o",
    "--output",
    type=options.TABLE_OR_FILE_OR_FOLDER,
    required=True,
    help=f"{options.RELEASE[:-1]}; with `tables`, a folder; or a table in a database.",
)
@click.option(
    "--report",
    type=options.FILE,
    multiple=True,
    help="Write the dossier of the release: .html, or .json for its twin; may be given twice.",
)
@click.option(
    "--report-external",
    type=options.FILE,
    multiple=True,
    help="The same without what helps an attacker, for recipients.",
)
@click.option(
    "--public-policy",
    type=options.FILE,
    help="Write a policy without secrets, with which anyone can check the release.",
)
@options.json
@click.option(
    "--algorithm",
    shell_complete=options.algorithms,
    help="Use this algorithm instead of the policy's. `shoal algorithms` lists them.",
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
@options.threads
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
@options.engine
@options.memory
@options.force
@options.quiet
@options.delimiter
@options.encoding
def anonymize(
    data: Path | Location | None,
    policy: Path,
    output: Path | Location,
    report: tuple[Path, ...],
    report_external: tuple[Path, ...],
    public_policy: Path | None,
    as_json: bool,
    key_file: Path | None,
    mapping: Path | None,
    registry: Path | None,
    no_registry: bool,
    engine: str | None,
    memory: str | None,
    force: bool,
    **settings: Any,
) -> None:
    """Anonymize DATA by a policy, verify the result, and write it.

    DATA is a file, or a table in a database: file.duckdb::table or
    postgresql://host/database::schema.table. A policy with `tables` names its files itself: leave
    DATA out, and give a folder as output.
    """
    from shoal.engines.how import How
    from shoal.engines.location import Location
    from shoal.policy.tables import is_of_tables
    from shoal.report.text import print_summary
    from shoal.write.atomic import FileSet

    pseudonyms = PseudonymFiles(key_file, mapping, force=force)
    if isinstance(data, Location) or isinstance(output, Location) or engine is not None:
        needing: dict[str, Any] = {"--report": report, "--report-external": report_external}
        needing |= {"--public-policy": public_policy, "--registry": registry}
        needing |= {"--key-file": key_file, "--mapping": mapping}
        refuse_of_files(needing | {f"--{n}": settings.pop(n) for n in ("earlier", "encoding")})
        overrides = {name: settings.pop(name) for name in ("algorithm", "k", "seed")}
        how = How(memory, settings.pop("threads"), settings.pop("delimiter"), force)
        anonymize_in(
            data, _load(policy, **overrides), policy, output, how, as_json=as_json, **settings
        )
        return
    if is_of_tables(policy):
        given: dict[str, Any] = {"--report": report, "--report-external": report_external}
        given |= {"--public-policy": public_policy, "--registry": registry}
        given |= {f"--{name}": settings.pop(name) for name in ("neighbours", "earlier")}
        refuse_of_one_table(data, given)
        anonymize_tables(policy, output, pseudonyms, as_json=as_json, force=force, **settings)
        return
    if data is None:
        raise click.MissingParameter(
            ctx=click.get_current_context(), param_hint="'DATA'", param_type="argument"
        )
    if registry is not None and no_registry:
        raise click.UsageError("--registry and --no-registry exclude each other.")
    refuse_with_standard_output(
        output, json=as_json, report=report, report_external=report_external,
        public_policy=public_policy,
    )  # fmt: skip
    if registry is None and not (no_registry or is_piped(data) or output == STANDARD):
        registry = default_registry(data)
    with spooled(data) as table, to_standard_output(output) as file:
        targets = RunFiles(
            file,
            dossier=DossierFiles(report, report_external, public_policy, force=force),
            recoding=None if output == STANDARD else RecodingFile(output, force=force),
            pseudonyms=pseudonyms,
            registry=RegistryFile(registry),
            force=force,
        )
        targets.dossier.protect(named(table, policy) | {"the release": output})
        with FileSet(inputs=[] if is_piped(data) else [data]) as files:
            release = anonymize_file(table, policy, targets, files, **settings)
        tell_left_behind(files)
        release = targets.registry.remember(release)
    if as_json:
        summary = release.summary() | {"output": str(output)} | pseudonyms.facts
        click.echo(json.dumps(targets.recoding_facts(summary)))
    elif output == STANDARD:
        print_summary(release, options.console(stderr=True))
    else:
        print_summary(release, options.console())
        *first, last = [output, *targets.dossier.files.values()]
        click.echo(f"\nWrote {', '.join(map(str, first))}{' and ' if first else ''}{last}.")
        for message in targets.messages:
            click.echo(message)


def anonymize_file(
    data: Path,
    policy: Path,
    targets: RunFiles,
    files: FileSet,
    *,
    threads: int | None = None,
    neighbours: bool = False,
    earlier: tuple[Path, ...] = (),
    quiet: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    **overrides: Any,
) -> Release:
    """Read, anonymize, verify, write among `files`; refuse beforehand what could not be written."""
    from shoal.read.files import read_file
    from shoal.report.progress import show_stages
    from shoal.runs.stages import Stages
    from shoal.types.schema import Schema

    targets.check(named(data, policy))
    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        read = stages.timed("read", read_file)
        reading = start_reading(lambda: read(data, delimiter=delimiter, encoding=encoding))
        rules = _load(policy, **overrides)
        key = targets.pseudonyms.key_or_mapping(Schema(rules.columns).pseudonym)
        inputs = named(data, policy, rules.files) | _named(earlier)
        targets.protect(inputs, with_levels=rules.algorithm.traits.publishes_nodes)
        raise_early(reading)
        from shoal.runs.anonymize import anonymize as run
        from shoal.runs.search import refuse_without_levels
        from shoal.runs.warm_up import warm_up

        if neighbours:
            refuse_without_levels(rules.algorithm)
        with stages("compile"):
            warm_up(rules)
        source = reading.result()
        with stages("read"):
            others = _read_earlier(earlier, encoding)
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
            targets.gather(source, release, inputs=inputs, threads=threads, stages=stages)
        with stages("write"):
            return targets.write(release, source, files, data=data, earlier=others)


def _read_earlier(earlier: Sequence[Path], encoding: str | None) -> tuple[Earlier, ...]:
    if not earlier:
        return ()
    from shoal.runs.together import earlier_of

    return earlier_of(earlier, encoding)


def _named(earlier: Sequence[Path]) -> dict[str, Path]:
    return {f"the earlier release {path.name}": path for path in earlier}


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

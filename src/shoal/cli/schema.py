"""shoal schema"""

from __future__ import annotations

import json
from pathlib import Path

import click

from shoal.cli import _options as options
from shoal.cli._outputs import protect


@click.command(short_help="Print the JSON schema of the policy file.")
@click.option("-o", "--output", type=options.FILE, help="File to write (default: print it).")
@options.force
def schema(output: Path | None, force: bool) -> None:
    """Print the JSON schema of the policy file, by which editors complete and check it.

    It has the algorithms, models and hierarchies that are installed here, with their options.
    """
    from shoal.policy.json_schema import EDITOR_LINE, is_schema, policy_schema
    from shoal.write.atomic import write_text

    text = json.dumps(policy_schema(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
        return
    protect(output, force=force, inputs={}, is_ours=is_schema)
    write_text(output, text)
    click.echo(
        f"Wrote {output}. The first line of a policy next to it tells editors so:\n"
        f"{EDITOR_LINE.format(output.name)}"
    )

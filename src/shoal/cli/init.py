"""shoal init"""

from __future__ import annotations

from pathlib import Path

import click

from shoal.cli import _options as options
from shoal.cli._ask import ask_roles, refuse_without_terminal
from shoal.cli._command import command
from shoal.cli._outputs import protect
from shoal.cli._pipes import STANDARD, is_piped


@click.command(short_help="Propose a policy for a table.")
@click.argument("data", type=options.FILE)
@click.option(
    "-o",
    "--output",
    type=options.FILE,
    default="policy.yaml",
    show_default=True,
    help="Policy file to write.",
)
@click.option(
    "--for",
    "recipe",
    metavar="RECIPE",
    shell_complete=options.recipes,
    help=f"Fill in what this asks for: {', '.join(options.RECIPES)}.",
)
@click.option("--ask", is_flag=True, help="Ask for the role of each column, in the terminal.")
@options.force
@options.quiet
@options.delimiter
@options.encoding
def init(
    data: Path,
    output: Path,
    recipe: str | None,
    ask: bool,
    force: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> None:
    """Propose a policy for DATA: roles and hierarchies, with a reason for each."""
    from shoal.policy.json_schema import editor_lines
    from shoal.proposals.policy_text import policy_text
    from shoal.proposals.propose import propose
    from shoal.proposals.recipes import recipe_of
    from shoal.read.files import read_file
    from shoal.report.listing import print_proposal
    from shoal.report.progress import show_stages
    from shoal.runs.stages import Stages
    from shoal.write.atomic import write_text
    from shoal.write.files import ending_of

    wanted = None if recipe is None else recipe_of(recipe)
    to_pipe = output == STANDARD
    if ask:
        refuse_without_terminal()
    if not to_pipe:
        protect(output, force=force, inputs={"the data": data})
    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        with stages("read"):
            source = read_file(data, delimiter=delimiter, encoding=encoding)
        with stages("propose"):
            proposal = propose(source, wanted)
    if ask:
        proposal = ask_roles(proposal, lambda roles, whose: propose(source, wanted, roles, whose))
    text = policy_text(proposal, data_name="" if is_piped(data) else data.name)
    if to_pipe:
        click.echo(text, nl=False)
        return
    text = "\n".join([*editor_lines(output), text])
    write_text(output, text, inputs=[] if is_piped(data) else [data])
    print_proposal(proposal, options.console())
    target = data.with_name(f"release{ending_of(data) or '.csv'}")
    words = ["anonymize", str(data), "-p", str(output), "-o", target.name]
    for option, value in (("--encoding", encoding), ("--delimiter", delimiter)):
        words += [option, value] if value else []
    if any(suggestion.role == "pseudonym" for suggestion in proposal.suggestions):
        words += ["--mapping", "who-is-who.csv"]
    click.echo(f"\nWrote {output}. Check every role, then run:\n  {command(*words)}")

"""shoal demo"""

from __future__ import annotations

from pathlib import Path

import click

from shoal.cli import _options as options
from shoal.cli._command import command
from shoal.cli._dossier import DossierFiles
from shoal.cli._run_files import RunFiles
from shoal.cli.anonymize import anonymize_file
from shoal.errors import OutputError


@click.command(short_help="Anonymize the bundled census table.")
@click.option(
    "-o", "--output", "folder", type=click.Path(path_type=Path, file_okay=False),
    default="shoal-demo", show_default=True, help="Folder to work in.",
)  # fmt: skip
@options.quiet
def demo(folder: Path, quiet: bool) -> None:
    """Anonymize the bundled Adult table, print the summary and write a report."""
    from shoal.datasets import copy_adult
    from shoal.report.text import print_summary
    from shoal.write.atomic import FileSet

    folder.mkdir(exist_ok=True, parents=True)
    data, policy = folder / "adult.csv", folder / "policy.yaml"
    target, page = folder / "release.csv", folder / "report.html"
    if not policy.exists():  # else it may have been edited: keep it
        for path in (data, target, page):
            if path.exists():
                raise OutputError(f"{path} exists. Choose another folder with -o.")
        copy_adult(folder)
    targets = RunFiles(target, force=True, dossier=DossierFiles((page,), force=True))
    with FileSet(inputs=[data]) as files:
        release = anonymize_file(data, policy, targets, files, quiet=quiet)
    print_summary(release, options.console())
    click.echo(
        f"\nThe table, its policy and hierarchies, the release and a report are in {folder}.\n"
        f"Open {page}, change {policy}, and run it again:\n"
        f"  {command('anonymize', data, '-p', policy, '-o', target)}"
    )

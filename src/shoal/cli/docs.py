"""shoal docs"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from shoal.cli import _options as options

if TYPE_CHECKING:
    from shoal.report.documentation import Page

MOST_LISTED = 10  # pages that have the words


@click.command(short_help="Show the documentation.")
@click.argument("page", required=False)
@click.option("--browser", is_flag=True, help="Open it in a browser, from files on this machine.")
def docs(page: str | None, browser: bool) -> None:
    """Show the documentation that is installed with Shoal; no network is needed.

    Without PAGE it lists the pages. PAGE is the name of one, such as `policy`, or words to look
    for.
    """
    from shoal.report import documentation

    found = documentation.pages() if page is None else documentation.find(page)
    if browser:
        _open(None if page is None else found[0])
    elif page is None:
        _list([each for each in found if each.says])
    elif documentation.is_called(found[0], page):
        _show(found[0])
    else:
        _list(found[:MOST_LISTED])


def _show(page: Page) -> None:
    from rich.markdown import Markdown

    console = options.console()
    text = page.text.replace("<!-- ", "\n<!-- ")
    if console.is_terminal:
        with console.pager(styles=True):
            console.print(Markdown(text))
    else:
        console.print(Markdown(text))


def _list(pages: list[Page]) -> None:
    from shoal.report.listing import print_names

    for section in dict.fromkeys(page.section for page in pages):
        click.echo(f"{section}")
        says = {page.name: page.says for page in pages if page.section == section}
        print_names(says, options.console())
        click.echo()
    click.echo("shoal docs PAGE shows one, shoal docs --browser opens them in a browser.")


def _open(page: Page | None) -> None:
    import tempfile
    import webbrowser
    from pathlib import Path

    from shoal.report.documentation import write_html

    folder = Path(tempfile.mkdtemp(prefix="shoal-docs-"))
    first = write_html(folder)
    path = first if page is None else folder / f"{page.name}.html"
    click.echo(f"The pages are in {folder}. Open {path}")
    webbrowser.open(path.as_uri())

"""The pages of the documentation that are installed with the program."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from shoal.errors import InputError, nearest

PACKAGE = Path(__file__).parents[1]
INSTALLED = PACKAGE / "documentation"  # in a wheel
CHECKOUT = PACKAGE.parents[1] / "docs"

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)(?: \"([^\"]*)\")?\)")

TEMPLATE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - Shoal</title>
<style>{style}</style>
</head>
<body>
<nav>{nav}</nav>
<main>{content}</main>
</body>
</html>
"""
STYLE = """\
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 78rem; display: flex; }
nav { flex: 0 0 15rem; padding: 1rem; font-size: .9rem; }
nav ul { list-style: none; padding: 0; margin: 0 0 1rem; }
main { flex: 1; min-width: 0; padding: 1rem 2rem; }
pre, table { overflow-x: auto; display: block; }
pre { background: #8881; padding: .8rem; border-radius: .4rem; }
code { font: .9em ui-monospace, monospace; }
td, th { border: 1px solid #8885; padding: .2rem .6rem; text-align: left; vertical-align: top; }
table { border-collapse: collapse; }
img { max-width: 100%; }
@media (max-width: 50rem) {
  body { flex-direction: column; }
  nav { order: 2; columns: 2; }
  main { padding: 1rem; }
}
"""


class Page(NamedTuple):
    """A page as the index lists it: `policy`, `tasks/release`."""

    name: str
    section: str
    title: str
    says: str
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")


def folder() -> Path:
    """Where the pages are: in the installed package, or in the checkout that it runs from."""
    found = next((place for place in (INSTALLED, CHECKOUT) if (place / "index.md").exists()), None)
    if found is None:
        raise InputError("The documentation was not installed with this copy of Shoal.")
    return found


def pages() -> list[Page]:
    """Those that the index lists, in its order, and behind them those of algorithms and models."""
    place, section, found = folder(), "", []
    for line in (place / "index.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif entry := re.match(r"- \[(.+?)\]\((.+?)\.md\): (.+)", line):
            path = place / f"{entry[2]}.md"
            if path.exists() and not entry[2].startswith(".."):
                found.append(Page(entry[2], section, entry[1], entry[3], path))
    return found + [
        Page(f"{kind}/{path.stem}", kind.capitalize(), path.stem, "", path)
        for kind in ("algorithms", "models")
        for path in sorted((place / kind).glob("*.md"))
    ]


def is_called(page: Page, words: str) -> bool:
    """Whether a page has this name."""
    wanted = words.strip().removesuffix(".md").casefold()
    return wanted in (page.name, page.name.rpartition("/")[2])


def find(words: str) -> list[Page]:
    """The page of a name; if there is none, all that have the words, those with most first."""
    known = pages()
    exact = [page for page in known if is_called(page, words)]
    if exact:
        return exact[:1]
    sought = words.casefold().split()
    counts = {page: [page.text.casefold().count(word) for word in sought] for page in known}
    found = [page for page in known if sought and all(counts[page])]
    if not found:
        near = nearest(words, [page.name for page in known])
        raise InputError(f"No page has these words{near} `shoal docs` lists all pages.")
    return sorted(found, key=lambda page: (-sum(counts[page]), known.index(page)))


def write_html(target: Path) -> Path:
    """All pages as files of their own that need nothing else; the first page."""
    from shoal.write.atomic import write_text

    place, known = folder(), pages()
    first = Page("index", "", "Shoal", "", place / "index.md")
    for page in (first, *known):
        path = target / f"{page.name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        above = "../" * page.name.count("/")
        write_text(path, _html(page, _navigation(known, above)))
    for other in (*place.glob("figures/**/*.svg"), *place.glob("*.py")):
        copy = target / other.relative_to(place)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(other.read_bytes())
    return target / "index.html"


def _navigation(known: list[Page], above: str) -> str:
    parts = [f'<p><a href="{above}index.html">Shoal</a></p>']
    for section in dict.fromkeys(page.section for page in known):
        inner = "".join(
            f'<li><a href="{above}{page.name}.html">{html.escape(page.title)}</a></li>'
            for page in known
            if page.section == section
        )
        parts.append(f"<b>{html.escape(section)}</b><ul>{inner}</ul>")
    return "".join(parts)


def _html(page: Page, navigation: str) -> str:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(_with_local_links(page))
    for i, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug(tokens[i + 1].content))
    content = reader.renderer.render(tokens, reader.options, {})
    return TEMPLATE.format(
        title=html.escape(page.title), style=STYLE, nav=navigation, content=content
    )


def _with_local_links(page: Page) -> str:
    """Links to pages lead to their files; those to what is not installed become plain text."""

    def link(found: re.Match[str]) -> str:
        words, address, _title = found.groups()
        path, mark, anchor = address.partition("#")
        if "://" in address or not path or path.endswith((".svg", "make_visits.py")):
            return found[0]
        there = (page.path.parent / path).resolve()
        if not there.is_relative_to(folder().resolve()) or there.suffix != ".md":
            return words
        return f"[{words}]({path.removesuffix('.md')}.html{mark}{anchor})"

    return outside_code(LINK, link, page.text)


def outside_code(pattern: re.Pattern[str], by: Callable[[re.Match[str]], str], text: str) -> str:
    """The text of a page with what is found replaced, except in its blocks of code."""
    pieces = re.split(r"(```.*?```)", text, flags=re.DOTALL)
    pieces[::2] = [pattern.sub(by, piece) for piece in pieces[::2]]
    return "".join(pieces)


def slug(heading: str) -> str:
    """What links call a heading: `Dates, ages` -> `dates-ages`."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())

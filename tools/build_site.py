"""Builds the pages of docs/ as a site that works from a folder, without a network.

python tools/build_site.py build/docs

docs/index.md says which pages there are and in which order. Pages above docs/ that it names are
taken in. Links to other files of the repository, such as tests, become plain text: a recipient has
the pages alone. A page that docs/index.md does not name, or a link that leads nowhere, is an error.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from shoal.report.documentation import LINK, outside_code

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SETTINGS = """\
[project]
site_name = "Shoal"
site_description = "Anonymize tables of people so that they can be shared, and verify it."
docs_dir = "pages"
site_dir = "site"
use_directory_urls = false
strict = true
extra_css = ["shoal.css"]
nav = {nav}

[project.validation]
invalid_links = true
invalid_link_anchors = true

[project.theme]
language = "en"
font = false
features = [
  "content.code.copy", "navigation.footer", "navigation.indexes", "navigation.sections",
  "navigation.top", "search.highlight", "toc.follow",
]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
toggle.icon = "lucide/sun"
toggle.name = "Dark"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
toggle.icon = "lucide/moon"
toggle.name = "Light"

[project.plugins.search]

[project.plugins.offline]

[project.markdown_extensions]
attr_list = {{}}
md_in_html = {{}}
tables = {{}}
toc.permalink = true
pymdownx.highlight.pygments_lang_class = true
pymdownx.superfences = {{}}
"""
STYLE = """\
.md-typeset table:not([class]) { display: block; overflow-x: auto; max-width: 100%; }
.md-typeset pre > code { white-space: pre; }
.md-typeset td:first-child code { white-space: nowrap; }
"""


# A browser runs no worker from a file, and the theme would fetch a remedy from the network. This is
# one: the worker's script runs in a hidden frame.
WORKER = """\
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inner = this.frame.contentWindow;
      inner.postMessage = (data) => this.later(this, new MessageEvent("message", { data }));
      this.loaded = new Promise((loaded) => {
        const script = inner.document.createElement("script");
        script.src = new URL(url, location.href);
        script.onload = loaded;
        script.onerror = () => this.later(this, new Event("error"));
        inner.document.head.append(script);
      });
    }
    later(target, event) {
      setTimeout(() => {
        target.dispatchEvent(event);
        const own = target === this && this["on" + event.type];
        if (own) own.call(this, event);
      });
    }
    postMessage(data) {
      const event = new MessageEvent("message", { data: structuredClone(data) });
      this.loaded.then(() => this.later(this.frame.contentWindow, event));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
"""
FETCHED = re.compile(r'<script src="https://unpkg.com/iframe-worker/shim"([^>]*)>')


class Page(NamedTuple):
    section: str
    title: str
    source: Path  # in the repository
    target: str  # in the site


def pages(index: Path = DOCS / "index.md") -> list[Page]:
    """What docs/index.md lists, in its order."""
    found, section = [], ""
    for line in index.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif entry := re.match(r"- \[(.+?)\]\((.+?)\)", line):
            source = (DOCS / entry[2]).resolve()
            found.append(Page(section, entry[1], source, target_of(source)))
    return found


def target_of(source: Path) -> str:
    """Where a page of the repository is in the site; those above docs/ are at its top."""
    if source.is_relative_to(DOCS):
        return source.relative_to(DOCS).as_posix()
    name = source.parent.name if source.stem == "README" else source.stem
    return f"{name.lower()}.md"


def unlisted(listed: list[Page]) -> list[str]:
    """Pages that nobody would find. Those of algorithms and models are found by their lists."""
    known = {page.source for page in listed} | {DOCS / "index.md"}
    own_list = {DOCS / "algorithms", DOCS / "models"}
    return sorted(
        path.relative_to(ROOT).as_posix()
        for path in DOCS.rglob("*.md")
        if path not in known and path.parent not in own_list
    )


def rewritten(text: str, source: Path, places: dict[Path, str]) -> str:
    """The text of a page with links that lead to pages of the site; code stays as it is."""

    def link(found: re.Match[str]) -> str:
        words, address, title = found.groups()
        path, _, anchor = address.partition("#")
        if "://" in address or not path:
            return found[0]
        place = places.get((source.parent / path).resolve())
        if place is None:
            return f'<abbr title="{title}">{words}</abbr>' if title else words
        here = Path(places[source]).parent
        there = os.path.relpath(place, here).replace(os.sep, "/")
        return f"[{words}]({there}{'#' if anchor else ''}{anchor})"

    return outside_code(LINK, link, text)


def places_of(listed: list[Page]) -> dict[Path, str]:
    """Every file of the repository that the site has, and where."""
    places = {page.source: page.target for page in listed}
    for path in DOCS.rglob("*"):
        if path.suffix in (".md", ".svg", ".png") or path.parent == DOCS:
            places[path] = path.relative_to(DOCS).as_posix()
    places[DOCS / "algorithms"] = "reference/algorithms.md"
    places[DOCS / "models"] = "reference/models.md"
    places[ROOT / "README.md"] = "index.md"
    return places


def stage(folder: Path) -> None:
    """Write the pages and the settings from which the site is built."""
    listed = pages()
    if missing := unlisted(listed):
        sys.exit(f"docs/index.md does not name {', '.join(missing)}")
    places = places_of(listed)
    for source, place in places.items():
        target = folder / "pages" / place
        if source.is_dir() or source == ROOT / "README.md":
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            text = rewritten(source.read_text(encoding="utf-8"), source, places)
            target.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    (folder / "pages" / "shoal.css").write_text(STYLE)
    (folder / "zensical.toml").write_text(SETTINGS.format(nav=navigation(listed)))


def navigation(listed: list[Page]) -> str:
    """As TOML: sections in the order of the page, with the titles that it has for them."""
    parts = ['{ "Shoal" = "index.md" }']
    for section in dict.fromkeys(page.section for page in listed):
        inner = [
            f"{{ {json.dumps(page.title)} = {json.dumps(page.target)} }}"
            for page in listed
            if page.section == section
        ]
        parts.append(f"{{ {json.dumps(section)} = [{', '.join(inner)}] }}")
    return f"[{', '.join(parts)}]"


def build(target: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stage(folder)
        builder = Path(sys.executable).with_name("zensical")
        run = subprocess.run(
            [builder, "build", "--strict"], cwd=folder, capture_output=True, text=True, check=False
        )
        if run.returncode:
            sys.exit(f"{run.stdout}\n{run.stderr}")
        make_local(folder / "site")
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder / "site", target)
    print(f"Open {target / 'index.html'}")


def make_local(site: Path) -> None:
    """Nothing is fetched from elsewhere: the one script that would be is put next to the pages."""
    (site / "worker.js").write_text(WORKER)
    for name in ("404.html", "sitemap.xml"):  # for servers, with addresses from their root
        (site / name).unlink(missing_ok=True)
    for path in site.rglob("*.html"):
        above = "../" * (len(path.relative_to(site).parts) - 1)
        text = path.read_text(encoding="utf-8")
        text, _ = FETCHED.subn(rf'<script src="{above}worker.js"\1>', text)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs"))

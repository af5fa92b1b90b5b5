"""The documentation as a site, in the terminal and in a browser: complete, linked and local."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

import build_site
import reference
from shoal.cli import cli
from shoal.report import documentation

ROOT = Path(__file__).parents[1]


class Addresses(HTMLParser):
    """What a page loads, what it links to, and the names of its places."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.places.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in ("script", "link", "img", "iframe", "source", "object", "form"):
            found = (given.get(name) for name in ("src", "href", "srcset", "data", "action"))
            self.loads += [address for address in found if address]


def read(path: Path) -> Addresses:
    return Addresses(path.read_text(encoding="utf-8"))


def broken_links(folder: Path) -> list[str]:
    """Links between the pages of a folder that lead to no file, or to no place in it."""
    pages = {path: read(path) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in page.links:
            address, _, place = link.partition("#")
            if "://" in address:
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            if not target.exists() or (place and unquote(place) not in pages[target].places):
                found.append(f"{path.relative_to(folder)}: {link}")
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "docs"
    command = [sys.executable, ROOT / "tools" / "build_site.py", folder]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


def test_every_page_is_in_the_site_and_every_link_leads_somewhere(site):
    built = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}

    docs = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert docs <= built
    assert {Path("architecture.md"), Path("contributing.md"), Path("changelog.md")} <= built
    assert broken_links(site) == []


def test_no_page_loads_anything_from_elsewhere(site):
    loaded = {address for path in site.rglob("*.html") for address in read(path).loads}
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]

    assert any("worker.js" in address for address in loaded)  # so it does find them
    assert [address for address in loaded if re.match("(https?:)?//", address)] == []
    assert not any(re.search(r"(@import|url[(])\s*[\"']?(https?:)?//", style) for style in styles)
    assert "pseudonym" in (site / "search.js").read_text(encoding="utf-8")


def test_tasks_come_before_the_reference_and_the_background():
    sections = list(dict.fromkeys(page.section for page in build_site.pages()))

    assert sections == ["Start", "Tasks", "Reference", "Background"]
    assert build_site.unlisted(build_site.pages()) == []


def test_a_page_that_is_not_listed_is_noticed():
    assert build_site.unlisted(build_site.pages()[1:]) == ["docs/install.md"]


@pytest.mark.parametrize("name", ["commands", "python", "keys", "algorithms", "models"])
def test_the_reference_is_what_the_code_says(name):
    written = (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")

    assert written == reference.pages()[f"{name}.md"]  # else run `make reference`


# shoal docs


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["docs", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_pages_are_listed_tasks_first():
    listed = shown()

    assert listed.index("tutorial") < listed.index("tasks/release") < listed.index("policy")
    assert "threats" in listed


@pytest.mark.parametrize("name", ["policy", "tasks/release", "release", "k-anonymity", "policy.md"])
def test_a_page_is_shown_by_its_name(name):
    (page,) = documentation.find(name)

    assert page.text.splitlines()[0].removeprefix("# ") in shown(name)


def test_a_page_that_has_the_words_is_named_and_not_shown():
    told = shown("nosuch")

    assert len(told.splitlines()) < 25
    assert "shoal docs PAGE shows one" in told


def test_words_are_looked_for_in_all_pages():
    names = [page.name for page in documentation.find("date format")]

    assert "policy" in names
    assert "licences" not in names
    assert "policy" in shown("date format")


def test_words_that_no_page_has_are_refused_with_the_nearest_page():
    result = CliRunner().invoke(cli, ["docs", "hierarchys-zz"])

    assert result.exit_code != 0
    assert "hierarchies" in str(result.exception)


def test_the_pages_for_a_browser_are_linked_and_load_nothing_from_elsewhere(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: str(tmp_path))

    printed = shown("--browser", "policy")

    assert opened == [(tmp_path / "policy.html").as_uri()]
    assert str(tmp_path) in printed
    assert broken_links(tmp_path) == []
    loaded = [path.parent / load for path in tmp_path.rglob("*.html") for load in read(path).loads]
    assert loaded
    assert [file for file in loaded if not file.exists()] == []

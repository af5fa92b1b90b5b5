"""The page of a comparison, as a real browser shows it: nothing overlaps, and numbers are right."""

from __future__ import annotations

import math
import re
from pathlib import Path
from statistics import mean

import polars as pl
import pytest

import shoal
from browser import Browser, needs_browser
from conformance.tables import patients, policy
from shoal.report.comparison.layout import Layout
from shoal.runs.compare import write_files

WIDTHS = (1200, 400)
# All texts that are shown, with their places; those inside what scrolls only as far as it shows.
TEXTS = """(() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.textContent.trim(), inside = node.parentElement;
    if (!text || inside.closest('title') || !inside.checkVisibility()) continue;
    const closed = inside.closest('details:not([open])');
    if (closed && !inside.closest('summary')) continue;
    const range = document.createRange(); range.selectNodeContents(node);
    const scroll = inside.closest('.scroll');
    const most = scroll ? scroll.getBoundingClientRect() : null;
    for (const r of range.getClientRects()) {
      const left = most ? Math.max(r.left, most.left) : r.left;
      const right = most ? Math.min(r.right, most.right) : r.right;
      if (right - left > 1) found.push([text, left, r.top, right, r.bottom]);
    }
  }
  return found; })()"""
TABLES = """[...document.querySelectorAll('.fig')].map(f => [
  f.querySelector('h2').textContent,
  [...f.querySelectorAll('table tr')].map(r => [...r.children].map(c => c.textContent))])"""


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, tuple[Path, shoal.Comparison]]:
    """A folder for each kind of page: lines with spreads, panels, bars, and a front."""
    frame, rules = patients(90), policy("mondrian", suppression=0.1)
    asked = {
        "lines": {"algorithms": ["mondrian", "tgc", "flash"], "k": [3, 6, 200], "seeds": 2},
        "panels": {"algorithms": ["mondrian", "tgc"], "k": [3, 5], "vary": {"tgc.r": [0.5, 0.9]}},
        "bars": {"algorithms": ["mondrian", "tgc", "mstk", "flash"]},
    }
    found = {}
    for kind, given in asked.items():
        folder = tmp_path_factory.mktemp(kind)
        measures = ["loss", "dm", "c-l:column=disease:figure=l"]
        made = shoal.compare(frame, rules, **given, measures=measures, folder=folder, processes=0)
        found[kind] = write_files(made, "comparison")[2], made
    folder = tmp_path_factory.mktemp("front")
    front = shoal.frontier(
        frame, rules, algorithms=["tgc", "mondrian"], runs=14, folder=folder, processes=0
    )
    return found | {"front": (write_files(front, "frontier")[2], front)}


def overlapping(texts) -> list[tuple[str, str]]:
    found = []
    for i, (one, *a) in enumerate(texts):
        for other, *b in texts[i + 1 :]:
            wide = min(a[2], b[2]) - max(a[0], b[0])
            high = min(a[3], b[3]) - max(a[1], b[1])
            if wide > 1 and high > 3:  # lines of text share a pixel or two of their height
                found.append((one, other))
    return found


@needs_browser
@pytest.mark.parametrize("kind", ["lines", "panels", "bars", "front"])
def test_nothing_overlaps_and_nothing_is_wider_than_the_screen(kind, pages, browser):
    page, _ = pages[kind]
    for width in WIDTHS:
        browser.open(page, width=width, dark=width == 400)

        assert browser.errors == []
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
        texts = browser.evaluate(TEXTS)
        assert len(texts) > 30
        assert overlapping(texts) == []
        shown = "[...document.querySelectorAll('svg.plot:not(.swatch)')].filter(s => "
        assert browser.evaluate(f"{shown} s.checkVisibility()).length") >= 1


@needs_browser
@pytest.mark.parametrize("kind", ["lines", "panels", "bars"])
def test_the_numbers_of_the_page_are_those_of_the_csv(kind, pages, browser):
    page, found = pages[kind]
    csv = pl.read_csv(page.with_suffix(".csv"))
    browser.open(page, width=1200)
    layout = Layout(found)

    n_compared = 0
    for title, (heads, *rows) in browser.evaluate(TABLES):
        measure = title.rpartition(":")[0]
        for row in rows:
            here = dict(zip(heads, row, strict=True))
            for head, cell in here.items():
                if " = " not in head and head != "figure":
                    continue
                of_method = csv.filter(pl.col("outcome") == "verified")
                of_method = of_method.filter(pl.col("method") == here["method"])
                if " = " in head:
                    path, _, value = head.partition(" = ")
                    of_method = at(of_method, path, value)
                if layout.panel is not None:
                    of_method = at(of_method, layout.panel, here[heads[1]])
                values = of_method[measure].to_list()
                assert cell == expected(values), (title, row)
                n_compared += bool(values)
    assert n_compared >= 12


def at(csv: pl.DataFrame, path: str, value: str) -> pl.DataFrame:
    """The runs with a value; a method without this option has one figure for all of them."""
    if csv[path].null_count() == csv.height:
        return csv
    return csv.filter(pl.col(path).cast(pl.Float64) == float(value))


def expected(values: list[float]) -> str:
    if not values:
        return "–"
    spread = f" ({min(values):,.6g} to {max(values):,.6g})" if min(values) < max(values) else ""
    return f"{mean(values):,.6g}{spread}"


@needs_browser
def test_methods_and_measures_can_be_picked_without_scripts(pages, browser):
    page, _ = pages["lines"]
    browser.open(page, width=1200)
    n_shown = (
        "[...document.querySelectorAll({!r})].filter("
        "e => e.getBoundingClientRect().width > 0).length"
    )

    assert "<script" not in page.read_text()
    assert browser.evaluate(n_shown.format(".fig")) == 4  # three measures and the seconds
    before = browser.evaluate(n_shown.format("svg .s1"))
    browser.evaluate("document.querySelector('#show-s1').click()")
    browser.evaluate("document.querySelector('#show-f0').click()")

    assert before >= 3
    assert browser.evaluate(n_shown.format("svg .s1")) == 0
    assert browser.evaluate(n_shown.format(".fig")) == 1


@needs_browser
def test_on_paper_every_table_is_shown_and_nothing_is_cut_off(pages, browser):
    page, _ = pages["lines"]
    browser.open(page, width=794)  # A4
    browser.call("Emulation.setEmulatedMedia", media="print")

    assert browser.evaluate("document.documentElement.scrollWidth") <= 794
    assert browser.evaluate("document.querySelector('.fig td').checkVisibility()")


def test_a_page_needs_no_other_file_and_shows_no_cell(pages):
    for page, found in pages.values():
        text = page.read_text()

        assert not re.search(r"(?:src|href)=\"(?!policies/|#)", text)
        assert "http" not in text.replace("http-equiv", "")
        assert all((page.parent / name).is_file() for name in re.findall(r'href="([^"#]+)"', text))
        assert text.count('href="policies/') >= len(found.runs)
        assert not any(f"person {i}" in text for i in range(90))
        assert "gout" not in text


def test_every_plot_has_a_sentence_that_says_what_is_seen(pages):
    _, found = pages["lines"]
    loss = found.plot("loss")

    assert "Lowest loss (which is better): " in loss.sentence
    assert "Bands reach from the lowest to the highest of 2 seeds" in loss.sentence
    assert "have no verified release" in loss.sentence  # with k = 200
    assert "c-l:column=disease:figure=l: higher is better" in found.html()
    best = found.best("loss")
    assert f"{best.method}" in loss.sentence


def test_a_sentence_names_who_is_best_where():
    made = shoal.compare(
        patients(90), policy("mondrian", suppression=0.1), algorithms=["mondrian", "mstk"],
        k=[3, 6], measures=["loss"], processes=0,
    )  # fmt: skip
    rows = {(row["method"], row["k"]): row["loss"] for row in made.frame.iter_rows(named=True)}
    winners = {k: min(("mondrian", "mstk"), key=lambda m, k=k: rows[m, k]) for k in (3, 6)}
    said = made.plot("loss").sentence

    assert len(set(winners.values())) == 1
    assert f"{winners[3]} everywhere" in said
    low, high = (rows[winners[3], k] for k in (3, 6))
    assert f"rises from {low:.3g} to {high:.3g} from k = 3 to 6" in said


def test_results_are_shown_in_notebooks(pages):
    for _, found in pages.values():
        shown = found._repr_html_()

        assert "<svg" in shown
        assert "<figcaption>" in shown
    assert "<svg" in pages["lines"][1].plot("dm")._repr_html_()


def test_a_front_says_what_it_spans(pages):
    _, found = pages["front"]
    said = found.plot().sentence
    first, last = found.best_runs[0], found.best_runs[-1]

    assert f"{len(found.best_runs)} of 14 runs are beaten by no other" in said
    for run in (first, last):
        assert f"k = {run.k}" in said
    assert math.isfinite(max(found.gaps))
    assert f"is {max(found.gaps):.0%} of the whole front" in said

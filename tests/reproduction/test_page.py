"""docs/reproduction.md as it is committed: what its csv file says, and nothing else."""

from pathlib import Path

import pytest

from naive.reproduced import CsvFigures, tables_of_page
from shoal.reproduction.claims import CLAIMS
from shoal.runs.reproduce import Reproduction, write
from tiers import only_thorough

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = DOCS / "figures" / "reproduction" / "figures.csv"


def page():
    return (DOCS / "reproduction.md").read_text(encoding="utf-8")


def test_every_claim_is_in_the_summary_with_a_verdict():
    rows = [line.split(" | ") for line in page().split("\n") if line.startswith("| [C")]

    assert [row[0] for row in rows] == [f"| [C{i}](#c{i})" for i in range(1, 45)]
    verdicts = {"confirmed", "confirmed in part", "refuted", "not testable"}
    assert {row[3] for row in rows} <= verdicts


def test_every_figure_is_a_mean_of_the_csv_file():
    figures = CsvFigures(FIGURES)

    shown = list(tables_of_page(page()))

    assert len(shown) > 1000
    for caption, at, method, figure in shown:
        assert figure == pytest.approx(figures.mean(caption, at, method), rel=6e-4)


def test_every_condition_is_printed_as_it_was_set_down():
    text = page()

    assert [claim.id for claim in CLAIMS if f"Condition: `{claim.passes}`" not in text] == []


@only_thorough
def test_the_page_is_written_from_its_csv_file_letter_by_letter(tmp_path):
    inside = tmp_path / "figures" / "reproduction"
    inside.mkdir(parents=True)
    (inside / FIGURES.name).write_bytes(FIGURES.read_bytes())

    write(Reproduction.of(tmp_path))

    assert (tmp_path / "reproduction.md").read_text(encoding="utf-8") == page()

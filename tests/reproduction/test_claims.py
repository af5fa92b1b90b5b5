"""Judging: verdicts on made-up figures, where it is known what is true."""

import pytest

from shoal.reproduction.claims import CLAIMS
from shoal.reproduction.claims.seen import Spread, pearson, slope, spearman
from shoal.reproduction.figures import SCHEMA

BY_ID = {claim.id: claim for claim in CLAIMS}


def figures(experiment, rows, *, table="t-1", varied="", value=0.0):
    """A table of figures: (method, k, seed, measure, figure)."""
    import polars as pl

    content = [
        (f"{i}", experiment, table, method, k, varied, value, seed, measure, float(figure))
        for i, (method, k, seed, measure, figure) in enumerate(rows)
    ]
    return pl.DataFrame(content, schema=SCHEMA, orient="row")


def of_k(measure, **methods):
    """Figures of methods, one for each of k = 3, 6, ..."""
    return [
        (method.replace("_", " "), 3 * (i + 1), 0, measure, figure)
        for method, values in methods.items()
        for i, figure in enumerate(values)
    ]


def test_a_claim_is_confirmed_if_its_condition_holds_at_every_k():
    frame = figures("mstk-k", of_k("DM", MSTK=[1, 2], Incognito=[3, 3]))

    assert BY_ID["C36"].judged(frame).verdict == "confirmed"


def test_one_k_is_enough_to_refute_a_claim_about_every_k():
    frame = figures("mstk-k", of_k("DM", MSTK=[1, 4], Incognito=[3, 3]))

    judged = BY_ID["C36"].judged(frame)

    assert judged.verdict == "refuted"
    assert judged.evidence.parts[0].found == "at 1 of 2 values of k, not at k = 6"


def test_an_equal_figure_is_not_lower():
    frame = figures("mstk-k", of_k("DM", MSTK=[3], Incognito=[3]))

    assert BY_ID["C36"].judged(frame).verdict == "refuted"


def test_a_claim_of_which_some_conditions_fail_is_confirmed_in_part():
    low = of_k("CAVG", MSTK=[1, 4], Incognito=[9, 9])  # below Incognito, and above 3

    judged = BY_ID["C37"].judged(figures("mstk-k", low))

    assert judged.verdict == "confirmed in part"
    assert [part.holds for part in judged.evidence.parts if part.counts] == [True, True, False]


def test_readings_that_do_not_count_change_no_verdict():
    rows = of_k("DM", MSTK=[1], Incognito=[3])
    others = [("MSTK, merging with any", 3, 0, "DM", 99)]

    judged = BY_ID["C36"].judged(figures("mstk-k", [*rows, *others]))

    assert judged.verdict == "confirmed"
    assert "0 of 1 hold" in judged.why


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim.id != "C34"])
def test_without_figures_nothing_is_confirmed_or_refuted(claim):
    assert claim.judged(figures("none", [])).verdict == "not testable"


def test_the_mean_over_seeds_is_judged_and_not_a_single_one():
    frame = figures("oka-k", [
        *(("OKA", 5, seed, "il", figure) for seed, figure in enumerate((10, 20))),
        *((f"OKA, sorted by {c}", 5, 0, "il", 1)
          for c in ("race", "occupation", "native-country")),
        *((f"k-member, {s}", 5, 0, "il", 16) for s in ("seed-to-seed", "last-added", "oka-text")),
    ])  # fmt: skip

    judged = BY_ID["C40"].judged(frame)

    assert judged.verdict == "confirmed"
    assert judged.evidence.grids[0].curves["OKA"][5] == Spread(15, 10, 20, 2)


def test_oka_has_to_beat_all_three_k_members():
    rows = [
        (f"OKA{end}", 5, 0, "il", 10)
        for end in ("", ", sorted by race", ", sorted by occupation", ", sorted by native-country")
    ]
    members = [("k-member, seed-to-seed", 5, 0, "il", 11), ("k-member, last-added", 5, 0, "il", 9),
               ("k-member, oka-text", 5, 0, "il", 11)]  # fmt: skip

    assert BY_ID["C40"].judged(figures("oka-k", rows + members)).verdict == "refuted"


def test_the_middle_level_of_lattices_is_within_its_bounds():
    judged = BY_ID["C34"].judged(figures("none", []))

    assert judged.verdict == "confirmed"


def test_every_claim_names_experiments_that_exist(tmp_path):
    from shoal.reproduction.experiments import PAPERS
    from shoal.reproduction.scale import tiny

    known = {trial.experiment for paper in PAPERS for trial in paper.trials(tiny(tmp_path))}
    wanted = {name for claim in CLAIMS for name in (*claim.experiments, *claim.beside)}

    assert wanted == known


def curve(points):
    return {x: Spread(y, y, y, 1) for x, y in points.items()}


def test_rank_correlation_gives_equal_values_the_mean_of_their_places():
    assert spearman(curve({1: 5, 2: 5, 3: 7})) == pytest.approx(3**0.5 / 2)
    assert spearman(curve({1: 3, 2: 2, 3: 1})) == pytest.approx(-1)


def test_a_power_of_two_has_a_slope_of_two():
    assert slope(curve({10: 100, 20: 400, 40: 1600})) == pytest.approx(2)


def test_what_does_not_vary_correlates_with_nothing():
    assert str(pearson([1, 1, 1], [1, 2, 3])) == "nan"

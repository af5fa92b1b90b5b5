"""One-pass k-means: its options, and what it does with tables of every kind."""

import numpy as np
import polars as pl
import pytest

import shoal
from cases.cluster import random_case
from cases.groups import groups_of
from cases.handmade import encoded, quasi
from conformance.tables import MODELS, patients, policy
from shared_data import SHARED, needs_shared
from shoal.errors import CannotSatisfy, PolicyError
from shoal.group.cluster import oka
from shoal.group.cluster.oka import Oka, Records, best_of, draw, root_cost, worth_dropping
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.pre_partition import Prepartition
from shoal.group.parts.stats import stats_of_grouping
from shoal.kernels import oka as kernels
from shoal.metrics.il import Il
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.outcome import Outcome
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch
from tiers import seeds

SEEDS = seeds(3, thorough=20)


def grouped(table, algorithm, k, **limits):
    return algorithm.group(table, Privacy((KAnonymity(k),)), Limits(**limits))


def loss(table, grouping):
    stats = stats_of_grouping(table, grouping)
    return Il().measure(Outcome(table, grouping, stats, grouping.n_suppressed))


def assert_same(one, other):
    for field in ("rows", "counts", "labels", "low", "high"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


@pytest.mark.parametrize("seed", SEEDS)
def test_more_passes_never_lose_more(seed):
    table = random_case(seed, n_fewest=6).table
    records = Records(
        table.codes,
        np.repeat(np.arange(table.n_rows), table.weights),
        diameter_ruler_of(table),
        3,
        root_cost(table),
    )
    chance = draw(records, seed, Watch())

    found = [
        best_of(records, chance, "paper", Watch(), order="sorted", passes=n) for n in (1, 2, 4)
    ]

    n_clusters = len(chance.seeds)
    costs = [kernels.total_loss(*records[:3], f, n_clusters, records.root) for f in found]
    assert costs[0] >= costs[1] >= costs[2]


@pytest.mark.parametrize("seed", SEEDS)
def test_small_clusters_are_suppressed_only_within_the_limit_and_where_it_pays(seed):
    table = random_case(seed, n_fewest=8).table
    filled = grouped(table, Oka(), 4, seed=seed)

    dropped = grouped(table, Oka(suppress_small=True), 4, seed=seed, suppression=7)

    assert dropped.n_suppressed <= 7
    assert min(group.total() for i, group in groups_of(dropped).items() if i >= 0) >= 4
    if all(axis.weight == 1 for axis in table.axes):
        assert loss(table, dropped) <= loss(table, filled) + 1e-9


def test_outliers_are_suppressed_rather_than_filled_up():
    ages = [20, 21, 22, 23, 24, 25, 26, 27, 28, 1000]
    table = encoded(pl.DataFrame({"age": ages}), {"age": "quasi"}).table

    n_suppressed = [
        grouped(table, Oka(suppress_small=True), 3, seed=s, suppression=1).n_suppressed
        for s in range(30)
    ]

    assert any(n_suppressed)  # wherever the outlier was a seed


def test_the_limit_is_shared_out_by_the_records_of_parts():
    table = encoded(patients(600), {"age": "quasi", "pay": "quasi", "sex": "quasi"}).table
    algorithm = Oka(suppress_small=True, prepartition=Prepartition(100))

    grouping = grouped(table, algorithm, 5, suppression=30)

    assert 0 < grouping.n_suppressed <= 30
    assert_same(grouping, grouped(table, algorithm, 5, suppression=30, threads=1))


def test_what_a_model_needs_to_suppress_is_not_used_up_for_small_clusters(monkeypatch):
    table = encoded(pl.DataFrame({"age": range(12)}), {"age": "quasi"}).table
    tried = []

    def group(self, *_):
        tried.append(self.suppress_small)
        if self.suppress_small:
            raise CannotSatisfy("too many")
        return "groups"

    monkeypatch.setattr(oka.Clusterer, "group", group)

    assert grouped(table, Oka(suppress_small=True), 3) == "groups"
    assert tried == [True, False]


def test_clusters_are_dropped_by_their_gain_for_each_record_while_they_fit():
    gains, sizes = np.array([4.0, 3.0, 9.0, 8.0, -1.0]), np.array([2, 1, 3, 5, 1])

    is_dropped = worth_dropping(gains, sizes, k=5, at_most=4)

    assert is_dropped.tolist() == [False, True, True, False, False]


@pytest.mark.parametrize("adjust", ["paper", "least-loss"])
def test_the_number_of_threads_does_not_change_the_groups(adjust):
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({name: rng.integers(0, 400, size=20_000) for name in "abc"})
    table = encoded(frame, dict.fromkeys("abc", "quasi")).table
    algorithm = Oka(adjust=adjust, prepartition=Prepartition(200))

    one, three = (grouped(table, algorithm, 3, threads=n) for n in (1, 3))

    assert table.n_rows > 10_000  # enough for several threads to be used
    assert_same(one, three)


def test_large_tables_are_cut_into_parts_with_a_note(monkeypatch):
    monkeypatch.setattr(oka, "MOST_PAIRS", 10_000)
    table = random_case(4, n_most=3000).table
    small = random_case(5, n_most=100).table

    grouping = grouped(table, Oka(), 4)

    assert_same(grouping, grouped(table, Oka(prepartition=Prepartition(500)), 4))
    assert any("`prepartition: {size: 500}`" in note for note in grouping.notes)
    assert grouped(small, Oka(), 4).notes == ()


@pytest.mark.parametrize("k", [1, 2, 5])
def test_equal_records_cost_nothing(k):
    table = encoded(
        pl.DataFrame({"age": [7] * 10, "sex": ["f"] * 10}), dict.fromkeys(("age", "sex"), "quasi")
    ).table

    assert loss(table, grouped(table, Oka(), k)) == 0


def test_k_of_all_records_gives_one_group():
    table = random_case(3).table

    grouping = grouped(table, Oka(), table.n_records)

    assert grouping.n_groups == 1


def test_one_record_is_a_group_of_one():
    table = encoded(pl.DataFrame({"age": [7]}), {"age": "quasi"}).table

    assert grouped(table, Oka(), 1).labels.tolist() == [0]


def test_missing_and_other_values_are_as_far_apart_as_can_be():
    ages = [1, 1, 2, 90, None, None, None]
    table = encoded(pl.DataFrame({"age": ages}), {"age": "quasi"}).table
    row_of = np.repeat(np.arange(table.n_rows), table.weights)
    records = Records(table.codes, row_of, diameter_ruler_of(table), 3, root_cost(table))

    assigned = kernels.assign(*records[:3], np.array([0, 3, 6]), np.arange(7), Watch().pulse())

    assert assigned.tolist() == [0, 0, 0, 1, 2, 2, 2]


def test_the_weight_of_a_column_decides_what_is_near():
    frame = pl.DataFrame({"a": [0, 0, 10, 10], "b": [0, 10, 0, 10]})

    for heavy, light in (("a", "b"), ("b", "a")):
        table = encoded(frame, {heavy: quasi(weight=9.0), light: "quasi"}).table
        grouping = grouped(table, Oka(adjust="least-loss", passes=5), 2, seed=1)
        assert (grouping.low[:, 0] == grouping.high[:, 0]).all()


@pytest.mark.parametrize("model", sorted(MODELS))
def test_any_model_holds(model):
    release = policy("oka", model).anonymize(patients(120))

    assert release.verdict.holds


@pytest.mark.parametrize("passes", [0, -3])
def test_no_pass_at_all_is_refused(passes):
    with pytest.raises(ValueError, match="passes must be a whole number, at least 1"):
        Oka(passes=passes)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"passes": "0"}, "passes must be"),
        ({"passes": "many"}, "must be a whole number"),
        ({"adjust": "papers"}, "must be one of paper, least-loss"),
        ({"suppress-small": "perhaps"}, "must be true or false"),
        ({"prepartition": {"size": "0"}}, "size must be"),
        ({"seeding": "random"}, "'seeding' is unknown"),
    ],
)
def test_mistakes_in_options_are_errors_that_name_them(option, message):
    with pytest.raises(PolicyError, match=message):
        policy({"name": "oka", **option})


@needs_shared
def test_the_loss_on_adult_is_what_the_page_says():
    folder = SHARED / "data" / "adult"
    people = pl.read_csv(folder / "adult.csv", separator=";").drop("salary-class")
    hierarchies = {
        name: None if name == "age" else shoal.levels(folder / f"adult_hierarchy_{name}.csv")
        for name in people.columns
    }

    release = shoal.anonymize(
        people,
        quasi=hierarchies,
        privacy=[shoal.KAnonymity(5)],
        algorithm={"name": "oka", "prepartition": {"size": 500}},
    )

    assert round(release.measures["il"], -2) == 33_600  # of seed 0; the page has a mean

"""Measures against what their definitions say of the published cells."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from cases.handmade import grouped, quasi
from shoal import catalog
from shoal.group.partition.mondrian import Mondrian
from shoal.group.parts.stats import stats_of_grouping
from shoal.hierarchies.flat import flat
from shoal.hierarchies.intervals import intervals
from shoal.hierarchies.levels import levels
from shoal.hierarchies.prefix import prefix
from shoal.hierarchies.tree import tree
from shoal.metrics.loss import loss_by_column
from shoal.policy.policy import Policy
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec
from tiers import examples

NAMES = ("cavg", "dm", "il", "iloss", "loss", "ncp", "precision")
WORK = [  # of uneven depth, with leaves that no record has
    ("nurse", "care", "health", "*"),
    ("doctor", "care", "health", "*"),
    ("chemist", "drugs", "health", "*"),
    ("cook", "house", "*"),
    ("maid", "house", "*"),
    ("self", "*"),
]
WORK_PADDED = [(*path[:-1], *[path[-2]] * (4 - len(path)), "*") for path in WORK]
CITIES = ["Bonn", "Lima, Peru", "Oslo", "Rome"]


def measured(outcome):
    return {name: catalog.load("metric", name)().measure(outcome) for name in NAMES}


def policy(*, k, strict, missing):
    specs = {
        "age": quasi(),
        "city": quasi(),
        "work": quasi(levels(WORK)),
        "zip": quasi(prefix(3)),
        "dose": quasi(intervals(5, 10)),
        "pay": quasi(publish="mean"),
        "year": quasi(publish="median", weight=7.0),
        "side": quasi(flat()),
        "same": quasi(),
    }
    return Policy(
        columns=specs,
        privacy=(KAnonymity(k),),
        algorithm=Mondrian(strict=strict),
        suppression=1.0,
        missing=missing,
        order="input",
    )


@st.composite
def tables(draw):
    n = draw(st.integers(5, 30))
    seed = draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    share = draw(st.sampled_from([0, 0.02, 0.2]))

    def column(values):
        return [None if rng.random() < share and i else v for i, v in enumerate(values)]

    return {
        "age": column(rng.integers(0, 60, n).tolist()),
        "city": column([CITIES[i] for i in rng.integers(0, 4, n)]),
        "work": column([WORK[i][0] for i in rng.integers(1, 6, n)]),
        "zip": column([f"{z:03}" for z in rng.integers(100, 140, n)]),
        "dose": column(rng.integers(-20, 40, n).tolist()),
        "pay": column((rng.integers(0, 4000, n) / 4).tolist()),
        "year": column(rng.integers(1950, 1960, n).tolist()),
        "side": column([("left", "right", "both")[i] for i in rng.integers(0, 3, n)]),
        "same": ["one"] * n,
    }


def naive_columns(table):
    def built(name, above):
        present = {value for value in table[name] if value is not None}
        return naive.Node(table[name], [(str(v), *above(v), "*") for v in present])

    def bins(dose):
        return [f"[{dose // w * w}, {dose // w * w + w - 1}]" for w in (5, 10)]

    return [
        naive.Range(table["age"]),
        naive.Values(table["city"]),
        naive.Node(table["work"], WORK_PADDED),
        built("zip", lambda code: [code[:2] + "*", code[:1] + "**"]),
        built("dose", bins),
        naive.Range(table["pay"]),
        naive.Range(table["year"]),
        built("side", lambda _: []),
        naive.Values(table["same"]),
    ]


def box_texts(values, groups):
    """What would stand in the cells if the range were published."""
    texts = []
    for group in groups:
        members = [value for value, g in zip(values, groups, strict=True) if g == group]
        present = [value for value in members if value is not None]
        if not present:
            texts.append(None)
        elif len(present) < len(members):
            texts.append("*")
        else:
            texts.append(f"[{min(present)!r}, {max(present)!r}]")
    return texts


def published_cells(release, table):
    """The cells of every record, None where it is suppressed."""
    groups = release.groups.tolist()
    centres = {name: box_texts(table[name], groups) for name in ("pay", "year")}
    rows = iter(release.published.select(list(table)).rows())
    cells = []
    for i, group in enumerate(groups):
        if group < 0:
            cells.append(None)
            continue
        cell_of = dict(zip(table, next(rows), strict=True))
        cells.append([centres[name][i] if name in centres else cell_of[name] for name in table])
    assert next(rows, None) is None
    return cells


@given(
    tables(),
    st.integers(1, 6),
    st.booleans(),
    st.sampled_from(["category", "suppress"]),
)
@examples(thorough=150)
def test_measures_are_what_their_definitions_say_of_the_published_cells(table, k, strict, missing):
    complete = [record for record in zip(*table.values(), strict=True) if None not in record]
    k = min(k, len(complete))  # so that something is left to release

    release = policy(k=k, strict=strict, missing=missing).anonymize(pl.DataFrame(table))

    expected = naive.measures(
        naive_columns(table), published_cells(release, table), release.groups.tolist(), k=k
    )
    assert dict(release.measures) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_the_catalog_has_every_measure_of_the_interface():
    assert set(NAMES) <= set(catalog.names("metric"))


def five_patients():
    """Two groups of two, and a suppressed record."""
    frame = pl.DataFrame(
        {
            "age": [20, 30, 40, 60, 25],
            "city": ["a", "b", "a", "c", "a"],
            "work": ["nurse", "doctor", "cook", "cook", "nurse"],
        }
    )
    spec = tree({"care": ["nurse", "doctor"], "kitchen": ["cook"]})
    columns = {"age": "quasi", "city": "quasi", "work": quasi(spec)}
    return grouped(frame, columns, [0, 0, 1, 1, -1], k=2).outcome


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # age: 10/40 twice, 20/40 twice; city: two of three values four times; work: care, two of
        # three leaves, twice, and cook twice; then the root three times.
        ("loss", (1.5 + 4 * 1 / 2 + 2 * 1 / 2 + 3) / 15),
        ("ncp", (1.5 + 4 * 2 / 3 + 2 * 2 / 3 + 3) / 15),
        ("iloss", 1.5 + 4 * 1 / 3 + 2 * 1 / 3 + (1 + 2 / 3 + 2 / 3)),
        # age by width; sets are the root of a flat tree; care is level 1 of 2.
        ("il", 1.5 + 4 * 1 + 2 * 1 / 2 + 3),
        # without a hierarchy a cell is a leaf or the root.
        ("precision", (4 * 1 + 4 * 1 + 2 * 1 / 2 + 3) / 15),
        ("dm", 2**2 + 2**2 + 5),
        ("cavg", 4 / (2 * 2)),
    ],
)
def test_measures_of_five_patients_by_hand(name, expected):
    assert catalog.load("metric", name)().measure(five_patients()) == pytest.approx(expected)


def test_the_loss_of_each_column_by_hand():
    assert loss_by_column(five_patients()) == pytest.approx(
        {"age": (1.5 + 1) / 5, "city": (2 + 1) / 5, "work": (1 + 1) / 5}
    )


def test_full_domain_levels_are_measured_as_they_are_published():
    frame = pl.DataFrame({"work": ["nurse", "doctor", "cook", "cook"]})
    spec = tree({"care": ["nurse", "doctor"], "kitchen": ["cook", "maid", "porter"]})

    outcome = grouped(frame, {"work": quasi(spec)}, [0, 0, 1, 1], levels=(1,)).outcome

    found = measured(outcome)
    assert found["loss"] == pytest.approx((2 * 1 / 4 + 2 * 2 / 4) / 4)
    assert found["ncp"] == pytest.approx((2 * 2 / 5 + 2 * 3 / 5) / 4)
    assert found["iloss"] == pytest.approx(2 * 1 / 5 + 2 * 2 / 5)
    assert found["il"] == pytest.approx(4 * 1 / 2)
    assert found["precision"] == pytest.approx(1 / 2)


def test_a_mixture_of_missing_and_values_costs_as_much_as_the_root():
    frame = pl.DataFrame({"age": [20, None, 30, 40], "city": ["a", "b", None, None]})

    outcome = grouped(frame, {"age": "quasi", "city": "quasi"}, [0, 0, 1, 1]).outcome

    # age: *, *, [30, 40], [30, 40]; city: {a, b}, {a, b}, missing, missing
    found = measured(outcome)
    assert found["loss"] == pytest.approx((1 + 1 + 0.5 + 0.5 + 1 + 1) / 8)
    assert found["iloss"] == pytest.approx(1 + 1 + 0.5 + 0.5 + 0.5 + 0.5)
    assert found["precision"] == pytest.approx(6 / 8)


@pytest.mark.parametrize(
    "spec", [quasi(), quasi(flat()), quasi(prefix(3)), quasi(levels([("x",)]))]
)
@pytest.mark.parametrize("groups", [[0, 0, 0], [0, 0, -1], [0, 1, 1]])
def test_a_column_with_one_value_costs_nothing_even_where_records_are_suppressed(spec, groups):
    frame = pl.DataFrame({"same": ["x", "x", "x"]})

    found = measured(grouped(frame, {"same": spec}, groups).outcome)

    assert all(found[name] == 0 for name in ("loss", "ncp", "il", "iloss", "precision"))


def test_a_column_of_one_number_costs_nothing():
    frame = pl.DataFrame({"same": [7, 7, 7]})

    found = measured(grouped(frame, {"same": "quasi"}, [0, 0, -1]).outcome)

    assert all(found[name] == 0 for name in ("loss", "ncp", "il", "iloss", "precision"))


def test_the_weight_of_a_column_does_not_change_what_it_costs():
    frame = pl.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "x"]})

    plain, weighted = (
        measured(grouped(frame, {"a": quasi(weight=w), "b": "quasi"}, [0, 0, 0]).outcome)
        for w in (1.0, 9.0)
    )

    assert plain == weighted


@pytest.mark.parametrize("publish", ["mean", "median"])
def test_a_mean_or_median_costs_what_the_range_before_it_costs(publish):
    frame = pl.DataFrame({"a": [0, 10, 35, 40]})
    spec = ColumnSpec("quasi", publish=publish)

    centre, as_range = (
        measured(grouped(frame, {"a": column}, [0, 0, 1, 1]).outcome) for column in (spec, "quasi")
    )

    assert centre == as_range
    assert centre["loss"] == pytest.approx((2 * 10 / 40 + 2 * 5 / 40) / 4)


def test_a_number_with_a_hierarchy_is_measured_by_width_where_it_is_published_as_a_range():
    frame = pl.DataFrame({"age": [20, 24, 31, 40]})
    spec = intervals(10)

    as_node, as_range = (
        measured(grouped(frame, {"age": quasi(spec, publish)}, [0, 0, 1, 1]).outcome)["loss"]
        for publish in ("node", "range")
    )

    assert as_node == pytest.approx((2 * 1 / 3 + 2 * 1) / 4)  # [20, 29] has 2 of 4 leaves; *
    assert as_range == pytest.approx((2 * 4 / 20 + 2 * 9 / 20) / 4)


def test_a_release_of_nothing_costs_everything():
    frame = pl.DataFrame({"age": [1, 2, 3], "city": ["a", "b", "c"]})
    placed = grouped(frame, {"age": "quasi", "city": "quasi"}, [0, 0, 0]).outcome
    grouping = placed.grouping.without(np.array([True]))
    stats = stats_of_grouping(placed.table, grouping)

    found = measured(Outcome(placed.table, grouping, stats, n_suppressed=3, k=2))

    assert found["loss"] == found["ncp"] == found["precision"] == 1
    assert found["dm"] == 9
    assert found["cavg"] == 0

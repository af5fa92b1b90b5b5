"""Trees of uneven depth, however they are written: everything follows the tree as given."""

from collections import Counter
from fractions import Fraction

import polars as pl
import pytest

import naive
import shoal
from cases.handmade import grouped, quasi
from cases.uneven import WAYS, Case
from naive import trees
from shoal import catalog
from shoal.errors import HierarchyError
from shoal.read.columns import read_column
from shoal.types.schema import ColumnSpec
from shoal.verify.covers import covers
from tiers import seeds

MEASURES = ("il", "iloss", "loss", "ncp", "precision")
DISEASES = {"Cancer": None, "Other": {"HIV": None, "Respiratory": ["Flu", "Bronchitis", "Cold"]}}


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


def cell_of(tree, group):
    """The published cell of some values, by the tree."""
    if None in group:
        return None if set(group) == {None} else "*"
    return trees.lowest_node(tree, group)


@pytest.mark.parametrize("seed", seeds(4, thorough=50))
def test_cells_and_measures_of_groups_are_those_of_the_lowest_node_above(way, seed):
    case = Case(seed, way)
    made = grouped(case.frame, {"job": quasi(case.spec)}, case.groups)

    of_group = [cell_of(case.tree, group) for group in case.members()]
    cells = [of_group[group] for group in case.groups]
    # Which of two equal records is in which group is not said.
    published = Counter(zip(case.values, made.cells("job"), strict=True))
    assert published == Counter(zip(case.values, cells, strict=True))
    expected = naive.measures(
        [trees.InTree(case.values, case.tree)], [[cell] for cell in cells], case.groups, k=1
    )
    for name in MEASURES:
        found = catalog.load("metric", name)().measure(made.outcome)
        assert found == pytest.approx(expected[name]), name


@pytest.mark.parametrize("seed", seeds(4, thorough=50))
@pytest.mark.parametrize("way", ["short rows", "tree", "leaf repeated"])
def test_a_level_counts_from_the_root_and_short_paths_end_in_their_leaf(way, seed):
    case = Case(seed, way)
    assert case.spec.height == trees.height(case.tree["*"])

    for level in range(case.spec.height + 1):
        cells = [v and trees.at_level(case.tree, v, level) for v in case.values]
        cells = ["*"] * len(cells) if level == case.spec.height else cells
        group_of = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
        groups = [group_of[cell] for cell in cells]
        made = grouped(case.frame, {"job": quasi(case.spec)}, groups, levels=(level,))

        assert made.cells("job") == cells
        expected = naive.measures(
            [trees.InTree(case.values, case.tree)], [[cell] for cell in cells], groups, k=1
        )
        for name in MEASURES:
            found = catalog.load("metric", name)().measure(made.outcome)
            assert found == pytest.approx(expected[name]), (name, level)


@pytest.mark.parametrize("seed", seeds(4, thorough=50))
def test_models_of_sensitive_values_follow_the_tree(way, seed):
    case = Case(seed, way)
    r = float(case.rng.choice([0.25, 0.5, 1]))
    frame = pl.DataFrame({"ill": pl.Series(case.values, dtype=pl.String), "all": "x"})
    columns = {"ill": ColumnSpec("sensitive", case.spec), "all": "quasi"}
    made = grouped(frame, columns, case.groups)
    stats, groups = made.outcome.stats, case.members()
    has_missing = None in case.values

    alike = [trees.s_diversity(case.tree, g, Fraction(r), has_missing=has_missing) for g in groups]
    far = [trees.earth_movers_distance(case.tree, g, case.values) for g in groups]

    assert shoal.SDiversity("ill", 1, r).achieved(stats) == pytest.approx(float(max(alike)))
    for limit in sorted({float(figure) for figure in alike if 0 < figure < 1}):
        held = shoal.SDiversity("ill", limit, r).holds(stats).tolist()
        assert held == [float(figure) <= limit + 1e-12 for figure in alike]
    closeness = shoal.TCloseness("ill", 1, distance="hierarchical")
    assert closeness.achieved(stats) == pytest.approx(float(max(far)))


@pytest.mark.parametrize("seed", seeds(5, thorough=30))
def test_the_text_of_a_cell_covers_the_leaves_of_its_node(way, seed):
    case = Case(seed, way)
    column = read_column(case.frame["job"])
    names = {name for path in case.spec.paths for name in path} - {"*"}

    covered = covers(sorted(names), column, quasi(case.spec))

    for name, row in zip(sorted(names), covered, strict=True):
        below = trees.find(case.tree, name)
        expected = set(trees.leaves(below)) if below else {name}
        assert [label in expected for label in column.labels] == row[:-1].tolist()


def test_two_diseases_are_published_as_what_both_are():
    frame = pl.DataFrame({"ill": ["Flu", "Bronchitis", "Cancer", "Cancer"]})

    release = shoal.anonymize(
        frame, quasi={"ill": shoal.tree(DISEASES)}, privacy=[shoal.KAnonymity(2)]
    )

    assert release.frame["ill"].to_list() == ["Cancer", "Cancer", "Respiratory", "Respiratory"]
    assert release.measures["il"] == pytest.approx(2 * 1 / 3)


def test_a_short_path_repeats_its_leaf():
    table = [("a", "A", "X", "*"), ("b", "B", "*"), ("c", "*")]

    assert shoal.levels(table).paths == (
        ("a", "A", "X", "*"),
        ("b", "b", "B", "*"),
        ("c", "c", "c", "*"),
    )


def test_a_table_of_equal_lengths_stays_as_it_is():
    table = (("a", "A", "A", "*"), ("b", "b", "B", "*"), ("c", "*", "*", "*"))

    assert shoal.levels(table).paths == table


def test_the_root_repeated_is_the_root():
    spec = shoal.levels([("a", "A", "B", "*"), ("c", "*", "*", "*"), ("d", "*", "*", "*")])
    frame = pl.DataFrame({"job": ["c", "d", "a"]})

    made = grouped(frame, {"job": quasi(spec)}, [0, 0, 1])

    assert made.cells("job") == ["*", "*", "a"]
    assert catalog.load("metric", "loss")().measure(made.outcome) == pytest.approx(2 / 3)
    assert catalog.load("metric", "il")().measure(made.outcome) == pytest.approx(2)


def test_a_node_that_some_rows_repeat_covers_all_its_leaves():
    spec = shoal.levels([("u", "B", "B", "*"), ("v", "B", "B", "*"), ("w", "C", "B", "*")])
    frame = pl.DataFrame({"job": ["u", "v", "w", None]})

    made = grouped(frame, {"job": quasi(spec)}, [0, 0, 1, 2])

    assert made.cells("job") == ["B", "B", "w", None]
    assert catalog.load("metric", "ncp")().measure(made.outcome) == pytest.approx(2 / 4)
    assert covers(["B"], read_column(frame["job"]), quasi(spec)).tolist() == [
        [True, True, True, False]
    ]


def test_a_value_that_is_also_a_node_is_one_of_its_leaves():
    spec = shoal.levels([("lung", "ill", "*"), ("flu", "lung", "ill", "*"), ("well", "*")])
    frame = pl.DataFrame({"job": ["lung", "flu", "well", "well"]})

    made = grouped(frame, {"job": quasi(spec)}, [0, 0, 1, 1])

    assert made.cells("job") == ["lung", "lung", "well", "well"]
    assert catalog.load("metric", "il")().measure(made.outcome) == pytest.approx(2 * 1 / 3)


def test_one_name_for_a_leaf_and_for_a_node_elsewhere_is_refused_with_their_places():
    table = [("Tbilisi", "Georgia", "Asia", "*"), ("Ohio", "US", "*"), ("Georgia", "US", "*")]

    with pytest.raises(HierarchyError) as caught:
        shoal.levels(table)

    assert "rows 1 and 3 have one name for a leaf and for a node of level 1" in str(caught.value)
    assert "different names" in str(caught.value)

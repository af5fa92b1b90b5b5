"""No release can lose less than the bound, and the bound is near what a solver finds."""

from functools import partial
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import shoal
from cases.bounded import bounded
from cases.handmade import encoded, quasi
from naive import bound as naive
from shoal.bound.lower_bound import lower_bound
from shoal.types.algorithm import Limits
from shoal.types.grid import OnGrid
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch
from tiers import seeds

CLOSE = 0.99  # of the linear program: rounds end when they gain less
ROUNDING = 1e-9  # of a solver


def bound_of(table, k, *, suppression=0, already=0, **how):
    limits = Limits(suppression, already, watch=how.pop("watch", Watch()))
    return lower_bound(table, Privacy((shoal.KAnonymity(k),)), limits, **how).value


def random_paths(rng, name, n_leaves, height):
    """A tree as {leaf: its nodes, leaf first}."""
    paths = {}
    for leaf in range(n_leaves):
        nodes = [f"{name}{leaf}"]
        at = leaf
        for level in range(1, height):
            at = at // int(rng.integers(2, 4)) if level == 1 else at // 2
            nodes.append(f"{name} level {level} number {at}")
        paths[nodes[0]] = (*nodes, "*")
    return _made_a_tree(paths)


def _made_a_tree(paths):
    """Leaves with the same node have the same nodes above it: those of the first one."""
    above = {}
    result = {}
    for leaf, path in paths.items():
        nodes = list(path)
        for level in range(1, len(nodes) - 1):
            nodes[level + 1 :] = above.setdefault((level, nodes[level]), nodes[level + 1 :])
        result[leaf] = tuple(nodes)
    return result


def tree_case(seed, n, *, n_columns=3):
    """Records over random trees, some of them equal; the paths, the records and their table."""
    rng = np.random.default_rng(seed)
    paths = [
        random_paths(rng, f"c{i}-", int(rng.integers(2, 9)), int(rng.integers(1, 4)))
        for i in range(n_columns)
    ]
    records = [tuple(list(tree)[int(len(tree) * rng.random() ** 2)] for tree in paths)
               for _ in range(n)]  # fmt: skip
    names = [f"column {i}" for i in range(n_columns)]
    frame = pl.DataFrame(records, schema=names, orient="row")
    columns = {
        name: quasi(shoal.levels([list(path) for path in tree.values()]))
        for name, tree in zip(names, paths, strict=True)
    }
    return paths, records, encoded(frame, columns).table


def whole_of(table):
    return sum(axis.n_codes > 1 for axis in table.axes)


@pytest.mark.parametrize("seed", seeds(6, thorough=60))
def test_it_is_close_to_the_linear_program_and_never_above_it(seed):
    n, k, suppression = 24, 2 + seed % 4, (0, 0, 1, 3)[seed % 4]
    paths, records, table = tree_case(seed, n)
    nodes = naive.nodes_above(records, paths)
    whole = whole_of(table)

    def program(may_repeat):
        how = {"is_whole": False, "may_repeat": may_repeat}
        return naive.facility_value(n, k, nodes, whole, suppression, **how) / (3 * n)

    found = bound_of(table, k, suppression=suppression)

    assert found <= program(may_repeat=False) + ROUNDING
    assert found >= CLOSE * program(may_repeat=True) - ROUNDING


@pytest.mark.parametrize(
    ("seed", "n"), [(s, (12, 16, 20, 40)[s % 4]) for s in seeds(3, thorough=16)]
)
def test_it_is_never_above_the_optimum_of_a_solver(seed, n):
    k, suppression = 2 + seed % 3, seed % 3
    paths, records, table = tree_case(seed + 100, n)
    nodes = naive.nodes_above(records, paths)
    optimum = naive.facility_value(n, k, nodes, whole_of(table), suppression, is_whole=True)

    found = bound_of(table, k, suppression=suppression)

    assert found <= optimum / (3 * n) + ROUNDING


def mixed_case(seed, n):
    """A range, a set with rare values and a tree, all with missing values, and costs of groups."""
    rng = np.random.default_rng(seed)
    tree = random_paths(rng, "t", 6, 2)
    frame = pl.DataFrame(
        {
            "pay": rng.integers(0, 40, n),
            "town": rng.choice(["a", "b", "c", "d"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "work": rng.choice(list(tree), n),
        }
    ).with_columns(pl.when(pl.Series(rng.random(n) > 0.08)).then(pl.all()))
    pays = frame["pay"].drop_nulls()
    towns = frame["town"].drop_nulls().value_counts()
    costs = {
        "pay": partial(naive.range_cost, (pays.min(), pays.max())),
        "town": partial(_town_cost, dict(towns.rows())),
        "work": partial(naive.tree_cost, tree),
    }
    return frame, tree, costs


def _town_cost(n_of, k, values):
    return naive.set_cost(len(n_of), {town for town, n in n_of.items() if n < k}, values)


@pytest.mark.parametrize("seed", seeds(12, thorough=150))
def test_no_way_to_group_records_is_below_it(seed):
    k, suppression = 2 + seed % 2, seed % 3
    frame, tree, costs = mixed_case(seed, 8)
    costs["town"] = partial(costs["town"], k)
    rules = shoal.Policy.of_roles(
        quasi={"pay": None, "town": None, "work": shoal.levels([list(p) for p in tree.values()])},
        privacy=[shoal.KAnonymity(k)],
        suppression=suppression / 8,
    )
    columns = {name: frame[name].to_list() for name in frame.columns}

    def cost_of(records):
        return sum(costs[name](tuple(columns[name][i] for i in records)) for name in columns)

    optimum = naive.least_total(8, k, cost_of, 3, suppression)
    release = bounded(rules).anonymize(frame)

    assert release.bound.value <= optimum / 24 + ROUNDING
    assert release.bound.value <= release.measures["loss"]


def test_it_does_not_depend_on_threads_nor_on_the_order_of_records():
    frame, tree, _ = mixed_case(1, 200)
    rules = shoal.Policy.of_roles(
        quasi={"pay": None, "town": None, "work": shoal.levels([list(p) for p in tree.values()])},
        privacy=[shoal.KAnonymity(4)],
    )

    found = {
        bounded(rules).anonymize(table, threads=threads).bound.value
        for table, threads in [(frame, 1), (frame, 2), (frame.reverse(), 1)]
    }

    assert len(found) == 1


def test_more_work_brings_it_closer():
    _, _, table = tree_case(5, 300, n_columns=4)

    found = [bound_of(table, 6, work=10**exponent) for exponent in (3, 6, 7, 9)]

    assert found == sorted(found)
    assert found[0] < found[1] < found[-1]


def test_columns_are_simplified_where_the_work_does_not_suffice():
    """20 columns of 3 levels have billions of nodes; what is left is still a bound."""
    rng = np.random.default_rng(3)
    values = {f"c{i}": rng.integers(0, 8, 60) for i in range(20)}
    table = encoded(pl.DataFrame(values), dict.fromkeys(values, quasi(shoal.intervals(2, 4)))).table
    release = shoal.anonymize(
        pl.DataFrame(values),
        quasi=dict.fromkeys(values, shoal.intervals(2, 4)),
        privacy=[shoal.KAnonymity(3)],
        algorithm="k-member",
    )

    found = bound_of(table, 3, work=5_000_000)

    assert 0 < found <= release.measures["loss"]


def test_records_suppressed_beforehand_cost_all_of_their_cells():
    _, _, table = tree_case(2, 30)

    n, whole = 30, whole_of(table) / 3
    alone, with_ten = bound_of(table, 3), bound_of(table, 3, already=10)

    assert with_ten == pytest.approx((n * alone + 10 * whole) / (n + 10), rel=1e-6)


def test_it_does_not_rise_with_the_limit_of_suppression():
    _, _, table = tree_case(2, 30)

    found = [bound_of(table, 5, suppression=n) for n in range(6)]

    assert all(more <= less / CLOSE for less, more in pairwise(found))
    assert bound_of(table, 5, suppression=30) <= whole_of(table) / 3


def test_equal_records_that_are_enough_cost_nothing():
    frame = pl.DataFrame({"age": [30] * 4 + [50] * 4})
    table = encoded(frame, {"age": quasi()}).table

    assert bound_of(table, 4) == 0
    assert bound_of(table, 5) == pytest.approx(1)


def test_ranges_on_a_grid_cost_at_least_a_bin():
    """Two bins of 100, written with their last value: each is 99 of the 110 that pay spans."""
    frame = pl.DataFrame({"pay": [100, 110, 200, 210]})
    table = encoded(frame, {"pay": quasi(bounds=OnGrid(100))}).table

    assert bound_of(table, 2) == pytest.approx(99 / 110)


@pytest.mark.parametrize(
    ("models", "is_of_policy"),
    [
        ([shoal.KAnonymity(3)], True),
        ([shoal.KAnonymity(3), shoal.DistinctLDiversity("ill", 2)], False),
        ([shoal.DistinctLDiversity("ill", 2)], False),
    ],
)
def test_it_says_for_which_part_of_the_policy_it_holds(models, is_of_policy):
    frame = pl.DataFrame({"age": range(12), "ill": ["a", "b"] * 6})
    table = encoded(frame, {"age": quasi(), "ill": ColumnSpec("sensitive")}).table

    found = lower_bound(table, Privacy(tuple(models)), Limits())

    assert found.value > 0
    assert found.is_of_policy == is_of_policy


def test_without_a_size_of_groups_there_is_none():
    frame = pl.DataFrame({"age": range(12), "ill": ["a", "b"] * 6})
    table = encoded(frame, {"age": quasi(), "ill": ColumnSpec("sensitive")}).table

    found = lower_bound(table, Privacy((shoal.TCloseness("ill", 0.3),)), Limits())

    assert found.value is None
    assert "how large a group" in found.reason


def test_a_cancelled_run_ends_while_it_is_computed():
    _, _, table = tree_case(4, 400, n_columns=4)
    heard = []
    watch = Watch(lambda progress: (heard.append(progress), watch.cancel()))

    with pytest.raises(shoal.errors.Cancelled):
        bound_of(table, 5, watch=watch)

    assert [progress.done for progress in heard] == [0]

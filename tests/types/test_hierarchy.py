import numpy as np
import pytest

from shoal.types.hierarchy import Hierarchy
from tiers import seeds

PATHS = [
    ("nurse", "care", "health", "*"),
    ("cook", "kitchen", "house", "*"),
    ("doctor", "care", "health", "*"),
    ("porter", "door", "house", "*"),
    ("maid", "kitchen", "house", "*"),
]


def random_paths(rng, n_leaves):
    """Paths of a random tree of height 3, leaves in any order; a node is named by its path."""
    paths = []
    for leaf in rng.permutation(n_leaves):
        top = f"t{leaf % 3}"
        paths.append((f"{leaf}", f"{top}.{leaf % 6}", top, "*"))
    return paths


def test_leaves_of_a_node_are_put_together_and_else_keep_their_order():
    assert Hierarchy.of_paths(PATHS).leaves == ("nurse", "doctor", "cook", "maid", "porter")


def test_labels_of_each_level_run_from_left_to_right():
    hierarchy = Hierarchy.of_paths(PATHS)

    assert hierarchy.labels[1:] == (("care", "kitchen", "door"), ("health", "house"), ("*",))
    assert [counts.tolist() for counts in hierarchy.leaf_counts] == [
        [1, 1, 1, 1, 1],
        [2, 2, 1],
        [2, 3],
        [5],
    ]


@pytest.mark.parametrize("seed", seeds(4, thorough=10))
def test_every_node_is_a_run_of_consecutive_leaves_and_paths_come_back(seed):
    rng = np.random.default_rng(seed)
    paths = random_paths(rng, int(rng.integers(1, 30)))

    hierarchy = Hierarchy.of_paths(paths)

    assert sorted(hierarchy.paths()) == sorted(paths)
    assert (np.diff(hierarchy.nodes, axis=1) >= 0).all()
    assert (np.diff(hierarchy.nodes, axis=1) <= 1).all()


@pytest.mark.parametrize("seed", seeds(4, thorough=10))
def test_the_lowest_node_above_two_leaves_is_the_first_that_their_paths_share(seed):
    rng = np.random.default_rng(seed)
    hierarchy = Hierarchy.of_paths(random_paths(rng, 20))
    paths = list(hierarchy.paths())
    low, high = np.sort(rng.integers(0, 20, size=(2, 50)), axis=0)

    levels = hierarchy.level_covering(low, high)

    for a, b, level in zip(low, high, levels, strict=True):
        shared = [i for i in range(4) if all(paths[leaf][i] == paths[a][i] for leaf in (a, b))]
        assert level == shared[0]
        assert {paths[leaf][level] for leaf in range(a, b + 1)} == {paths[a][level]}


def test_nodes_of_one_name_under_different_parents_stay_apart():
    hierarchy = Hierarchy.of_paths([("a", "other", "x", "*"), ("b", "other", "y", "*")])

    assert hierarchy.labels[1] == ("other", "other")
    assert hierarchy.level_covering(np.array([0]), np.array([1])).tolist() == [3]


def test_the_root_is_called_star_whatever_it_was_called():
    assert Hierarchy.of_paths([("a", "all"), ("b", "all")]).label(1, 0) == "*"


def test_missing_has_a_node_of_its_own_below_the_root_and_none_at_it():
    hierarchy = Hierarchy.of_paths([("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")])

    nodes = [hierarchy.nodes_at(level).tolist() for level in range(3)]

    assert nodes == [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]]
    assert hierarchy.nodes_at(0).dtype == np.int32
    assert hierarchy.leaves_under(1).tolist() == [2, 2, 1]

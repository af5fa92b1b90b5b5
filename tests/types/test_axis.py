import numpy as np
import pytest

from shoal.types.axis import Axis
from shoal.types.hierarchy import Hierarchy


def line(numbers, *, domain=None, **more):
    return Axis(
        name="a",
        kind="number",
        leaves=tuple(map(str, numbers)),
        numbers=np.array(numbers),
        hierarchy=more.get("hierarchy"),
        publish="range",
        has_missing=more.get("has_missing", False),
        domain=domain or (float(numbers[0]), float(numbers[-1])),
    )


def plain(leaves, *, has_missing=False):
    return Axis("a", "text", tuple(leaves), None, None, "set", has_missing)


def tree(paths, *, has_missing=False):
    hierarchy = Hierarchy.of_paths(paths)
    return Axis("a", "text", hierarchy.leaves, None, hierarchy, "node", has_missing)


def shares(axis, boxes, **more):
    low, high = np.array(boxes, dtype=np.int32).T
    return axis.extent(low, high, **more).share.tolist()


def test_numbers_lie_where_they_are_in_the_domain_and_missing_beyond_it():
    assert line([10, 20, 50]).positions.tolist() == [0, 0.25, 1, 2]


def test_leaves_without_numbers_lie_at_equal_distances():
    assert plain("abcde").positions.tolist() == [0, 0.25, 0.5, 0.75, 1, 2]


def test_numbers_published_as_nodes_lie_at_equal_distances():
    hierarchy = Hierarchy.of_paths([("1", "*"), ("2", "*"), ("9", "*")])
    axis = Axis("a", "number", ("1", "2", "9"), np.array([1, 2, 9]), hierarchy, "node", False)

    assert axis.positions.tolist() == [0, 0.5, 1, 2]


@pytest.mark.parametrize("axis", [line([7]), plain("a"), tree([("a", "*")])])
def test_one_leaf_lies_at_the_beginning(axis):
    assert axis.positions.tolist() == [0, 2]


def test_a_missing_value_is_a_leaf_after_all_others():
    axis = plain("abc", has_missing=True)

    assert axis.missing_code == 3
    assert axis.n_codes == 4
    assert plain("abc").n_codes == 3


def test_a_range_covers_its_width_of_the_domain():
    assert shares(line([10, 20, 50]), [(0, 0), (0, 1), (1, 2), (0, 2)]) == [0, 0.25, 0.75, 1]


def test_a_set_covers_the_values_in_it_beyond_the_first():
    found = shares(plain("abcde"), [(0, 4), (0, 4), (2, 2)], n_distinct=np.array([3, 5, 1]))

    assert found == [0.5, 1, 0]


def test_a_node_covers_the_leaves_below_it_beyond_the_first():
    axis = tree(
        [("a", "x", "*"), ("b", "x", "*"), ("c", "x", "*"), ("d", "y", "*"), ("e", "y", "*")]
    )

    assert shares(axis, [(0, 0), (0, 1), (3, 4), (1, 3)]) == [0, 0.5, 0.25, 1]


def test_a_fixed_level_is_covered_whatever_the_box_needs():
    axis = tree([("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")])
    low = high = np.array([0, 2], dtype=np.int32)

    extent = axis.extent(low, high, level=1)

    assert extent.share.tolist() == [0.5, 0]
    assert extent.relative_level.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    "axis",
    [
        line([10, 20, 50], has_missing=True),
        plain("abc", has_missing=True),
        tree([("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")], has_missing=True),
        line([10], has_missing=True),
        plain("a", has_missing=True),
        tree([("a", "*")], has_missing=True),
    ],
)
def test_missing_alone_covers_nothing_and_mixed_with_values_everything(axis):
    missing = axis.missing_code
    low, high = np.array([missing, 0], np.int32), np.array([missing, missing], np.int32)

    extent = axis.extent(low, high, n_distinct=np.array([1, 2]))

    assert extent.share.tolist() == [0, 1]
    assert extent.relative_level.tolist() == [0, 1]


@pytest.mark.parametrize(
    "axis",
    [
        line([10, 20, 50]),
        plain("abc"),
        tree([("a", "x", "*"), ("b", "x", "*")]),
        line([10], has_missing=True),
        plain("abc", has_missing=True),
    ],
)
def test_the_root_covers_everything(axis):
    root = axis.root_extent()

    assert root.share.tolist() == [1]
    assert root.relative_level.tolist() == [1]


@pytest.mark.parametrize("axis", [line([7]), plain("a"), tree([("a", "x", "*")])])
def test_the_root_of_a_column_with_one_value_covers_nothing(axis):
    root = axis.root_extent()

    assert root.share.tolist() == [0]
    assert root.relative_level.tolist() == [0]


def test_nodes_ascend_with_codes_and_missing_is_the_last():
    of_tree = tree([("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")])

    assert [of_tree.nodes_at(level).tolist() for level in range(of_tree.height + 1)] == [
        [0, 1, 2, 3],
        [0, 0, 1, 2],
        [0, 0, 0, 0],
    ]
    assert (plain("abc").height, plain("abc").nodes_at(0).tolist()) == (0, [0, 1, 2, 3])

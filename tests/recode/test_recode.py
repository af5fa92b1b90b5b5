from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import naive
from cases.handmade import encoded, grouped, quasi, schema_of
from shoal.encode.encode import encode
from shoal.encode.people import people_of
from shoal.errors import InputError
from shoal.group.partition.mondrian import Mondrian
from shoal.hierarchies.levels import levels
from shoal.policy.policy import Policy
from shoal.privacy.k_anonymity import KAnonymity
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.recode.cells import Cells, cells_of_groups
from shoal.recode.recode import Placement, merge_equal_groups, place, recode
from shoal.types.arrays import SUPPRESSED
from shoal.types.grouping import Grouping
from shoal.types.schema import ColumnSpec

WORK = [
    ("nurse", "care", "*"),
    ("doctor", "care", "*"),
    ("cook", "house", "*"),
    ("maid", "house", "*"),
]
SPECS = {
    "name": ColumnSpec("identifier"),
    "visits": ColumnSpec("keep"),
    "age": quasi(),
    "ill": ColumnSpec("sensitive"),
    "city": quasi(),
    "work": quasi(levels(WORK)),
    "note": ColumnSpec("drop"),
    "when": ColumnSpec("keep"),
}


def random_frame(seed, n=60):
    rng = np.random.default_rng(seed)

    def pick(values):
        return [values[i] for i in rng.integers(0, len(values), n)]

    return pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "visits": pick([1, 2, 10, None]),
            "age": pick([None, *range(9, 110, 9)]),
            "ill": pick(["flu", "cold", "Äther", "", None]),
            "city": pick(["Bonn", "Lima, Peru", "Oslo", "Zürich", None]),
            "work": pick([path[0] for path in WORK]),
            "note": pick(["x", "y"]),
            "when": pick(["02", "1", "1.10", "1.1"]),
        }
    )


def release_of(frame, *, order="published", strict=True, k=3):
    return Policy(
        columns=SPECS, privacy=(KAnonymity(k),), algorithm=Mondrian(strict=strict), order=order
    ).anonymize(frame)


def none_first(row):
    return [(value is not None, value) for value in row]


@pytest.mark.parametrize("seed", range(6))
def test_released_rows_are_sorted_by_cells_and_then_by_the_other_columns(seed):
    released = release_of(random_frame(seed), strict=bool(seed % 2)).published

    rows = released.select("age", "city", "work", "visits", "ill", "when").rows()
    assert rows == sorted(rows, key=none_first)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_release_does_not_depend_on_the_order_of_the_input(seed, strict):
    frame = random_frame(seed)
    shuffled = frame[np.random.default_rng(seed).permutation(frame.height)]

    one, other = (release_of(f, strict=strict).published for f in (frame, shuffled))

    assert one.rows() == other.rows()


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_input_is_kept_where_the_policy_says_so(seed):
    frame = random_frame(seed)

    released = release_of(frame, order="input").published

    for name in ("visits", "ill", "when"):
        assert released[name].to_list() == frame[name].to_list()


def test_suppressed_records_are_left_out_and_the_others_stay_in_order():
    frame = pl.DataFrame({"age": [5, 1, 9, 1, 5], "visits": [10, 11, 12, 13, 14]})

    made = grouped(frame, {"age": quasi(), "visits": "keep"}, [1, 0, -1, 0, 1])

    published = made.published()
    assert published.frame.rows() == [("5", 10), ("1", 11), ("1", 13), ("5", 14)]
    assert published.records.tolist() == [0, 1, 3, 4]
    assert published.groups_of_input(5).tolist() == [1, 0, -1, 0, 1]


def test_withheld_columns_are_left_out_and_the_others_keep_their_order():
    assert release_of(random_frame(0)).published.columns == [
        "visits",
        "age",
        "ill",
        "city",
        "work",
        "when",
    ]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_every_record_is_inside_its_box(seed, strict):
    frame = random_frame(seed)
    path_of = {path[0]: path for path in WORK}

    release = release_of(frame, order="input", strict=strict)

    for record, cells in zip(frame.to_dicts(), release.published.to_dicts(), strict=True):
        for name in ("age", "city", "work"):
            value, cell = record[name], cells[name]
            if cell == "*":
                continue
            if value is None or cell is None:
                assert value is cell is None
            elif name == "age":
                low, high = naive.read_cell(cell)
                assert int(low) <= value <= int(high)
            elif name == "city":
                assert value in naive.read_cell(cell, as_set=True)
            else:
                assert cell in path_of[value]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_group_is_all_records_with_the_same_cells(seed, strict):
    frame = random_frame(seed)

    release = release_of(frame, order="input", strict=strict)

    cells = release.published.select("age", "city", "work").rows()
    pairs = set(zip(release.groups.tolist(), cells, strict=True))
    assert len(pairs) == len(set(cells)) == len(set(release.groups.tolist()))
    assert len(pairs) > 3
    assert min(cells.count(cell) for cell in cells) >= 3


def test_groups_with_the_same_cells_become_one_with_a_box_around_both():
    frame = pl.DataFrame({"work": ["nurse", "cook", "doctor", "maid", "maid"]})
    made = grouped(frame, {"work": quasi(levels(WORK))}, [2, 2, 0, 0, 1])
    cells_before = cells_of_groups(made.outcome)

    merged, cells = merge_equal_groups(made.outcome.grouping, cells_before)

    # Rows are nurse, doctor, cook, maid and again maid; groups 0 and 2 are both published as *.
    assert merged.labels.tolist() == [0, 0, 0, 0, 1]
    assert (merged.low.tolist(), merged.high.tolist()) == ([[0], [3]], [[3], [3]])
    assert [cells[0].texts[i] for i in cells[0].of_group] == ["*", "maid"]


def test_merging_leaves_suppressed_records_suppressed():
    frame = pl.DataFrame({"work": ["nurse", "cook", "doctor", "maid"]})
    made = grouped(frame, {"work": quasi(levels(WORK))}, [0, -1, 0, -1])

    merged, _ = merge_equal_groups(made.outcome.grouping, cells_of_groups(made.outcome))

    assert merged.labels.tolist() == [0, 0, -1, -1]
    assert merged.n_suppressed == 2


def test_equal_records_that_are_separated_are_told_apart_by_what_is_kept():
    frame = pl.DataFrame({"age": [1, 1, 1, 1, 2, 2], "visits": [4, 1, 3, 2, 5, 6]})
    columns = {"age": quasi(), "visits": "keep"}

    made = grouped(frame, columns, [0, 0, 0, 1, 1, 1])

    # Three of the four 1s go to group 0, by ascending visits.
    assert made.published().groups.tolist() == [1, 0, 0, 0, 1, 1]


def test_a_missing_cell_is_null_in_a_frame_and_the_policys_text_in_a_csv():
    frame = pl.DataFrame({"age": [None, None, 1, 1]}, schema={"age": pl.Int64})
    made = grouped(frame, {"age": quasi()}, [0, 0, 1, 1])

    assert made.published(order="published").frame["age"].to_list() == [None, None, "1", "1"]
    assert made.published(missing_text="?").frame["age"].to_list() == ["?", "?", "1", "1"]


def test_kept_and_sensitive_columns_leave_as_they_came():
    frame = pl.DataFrame({"zip": ["1", "1"], "code": ["02139", "1.10"], "dose": [1.50, None]})
    columns = {"zip": quasi(), "code": "keep", "dose": "sensitive"}

    published = grouped(frame, columns, [0, 0], is_text=False).published().frame

    assert published["code"].to_list() == ["02139", "1.10"]
    assert published["dose"].to_list() == [1.50, None]
    assert published["dose"].dtype == pl.Float64


def test_the_input_frame_is_not_changed():
    frame = random_frame(1)
    before = frame.clone()

    release_of(frame)

    assert frame.equals(before)


def test_long_sets_are_refused_when_all_cells_together_have_too_many_characters(monkeypatch):
    monkeypatch.setattr("shoal.recode.recode.MOST_CHARACTERS", 802)
    sets = pl.DataFrame({"a": ["x" * 96, "y" * 100, "z"] * 6, "id": range(18)})  # {x, y} has 200
    columns = {"a": quasi(), "id": "keep"}

    def published(n_sets):
        in_sets = [0, 0, 1] * (n_sets // 2)
        return grouped(sets[: len(in_sets)], columns, in_sets).published().frame

    assert published(4)["a"].str.len_chars().sum() == 802
    with pytest.raises(InputError, match="so many different values"):
        published(6)


def test_sets_that_would_fill_a_gigabyte_are_refused():
    values = [f"{i:01000}" for i in range(1_001)]  # a set of a million characters, in every record
    released = grouped(pl.DataFrame({"a": values}), {"a": quasi()}, [0] * len(values))

    with pytest.raises(InputError, match="1 GB in all"):
        released.published()


def test_categories_that_only_suppressed_records_had_are_forgotten():
    ills = pl.Enum(["flu", "gout", "none"])
    ill = pl.Series(["flu", "flu", "gout"], dtype=ills)
    seen = pl.Series([[one] for one in ill], dtype=pl.List(ills))
    frame = pl.DataFrame({"age": [1, 1, 2], "ill": ill, "seen": seen, "n": [[1]] * 3})
    columns = {"age": quasi(), "ill": "keep", "seen": "keep", "n": "keep"}

    published = grouped(frame, columns, [0, 0, -1]).published().frame

    assert published["ill"].dtype == pl.Enum(
        ["flu", "none"]
    )  # one that no record had tells of none
    assert published["seen"].dtype == pl.List(pl.String)
    assert published["n"].dtype == pl.List(pl.Int64)
    assert published["seen"].to_list() == [["flu"], ["flu"]]


def test_rows_that_stand_for_several_records_still_do_when_they_are_published():
    frame = pl.DataFrame({"age": [1, 2, 3]})
    made = grouped(frame, {"age": quasi()}, [0, -1, 0])

    counted = replace(made, source=Source(frame, counts=np.array([2, 5, 3]))).published()

    assert (counted.records.tolist(), counted.counts.tolist()) == ([0, 2], [2, 3])
    assert made.published().counts is None


def test_the_records_of_a_row_are_divided_where_its_groups_end():
    columns = {"age": quasi(), "visits": "keep"}
    records = pl.DataFrame({"age": [1] * 5, "visits": [7, 7, 7, 7, 8]})
    rows = pl.DataFrame({"age": [1, 1], "visits": [7, 8]})
    grouping = grouped(records, columns, [0, 0, 0, 1, 1]).outcome.grouping
    source = Source(rows, counts=np.array([4, 1]))

    placed = place(source, encoded(rows, columns), grouping, schema_of(columns))

    assert placed.rows.tolist() == [0, 0, 1]
    assert placed.groups.tolist() == [0, 1, 1]
    assert placed.counts.tolist() == [3, 1, 1]


# entries of people


def entries_placed(frame, *, counts=None):
    """Where the records go of four people who look alike, two of them to each of two groups."""
    source = Source(frame, counts=counts)
    columns = {"age": read_column(frame["age"])}
    people = people_of(source, ["id"], missing="suppress")
    schema = schema_of({"age": quasi(), "visits": ColumnSpec("keep")})
    encoding = encode(columns, schema, missing="suppress", unknown="error", people=people)
    assert encoding.table.weights.tolist() == [4]
    box = np.zeros((2, 1), dtype=np.int32)
    grouping = Grouping(
        rows=np.zeros(2, dtype=np.int32),
        counts=np.array([2, 2]),
        labels=np.array([0, 1], dtype=np.int32),
        low=box,
        high=box,
    )
    return place(source, encoding, grouping, schema)


ALIKE = pl.DataFrame(
    {
        "id": ["d", "a", None, "b", "a", "c", "d", "b"],
        "age": [30] * 8,
        "visits": [9, 1, 0, 2, 8, 2, 3, 3],
    }
)


@pytest.mark.parametrize("seed", range(6))
def test_equal_entries_are_separated_by_what_their_records_have_whatever_the_order(seed):
    order = np.random.default_rng(seed).permutation(len(ALIKE))

    groups = entries_placed(ALIKE[order]).groups

    # The lists of visits, short ones first: c has 2, a has 1 and 8, b has 2 and 3, d has 3 and 9.
    of_person = {"c": 0, "a": 0, "b": 1, "d": 1, None: -1}
    assert groups.tolist() == [of_person[person] for person in ALIKE["id"][order]]


def test_counted_rows_of_an_entry_are_never_divided():
    counts = np.arange(1, 9)

    placed = entries_placed(ALIKE, counts=counts)

    assert placed.rows.tolist() == list(range(8))
    assert placed.counts.tolist() == counts.tolist()
    assert entries_placed(ALIKE).rows is None


def test_a_frame_carries_no_cell_of_a_group_that_is_not_published():
    source = Source(pl.DataFrame({"city": ["Bonn", "Oslo"]}))
    cells = [Cells(["a city that nobody may know", "another one"], np.array([0, 1]))]

    published = recode(
        source, Placement(np.array([SUPPRESSED, 1], dtype=np.int32)), cells,
        schema=schema_of({"city": quasi()}), order="published", missing_text=None,
    )  # fmt: skip

    assert published.frame["city"].to_list() == ["another one"]
    arrow = published.frame["city"].to_arrow(compat_level=pl.CompatLevel.newest())
    assert not any(
        b"nobody may know" in buffer.to_pybytes() for buffer in arrow.buffers() if buffer
    )

"""k-map and delta-presence: three ways to find whom groups match, and the obvious one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from naive import privacy as naive
from privacy.groups import limits
from shoal.encode.encode import encode
from shoal.encode.population import encode_population
from shoal.group.lattice._checker import Checker
from shoal.group.parts.stats import stats_of_grouping
from shoal.group.parts.threads import spread_over
from shoal.kernels.boxes import group_boxes
from shoal.metrics import metric_to_minimise
from shoal.read.files import read_file
from shoal.read.source import Source
from shoal.recode.cells import cells_of_groups
from shoal.runs.anonymize import anonymize
from shoal.runs.inputs import fit_to, read_columns
from shoal.runs.search import outcome_of
from shoal.types.algorithm import Limits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.stats import GroupStats
from shoal.verify.population import MatchedPeople
from tiers import examples

FILE = "people.csv"
COLUMNS = {"age": pl.Int64, "years": pl.Int64, "zip": pl.String, "sex": pl.String, "job": pl.String}
PARENTS = {"nurse": "Care", "doctor": "Care", "cook": "Kitchen", "waiter": "Kitchen"}
# What the records have, and what else people have: new values, and one that is no leaf.
VALUES = {
    "age": ([1, 3, 4, 8, 12], [0, 2, 9, 30]),
    "years": ([1, 3, 4, 8, 12], [0, 2, 9, 30]),
    "zip": (["11", "12", "21"], ["13", "31"]),
    "sex": (["f", "m", "o"], ["x", "g"]),
    "job": (["nurse", "doctor", "cook"], ["waiter", "pilot"]),
}
RECORDS = st.lists(
    st.tuples(*(st.sampled_from([*own, None]) for own, _ in VALUES.values())),
    min_size=1, max_size=8,
)  # fmt: skip
PEOPLE = st.lists(
    st.tuples(*(st.sampled_from([*own, *more, None]) for own, more in VALUES.values())),
    min_size=1, max_size=12,
)  # fmt: skip


def node_of(column, value, level):
    """The node above a value at a level, and whether that is the root."""
    match column:
        case "years":
            nodes = [value, None if value is None else ("bin", value // 5), "*"]
        case "zip":
            nodes = [value, value if value is None else value[0], "*"]
        case "job":
            nodes = [value, None if value is None else PARENTS.get(value), "*"]
        case _:
            nodes = [value, "*"]
    return nodes[level], level == len(nodes) - 1


def is_leaf(column, value):
    return column != "job" or value is None or value in PARENTS


def cell_at(column, values, level):
    """Which values the cell at a level covers, those of the group all being under one node."""
    (node,) = {node_of(column, value, level)[0] for value in values}
    _, is_root = node_of(column, values[0], level)

    def covers(value):
        same = is_leaf(column, value) and node_of(column, value, level)[0] == node
        return is_root or (same and (value is None) == (node is None))

    return covers


def cell_of(column, values):
    """Which values the cell of a group covers, by what is published."""
    if None in values and set(values) != {None}:
        return lambda value: True
    if None in values:
        return lambda value: value is None
    if column == "age":
        return lambda value: value is not None and min(values) <= value <= max(values)
    if column == "sex":
        return lambda value: value in values
    levels = range(3)
    lowest = next(n for n in levels if len({node_of(column, v, n)[0] for v in values}) == 1)
    return cell_at(column, values, lowest)


def policy(algorithm="mondrian"):
    return shoal.Policy.of_roles(
        quasi={
            "age": None,
            "years": shoal.intervals(5),
            "zip": shoal.prefix(2),
            "sex": None,
            "job": shoal.tree({"Care": ["nurse", "doctor"], "Kitchen": ["cook", "waiter"]}),
        },
        privacy=[shoal.KMap(1, FILE)],
        algorithm=algorithm,
    )


class Case:
    """Records and people, coded."""

    def __init__(self, records, people, algorithm="mondrian"):
        self.records = [dict(zip(COLUMNS, record, strict=True)) for record in records]
        self.people = people
        self.policy = policy(algorithm)
        data, others = (
            Source.of_frame(pl.DataFrame(rows, schema=COLUMNS, orient="row"))
            for rows in (records, people)
        )
        schema = self.policy.schema_for(list(COLUMNS))
        self.schema, _ = fit_to(self.policy.algorithm, schema)
        columns = read_columns(data, self.policy, self.schema.quasi)
        encoding = encode(columns, self.schema, missing="category", unknown="error")
        both = data.followed_by(others, self.schema.only("quasi"), ("",))
        together = read_columns(both, self.policy, self.schema.quasi)
        population = encode_population(together, encoding, self.schema)
        table = replace(encoding.table, populations={FILE: population})
        self.encoding = replace(encoding, table=table)
        self.of_people = read_columns(others, self.policy, self.schema.quasi)

    def grouping(self, label_of_row, levels=None):
        table = self.encoding.table
        numbers = {label: i for i, label in enumerate(dict.fromkeys(label_of_row))}
        labels = np.array([numbers[label] for label in label_of_row], dtype=np.int32)
        rows = np.arange(table.n_rows, dtype=np.int32)
        low, high = group_boxes(table.codes, rows, labels, len(numbers))
        return Grouping.of_rows(table, labels, low, high, levels=levels)

    def records_in(self, grouping):
        groups = [[] for _ in range(grouping.n_groups)]
        for record, row in zip(self.records, self.encoding.row_of_record, strict=True):
            groups[grouping.labels[row]].append(record)
        return groups

    def searched(self, grouping):
        return stats_of_grouping(self.encoding.table, grouping)

    def verified(self, grouping):
        """What a reader of the published cells finds."""
        outcome = outcome_of(self.encoding, grouping, Privacy(()))
        texts = {
            name: [cells.texts[i] for i in cells.of_group]
            for name, cells in zip(self.schema.quasi, cells_of_groups(outcome), strict=True)
        }
        matched = MatchedPeople(texts, self.of_people, self.schema.columns)
        return GroupStats(outcome.stats.sizes, {}, matches={FILE: lambda: matched})


def found_by(stats):
    """Of each group: people, least and largest chance; and the people outside."""
    matches = stats.matches(FILE)
    presence = shoal.DeltaPresence(0, 1, FILE)._presence(stats)
    return [
        (int(n), round(float(low), 9), round(float(high), 9))
        for n, low, high in zip(matches.sizes(), presence.lowest, presence.highest, strict=True)
    ], presence.n_outside


def expected(groups_of_cells, people):
    chances = naive.chances(groups_of_cells, people)
    found = []
    for cells, _ in groups_of_cells:
        of_group = [chances[place] for place in naive.matched(cells, people)] or [1]
        highest = max(of_group) if naive.matched(cells, people) else 0
        n_people = len(naive.matched(cells, people))
        found.append((n_people, round(float(min(of_group)), 9), round(float(highest), 9)))
    return found, sum(chance == 0 for chance in chances)


@examples(thorough=200)
@given(RECORDS, PEOPLE, st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_boxes_and_published_cells_match_the_same_people(records, people, labels):
    case = Case(records, people)
    grouping = case.grouping(labels[: case.encoding.table.n_rows])
    cells = [
        ([cell_of(name, [record[name] for record in group]) for name in COLUMNS], len(group))
        for group in case.records_in(grouping)
    ]

    assert found_by(case.searched(grouping)) == expected(cells, people)
    assert found_by(case.verified(grouping)) == expected(cells, people)


@examples(thorough=150)
@given(RECORDS, PEOPLE, st.tuples(*(st.integers(0, top) for top in (1, 2, 2, 1, 2))))
def test_the_rows_of_a_node_match_the_same_people(records, people, levels):
    case = Case(records, people, "flash")
    table = case.encoding.table
    tops = [0 if axis.hierarchy is None else axis.hierarchy.height for axis in table.axes]
    levels = tuple(map(min, levels, tops))  # a column that is missing throughout has one level
    keys = {
        int(row): tuple(
            node_of(name, record[name], level)[0]
            for name, level in zip(COLUMNS, levels, strict=True)
        )
        for record, row in zip(case.records, case.encoding.row_of_record, strict=True)
    }
    grouping = case.grouping([keys[row] for row in range(table.n_rows)], levels)
    cells = [
        (
            [
                cell_at(name, [record[name] for record in group], level)
                for name, level in zip(COLUMNS, levels, strict=True)
            ],
            len(group),
        )
        for group in case.records_in(grouping)
    ]
    of_groups, n_outside = expected(cells, people)

    assert found_by(case.searched(grouping)) == (of_groups, n_outside)
    assert found_by(case.verified(grouping)) == (of_groups, n_outside)
    with spread_over(1) as spread:
        privacy, metric = Privacy(case.policy.privacy), metric_to_minimise("loss")
        checker = Checker(table, privacy, Limits(suppression=0), metric=metric, spread=spread)
        (rows,) = checker.roll_up.at([levels])
        _, stats = checker.stats(levels, rows)
        at_node, outside_node = found_by(stats)
        # The lattice has an order of groups of its own.
        sizes = [n_records for _, n_records in cells]
        assert outside_node == n_outside
        assert Counter(zip(stats.sizes.tolist(), at_node, strict=True)) == Counter(
            zip(sizes, of_groups, strict=True)
        )


@examples(thorough=100)
@given(
    RECORDS, PEOPLE, st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(1, 4),
    limits(0.1, 0.5), limits(0.5, 1),
)  # fmt: skip
def test_models_about_a_population_are_those_of_the_definition(
    records, people, labels, k, least, most
):
    case = Case(records, people)
    grouping = case.grouping(labels[: case.encoding.table.n_rows])
    stats = case.searched(grouping)
    cells = [
        ([cell_of(name, [record[name] for record in group]) for name in COLUMNS], len(group))
        for group in case.records_in(grouping)
    ]
    sizes = [len(naive.matched(one, people)) for one, _ in cells]
    chances = naive.chances(cells, people)
    within = [exact(least) <= chance <= exact(most) for chance in chances]

    assert shoal.KMap(k, FILE).holds(stats).tolist() == [size >= k for size in sizes]
    assert shoal.KMap(k, FILE).achieved(stats) == min(sizes)
    presence = shoal.DeltaPresence(least, most, FILE)
    assert presence.holds(stats).all() == all(within)
    assert presence.achieved(stats) == pytest.approx(float(max(chances)), abs=1e-12)
    fails = Privacy((presence,)).to_suppress(stats)
    if not fails.all():
        assert presence.holds(stats.of_groups(~fails)).all()


def exact(limit):
    return Fraction(limit).limit_denominator(1000)


def test_a_union_may_match_others_too_few_of_whom_are_in_it():
    people = [(age, 1, "11", "f", "nurse") for age in (1, 1, 3, 3, 3, 3, 3, 3, 8, 8)]
    records = [people[0], people[-1]]
    case = Case(records, people)
    model = shoal.DeltaPresence(0.3, 0.9, FILE)

    apart, together = case.grouping([0, 1]), case.grouping([0, 0])

    found = model._presence(case.searched(apart))
    assert (found.lowest.tolist(), found.highest.tolist()) == ([0.5, 0.5], [0.5, 0.5])
    assert model._presence(case.searched(together)).lowest.tolist() == [0.2]
    assert not model.survives_merging
    assert not model.holds(case.searched(together)).any()


def test_chances_add_up_where_cells_overlap_and_never_beyond_certainty():
    one = (1, 1, "11", "f", "nurse")
    case = Case([one, (3, *one[1:]), (1, 3, *one[2:]), (3, 3, *one[2:])], [one])
    grouping = case.grouping([0, 1, 1, 0])  # ages 1 to 3 and years 1 to 3, twice

    assert found_by(case.searched(grouping)) == ([(1, 1.0, 1.0), (1, 1.0, 1.0)], 0)
    assert shoal.DeltaPresence(0, 1, FILE).holds(case.searched(grouping)).all()


@pytest.mark.parametrize("algorithm", ["mondrian", "flash"])
def test_groups_that_match_nobody_tell_of_nobody(algorithm, tmp_path):
    file = tmp_path / "people.csv"
    pl.DataFrame({"age": [50, 60]}).write_csv(file)
    rules = shoal.Policy.of_roles(
        quasi=["age"],
        privacy=[shoal.DeltaPresence(0, 0.5, str(file))],
        algorithm=algorithm,
    )

    release = rules.anonymize(pl.DataFrame({"age": [1, 2, 3]}))

    assert release.verdict.findings[0].achieved == 0
    assert release.verdict.findings[0].holds


@pytest.mark.parametrize("algorithm", ["mondrian", "flash"])
def test_a_column_that_is_missing_throughout_is_of_the_populations_kind(algorithm, tmp_path):
    (tmp_path / "people.csv").write_text("age;sex\n1;f\n;f\n;f\n;m\n2;m\n;m\n")
    (tmp_path / "policy.yaml").write_text(
        "columns: {age: quasi, sex: quasi}\n"
        "privacy: [{model: k-map, k: 2, population: people.csv}]\n"
        f"algorithm: {{name: {algorithm}}}\n"
    )
    (tmp_path / "data.csv").write_text("age;sex\n;f\n;m\n")

    release = anonymize(
        read_file(tmp_path / "data.csv"), shoal.Policy.load(tmp_path / "policy.yaml")
    )

    assert release.verdict.findings[0].achieved == 2

"""t-clustering against its slow twin on single records."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from cases.axes import random_axes, records_of, some_axes, some_records, table_of
from cases.groups import as_multiset, groups_of
from naive import t_clustering as twin
from shoal.group.cluster.t_clustering import TClustering
from shoal.group.parts.pre_partition import Prepartition
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.sensitive import SensitiveColumn
from tiers import IS_COMPILED, examples, seeds

SEEDS = seeds(4, thorough=60)
SHAPES = ("line", "bins", "plain", "tree")


@dataclass(frozen=True)
class Case:
    """A small table, and what is asked of its clusters."""

    records: list  # tuples of codes: of the columns, then of the sensitive columns
    axes: tuple
    severities: tuple  # for each sensitive column, by code
    k: int
    t: float
    balance: float
    size: int | None
    seed: int

    @property
    def table(self):
        columns = tuple(
            SensitiveColumn(f"s{j}", tuple("abcd"), None, None, False, np.array(by_code, float))
            for j, by_code in enumerate(self.severities)
        )
        return table_of(self.records, self.axes, columns)


def twin_of(axis):
    width = (
        naive.Line(axis.positions.tolist(), axis.weight)
        if axis.hierarchy is None
        else naive.Branching(list(axis.hierarchy.paths()), axis.weight)
    )
    numbers = None if axis.numbers is None else axis.numbers.tolist()
    return twin.Column(numbers, width, axis.publish, axis.weight)


@st.composite
def cases(draw):
    axes = draw(some_axes(shapes=SHAPES, n_leaves=(1, 2, 3, 9, 40)))
    n_sensitive = draw(st.integers(0, 2))
    severities = tuple(
        draw(st.lists(st.integers(0, 10), min_size=4, max_size=4)) for _ in range(n_sensitive)
    )
    record = st.tuples(
        *(st.integers(0, a.n_codes - 1) for a in axes),
        *(st.integers(0, 3) for _ in severities),
    )
    k = draw(st.integers(1, 5))
    return Case(
        draw(some_records(record)),
        axes,
        severities,
        k=k,
        t=draw(st.sampled_from([0.0, 0.004, 0.02, 0.2, 5.0])),
        balance=draw(st.sampled_from([0.0, 0.5, 1.0, 10.0])),
        size=draw(st.none() | st.integers(k, 20)),
        seed=draw(st.integers(0, 3)),
    )


def random_case(seed):
    rng = np.random.default_rng(seed)
    axes = random_axes(rng, shapes=SHAPES, n_leaves=(2, 5, 30, 200))
    n = int(rng.integers(50, 300 if IS_COMPILED else 80))
    columns = [rng.integers(0, a.n_codes, size=n) for a in axes]
    # Grave cases where the first column is high: plain cuts find no way, strata do.
    sensitive = np.minimum(3, 4 * columns[0] // axes[0].n_codes)
    columns.append(np.where(rng.random(n) < 0.5, sensitive, rng.integers(0, 4, size=n)))
    severities = (rng.integers(1, 11, size=4).tolist(),)
    if seed % 3 == 0:
        columns.append(rng.integers(0, 4, size=n))
        severities += ([1, 2, 3, 40],)
    return Case(
        records_of(columns),
        axes,
        severities,
        k=int(rng.integers(1, 6)),
        t=float(rng.choice([0.002, 0.004, 0.02, 0.1])),
        balance=float(rng.choice([0.0, 1.0])),
        size=None,
        seed=seed,
    )


def algorithm_of(case):
    parts = None if case.size is None else Prepartition(case.size)
    return TClustering(t=case.t, balance=case.balance, prepartition=parts)


def problem_of(case, table):
    return twin.Problem(
        codes=table.codes.tolist(),
        weights=table.weights.tolist(),
        severities=[
            [case.severities[j][code] for j, code in enumerate(row)]
            for row in table.sensitive.tolist()
        ],
        columns=[twin_of(a) for a in case.axes],
        names=[axis.name for axis in case.axes],
        k=case.k,
        t=case.t,
        balance=case.balance,
        size=8 * case.k if case.size is None else case.size,
        seed=case.seed,
    )


def grouped(case, **limits):
    privacy = Privacy((KAnonymity(case.k),))
    table = case.table
    return algorithm_of(case).group(table, privacy, Limits(seed=case.seed, **limits))


def assert_agrees(case):
    if len(case.records) < case.k:
        case = replace(case, k=1)
    table = case.table

    groups = groups_of(grouped(case, threads=1))

    expected = twin.t_clustering(problem_of(case, table))
    assert as_multiset(groups.values()) == as_multiset(expected)


@given(cases())
@examples(thorough=300)
def test_groups_are_those_of_the_twin(case):
    assert_agrees(case)


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_of_larger_tables_are_those_of_the_twin(seed):
    assert_agrees(random_case(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_severity_is_balanced_up_to_t_in_every_group(seed):
    case = random_case(seed)
    table = case.table
    problem = problem_of(case, table)

    groups = groups_of(grouped(case, threads=1))

    assert sum(groups.values(), Counter()).total() == len(case.records)
    for group in groups.values():
        assert len(list(group.elements())) >= case.k
        assert problem.excess(list(group.elements())) <= case.t + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_any_number_of_threads_gives_the_same_groups(seed):
    case = random_case(seed)
    case = replace(case, records=case.records * 100)  # too much for one thread

    one, two, three = (grouped(case, threads=n) for n in (1, 2, 3))

    assert one.labels.tolist() == two.labels.tolist() == three.labels.tolist()
    assert one.counts.tolist() == two.counts.tolist() == three.counts.tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_figures_are_those_counted_from_the_groups(seed):
    case = random_case(seed)
    table = case.table

    grouping = grouped(case, threads=1)

    figures = grouping.trace["t_clustering"]
    everyone = Counter(dict(enumerate(table.weights.tolist())))
    groups = groups_of(grouping).values()
    assert len(figures["columns"]) == len(case.severities) > 0
    for j, by_code in enumerate(case.severities):
        grades = [by_code[code] for code in table.sensitive[:, j].tolist()]
        clusters = [[grades[row] for row in group.elements()] for group in groups]
        values = [
            [int(table.sensitive[row, j]) for row in group.elements()]
            for group in (*groups, everyone)
        ]
        found = figures["columns"][f"s{j}"]
        mean = sum(map(sum, clusters)) / sum(map(len, clusters))
        means = [sum(cluster) / len(cluster) for cluster in clusters]
        assert found["mean_severity"] == pytest.approx(mean)
        assert found["severity_distance"] == pytest.approx(twin.dist_table(clusters), abs=1e-12)
        assert found["worst_phi"] == pytest.approx(
            max(twin.phi(m / mean) for m in means), abs=1e-12
        )
        assert found["distance_literal"] == pytest.approx(
            sum(twin.literal_distance(m, mean) for m in means if m > 0), abs=1e-9
        )
        assert found["fitness"] == pytest.approx(1 / max(mean, figures["information_loss_percent"]))
        assert found["earth_movers_distance"]["equal"] == pytest.approx(
            max(twin.equal_distance(group, values[-1]) for group in values[:-1])
        )

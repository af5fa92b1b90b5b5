"""The verifier where the people behind the rows are known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import privacy as naive
from naive.people import people_in
from privacy.groups import limits
from shoal.hierarchies.intervals import intervals
from shoal.privacy.delta_presence import DeltaPresence
from shoal.privacy.k_anonymity import KAnonymity
from shoal.privacy.k_map import KMap
from shoal.read.columns import read_column
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec
from shoal.verify.verify import People, verify
from tiers import examples

COVERS = {
    "[20, 29]": lambda age: 20 <= age < 30,
    "[30, 39]": lambda age: 30 <= age < 40,
    "*": lambda age: True,
}
ROWS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(list(COVERS))), min_size=1, max_size=12
)
TOWN = st.lists(st.integers(20, 45), min_size=1, max_size=20)
FILE = "town.csv"


def judged(rows, town, model):
    verdict = verify(
        pl.DataFrame({"age": [cell for _, cell in rows]}),
        quasi=["age"],
        sensitive={},
        privacy=Privacy((model,)),
        populations={
            FILE: People(
                {"age": read_column(pl.Series("age", town))},
                {"age": ColumnSpec("quasi", intervals(10))},
            )
        },
        persons=np.array([person for person, _ in rows]),
    )
    return verdict, verdict.findings[0]


def groups_of(rows):
    """Cells -> the different people who have them."""
    return people_in([person for person, _ in rows], [list(COVERS).index(c) for _, c in rows])


@given(ROWS, st.integers(1, 4))
@examples(thorough=200)
def test_groups_are_as_large_as_they_have_different_people(rows, k):
    verdict, finding = judged(rows, [20], KAnonymity(k))

    sizes = [len(people) for people in groups_of(rows).values()]
    assert verdict.n_people == len({person for person, _ in rows})
    assert verdict.n_records == len(rows)
    assert finding.achieved == min(sizes)
    assert finding.n_failing_groups == sum(size < k for size in sizes)
    assert finding.holds == (min(sizes) >= k)
    assert finding.demand.startswith("Every person" if k > 1 else "Nothing")


@given(ROWS, TOWN, st.integers(1, 6))
@examples(thorough=200)
def test_k_map_is_about_the_population_whoever_has_the_rows(rows, town, k):
    _, finding = judged(rows, town, KMap(k, FILE))

    n_matched = [sum(map(COVERS[cell], town)) for cell in {cell for _, cell in rows}]
    assert finding.achieved == min(n_matched)
    assert finding.n_failing_groups == sum(n < k for n in n_matched)


@given(ROWS, TOWN, limits(0.1, 1))
@examples(thorough=200)
def test_delta_presence_takes_everybody_with_several_rows_in_a_group_for_one(rows, town, most):
    _, finding = judged(rows, town, DeltaPresence(0, most, FILE))

    cells = list(COVERS)
    groups = [((COVERS[cells[g]],), len(people)) for g, people in groups_of(rows).items()]
    chances = naive.chances(groups, [(age,) for age in town])
    matched = [naive.matched(covers, [(age,) for age in town]) for covers, _ in groups]
    highest = [max((chances[place] for place in places), default=0) for places in matched]
    assert finding.achieved == pytest.approx(float(max(highest)), abs=1e-12)
    assert finding.n_failing_groups == sum(float(chance) > most + 1e-9 for chance in highest)

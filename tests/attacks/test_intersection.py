"""The attack on several releases, against looking people up one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import shoal
from cases.two_releases import at_levels, rules, table
from shoal.datasets import DEMO_COLUMNS, adult
from shoal.errors import CannotSatisfy
from shoal.read.source import Source
from shoal.runs.inputs import read_columns
from shoal.verify.covers import covers
from tiers import seeds

QUASI = ["age", "town"]


def matching(frame, policy, released):
    """For each record, the rows of a release whose cells cover its values."""
    columns = read_columns(Source.of_frame(frame), policy, QUASI)
    fits = np.ones((frame.height, released.height), dtype=bool)
    for name in QUASI:
        covered = covers(released[name].to_list(), columns[name], policy.columns[name])
        fits &= covered[:, columns[name].codes].T
    rows = released.select("ill", "visits").rows()
    return [[rows[i] for i in np.flatnonzero(line)] for line in fits]


def certain(left, ill):
    return [len({row[0] for row in rows}) == 1 and rows[0][0] == own
            for rows, own in zip(left, ill, strict=True)]  # fmt: skip


def in_all(matches):
    some = [Counter(rows) for rows in matches if rows]
    left = some[0] if some else Counter()
    for counts in some[1:]:
        left &= counts
    return list(left.elements())


@pytest.mark.parametrize("seed", seeds(6, thorough=60))
def test_every_figure_is_that_of_looking_one_by_one(seed):
    frame, policy = table(40, seed), rules(k=2, l=1)
    first = policy.anonymize(frame).frame
    second = rules("k-member", k=3, l=1).anonymize(frame).frame
    third = at_levels(frame, (2, 1), k=2, l=1).frame

    (found,) = shoal.attack(
        first, original=frame, policy=policy, earlier=[second, third]
    ).intersection

    matches = [matching(frame, policy, one) for one in (first, second, third)]
    left = [in_all(of_person) for of_person in zip(*matches, strict=True)]
    ill = frame["ill"].to_list()
    sizes = [len(rows) for rows in left if rows]
    assert found.certain.value == pytest.approx(np.mean(certain(left, ill)))
    assert [a.value for a in found.alone] == pytest.approx(
        [np.mean(certain(of_release, ill)) for of_release in matches]
    )
    assert (found.smallest, found.median) == (min(sizes), np.median(sizes))


def test_without_earlier_releases_nothing_is_said():
    frame = table(40, seed=1)
    found = shoal.attack(rules().anonymize(frame).frame, original=frame, policy=rules())

    assert found.intersection is None
    assert "intersection" not in found.as_dict()


def test_two_algorithms_on_adult_make_occupations_certain_that_neither_tells():
    frame = adult(complete=True).select(DEMO_COLUMNS)[:800]
    first, second = (adult_rules(name) for name in ("mondrian", "k-member"))
    earlier = second.anonymize(frame).frame

    found = shoal.attack(
        first.anonymize(frame).frame, original=frame, policy=first, earlier=earlier, sample=800
    ).intersection[0]

    assert [alone.value for alone in found.alone] == [0, 0]
    assert found.certain.value > 0.01
    assert found.excess.low > 0
    assert found.smallest == 1
    with pytest.raises(CannotSatisfy, match="together with the earlier release"):
        first.anonymize(frame, earlier=earlier)


def adult_rules(algorithm):
    others = [n for n in DEMO_COLUMNS if n not in ("age", "occupation", "salary-class")]
    return shoal.Policy.of_roles(
        quasi={"age": shoal.intervals(5, 10, 20, 40), **dict.fromkeys(others)},
        sensitive=["occupation"],
        drop=["salary-class"],
        privacy=[shoal.KAnonymity(5), shoal.DistinctLDiversity("occupation", 2)],
        algorithm=algorithm,
    )

"""New records that hide among those of an earlier release."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from cases.without_words import WithoutWords
from saved_recoding.full_domain import HIERARCHIES, as_csv, people, policy, with_suppression
from shoal.errors import CannotSatisfy, InputError, NotPrivate, ShoalError
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.apply import apply
from shoal.types.model import About
from tiers import examples


@pytest.fixture(scope="module")
def january():
    """A release of three groups, by job, without missing values."""
    frame = people(60, missing=0)
    return policy({"job": 0}, k=5, suppression=0.2).anonymize(frame)


def february(jobs: list[str], **columns) -> pl.DataFrame:
    return people(len(jobs), seed=9, missing=0).with_columns(job=pl.Series(jobs), **columns)


def test_new_records_may_hide_among_those_of_the_earlier_release(january):
    frame = february(["nurse", "cook"])

    with pytest.raises(CannotSatisfy):
        january.recoding.apply(frame)
    release = january.recoding.apply(frame, earlier=january.frame)

    assert release.frame["job"].to_list() == ["cook", "nurse"]
    assert release.verdict.n_records == january.frame.height + 2
    assert release.verdict.findings[0].achieved >= 5
    assert any("60 records" in note for note in release.notes)


def test_new_records_that_hide_nowhere_are_suppressed(january):
    frame = february(["nurse"] * 9 + [None])

    release = january.recoding.apply(frame, earlier=january.frame)

    assert release.groups.tolist() == [0] * 9 + [-1]
    assert release.frame["job"].to_list() == ["nurse"] * 9


def test_too_many_that_hide_nowhere_are_refused(january):
    frame = february(["nurse"] * 6 + [None] * 2)

    with pytest.raises(CannotSatisfy) as caught:
        january.recoding.apply(frame, earlier=january.frame)

    assert "together with the earlier release" in str(caught.value)
    assert "1 group with 2 records fail" in str(caught.value)
    assert "--release" not in str(caught.value)


def test_an_earlier_release_that_does_not_hold_by_itself_is_refused(january):
    tampered = january.frame.with_columns(
        job=pl.when(pl.int_range(60) == 0).then(pl.lit(None)).otherwise("job")
    )

    with pytest.raises(NotPrivate, match=r"does not satisfy the policy.*k-anonymity"):
        january.recoding.apply(february(["nurse"]), earlier=tampered)


def test_an_earlier_release_with_a_withheld_column_is_refused(january):
    with pytest.raises(NotPrivate, match="must be withheld"):
        january.recoding.apply(
            february(["nurse"]), earlier=january.frame.with_columns(name=pl.lit("xyzzy"))
        )


def test_an_earlier_release_of_another_recoding_is_refused(january):
    other = policy({"job": 1}, k=5).anonymize(people(60, missing=0))

    with pytest.raises(InputError, match="not a node of level 0"):
        january.recoding.apply(february(["nurse"]), earlier=other.frame)


def test_an_earlier_release_whose_column_was_not_generalised_as_far_is_refused(january):
    other = policy({"sex": 0, "job": 0}, k=1).anonymize(people(60, missing=0)).frame
    release = replace(january.recoding, policy=replace(january.recoding.policy,
                      privacy=(shoal.KAnonymity(1),)))  # fmt: skip

    with pytest.raises(InputError, match=r"'sex': 60 records .* not a node of level 1"):
        release.apply(february(["nurse"]), earlier=other)


def test_an_earlier_release_without_a_column_is_refused(january):
    with pytest.raises(ShoalError, match="'job' is not in the release"):
        january.recoding.apply(february(["nurse"]), earlier=january.frame.drop("job"))


@dataclass(frozen=True)
class AtMostHalf(WithoutWords):
    """No value is more than half of a group: new records can break a group that held."""

    column: str
    survives_merging = False
    is_local = True
    survives_growth = False
    smallest = 2

    def holds(self, stats):
        counts = stats.counts(self.column)
        return np.maximum.reduceat(counts.counts, counts.starts[:-1]) * 2 <= stats.sizes

    @property
    def about(self):
        return About(column=self.column)


def test_new_records_that_break_a_group_of_the_earlier_release_are_suppressed():
    frame = people(60, missing=0).with_columns(
        disease=pl.Series(["flu", "gout"] * 30), job=pl.Series(["cook"] * 30 + ["nurse"] * 30)
    )
    rules = policy({"job": 0}, k=5, privacy=[AtMostHalf("disease")], suppression=0.5)
    january = rules.anonymize(frame)
    later = february(["cook"] + ["nurse"] * 2, disease=pl.Series(["flu", "flu", "gout"]))

    release = january.recoding.apply(later, earlier=january.frame)

    assert release.groups.tolist() == [-1, 0, 0]
    assert release.verdict.holds


@dataclass(frozen=True)
class EvenNumberOfGroups(WithoutWords):
    """About the whole of a release, as models with a reference distribution are."""

    survives_merging = False
    is_local = True
    survives_growth = False
    smallest = 1

    def holds(self, stats):
        is_even = stats.n_groups % 2 == 0
        smallest = stats.sizes == stats.sizes.min()
        return np.full(stats.n_groups, True) if is_even else ~smallest


def test_failing_groups_without_new_records_are_said_to_be_beyond_help():
    frame = people(60, missing=0).with_columns(job=pl.Series(["cook"] * 20 + ["nurse"] * 40))
    rules = policy({"job": 0}, k=5, privacy=[EvenNumberOfGroups()], suppression=1.0)
    january = rules.anonymize(frame)

    with pytest.raises(CannotSatisfy, match="that contain no new record"):
        january.recoding.apply(february(["doctor's"] * 30), earlier=january.frame)


def test_a_sensitive_value_counts_once_however_the_two_files_hold_it():
    """1 in one file and 1.0 in the other must not pass for two different values."""
    frame = people(60, missing=0).with_columns(disease=pl.Series([1, 2] * 30))
    rules = policy({"job": 0}, k=2, privacy=[shoal.DistinctLDiversity("disease", 2)])
    january = rules.anonymize(frame)
    later = february(["nurse"] * 4, disease=pl.Series([1.0, 1.0, 2.0, 2.0]))

    release = january.recoding.apply(later, earlier=january.frame)
    texts = january.frame.with_columns(disease=pl.Series(["1.0", "2.0"] * 30))

    assert release.frame.height == 4
    with pytest.raises(InputError, match=r"'disease' is text in one .* cannot be compared"):
        january.recoding.apply(later, earlier=texts)


def test_missing_cells_are_one_group_however_the_two_files_write_them():
    frame = people(60, missing=0).with_columns(job=pl.Series([None] * 30 + ["nurse"] * 30))
    rules = policy({"job": 0}, k=5, missing_values=["?", ""])
    january = anonymize(as_csv(frame), rules)

    release = apply(
        january.recoding, Source(february([None, None])), earlier=Source(january.published)
    )

    assert "?" in january.published["job"]
    assert release.published["job"].to_list() == [None, None]


jobs = st.lists(st.sampled_from(["nurse", "cook", "doctor's", None]), min_size=1, max_size=12)


@examples(thorough=60)
@given(jobs=jobs, share=st.sampled_from([0.0, 0.3, 1.0]), k=st.integers(1, 6))
def test_the_union_holds_and_nothing_is_suppressed_without_need(jobs, share, k):
    frame = people(40, missing=0).with_columns(job=pl.Series(["cook"] * 20 + ["nurse"] * 20))
    january = policy({"job": 0}, k=k).anonymize(frame)
    recoding = with_suppression(january.recoding, share)
    later = february(jobs)
    before = {"cook": 20, "nurse": 20}
    alone = {job: before.get(job, 0) + jobs.count(job) for job in jobs}
    failing = sum(alone[job] < k for job in jobs)

    if failing > share * len(jobs) + 1e-9 or failing == len(jobs):
        with pytest.raises(CannotSatisfy):
            recoding.apply(later, earlier=january.frame)
    else:
        release = recoding.apply(later, earlier=january.frame)

        assert [group >= 0 for group in release.groups] == [alone[job] >= k for job in jobs]
        union = pl.concat([january.frame, release.frame])
        assert union.group_by(*HIERARCHIES).len()["len"].min() >= k

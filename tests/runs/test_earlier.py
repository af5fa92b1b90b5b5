"""`earlier`: a release must keep its policy together with those that others have already."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from cases.two_releases import REGION, at_levels, rules, table
from shoal.datasets import DEMO_COLUMNS, adult
from shoal.errors import CannotSatisfy, InputError, NotPrivate, PolicyError
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.together import earlier_of

KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))


def adults(n):
    return adult(complete=True).select(DEMO_COLUMNS)[:n]


def adult_rules(algorithm, **settings):
    quasi = {
        "age": shoal.intervals(5, 10, 20, 40),
        **dict.fromkeys(n for n in DEMO_COLUMNS if n not in ("age", "salary-class")),
    }
    models = [shoal.KAnonymity(5), shoal.DistinctLDiversity("salary-class", 2)]
    roles = {"quasi": quasi, "sensitive": ["salary-class"]}
    return shoal.Policy.of_roles(**roles, privacy=models, algorithm=algorithm, **settings)


def test_two_local_recodings_of_one_table_are_refused_with_the_count():
    frame = adults(600)
    first = adult_rules("mondrian").anonymize(frame).frame

    with pytest.raises(CannotSatisfy, match=r"for [0-9,]+ records, whoever has both") as error:
        adult_rules("k-member").anonymize(frame, earlier=first)

    assert "distinct-l-diversity" in str(error.value)
    assert "number 1" in str(error.value)


def test_the_same_release_again_passes():
    frame = adults(600)
    first = adult_rules("k-member").anonymize(frame)

    again = adult_rules("k-member").anonymize(frame, earlier=[first.frame])

    assert again.frame.equals(first.frame)
    assert any("has the rows of this one" in note for note in again.notes)


@pytest.mark.parametrize("rise", [(1, 0), (0, 1), (1, 1), (2, 0), (0, 0)])
def test_levels_that_only_rise_pass_both_ways(rise):
    frame = table(400, seed=5)
    low, high = (1, 0), (1 + rise[0], rise[1])
    below, above = at_levels(frame, low, k=2, l=2), at_levels(frame, high, k=2, l=2)
    assert None not in below.groups
    policy = rules("flash", k=2)

    for new, old in ((below, above), (above, below)):
        verdict = shoal.check(new.frame, policy, frame, earlier=[old.frame])
        assert all(finding.holds for finding in verdict.findings)


def test_levels_that_cross_are_refused():
    frame = table(60, seed=5)
    first, second = at_levels(frame, (1, 2), k=2), at_levels(frame, (4, 0), k=2)

    verdict = shoal.check(second.frame, rules("flash", k=2), frame, earlier=[first.frame])

    alone, together = verdict.findings[0], verdict.findings[2]
    assert alone.holds
    assert not together.holds
    assert together.n_releases == 2
    assert together.as_dict()["releases"] == 2
    assert together.demand == "Over 2 releases together: every record looks like at least 1 other."


def test_who_is_missing_in_one_release_is_found_by_subtraction():
    """Twelve of one town, thirteen later: the one who came is told by the rows of both."""
    frame = pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(26)],
            "age": [25] * 13 + [45] * 13,
            "town": ["ayr"] * 26,
            "ill": ["flu", "gout"] * 13,
            "visits": [0] * 26,
        }
    )
    before = at_levels(frame[1:], (2, 2))
    verdict = shoal.check(at_levels(frame, (2, 2)).frame, rules(), frame, earlier=[before.frame])

    assert [finding.holds for finding in verdict.findings] == [True, True, False, False]
    assert verdict.findings[2].failing_sizes[0] == 1


def test_an_earlier_release_that_is_weaker_is_refused_by_itself():
    frame = table(60, seed=1)
    weak = at_levels(frame, (2, 1), k=2, l=1)

    with pytest.raises(NotPrivate, match="earlier release number 1 does not satisfy this policy"):
        rules(k=20).anonymize(frame, earlier=[weak.frame])


def test_several_earlier_releases_are_judged_at_once():
    """Each pair holds, but the three together leave one candidate."""
    frame = pl.DataFrame(
        [
            (f"p{i}", 20 + 20 * a, town, ill, 0)
            for i, (a, town, ill) in enumerate(
                (a, town, ill)
                for a in (0, 1)
                for town in ("ayr", "cove")
                for ill in ("flu", "gout") * 2
            )
        ],
        schema=["name", "age", "town", "ill", "visits"],
        orient="row",
    )
    ages, towns = at_levels(frame, (3, 2)).frame, at_levels(frame, (4, 1)).frame
    top = at_levels(frame, (4, 2)).frame
    policy = rules("flash", k=5)

    assert shoal.check(top, policy, frame, earlier=[ages]).findings[2].holds
    assert shoal.check(top, policy, frame, earlier=[towns]).findings[2].holds
    both = shoal.check(top, policy, frame, earlier=[ages, towns]).findings[2]
    assert (both.holds, both.achieved, both.n_releases) == (False, 4, 3)


def test_a_check_needs_the_original():
    frame = table(40, seed=1)
    release = at_levels(frame, (2, 2)).frame

    with pytest.raises(InputError, match="Give it as `--original`"):
        shoal.check(release, rules(), earlier=[release])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.rename({"age": "years"}), "has a column 'years' that the policy does not"),
        (lambda f: f.with_columns(name=pl.lit("x")), "which this policy withholds"),
        (lambda f: f.drop("age", "town"), "has no quasi-identifier"),
        (lambda f: f.with_columns(ill=pl.lit("other")), "not occur in the table"),
        (lambda f: f.with_columns(age=pl.lit("old")), "cells that cover no value"),
    ],
)
def test_what_cannot_be_an_earlier_release_is_refused(change, message):
    frame = table(60, seed=1)
    policy = rules(l=1)
    earlier = change(at_levels(frame, (2, 2)).frame)

    with pytest.raises(InputError, match=message) as error:
        policy.anonymize(frame, earlier=[earlier])

    assert "other" not in str(error.value).replace("another", "")
    assert "old" not in str(error.value).split()


def test_noise_is_refused():
    frame = table(60, seed=1)
    policy = rules({"name": "t-clustering", "noise": 0.1})
    release, earlier = (at_levels(frame, levels).frame for levels in ((2, 2), (3, 2)))

    with pytest.raises(PolicyError, match="with noise, cells need not cover"):
        policy.check(release, frame, earlier=[earlier])


def test_an_earlier_release_may_lack_a_column():
    frame = table(80, seed=2)
    first = at_levels(frame, (2, 1), k=2, l=1).frame

    for lacking in ("visits", "ill", "town"):
        verdict = shoal.check(
            at_levels(frame, (3, 2)).frame,
            rules("flash", k=2, l=1),
            frame,
            earlier=[first.drop(lacking)],
        )
        assert all(finding.holds for finding in verdict.findings)


def test_counted_rows_are_judged_as_records():
    frame = table(80, seed=2).drop("name")
    counted = frame.group_by(frame.columns, maintain_order=True).len()
    source = Source(counted.drop("len"), counts=counted["len"].to_numpy().astype(np.int64))
    policy = shoal.Policy.of_roles(
        quasi={"age": shoal.intervals(5, 10, 20), "town": None},
        sensitive=["ill"],
        keep=["visits"],
        privacy=[shoal.KAnonymity(4)],
        algorithm="flash",
    )
    first = policy.with_k(8).anonymize(frame)

    both = anonymize(source, policy.with_k(8), earlier=earlier_of(first.frame))

    assert any("rows of this one" in note for note in both.notes)


# People


def visits():
    """Four visits of each of twelve people, all in one place."""
    people = [f"p{i}" for i in range(12) for _ in range(4)]
    return pl.DataFrame(
        {
            "name": people,
            "age": [20 + 5 * (i // 4) for i in range(48)],
            "ill": ["flu", "gout", "cold", "flu"] * 12,
        }
    )


def people_rules(**settings):
    roles = {"identifiers": ["name"], "quasi": {"age": shoal.intervals(10, 20, 40)}}
    given = roles | {"sensitive": ["ill"], "person": "name", "algorithm": "flash"} | settings
    return shoal.Policy.of_roles(privacy=[shoal.KAnonymity(3)], **given)


def generalised(width):
    frame = visits()
    low = frame["age"] // width * width
    return frame.with_columns(age=pl.format("[{}, {}]", low, low + width - 1)).drop("name")


def test_candidates_are_people_where_the_policy_says_whose_records_they_are():
    """In the earlier release each group has eight records, but they are of two people."""
    release = people_rules().anonymize(visits())

    verdict = shoal.check(release.frame, people_rules(), visits(), earlier=[generalised(10)])

    together = verdict.findings[1]
    assert (together.holds, together.achieved, together.n_failing_records) == (False, 2, 12)
    assert together.found == "Over all of them: the smallest group has 2 people."


def test_wider_groups_of_people_pass():
    release = people_rules().anonymize(visits())

    verdict = shoal.check(release.frame, people_rules(), visits(), earlier=[generalised(40)])

    assert all(finding.holds for finding in verdict.findings)


def linked_rules(width, **settings):
    roles = {"pseudonyms": ["name"], "quasi": {"age": shoal.intervals(width)}}
    return shoal.Policy.of_roles(
        **roles, sensitive=["ill"], privacy=[shoal.KAnonymity(2)], algorithm="flash", **settings
    )


def test_the_same_pseudonyms_put_cells_side_by_side():
    first = linked_rules(20).anonymize(visits(), key=KEY).frame

    later = linked_rules(40).anonymize(visits(), key=KEY, earlier=[first])

    together = later.verdict.findings[-1]
    assert (together.n_releases, together.achieved) == (2, 4)  # people, of twenty years


def test_pseudonyms_that_link_rows_refuse_who_is_alone_in_both():
    first = linked_rules(20).anonymize(visits()[4:], key=KEY).frame  # the first person came later

    with pytest.raises(CannotSatisfy, match="for 1 person"):
        linked_rules(20).anonymize(visits(), key=KEY, earlier=[first])


def test_pseudonyms_of_another_key_link_nothing():
    first = linked_rules(20).anonymize(visits(), key=OTHER_KEY).frame

    later = linked_rules(40).anonymize(visits(), key=KEY, earlier=[first])

    assert later.verdict.findings[-1].n_releases == 2


def test_pseudonyms_that_link_some_releases_only_are_refused():
    linked = linked_rules(20).anonymize(visits(), key=KEY).frame
    other = linked_rules(20).anonymize(visits(), key=OTHER_KEY).frame

    with pytest.raises(InputError, match="to some of the earlier ones and not to others"):
        linked_rules(40).anonymize(visits(), key=KEY, earlier=[linked, other])


# Populations


def test_k_map_counts_whom_the_cells_of_every_release_match(tmp_path):
    frame = table(60, seed=3)
    town = table(300, seed=4)
    town.write_parquet(tmp_path / "town.parquet")
    policy = rules("flash", k=2, l=1)
    model = shoal.KMap(2, str(tmp_path / "town.parquet"))
    policy = shoal.Policy(policy.columns, (model,), policy.algorithm)
    ages, towns = at_levels(frame, (2, 2), k=1, l=1), at_levels(frame, (4, 1), k=1, l=1)

    verdict = shoal.check(ages.frame, policy, frame, earlier=[towns.frame])

    pairs = {(a // 10, REGION[t]) for a, t in frame.select("age", "town").rows()}
    of_town = [(a // 10, REGION[t]) for a, t in town.select("age", "town").rows()]
    assert verdict.findings[1].achieved == min(of_town.count(pair) for pair in pairs)


def test_delta_presence_is_refused(tmp_path):
    frame = table(60, seed=3)
    frame.write_parquet(tmp_path / "town.parquet")
    model = shoal.DeltaPresence(0, 1, str(tmp_path / "town.parquet"))
    policy = rules("flash", k=2, l=1)
    policy = shoal.Policy(policy.columns, (model,), policy.algorithm)

    with pytest.raises(InputError, match="cannot be judged over several releases"):
        shoal.check(
            at_levels(frame, (2, 2)).frame, policy, frame, earlier=[at_levels(frame, (3, 2)).frame]
        )

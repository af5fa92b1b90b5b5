"""Learning from groups that were not divided, against trying every assignment."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from naive import minimality as naive
from naive.partition import Line, mondrian
from shoal.attacks.minimality import Undivided, believe
from shoal.read.source import Source
from shoal.runs import minimality as runs
from shoal.runs.prepare import prepare
from shoal.types.privacy import Privacy
from tiers import seeds

SIX = pl.DataFrame({"age": [20, 20, 30, 30, 30, 30], "ill": list("hhabcd")})


MODELS = [
    shoal.DistinctLDiversity("ill", 2),
    shoal.AlphaK("ill", 0.9, 2),
    shoal.TCloseness("ill", 0.35),
    shoal.EntropyLDiversity("ill", 1.3),
]


def rules(*models, quasi=("age",), **settings):
    return shoal.Policy.of_roles(quasi=quasi, sensitive=["ill"], privacy=list(models), **settings)


def diverse(values, l=2):
    return len(set(values)) >= l


def test_a_merged_group_can_make_a_value_certain_that_should_be_one_of_two():
    """Six records: were the first two not both h, both ages would have been groups."""
    policy = rules(shoal.DistinctLDiversity("ill", 2))
    release = policy.anonymize(SIX)
    assert release.verdict.n_groups == 1

    (found,) = shoal.attack(release.frame, original=SIX, policy=policy).minimality

    assert found.largest == 1.0
    assert found.n_certain == 2
    assert found.broken.value == pytest.approx(2 / 6)
    assert found.changed.value == 1.0
    assert (found.n_people, found.n_uncounted) == (6, 0)


def test_alpha_k_is_broken_by_the_same_release():
    policy = rules(shoal.AlphaK("ill", alpha=0.5, k=2))
    release = policy.anonymize(SIX)

    (found,) = shoal.attack(release.frame, original=SIX, policy=policy).minimality

    assert (found.largest, found.n_certain) == (1.0, 2)


def test_groups_that_size_alone_keeps_whole_tell_nothing():
    table = pl.DataFrame({"age": [20, 30, 40], "ill": list("abb")})
    policy = rules(shoal.DistinctLDiversity("ill", 2))
    release = policy.anonymize(table)

    (found,) = shoal.attack(release.frame, original=table, policy=policy).minimality

    assert (found.changed.value, found.broken.value) == (0, 0)


@pytest.mark.parametrize("seed", seeds(12, thorough=80))
def test_beliefs_are_those_of_trying_every_assignment(seed):
    rng = np.random.default_rng(seed)
    n, n_cuts = int(rng.integers(4, 8)), int(rng.integers(0, 3))
    values = rng.integers(0, 3, n).tolist()
    sides = rng.random((n_cuts, n)) < 0.5
    patterns, of_person = np.unique(
        np.vstack([np.ones(n, dtype=bool), sides]), axis=1, return_inverse=True
    )
    of_person = of_person.ravel()
    codes, counts = np.unique(values, return_counts=True)
    group = Undivided(
        codes, tuple(counts.tolist()), tuple(np.bincount(of_person).tolist()), patterns[1:]
    )

    found = believe(group, lambda many: np.count_nonzero(many, axis=1) >= 2)

    cuts = [set(np.flatnonzero(side)) for side in sides]
    expected = naive.beliefs(values, cuts, diverse)
    assert (found is None) == (expected is None)
    for person, belief in enumerate(expected or ()):
        for place, code in enumerate(codes.tolist()):
            chance = found.of_class[of_person[person], place]
            assert chance == pytest.approx(float(belief.get(code, 0)))


@pytest.mark.parametrize("seed", seeds(25, thorough=120))
def test_what_is_believed_possible_is_true_of_every_release_of_mondrian(seed):
    """A person's true value is never believed impossible, and no group contradicts its cuts."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40))
    table = pl.DataFrame(
        {
            "age": rng.integers(0, 9, n),
            "job": rng.choice(list("uvwxyz"), n),
            "zip": rng.choice(["110", "111", "120", "200", "201"], n),
            "ill": [*"abc", *rng.choice(list("abc"), n - 3, p=[0.6, 0.3, 0.1])],
        }
    )
    hierarchies = {"age": None, "job": shoal.flat() if seed % 2 else None, "zip": shoal.prefix(3)}
    model = MODELS[seed % len(MODELS)]
    policy = rules(model, quasi=hierarchies, suppression=0.0)
    release = policy.anonymize(table)

    found = believed(release, table, policy)

    for belief, class_, truth in found:
        place = belief.values.tolist().index(truth)
        assert belief.of_class[class_, place] > 0


def believed(release, table, policy):
    """What is believed of every record whose group is counted, by the groups that truly are."""
    source = Source.of_frame(table)
    prepared = prepare(source, policy, policy.schema_for(table.columns))
    encoding = prepared.encoded_for(policy.algorithm).encoding
    tried = runs._Tried(encoding.table, Privacy(policy.privacy))
    assert tried.whole_holds()
    rows = encoding.row_of_record
    members = {
        group: np.unique(rows[release.groups == group]) for group in range(release.verdict.n_groups)
    }
    whole = {g for g, of_group in members.items() if not tried._may_be_several(of_group)}
    beliefs = tried.believe(members)
    few = {g for g in whole if (release.groups == g).sum() <= 8}
    assert few <= set(beliefs)  # none of them contradicts what is concluded
    return [
        (beliefs[g].belief, beliefs[g].class_of_row[int(row)], tried.value_of_row(int(row)))
        for g, row in zip(release.groups.tolist(), rows, strict=True)
        if g in beliefs
    ]


@pytest.mark.parametrize("seed", seeds(6, thorough=60))
def test_a_conclusion_is_that_of_running_mondrian_on_every_assignment(seed):
    """One column, so that the release shows one group exactly where the cut fails."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 4, 2)
    codes = [(0,)] * int(sizes[0]) + [(1,)] * int(sizes[1])
    values = ["a", "a", *rng.choice(list("bc"), len(codes) - 2).tolist()]
    table = pl.DataFrame({"age": [20 + 10 * code for (code,) in codes], "ill": values})
    policy = rules(shoal.DistinctLDiversity("ill", 2))

    def stays_whole(given):
        def holds(rows):
            return diverse([given[row] for row in rows])

        line = Line([0.0, 1.0], 1.0)
        weights = [1] * len(codes)
        groups = mondrian(
            codes, weights, columns=[line], names=["x"], holds=holds, smallest=2, strict=True
        )
        return len(groups) == 1

    release = policy.anonymize(table)
    assert (release.verdict.n_groups == 1) == stays_whole(values)
    wanted = naive.beliefs(values, [set(range(sizes[0]))], diverse) if stays_whole(values) else None
    found = believed(release, table, policy)
    for (belief, class_, _), expected in zip(found, wanted or (), strict=False):
        assert belief.of_class[class_].max() == pytest.approx(float(max(expected.values())))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"algorithm": "k-member"}, "only known of strict Mondrian"),
        ({"algorithm": {"name": "mondrian", "strict": False}}, "only known of strict Mondrian"),
    ],
)
def test_where_nothing_can_be_concluded_a_note_says_why(settings, words):
    policy = rules(shoal.DistinctLDiversity("ill", 2), **settings)
    release = policy.anonymize(SIX)

    found = shoal.attack(release.frame, original=SIX, policy=policy)

    assert found.minimality == ()
    assert any(words in note for note in found.notes)


def test_groups_that_may_be_several_are_not_counted_and_a_note_says_so():
    table = pl.DataFrame({"age": list("abcdefgh"), "ill": list("xyxyxyxy")})
    policy = rules(shoal.DistinctLDiversity("ill", 2), quasi={"age": shoal.flat()})
    release = policy.anonymize(table)

    found = shoal.attack(release.frame, original=table, policy=policy)

    assert release.verdict.n_groups == 1
    assert found.minimality == ()
    assert any("certain that it was left whole" in note for note in found.notes)


def test_a_policy_without_a_model_about_values_has_nothing_to_conclude():
    policy = rules(shoal.KAnonymity(2))
    release = policy.anonymize(SIX)

    found = shoal.attack(release.frame, original=SIX, policy=policy)

    assert found.minimality == ()
    assert not any("Minimality" in note for note in found.notes)

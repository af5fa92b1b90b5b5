"""Attacks against counting one by one, and on tables whose answer is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import shoal
from conformance.tables import HIERARCHIES, patients, policy
from naive.attack import attack_person, guess, most_frequent
from shoal import catalog
from shoal.errors import InputError, PolicyError
from shoal.read.source import Source
from shoal.runs.inputs import read_columns
from shoal.types.schema import ColumnSpec
from shoal.verify.covers import covers
from tiers import only_thorough, seeds

QUASI = list(HIERARCHIES)


def fits_of(table, rules, release):
    """Whether a cell covers a value, looked up in tables of all cells and all values."""
    schema = rules.schema_for(table.columns)
    columns = read_columns(Source.of_frame(table), rules, QUASI)
    known = {}
    for name in QUASI:
        cells = list(dict.fromkeys(release.frame[name].to_list()))
        covered = covers(cells, columns[name], schema.columns[name])
        values = dict(zip(table[name].to_list(), columns[name].codes, strict=True))
        for i, cell in enumerate(cells):
            known |= {(name, cell, value): covered[i, code] for value, code in values.items()}
    return lambda name, cell, value: known[name, cell, value]


def slowly(table, rules, release, known):
    people, rows = table.to_dicts(), release.frame.to_dicts()
    fits = fits_of(table, rules, release)
    return [
        attack_person(
            person,
            people,
            rows,
            fits=fits,
            known=known,
            sensitive="disease",
            unchanged=["disease", "visits"],
        )
        for person in people
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("known", [QUASI, ["age", "sex"], ["job"]])
@pytest.mark.parametrize("algorithm", ["mondrian", "flash", "k-member"])
def test_every_figure_is_that_of_counting_one_by_one(algorithm, known, seed):
    table = patients(60, seed)
    table = table.with_columns(pl.col("disease").replace("none", None))  # missing is a value
    rules = policy(algorithm, suppression=0.2, missing="suppress" if seed else "category")
    rules = replace(rules, columns={**rules.columns, "disease": ColumnSpec("sensitive")})
    if seed:
        table = table.with_columns(pl.col(n).fill_null(strategy="forward") for n in QUASI[:-1])
    release = rules.anonymize(table)

    found = shoal.attack(release.frame, original=table, policy=rules, known=known)

    people = slowly(table, rules, release, known)
    n, overall = len(people), Counter(release.frame["disease"])
    linkage, present = found.linkage, [p for p in people if p.is_present]
    assert linkage.n_people == n
    assert linkage.n_unmatched == sum(p.n_matched == 0 for p in people)
    assert linkage.n_only_wrong == sum(p.n_matched > 0 and not p.is_present for p in people)
    assert linkage.n_singled_out == sum(p.n_matched == 1 for p in present)
    assert linkage.n_unique == sum(p.n_alike == 1 for p in people)
    assert linkage.smallest == min(p.n_matched for p in present)
    assert linkage.median == np.median([p.n_matched for p in present])
    assert linkage.success.value == pytest.approx(sum(1 / p.n_matched for p in present) / n)
    assert linkage.in_original.value == pytest.approx(sum(1 / p.n_alike for p in people) / n)
    assert linkage.by_chance == pytest.approx(len(present) / n / len(release.frame))

    (same,), (skew,), (inferred,) = found.homogeneity, found.skewness, found.inference
    alike = [p for p in people if len(p.values) == 1]
    assert same.same.value == pytest.approx(len(alike) / n)
    assert same.right.value == pytest.approx(sum(p.truth in p.values for p in alike) / n)
    tops = [most_frequent(p.values, overall) for p in people]
    skews = [
        p.values[top] / p.n_matched - overall[top] / overall.total() if p.n_matched else 0
        for p, top in zip(people, tops, strict=True)
    ]
    assert skew.skew.value == pytest.approx(np.mean(skews))
    assert skew.largest == pytest.approx(max(skews))
    right = [guess(p.values, overall) == p.truth for p in people]
    others = [p.values - Counter({p.truth: p.is_present}) for p in people]
    without = [guess(v, overall) == p.truth for v, p in zip(others, people, strict=True)]
    blind = [most_frequent(overall, overall) == p.truth for p in people]
    assert inferred.matched.value == pytest.approx(np.mean(right))
    assert inferred.without_person.value == pytest.approx(np.mean(without))
    assert inferred.baseline.value == pytest.approx(np.mean(blind))
    assert inferred.gain.value == pytest.approx(np.mean(right) - np.mean(blind))
    parts = inferred.gain_from_others.value + inferred.gain_from_taking_part.value
    assert parts == pytest.approx(inferred.gain.value)


@pytest.mark.parametrize("algorithm", catalog.names("algorithm"))
def test_everybody_who_was_released_matches_at_least_k_rows(algorithm):
    table, rules = patients(90), policy(algorithm, options={"k": 4})
    release = rules.anonymize(table)
    assert (release.groups >= 0).all()

    found = shoal.attack(release.frame, original=table, policy=rules)

    assert found.linkage.n_unmatched == found.linkage.n_only_wrong == 0
    assert found.linkage.smallest >= 4
    assert found.linkage.success.value <= 1 / 4
    assert found.notes == ()


def alike(n_groups, k):
    """Groups of k people who look alike, so that nothing needs to be generalised."""
    return pl.DataFrame({"age": np.repeat(np.arange(n_groups), k)})


def rules_for(*, k=2, **roles):
    return shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(k)], **roles)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_among_k_people_who_look_alike_one_pick_in_k_is_right(k):
    table, rules = alike(30, k), rules_for(k=k)
    release = rules.anonymize(table)

    found = shoal.attack(release.frame, original=table, policy=rules).linkage

    assert found.success.value == pytest.approx(1 / k)
    assert found.in_original.value == pytest.approx(1 / k)
    assert (found.smallest, found.median) == (k, k)
    assert found.n_singled_out == (30 if k == 1 else 0)
    assert found.by_chance == pytest.approx(1 / (30 * k))


def test_groups_of_one_value_give_it_away():
    table = alike(20, 3).with_columns(illness=pl.col("age").cast(pl.String))
    rules = rules_for(k=3, sensitive=["illness"])
    release = rules.anonymize(table)

    found = shoal.attack(release.frame, original=table, policy=rules)

    (same,), (inferred,) = found.homogeneity, found.inference
    assert same.same.value == same.right.value == 1
    assert same.excess.low > 0
    assert inferred.matched.value == inferred.without_person.value == 1
    assert found.skewness[0].skew.value == pytest.approx(1 - 1 / 20)


def test_a_value_that_is_the_persons_alone_is_learnt_only_by_taking_part():
    """In pairs of two different values, the own row decides the guess half of the time."""
    n_groups = 200
    values = [f"{i:03}" for i in range(2 * n_groups)]
    table = alike(n_groups, 2).with_columns(illness=pl.Series(values))
    rules = rules_for(sensitive=["illness"])
    release = rules.anonymize(table)

    (found,) = shoal.attack(release.frame, original=table, policy=rules).inference

    assert found.matched.value == 0.5
    assert found.without_person.value == 0
    assert found.gain_from_taking_part.low > 0.4
    assert found.gain_from_others.high < 0.05


@only_thorough
def test_from_a_shuffled_column_others_tell_nothing():
    """Of 20 intervals of 95 %, 19 hold the truth on average, and 16 but once in 400 times."""
    gains, excesses, own = [], [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        table = alike(400, 5).with_columns(illness=pl.Series(rng.choice(["a", "b", "c"], 2000)))
        rules = rules_for(k=5, sensitive=["illness"])
        release = rules.anonymize(table).frame
        found = shoal.attack(release, original=table, policy=rules, sample=200, seed=seed)
        gains.append(found.inference[0].gain_from_others)
        own.append(found.inference[0].gain_from_taking_part)
        excesses.append(found.skewness[0].excess)

    assert sum(gain.low <= 0 for gain in gains) >= 16
    assert sum(excess.low <= 0 <= excess.high for excess in excesses) >= 16
    assert sum(gain.low > 0 for gain in own) >= 16  # five rows, of which one is one's own


def test_the_original_itself_hides_nobody():
    table = patients(50, missing=0)
    rules = policy("mondrian")
    released = table.drop("name")

    found = shoal.attack(released, original=table, policy=rules)

    assert found.linkage.success.value == found.linkage.in_original.value == 1
    assert found.linkage.n_singled_out == 50
    assert found.inference[0].matched.value == 1
    assert found.inference[0].without_person == found.inference[0].baseline


def test_suppressed_people_are_counted_as_such():
    table = pl.DataFrame({"age": [30] * 5 + [31] * 5 + [70], "note": ["a"] * 10 + ["b"]})
    rules = shoal.Policy.of_roles(
        quasi={"age": shoal.flat()},
        keep=["note"],
        privacy=[shoal.KAnonymity(5)],
        algorithm="flash",
        suppression=0.1,
    )
    release = rules.anonymize(table)
    assert len(release.frame) == 10

    found = shoal.attack(release.frame, original=table, policy=rules)

    assert found.linkage.n_unmatched == 1
    assert found.linkage.success.value == pytest.approx(10 / 5 / 11)
    assert any("1 record of the original" in note for note in found.notes)

    covering = release.frame.with_columns(age=pl.lit("[30, 70]"))
    found = shoal.attack(covering, original=table, policy=rules)
    assert found.linkage.n_only_wrong == 1
    assert found.linkage.success.value == pytest.approx(10 / 10 / 11)


def test_a_release_of_another_table_is_noticed():
    rules = policy("mondrian")
    release = rules.anonymize(patients(60, 1))

    found = shoal.attack(release.frame, original=patients(60, 2), policy=rules)

    assert any("another table" in note for note in found.notes)


def test_one_seed_gives_one_result_and_another_sample_another():
    table, rules = patients(300), policy("mondrian")
    release = rules.anonymize(table).frame

    def run(**how):
        return shoal.attack(release, original=table, policy=rules, **how).as_dict()

    assert run(sample=50, seed=3) == run(sample=50, seed=3)
    assert run(sample=50, seed=3) != run(sample=50, seed=4)
    assert run(sample=50)["seed"] == rules.seed
    assert run(sample=50)["people"] == 50
    assert run(sample=5000)["people"] == 300


@pytest.mark.parametrize("seed", seeds(1, thorough=4))
def test_a_sample_says_what_all_people_say(seed):
    table, rules = patients(1500, seed), policy("mondrian")
    release = rules.anonymize(table).frame

    everybody = shoal.attack(release, original=table, policy=rules, sample=1500)
    some = shoal.attack(release, original=table, policy=rules, sample=300, seed=seed)

    success = everybody.linkage.success.value
    assert some.linkage.success.low <= success <= some.linkage.success.high


def test_the_same_is_found_in_files_and_frames_of_other_kinds(tmp_path):
    from shoal.read.files import read_file
    from shoal.runs.attack import attack_release

    table, rules = patients(80), policy("mondrian")
    release = rules.anonymize(table).frame
    table.write_csv(tmp_path / "original.csv")
    release.write_csv(tmp_path / "release.csv")
    table.write_parquet(tmp_path / "original.parquet")
    expected = shoal.attack(release, original=table, policy=rules).as_dict()

    for original in ("original.csv", "original.parquet"):
        found = attack_release(
            read_file(tmp_path / "release.csv"), read_file(tmp_path / original), rules
        )
        assert found.as_dict() == expected
    as_pandas = shoal.attack(release.to_pandas(), original=table.to_pandas(), policy=rules)
    assert as_pandas.as_dict()["linkage"] == expected["linkage"]


def test_without_a_sensitive_column_only_linkage_is_tried():
    table = alike(5, 2)
    rules = rules_for()

    found = shoal.attack(rules.anonymize(table).frame, original=table, policy=rules)

    assert found.homogeneity == found.skewness == found.inference == ()
    assert any("no sensitive column" in note for note in found.notes)


class TestRefused:
    @property
    def table(self):
        return patients(40)

    def test_more_rows_than_people(self):
        rules = policy("mondrian")
        release = rules.anonymize(self.table).frame

        with pytest.raises(InputError, match="40 records, but the original has only 39"):
            shoal.attack(release, original=self.table[:-1], policy=rules)

    def test_an_empty_release(self):
        rules = policy("mondrian")
        release = rules.anonymize(self.table).frame

        with pytest.raises(InputError, match="no records"):
            shoal.attack(release[:0], original=self.table, policy=rules)

    @pytest.mark.parametrize(
        ("known", "words"),
        [
            (["ages"], "'ages' is not a column of the release; did you mean 'age'?"),
            (["disease"], "'disease' is not a quasi-identifier"),
            ([], "at least one column"),
        ],
    )
    def test_columns_that_nobody_can_know(self, known, words):
        rules = policy("mondrian")
        release = rules.anonymize(self.table).frame

        with pytest.raises(InputError) as error:
            shoal.attack(release, original=self.table, policy=rules, known=known)
        assert words in str(error.value)

    @pytest.mark.parametrize("publish", ["mean", "median"])
    def test_cells_that_do_not_say_what_they_cover(self, publish):
        rules = policy("mondrian")
        specs = rules.columns | {"pay": replace(rules.columns["pay"], publish=publish)}
        rules = replace(rules, columns=specs)
        release = rules.anonymize(self.table).frame

        with pytest.raises(InputError, match=f"'pay' publishes a {publish}"):
            shoal.attack(release, original=self.table, policy=rules)
        known = [name for name in QUASI if name != "pay"]
        found = shoal.attack(release, original=self.table, policy=rules, known=known)
        assert found.linkage.n_unmatched == 0

    def test_tables_that_do_not_fit_the_policy(self):
        rules = policy("mondrian")
        release = rules.anonymize(self.table).frame

        with pytest.raises(PolicyError, match="'zip' is not in the release"):
            shoal.attack(release.drop("zip"), original=self.table, policy=rules)
        with pytest.raises(PolicyError, match="'zip' is not in the data"):
            shoal.attack(release, original=self.table.drop("zip"), policy=rules)

    def test_no_people(self):
        rules = policy("mondrian")
        release = rules.anonymize(self.table).frame

        with pytest.raises(InputError, match="at least 1"):
            shoal.attack(release, original=self.table, policy=rules, sample=0)

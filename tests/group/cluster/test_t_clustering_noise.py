"""t-clustering with noise: what is released, verified and said, and what stays secret."""

from __future__ import annotations

import hashlib
import json
import math

import polars as pl
import pytest

import shoal
from conformance.tables import GRADED, HIERARCHIES, MODELS, patients
from shoal.encode.noise import SEED_VARIABLE
from shoal.errors import PolicyError
from shoal.group.cluster.t_clustering import TClustering

SEVERITY = {"flu": 2, "cold": 1, "gout": 5, "none": 0}
SECRET = "the secret of these tests 7391"


@pytest.fixture(autouse=True)
def _no_secret(monkeypatch):
    monkeypatch.delenv(SEED_VARIABLE, raising=False)


@pytest.fixture
def secret(monkeypatch):
    monkeypatch.setenv(SEED_VARIABLE, SECRET)


def release_of(frame, *, k=3, models=(), quasi=HIERARCHIES, threads=None, **options):
    return shoal.anonymize(
        frame.select("name", *quasi, "disease", "visits"),
        identifiers=["name"],
        quasi=quasi,
        sensitive={"disease": shoal.severity(SEVERITY)},
        keep=["visits"],
        privacy=[shoal.KAnonymity(k), *models],
        algorithm={"name": "t-clustering", **options},
        threads=threads,
    )


def pay_released_as(publish, frame, *, k, noise, seed=0):
    """The release of a table of incomes, published as said; all other columns are dropped."""
    pay = {"role": "quasi", "publish": publish, "bounds": {"grid": 0.01}}  # fine: noise is seen
    columns = dict.fromkeys(frame.columns, "drop") | {"pay": pay}
    policy = {
        "columns": columns,
        "privacy": [{"model": "k-anonymity", "k": k}],
        "algorithm": {"name": "t-clustering", "noise": noise},
        "seed": seed,
    }
    return shoal.Policy.of_mapping(policy).anonymize(frame)


def text(release):
    return release.published.write_csv()


def test_off_by_default_and_then_no_secret_matters(monkeypatch):
    plain = release_of(patients(200))

    monkeypatch.setenv(SEED_VARIABLE, SECRET)

    assert TClustering().noise == 0
    assert text(release_of(patients(200))) == text(plain)
    assert text(release_of(patients(200), noise=0)) == text(plain)
    assert not any("oise" in note for note in plain.notes)


def test_without_a_secret_two_runs_of_one_seed_differ():
    # Some 180 ages go one of 21 ways each: that all moves agree by chance is out of the question.
    one, other = (release_of(patients(200), noise=0.1) for _ in range(2))

    assert text(one) != text(other)


def test_with_a_secret_runs_agree_and_another_secret_gives_another_release(monkeypatch):
    monkeypatch.setenv(SEED_VARIABLE, SECRET)
    one, same = (release_of(patients(200), noise=0.1) for _ in range(2))
    monkeypatch.setenv(SEED_VARIABLE, SECRET + "!")
    other = release_of(patients(200), noise=0.1)

    assert text(one) == text(same)
    assert text(one) != text(other)


def test_the_published_seed_neither_makes_nor_changes_the_noise(monkeypatch):
    # All records are one group, in which a seed has nothing to choose: its mean tells of the noise.
    table = patients(100, missing=0)

    def means(seeds):
        return {text(pay_released_as("mean", table, k=100, noise=0.2, seed=s)) for s in seeds}

    of_one_seed = means([7] * 4)
    monkeypatch.setenv(SEED_VARIABLE, SECRET)
    of_one_secret = means(range(4))

    assert len(of_one_seed) == 4
    assert len(of_one_secret) == 1


@pytest.mark.usefixtures("secret")
def test_the_number_of_threads_changes_nothing():
    one, two, three = (release_of(patients(300), noise=0.1, threads=n) for n in (1, 2, 3))

    assert text(one) == text(two) == text(three)


@pytest.mark.usefixtures("secret")
def test_the_order_of_the_input_changes_nothing():
    # Few different records: equal ones that differ in a kept column must not swap their moves.
    table = patients(300).select("name", pl.col("age") // 25 * 25, "sex", "disease", "visits")
    quasi = ["age", "sex"]

    releases = [
        release_of(frame, quasi=quasi, noise=0.1)
        for frame in (table, table.reverse(), table.sample(fraction=1, shuffle=True, seed=3))
    ]

    assert len({text(release) for release in releases}) == 1
    assert releases[0].published["age"].n_unique() > 10


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("model", sorted(MODELS.keys() - {"k-map", "delta-presence"}))
def test_any_model_holds_for_what_is_published(model):
    policy = shoal.Policy.of_roles(
        identifiers=["name"],
        quasi=HIERARCHIES,
        sensitive={"disease": GRADED},
        keep=["visits"],
        privacy=[{"model": "k-anonymity", "k": 3}, {"model": model, **MODELS[model]}],
        algorithm={"name": "t-clustering", "noise": 0.1},
        suppression=1.0,
    )
    release = policy.anonymize(patients(200))

    assert release.verdict.holds
    assert release.published.height > 0
    assert shoal.check(release.frame, policy).holds


@pytest.mark.usefixtures("secret")
def test_groups_have_k_records_and_l_values_as_whoever_sees_them_counts():
    release = release_of(
        patients(300), k=4, models=[shoal.DistinctLDiversity("disease", 2)], noise=0.2
    )

    groups = release.published.group_by(list(HIERARCHIES)).agg(
        n=pl.len(), values=pl.col("disease").n_unique()
    )
    assert release.published.height == 300
    assert groups["n"].min() >= 4
    assert groups["values"].min() >= 2


@pytest.mark.usefixtures("secret")
def test_kept_and_sensitive_columns_leave_as_they_came():
    table = patients(200)

    release = release_of(table, noise=0.3)

    for name in ("disease", "visits"):
        assert release.published[name].sort().equals(table[name].sort())


@pytest.mark.usefixtures("secret")
def test_single_records_are_moved_within_the_bound_and_keep_their_digits():
    table = patients(200, missing=0).with_columns(visits=pl.int_range(200))

    release = release_of(table, k=1, t=1e9, quasi=["age", "pay"], noise=0.1)

    both = release.published.join(table, on="visits", suffix="_true")
    for name in ("age", "pay"):
        single = both.filter(~pl.col(name).str.contains(","))
        moves = single[name].cast(float) - single[f"{name}_true"]
        width = table[name].max() - table[name].min()
        assert single.height > 20
        assert 0.05 * width < moves.abs().max() <= 0.1 * width + 1e-9  # sums of binary fractions
    ages, pays = release.published["age"], release.published["pay"]
    assert ages.str.contains(r"^(\d+|\[\d+, \d+\])$").all()
    assert pays.str.contains(r"^(\d+(\.\d\d?)?|\[\d+(\.\d\d?)?, \d+(\.\d\d?)?\])$").all()


@pytest.mark.usefixtures("secret")
def test_an_intervals_hierarchy_publishes_its_nodes():
    plain, moved = (
        release_of(patients(200, missing=0), quasi={"age": shoal.intervals(5, 10, 20)}, noise=noise)
        for noise in (0, 0.1)
    )

    assert text(plain) != text(moved)
    for cell in moved.published["age"].unique():
        if cell.startswith("["):
            low, high = map(int, cell.strip("[]").split(", "))
            assert low % 5 == 0
            assert high - low + 1 in (5, 10, 20)


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("publish", ["mean", "median"])
def test_means_and_medians_are_those_of_the_moved_numbers(publish):
    table = patients(400, missing=0)
    reach = 0.1 * (table["pay"].max() - table["pay"].min())

    (true,), (moved,) = (
        pay_released_as(publish, table, k=400, noise=noise).published["pay"].cast(float).unique()
        for noise in (0, 0.1)
    )

    assert moved != true
    assert abs(moved - true) <= reach
    if publish == "mean":  # 400 even moves, and what is cut off at the border, a fourth at most
        assert abs(moved - true) < 5 * reach / math.sqrt(3 * 400) + reach / 4


@pytest.mark.usefixtures("secret")
def test_a_level_table_and_other_columns_are_as_without_noise():
    tree = shoal.tree({f"{ten}s": list(range(ten, ten + 10)) for ten in range(0, 100, 10)})
    quasi = {
        "age": tree,
        "sex": None,
        "born": shoal.dates("year", "decade"),
        "zip": shoal.prefix(5),
    }

    plain, moved = (release_of(patients(200), quasi=quasi, noise=noise) for noise in (0, 0.5))

    assert text(plain) == text(moved)
    assert sum("oise had no effect" in note for note in moved.notes) == 1


@pytest.mark.usefixtures("secret")
def test_missing_stays_missing():
    table = patients(200)

    release = release_of(table, k=1, t=1e9, quasi=["pay"], noise=0.3)

    assert release.published["pay"].null_count() == table["pay"].null_count() > 0


def test_notes_say_which_columns_and_how_far_and_the_summary_shows_the_option():
    release = release_of(patients(100), noise=0.05)

    (note,) = [note for note in release.notes if "oise" in note]
    assert "'age', 'pay'" in note
    assert "up to 0.05 of the distance" in note
    assert "may not cover the true values" in note
    assert "measures compare with the moved numbers" in note
    assert release.summary()["options"]["noise"] == 0.05


@pytest.mark.usefixtures("secret")
def test_the_secret_is_nowhere_in_what_is_written(tmp_path, capfd):
    release = release_of(patients(100), noise=0.05)
    release.write(tmp_path / "release.csv")
    release.report(tmp_path / "release.html")

    written = [path.read_text() for path in tmp_path.iterdir()]
    written += [
        json.dumps(release.summary()),
        repr(release),
        repr(release.policy),
        *capfd.readouterr(),
    ]
    key = hashlib.sha256(SECRET.encode()).hexdigest()
    assert len(written) == 7
    assert not any(SECRET in page or key in page or SEED_VARIABLE in page for page in written)


@pytest.mark.parametrize("value", [-0.1, 1, 1.5, "nan", "inf", "much"])
def test_noise_must_be_a_share_below_one(value):
    with pytest.raises(PolicyError, match=r"algorithm.noise: .*must be a number"):
        release_of(patients(20), noise=value)


def test_noise_is_refused_by_its_name_in_python_too():
    with pytest.raises(ValueError, match=r"^noise must be"):
        TClustering(noise=1.0)


def test_other_algorithms_have_no_noise():
    with pytest.raises(PolicyError, match="'noise' is unknown here"):
        shoal.anonymize(
            patients(20).select("age"),
            quasi=["age"],
            privacy=[shoal.KAnonymity(2)],
            algorithm={"name": "k-member", "noise": 0.1},
        )


@pytest.mark.parametrize("model", ["k-map", "delta-presence"])
def test_models_with_a_population_are_refused(model):
    policy = shoal.Policy.of_roles(
        identifiers=["name"],
        quasi=HIERARCHIES,
        sensitive=["disease"],
        keep=["visits"],
        privacy=[{"model": model, **MODELS[model]}],
        algorithm={"name": "t-clustering", "noise": 0.1},
    )
    with pytest.raises(PolicyError, match=r"algorithm.noise: .*population"):
        policy.anonymize(patients(60))


def test_the_input_is_not_changed():
    table = patients(50)
    before = table.clone()

    release_of(table, noise=0.4)

    assert table.equals(before)

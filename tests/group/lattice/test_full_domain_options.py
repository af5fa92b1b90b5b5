"""Options of the full-domain algorithms, and tables at the edge of what they can do."""

import polars as pl
import pytest

import shoal
from conformance.tables import patients, policy
from naive.lattice import METRICS
from shoal.errors import CannotSatisfy, PolicyError
from tiers import part

ALGORITHMS = [
    {"name": "datafly"},
    {"name": "samarati"},
    {"name": "improved-greedy"},
    {"name": "improved-greedy", "choice": "least-loss"},
    {"name": "incognito"},
    {"name": "ola"},
    {"name": "flash"},
]
BY_GROUP = ("dm", "dm-star", "class-size")
FREE = ("loss", "loss-geometric", "iloss", "precision", "entropy", "entropy-monotone")
OPTIMAL = ["incognito", "ola", "flash"]
EVERY_ALGORITHM = pytest.mark.parametrize(
    "algorithm", ALGORITHMS, ids=lambda options: " ".join(options.values())
)
EVERY_METRIC = pytest.mark.parametrize("metric", METRICS)
# In the quick tier every algorithm and every metric at least once.
PAIRS = part([(metric, algorithm) for metric in METRICS for algorithm in ALGORITHMS], 11)
SOME_PAIRS = pytest.mark.parametrize(
    ("metric", "algorithm"), PAIRS, ids=[f"{m} {' '.join(a.values())}" for m, a in PAIRS]
)


def anonymized(frame, quasi, algorithm="flash", *, k=2, **settings):
    return shoal.anonymize(
        frame, quasi=quasi, privacy=[shoal.KAnonymity(k)], algorithm=algorithm, **settings
    )


@EVERY_ALGORITHM
@EVERY_METRIC
def test_every_metric_goes_with_every_algorithm(metric, algorithm):
    table, rules = patients(60), policy({**algorithm, "metric": metric}, suppression=0.1)

    release = rules.anonymize(table)

    assert release.verdict.holds
    assert rules.check(release.frame).holds
    assert release.summary()["suppressed"] <= 6
    assert len(release.summary()["levels"]) == 6


@EVERY_METRIC
def test_the_optimal_searches_agree_on_what_is_least(metric):
    rules = [policy({"name": name, "metric": metric}, suppression=0.1) for name in OPTIMAL]

    releases = [rule.anonymize(patients(60, seed=1)) for rule in rules]

    assert all(release.summary()["optimal"] for release in releases)
    if metric in releases[0].measures:
        least = releases[0].measures[metric]
        assert [release.measures[metric] for release in releases] == pytest.approx([least] * 3)


@pytest.mark.parametrize("metric", ["loss", "iloss", "dm", "precision"])
def test_no_other_algorithm_beats_the_optimum(metric):
    optimal, *others = (
        policy({**algorithm, "metric": metric}).anonymize(patients(60, seed=2)).measures[metric]
        for algorithm in ALGORITHMS[::-1]
    )

    assert optimal <= min(others) * (1 + 1e-12)


@EVERY_ALGORITHM
def test_a_metric_that_is_misspelt_is_refused_with_the_nearest(algorithm):
    with pytest.raises(PolicyError, match=r"algorithm.*metric.*did you mean 'loss-geometric'"):
        policy({**algorithm, "metric": "los-geometric"})


def test_a_metric_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(PolicyError, match=r"metric must be one of class-size, .*precision"):
        policy({"name": "flash", "metric": "beauty"})


@pytest.mark.parametrize("metric", [name for name in METRICS if "-" in name])
def test_underscores_pass_for_hyphens(metric):
    one, other = (
        policy({"name": "flash", "metric": name}).anonymize(patients(30))
        for name in (metric, metric.replace("-", "_"))
    )

    assert one.summary()["levels"] == other.summary()["levels"]


@EVERY_ALGORITHM
@pytest.mark.parametrize("seconds", [0, -1, "nan", "soon"])
def test_seconds_must_be_above_nothing(algorithm, seconds):
    with pytest.raises(PolicyError, match="seconds"):
        policy({**algorithm, "seconds": seconds})


@pytest.mark.parametrize("name", ["samarati", *OPTIMAL])
@pytest.mark.parametrize("checks", [0, -5, 1.5, "many"])
def test_checks_must_be_a_whole_number_above_nothing(name, checks):
    with pytest.raises(PolicyError, match="checks"):
        policy({"name": name, "checks": checks})


@pytest.mark.parametrize("name", ["datafly", "improved-greedy"])
def test_a_walk_that_is_short_anyway_takes_no_checks(name):
    with pytest.raises(PolicyError, match="'checks' is unknown"):
        policy({"name": name, "checks": 5})


def test_options_are_checked_in_python_too():
    from shoal.group.lattice.flash import Flash

    for wrong in ({"metric": "lose"}, {"seconds": 0}, {"checks": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Flash(**wrong)


@EVERY_ALGORITHM
def test_a_column_without_hierarchy_is_published_whole_or_not_at_all(algorithm):
    frame = pl.DataFrame({"a": ["x", "y", "x", "y"], "b": ["u", "u", "u", "v"]})

    release = anonymized(frame, ["a", "b"], algorithm)

    assert set(release.frame["a"]) | set(release.frame["b"]) <= {"x", "y", "u", "v", "*"}
    assert set(release.summary()["levels"].values()) <= {0, 1}
    for name in ("a", "b"):
        assert any(f"Column '{name}' has no hierarchy" in note for note in release.notes)


@EVERY_ALGORITHM
def test_a_way_to_publish_that_is_not_used_is_said(algorithm):
    age = {"role": "quasi", "hierarchy": {"intervals": [10, 20]}, "publish": "mean"}
    rules = shoal.Policy.of_mapping(
        {
            "columns": {"age": age},
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "algorithm": algorithm,
        }
    )

    release = rules.anonymize(pl.DataFrame({"age": [1, 2, 13, 14]}))

    assert release.frame["age"].to_list() == ["[0, 9]"] * 2 + ["[10, 19]"] * 2
    assert any("`publish: mean` is not used" in note for note in release.notes)


def refusal_of(algorithm):
    """What is said of a table whose four records have one sensitive value, two being wanted."""
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["flu"] * 4})
    with pytest.raises(CannotSatisfy) as caught:
        shoal.anonymize(
            frame,
            quasi={"age": shoal.intervals(2)},
            sensitive=["ill"],
            privacy=[shoal.KAnonymity(2), shoal.DistinctLDiversity("ill", 2)],
            algorithm=algorithm,
        )
    return caught.value


@EVERY_ALGORITHM
def test_what_even_the_top_cannot_meet_is_refused_with_counts(algorithm):
    error = refusal_of(algorithm)

    assert error.exit_code == 1
    assert "distinct-l-diversity" in str(error)
    assert "1 group with 4 records fails" in str(error)
    assert "no record may be suppressed" in str(error)
    assert "flu" not in str(error)


@EVERY_ALGORITHM
def test_only_the_models_that_fail_are_named(algorithm):
    assert "k-anonymity" not in str(refusal_of(algorithm))


@SOME_PAIRS
@pytest.mark.parametrize("n_columns", [1, 3])
def test_where_nothing_can_be_generalised_nothing_is(n_columns, metric, algorithm):
    names = [f"q{i}" for i in range(n_columns)]
    frame = pl.DataFrame(dict.fromkeys(names, [None] * 5), schema=dict.fromkeys(names, pl.String))

    release = anonymized(frame, names, {**algorithm, "metric": metric}, k=5)

    assert release.frame.equals(frame)
    assert release.measures["loss"] == 0
    assert set(release.summary()["levels"].values()) == {0}


@SOME_PAIRS
def test_a_column_of_one_value_stays_as_it_is(metric, algorithm):
    frame = pl.DataFrame({"a": ["x"] * 4, "b": ["u"] * 4})

    release = anonymized(frame, ["a", "b"], {**algorithm, "metric": metric}, k=4)

    assert release.frame.equals(frame)


@EVERY_ALGORITHM
def test_one_column_is_enough(algorithm):
    frame = pl.DataFrame({"age": [1, 2, 3, 11, 12, 13]})

    release = anonymized(frame, {"age": shoal.intervals(10, 20)}, algorithm, k=3)

    assert release.frame["age"].to_list() == ["[0, 9]"] * 3 + ["[10, 19]"] * 3
    assert release.summary()["levels"] == {"age": 1}


@SOME_PAIRS
def test_with_all_records_to_be_suppressed_some_are_released(metric, algorithm):
    table = patients(40)

    release = policy({**algorithm, "metric": metric}, suppression=1.0).anonymize(table)

    assert 0 < len(release.frame) <= 40
    assert release.verdict.holds


@EVERY_ALGORITHM
def test_all_values_missing_in_some_columns_cost_nothing(algorithm):
    table = patients(40).with_columns(age=pl.lit(None, dtype=pl.Int64))

    release = policy(algorithm).anonymize(table)

    assert release.loss_by_column["age"] == 0
    assert release.summary()["levels"]["age"] == 0


@EVERY_ALGORITHM
def test_records_suppressed_beforehand_count_towards_the_limit(algorithm):
    table = patients(60, missing=0.02)

    release = policy(algorithm, missing="suppress", suppression=0.2).anonymize(table)

    assert release.verdict.holds
    assert len(table) - len(release.frame) <= 12


def test_the_summary_says_what_the_search_did():
    summary = policy("flash").anonymize(patients(60)).summary()

    assert summary["nodes"] == 6 * 6 * 2 * 5 * 3 * 2
    assert summary["checks"] + summary["pruned"] == summary["nodes"]
    assert summary["optimal"] is True
    assert summary["stopped"] is None
    assert summary["rolled_up"] >= summary["checks"] - 1


def test_underscores_pass_for_hyphens_in_options():
    rules = policy({"name": "improved_greedy", "choice": "least_loss", "metric": "loss_geometric"})

    assert rules.algorithm.choice == "least-loss"
    assert rules.algorithm.traits.metric == "loss-geometric"


def test_a_weight_that_would_drown_all_others_is_refused():
    columns = {"a": {"role": "quasi", "weight": 1e308}}
    models = [{"model": "k-anonymity", "k": 2}]

    with pytest.raises(PolicyError, match="at most 1,000,000"):
        shoal.Policy.of_mapping({"columns": columns, "privacy": models})


def test_what_a_clock_left_open_is_not_called_ruled_out():
    stopped = policy({"name": "flash", "seconds": 1e-9}).anonymize(patients(200)).summary()

    assert stopped["stopped"] == "time"
    assert stopped["checks"] + stopped["pruned"] < stopped["nodes"]

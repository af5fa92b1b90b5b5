"""Policies: every key, and what is said of a wrong one: key, line and nearest name."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import CannotSatisfy, HierarchyError, InputError, PolicyError
from shoal.group.partition.mondrian import Mondrian
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity

PLAIN = """\
columns:
  age: quasi
  disease: sensitive
privacy:
  - {model: k-anonymity, k: 2}
"""


@pytest.fixture
def load(tmp_path):
    def load(text: str | bytes) -> shoal.Policy:
        path = tmp_path / "policy.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return shoal.Policy.load(path)

    return load


@pytest.fixture
def refusal(load):
    """The message that a policy is refused with."""

    def refuse(text: str | bytes) -> str:
        with pytest.raises(PolicyError) as caught:
            load(text)
        return str(caught.value)

    return refuse


# what a policy says


def test_every_key_is_read(load, tmp_path):
    (tmp_path / "work.csv").write_text("nurse;care;*\ncook;kitchen;*\n")

    policy = load("""\
columns:
  name: identifier
  age:  {role: quasi, hierarchy: {intervals: [5, 10, 20]}}
  zip:  {role: quasi, hierarchy: {prefix: 5}}
  born: {role: quasi, hierarchy: {date: [month, year, decade]}}
  sex:  quasi
  work: {role: quasi, hierarchy: work.csv}
  edu:  {role: quasi, hierarchy: {tree: {Higher: [BA, MA], School: [9th, 10th]}}, weight: 2}
  pay:  {role: quasi, publish: range}
  town: {role: quasi, hierarchy: flat}
  disease: sensitive
  visits: keep
  note: drop
privacy:
  - {model: k-anonymity, k: 5}
  - {model: distinct-l-diversity, column: disease, l: 3}
algorithm: {name: mondrian, strict: false}
suppression: 0.01
missing: suppress
missing_values: ["", "?"]
unknown: suppress
order: input
seed: 7
""")

    columns = policy.columns
    assert {name: spec.role for name, spec in columns.items()} == {
        **dict.fromkeys(["age", "zip", "born", "sex", "work", "edu", "pay", "town"], "quasi"),
        "name": "identifier",
        "disease": "sensitive",
        "visits": "keep",
        "note": "drop",
    }
    assert columns["age"].hierarchy == shoal.intervals(5, 10, 20)
    assert columns["zip"].hierarchy == shoal.prefix(5)
    assert columns["born"].hierarchy == shoal.dates("month", "year", "decade")
    assert columns["work"].hierarchy.paths == (("nurse", "care", "*"), ("cook", "kitchen", "*"))
    assert columns["edu"].hierarchy == shoal.tree(
        {"Higher": ["BA", "MA"], "School": ["9th", "10th"]}
    )
    assert (columns["edu"].weight, columns["pay"].publish) == (2, "range")
    assert columns["town"].hierarchy == shoal.flat()
    assert policy.privacy == (KAnonymity(5), DistinctLDiversity("disease", 3))
    assert policy.algorithm == Mondrian(strict=False)
    assert (policy.suppression, policy.seed) == (0.01, 7)
    assert (policy.missing, policy.unknown, policy.order) == ("suppress", "suppress", "input")
    assert policy.missing_values == ("", "?")


def test_what_is_not_said_has_its_default(load):
    policy = load(PLAIN)

    assert policy.algorithm == Mondrian()
    assert (policy.suppression, policy.seed) == (0, 0)
    assert (policy.missing, policy.unknown, policy.order) == ("category", "error", "published")
    assert policy.missing_values == ("",)


def test_underscores_pass_for_hyphens_and_the_other_way_round(load):
    policy = load(
        PLAIN.replace("k-anonymity", "k_anonymity")
        + "  - {model: distinct_l_diversity, column: disease, l: 2}\nmissing-values: ['?']\n"
    )

    assert policy.privacy == (KAnonymity(2), DistinctLDiversity("disease", 2))
    assert policy.missing_values == ("?",)


def test_one_model_needs_no_list(load):
    policy = load(PLAIN.replace("  - {model: k-anonymity, k: 2}", "  model: k-anonymity\n  k: 2"))

    assert policy.privacy == (KAnonymity(2),)


def test_scalars_in_trees_stay_the_text_that_was_written(load):
    tree = "{A: [NO, 9th, 1.10, yes, 007, 1e5, 2020-01-01, on], 1.0: [off, 0x10]}"

    policy = load(PLAIN.replace("age: quasi", f"age: {{role: quasi, hierarchy: {{tree: {tree}}}}}"))

    assert [path[:2] for path in policy.columns["age"].hierarchy.paths] == [
        *((leaf, "A") for leaf in ["NO", "9th", "1.10", "yes", "007", "1e5", "2020-01-01", "on"]),
        ("off", "1.0"),
        ("0x10", "1.0"),
    ]


@pytest.mark.parametrize("name", ["NO", "1.10", "2020-01-01", "true", "'a: b'"])
def test_names_of_columns_stay_the_text_that_was_written(load, name):
    assert name.strip("'") in load(PLAIN.replace("age", name)).columns


def test_norway_is_a_missing_token_and_a_value_as_written(load):
    assert load(PLAIN + "missing_values: [NO, ~, 1.10]\n").missing_values == ("NO", "", "1.10")


@pytest.mark.parametrize(("written", "strict"), [("no", False), ("Off", False), ("True", True)])
def test_options_that_are_true_or_false_may_be_written_as_in_yaml(load, written, strict):
    policy = load(PLAIN + f"algorithm: {{name: mondrian, strict: {written}}}\n")

    assert policy.algorithm == Mondrian(strict=strict)


@pytest.mark.parametrize(
    "text", [b"\xef\xbb\xbf" + PLAIN.encode(), PLAIN.replace("\n", "\r\n").encode()]
)
def test_a_byte_order_mark_and_windows_line_ends_change_nothing(load, text):
    assert load(text) == load(PLAIN)


# wrong keys and wrong values


@pytest.mark.parametrize(
    ("line", "key", "nearest"),
    [
        ("supression: 0.1", "supression", "suppression"),
        ("Seeds: 1", "Seeds", "seed"),
        ("missing_value: x", "missing_value", "missing_values"),
        ("algoritm: mondrian", "algoritm", "algorithm"),
    ],
)
def test_an_unknown_key_is_named_with_its_line_and_the_nearest(refusal, line, key, nearest):
    message = refusal(PLAIN + line + "\n")

    assert f"line 6, {key}: {key!r} is unknown; did you mean {nearest!r}?" in message


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("age: quasi", "age: qausi", "line 2, columns.age: must be one of"),
        ("age: quasi", "age: qausi", "did you mean 'quasi'?"),
        ("age: quasi", "age: Quasi", "did you mean 'quasi'?"),
        ("age: quasi", "age: {role: quazi}", "line 2, columns.age.role: must be one of"),
        ("age: quasi", "age: {role: quasi, wieght: 2}", "line 2, columns.age.wieght"),
        ("age: quasi", "age: {role: quasi, wieght: 2}", "did you mean 'weight'?"),
        ("age: quasi", "age: {weight: 2}", "line 2, columns.age: 'role' is needed"),
        ("age: quasi", "age:", "line 2, columns.age"),
        ("age: quasi", "age: [quasi]", "line 2, columns.age"),
        ("age: quasi", "age: keep", "line 1, columns: no column is a quasi-identifier"),
        ("age: quasi", "age: {role: quasi, weight: 0}", "line 2, columns.age.weight: must be"),
        ("age: quasi", "age: {role: quasi, weight: -1}", "line 2, columns.age.weight: must be"),
        ("age: quasi", "age: {role: quasi, weight: inf}", "line 2, columns.age.weight: must be"),
        ("age: quasi", "age: {role: quasi, weight: nan}", "line 2, columns.age.weight: must be"),
        ("age: quasi", "age: {role: quasi, weight: big}", "must be a number"),
        ("age: quasi", "age: {role: quasi, publish: rang}", "did you mean 'range'?"),
        ("k: 2", "k: 0", "k must be a whole number, at least 1"),
        ("k: 2", "k: -1", "line 5, privacy.0"),
        ("k: 2", "k: five", "line 5, privacy.0.k: must be a whole number"),
        ("k: 2", "k: 2.5", "line 5, privacy.0.k: must be a whole number"),
        ("k: 2", "k: nan", "line 5, privacy.0.k: must be a whole number"),
        ("k: 2", "k: inf", "line 5, privacy.0.k: must be a whole number"),
        ("k: 2", "k: true", "line 5, privacy.0.k: must be a whole number"),
        ("k: 2", "k: ", "line 5, privacy.0.k: must be a whole number, not nothing"),
        ("k: 2", "k: [2]", "line 5, privacy.0.k: must be a whole number, not a list"),
        (", k: 2", "", "line 5, privacy.0: 'k' is needed"),
        ("k: 2", "kk: 2", "line 5, privacy.0.kk: 'kk' is unknown here; did you mean 'k'?"),
        ("model: k-anonymity, ", "", "line 5, privacy.0: 'model' is needed"),
        ("k-anonymity", "k-anonimity", "line 5, privacy.0.model"),
        ("k-anonymity", "k-anonimity", "did you mean 'k-anonymity'?"),
        ("{model: k-anonymity, k: 2}", "k-anonymity", "line 5, privacy.0"),
        ("model: k-anonymity", "model: [k-anonymity]", "must be a name"),
    ],
)
def test_a_wrong_value_is_refused_with_its_key_and_line(refusal, old, new, expected):
    assert expected in refusal(PLAIN.replace(old, new))


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ("suppression: 2", "line 6, suppression: must be a share between 0 and 1"),
        ("suppression: -0.1", "line 6, suppression: must be a share between 0 and 1"),
        ("suppression: nan", "line 6, suppression: must be a number"),
        ("suppression: 1%", "line 6, suppression: must be a number"),
        ("suppression:", "line 6, suppression: must be a number"),
        ("missing: supress", "line 6, missing: must be one of"),
        ("missing: supress", "did you mean 'suppress'?"),
        ("missing: [category]", "line 6, missing: must be one of"),
        ("missing_values: {a: b}", "line 6, missing_values: must be a list of texts"),
        ("missing_values: []", "line 6, missing_values: must be a list of texts"),
        ("missing_values: [[a]]", "line 6, missing_values: must be a list of texts"),
        ("unknown: ignore", "line 6, unknown: must be one of"),
        ("order: inputs", "did you mean 'input'?"),
        ("seed: x", "line 6, seed: must be a whole number"),
        ("seed: 1.5", "line 6, seed: must be a whole number"),
        ("algorithm: mondrain", "line 6, algorithm: unknown algorithm 'mondrain'"),
        ("algorithm: mondrain", "did you mean 'mondrian'?"),
        ("algorithm: {name: mondrian, strickt: no}", "line 6, algorithm.strickt"),
        ("algorithm: {name: mondrian, strickt: no}", "did you mean 'strict'?"),
        ("algorithm: {name: mondrian, strict: 5}", "algorithm.strict: must be true or false"),
        ("algorithm: {strict: no}", "line 6, algorithm: 'name' is needed"),
        ("algorithm:", "line 6, algorithm"),
        ("algorithm: [mondrian]", "line 6, algorithm"),
        ("columns: {}", "line 6: duplicate key 'columns'"),
        ("  - {model: distinct-l-diversity, l: 2}", "line 6, privacy.1: 'column' is needed"),
        (
            "  - {model: distinct-l-diversity, column: disease, l: 0}",
            "l must be a whole number, at least 1",
        ),
        ("  - {model: distinct-l-diversity, column: [a], l: 2}", "line 6, privacy.1.column"),
        (
            "  - {model: distinct-l-diversity, column: age, l: 2}",
            "line 6, privacy.1.column: 'age' is not sensitive",
        ),
        (
            "  - {model: distinct-l-diversity, column: diseas, l: 2}",
            "'diseas' is not a column; did you mean 'disease'?",
        ),
    ],
)
def test_a_wrong_addition_is_refused_with_its_key_and_line(refusal, added, expected):
    assert expected in refusal(PLAIN + added + "\n")


@pytest.mark.parametrize(
    ("hierarchy", "expected"),
    [
        ("{interval: [5]}", "unknown kind of hierarchy; did you mean 'intervals'?"),
        ("{intervals: [5, 7]}", "7 is not a multiple of 5"),
        ("{intervals: [a]}", "columns.age.hierarchy.intervals: must be a number"),
        ("{intervals: []}", "above 0"),
        ("{intervals: {a: 1}}", "intervals: unknown option. It takes widths."),
        ("{intervals: {width: 1}}", "unknown option; did you mean 'widths'? It takes widths."),
        ("{prefix: x}", "columns.age.hierarchy.prefix: must be a whole number"),
        ("{prefix: 0}", "number of characters"),
        (
            "{date: [yaer]}",
            "must be one of hour, day, month, quarter, year, decade, century; did you mean 'year'?",
        ),
        ("{date: [year, month]}", "must grow"),
        ("{date: }", "must be one of hour"),
        ("{tree: }", "maps each node to its children"),
        ("{tree: {A: b}}", "maps each node to its children"),
        ("{tree: {A: [b], C: [b]}}", "one leaf two parents"),
        ("{tree: {A: [b], A: [c]}}", "duplicate key"),
        ("{}", "give one of date, flat, intervals, levels, library, prefix, tree, or a file"),
        (
            "{prefix: 5, intervals: [5]}",
            "give one of date, flat, intervals, levels, library, prefix, tree, or a file",
        ),
        ("[a]", "must be keys with values"),
    ],
)
def test_a_wrong_hierarchy_is_refused_with_the_line_of_its_column(refusal, hierarchy, expected):
    message = refusal(PLAIN.replace("age: quasi", f"age: {{role: quasi, hierarchy: {hierarchy}}}"))

    assert "line 2, columns.age.hierarchy" in message
    assert expected in message


@pytest.mark.parametrize("name", ["nofile.csv", "."])
def test_a_hierarchy_file_that_cannot_be_read_is_named(load, name):
    with pytest.raises(HierarchyError, match="Hierarchy"):
        load(PLAIN.replace("age: quasi", f"age: {{role: quasi, hierarchy: {name}}}"))


@pytest.mark.parametrize("privacy", ["", "privacy:\n", "privacy: []\n"])
def test_a_policy_without_a_model_is_refused(refusal, privacy):
    assert "no privacy model is given" in refusal(PLAIN[: PLAIN.index("privacy")] + privacy)


@pytest.mark.parametrize("columns", ["", "columns:\n", "columns: [age]\n", "columns: age\n"])
def test_a_policy_without_columns_is_refused(refusal, columns):
    assert "columns: this must be keys" in refusal(columns + PLAIN[PLAIN.index("privacy") :])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1: a policy begins with keys"),
        ("- a\n", "line 1: a policy begins with keys"),
        ("age,disease\n31,Flu\n", "a policy begins with keys"),
        ("columns:\n\tage: quasi\n", "line 2: this is not YAML"),
        ("columns: {a: quasi\n", "line 2: this is not YAML"),
        (PLAIN + "---\na: b\n", "line 6: this is not YAML"),
        (PLAIN + "seed: \0\n", "this is not YAML"),
        ("? [a, b]\n: c\n", "line 1: a key must be a plain word"),
        (
            "columns:\n  age: quasi\n  sex: keep\n  age: keep\n",
            "line 4, columns: duplicate key 'age'",
        ),
    ],
    ids=str,
)
def test_what_is_no_policy_at_all_is_refused(refusal, text, expected):
    assert expected in refusal(text)


@pytest.mark.parametrize("text", [PLAIN.encode() + b"# \xe9\n", PLAIN.encode("utf-16")])
def test_a_policy_that_is_not_utf_8_is_refused(load, text):
    with pytest.raises(InputError, match="not UTF-8"):
        load(text)


def test_a_policy_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such policy file"):
        shoal.Policy.load(tmp_path / "policy.yaml")


def test_a_folder_is_no_policy(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        shoal.Policy.load(tmp_path)


def test_the_line_is_that_of_the_wrong_key_in_a_model_of_many_lines(refusal):
    text = PLAIN.replace("{model: k-anonymity, k: 2}", "model: k-anonymity\n    k: 0")

    assert "line 6, privacy.0.k" in refusal(text)


def test_the_line_is_right_for_keys_written_with_hyphens(refusal):
    assert "line 6" in refusal(PLAIN + "missing-values: {a: b}\n")


def test_a_key_written_both_ways_is_a_duplicate(refusal):
    assert "duplicate key 'missing-values'" in refusal(
        PLAIN + "missing-values: [a]\nmissing_values: [b]\n"
    )


def test_a_large_seed_stays_exact(load):
    assert load(PLAIN + "seed: 9007199254740993\n").seed == 9007199254740993


def test_a_policy_that_contains_itself_is_refused(refusal):
    assert refusal("columns: &a {age: *a}\n")


# policies and tables


TABLE = pl.DataFrame({"age": [31, 38], "disease": ["Flu", "HIV"]})


def test_a_column_without_a_role_is_named(load):
    with pytest.raises(PolicyError, match=r"line 1, columns: column 'sex' of the data has no role"):
        load(PLAIN).anonymize(TABLE.with_columns(sex=1))


def test_a_misspelt_column_is_named_with_the_nearest(load):
    with pytest.raises(PolicyError, match=r"'disease' of the data.*did you mean 'diseases'\?"):
        load(PLAIN.replace("disease", "diseases")).anonymize(TABLE)


def test_a_column_that_is_not_in_the_data_is_named_with_its_line(load):
    policy = load(PLAIN.replace("  disease", "  dissease: drop\n  disease"))

    with pytest.raises(PolicyError) as caught:
        policy.anonymize(TABLE)

    assert "line 3, columns.dissease: column 'dissease' is not in the data" in str(caught.value)
    assert "did you mean 'disease'?" in str(caught.value)


def test_a_k_larger_than_the_table_cannot_be_satisfied(load):
    with pytest.raises(CannotSatisfy, match="k-anonymity needs at least 3 records"):
        load(PLAIN).with_k(3).anonymize(TABLE)


def test_a_k_as_large_as_the_table_gives_one_group(load):
    assert load(PLAIN).with_k(2).anonymize(TABLE).verdict.n_groups == 1


def test_another_k_is_set_in_every_model_that_has_one_or_added(load):
    diverse = PLAIN.replace(
        "{model: k-anonymity, k: 2}", "{model: distinct-l-diversity, column: disease, l: 2}"
    )

    assert load(PLAIN).with_k(7).privacy == (KAnonymity(7),)
    assert load(diverse).with_k(7).privacy == (DistinctLDiversity("disease", 2), KAnonymity(7))


@pytest.mark.parametrize("k", [0, -3])
def test_another_k_must_be_at_least_one(load, k):
    with pytest.raises(PolicyError, match="k must be a whole number, at least 1"):
        load(PLAIN).with_k(k)


def test_publishing_a_mean_of_text_is_refused_with_its_key(load):
    policy = load(PLAIN.replace("age: quasi", "age: {role: quasi, publish: mean}"))

    with pytest.raises(PolicyError, match=r"columns.age.publish: `publish: mean` needs numbers"):
        policy.anonymize(TABLE.with_columns(age=pl.lit("old")))


def test_publishing_a_mean_of_text_is_refused_with_its_line(load):
    policy = load(PLAIN.replace("age: quasi", "age: {role: quasi, publish: mean}"))

    with pytest.raises(PolicyError, match="line 2"):
        policy.anonymize(TABLE.with_columns(age=pl.lit("old")))


@pytest.mark.parametrize(
    ("share", "n_records", "limit"), [(0.01, 99, 0), (0.01, 100, 1), (0.29, 100, 29), (1, 7, 7)]
)
def test_the_suppression_limit_is_the_share_rounded_down(load, share, n_records, limit):
    assert load(PLAIN + f"suppression: {share}\n").suppression_limit(n_records) == limit


# policies from Python


def test_a_column_has_one_role():
    with pytest.raises(PolicyError, match="'age' has two roles"):
        shoal.Policy.of_roles(quasi=["age"], keep=["age"], privacy=[KAnonymity(2)])


def test_columns_of_a_role_are_a_list():
    with pytest.raises(PolicyError, match="must be a list of names"):
        shoal.Policy.of_roles(quasi="age", privacy=[KAnonymity(2)])


def test_one_model_from_python_needs_no_list():
    assert shoal.Policy.of_roles(quasi=["a"], privacy=KAnonymity(2)).privacy == (KAnonymity(2),)


@pytest.mark.parametrize("suppression", [-0.1, 1.1, float("nan")])
def test_suppression_from_python_is_a_share(suppression):
    with pytest.raises(PolicyError, match="between 0 and 1"):
        shoal.Policy.of_roles(quasi=["a"], privacy=[KAnonymity(2)], suppression=suppression)


@pytest.mark.parametrize(
    "setting", [{"missing": "supress"}, {"unknown": "supress"}, {"order": "inputs"}], ids=str
)
def test_a_misspelt_setting_from_python_is_refused(setting):
    with pytest.raises(PolicyError):
        shoal.Policy.of_roles(quasi=["a"], privacy=[KAnonymity(2)], **setting)


@pytest.mark.parametrize(
    "wrong",
    [
        {"privacy": ["k-anonymity"]},
        {"privacy": [KAnonymity]},
        {"quasi": {"a": {"intervals": [5]}}},
    ],
    ids=str,
)
def test_wrong_types_from_python_are_refused(wrong):
    settings = {"quasi": ["a"], "privacy": [KAnonymity(2)]} | wrong

    with pytest.raises(PolicyError):
        shoal.Policy.of_roles(**settings)


def test_a_distance_in_a_hierarchy_needs_one(load):
    by_tree = "  - {model: t-closeness, column: disease, t: 0.2, distance: hierarchical}\n"

    with pytest.raises(PolicyError, match="t-closeness needs a hierarchy of the column 'disease'"):
        load(PLAIN + by_tree)

"""Several tables of the same people, released together."""

from __future__ import annotations

import random
from collections import Counter

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import shoal
from cases.hospital import KEY, hospital, hospital_policy
from naive.tables import people_by_cells, values_by_cells
from shoal.errors import CannotSatisfy, InputError, NotVerified, OutputError, PolicyError
from shoal.recode.pseudonyms import keyed
from shoal.runs import linked_tables
from tiers import examples

QUASI = {"": ["age", "city"]}
MODELS = [
    {"model": "entropy-l-diversity", "column": "visits.illness", "l": 1.5},
    {"model": "t-closeness", "column": "illness", "t": 0.5},
    {"model": "alpha-k", "column": "found", "alpha": 0.9, "k": 2},
    {"model": "beta-likeness", "column": "samples.found", "beta": 3},
]


def release_of(tables=None, role="pseudonym", key=KEY, **changes):
    key = key if role == "pseudonym" else None
    return shoal.anonymize_tables(tables or hospital(), hospital_policy(role, **changes), key=key)


def pseudonym(number: int) -> str:
    return keyed([str(number)], KEY)[0]


def rows_by_key(release) -> dict[str, list[dict]]:
    """The published rows, with the key of every table called mrn."""
    frames = {**release.frames, "visits": release.frames["visits"].rename({"patient": "mrn"})}
    return {name: frame.to_dicts() for name, frame in frames.items()}


def groups_of(release, quasi=None) -> dict[tuple, set]:
    rows = rows_by_key(release)
    people = rows.pop("patients")
    return people_by_cells(people, rows, quasi or QUASI, "mrn")


def with_region(tables, region):
    """The visits with a column that is looked up; every patient has a visit."""
    patients = tables["patients"]
    one_each = pl.DataFrame(
        {"patient": patients["mrn"], "illness": ["flu", "cold"] * 30, "ward": "ward 1"}
    )
    visits = pl.concat([tables["visits"], one_each])
    numbers = visits["patient"].to_list()
    column = pl.Series("region", [region(number, i) for i, number in enumerate(numbers)])
    return {**tables, "visits": visits.with_columns(column)}


def with_region_column(role="pseudonym", **changes):
    policy = hospital_policy(role, **changes)
    policy["tables"]["visits"]["columns"]["region"] = "quasi"
    return policy


def test_groups_of_people_over_all_tables_are_as_large_as_was_asked():
    release = release_of()

    sizes = Counter(len(members) for members in groups_of(release).values())
    assert min(sizes) >= 4
    assert sizes == release.verdict.tables["patients"].group_sizes
    assert sizes == release.verdict.tables["samples"].group_sizes
    assert release.n_people == release.n_people_read == 60


def test_values_are_counted_once_for_each_person():
    release = release_of(privacy=[{"model": "distinct-l-diversity", "column": "illness", "l": 3}])

    counted = values_by_cells(groups_of(release), rows_by_key(release)["visits"], "mrn", "illness")
    assert min(map(len, counted)) >= 3
    finding = release.verdict.tables["visits"].findings[0]
    assert (finding.column, finding.achieved) == ("visits.illness", min(map(len, counted)))
    assert release.verdict.tables["patients"].findings == ()


def test_what_is_kept_is_what_the_people_have_in_the_input():
    tables = hospital()
    release = release_of(tables)

    names = {number: pseudonym(number) for number in tables["patients"]["mrn"]}
    for name, kept in {
        "patients": ["mrn", "blood"], "visits": ["patient", "illness", "ward"],
        "samples": ["mrn", "found"],
    }.items():  # fmt: skip
        before = [(names[row[0]], *row[1:]) for row in tables[name].select(kept).rows()]
        assert sorted(release.frames[name].select(kept).rows()) == sorted(before)
    assert release.frames["samples"].columns == ["mrn", "found"]


def test_cells_cover_the_values_of_the_people():
    tables = hospital()
    release = release_of(tables)

    ages = {pseudonym(n): age for n, age in tables["patients"].select("mrn", "age").rows()}
    for mrn, cell in release.frames["patients"].select("mrn", "age").rows():
        low, _, high = cell.strip("[]").partition(", ")
        assert int(low) <= ages[mrn] <= int(high or low)


@pytest.mark.parametrize("role", ["pseudonym", "identifier"])
def test_people_who_are_suppressed_are_in_no_table(role):
    tables = hospital()
    gone = tables["visits"]["patient"][0]
    tables["patients"] = tables["patients"].with_columns(
        city=pl.when(pl.col("mrn") == gone).then(pl.lit("Rom")).otherwise(pl.col("city"))
    )
    policy = hospital_policy(
        role, suppression=0.05, algorithm="ola", privacy=[{"model": "k-anonymity", "k": 4}]
    )
    policy["tables"]["patients"]["columns"] |= {"age": "drop"}

    release = shoal.anonymize_tables(tables, policy)

    assert (release.n_people, release.n_people_read) == (59, 60)
    assert "Rom" not in release.frames["patients"]["city"]
    left = tables["visits"].filter(pl.col("patient") != gone).select("illness", "ward")
    assert left.height < tables["visits"].height
    assert sorted(release.frames["visits"].select("illness", "ward").rows()) == sorted(left.rows())


@pytest.mark.parametrize("role", ["pseudonym", "identifier"])
@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_a_category_that_only_rows_left_out_had_is_forgotten(role, library):
    tables = hospital()
    rare = pl.DataFrame({"patient": [7], "illness": ["flu"], "ward": ["secret"]})
    wards = pl.Enum(["ward 1", "ward 2", "ward 3", "secret"])
    visits = pl.concat([tables["visits"], rare]).with_columns(pl.col("ward").cast(wards))
    convert = {
        "polars": lambda frame: frame,
        "pandas": lambda frame: frame.to_pandas(),
        "pyarrow": lambda frame: frame.to_arrow(),
    }[library]

    released = release_of({**tables, "visits": convert(visits)}, role, unknown="suppress").frames[
        "visits"
    ]

    if library == "polars":
        known = released["ward"].dtype.categories
    elif library == "pandas":
        known = released["ward"].cat.categories
    else:
        known = released["ward"].combine_chunks().dictionary.to_pylist()
    assert sorted(known) == ["ward 1", "ward 2", "ward 3"]


def test_the_order_of_the_input_changes_nothing():
    tables = hospital()
    mixed = {name: frame.sample(fraction=1, shuffle=True, seed=3) for name, frame in tables.items()}

    one, other = release_of(tables), release_of(dict(reversed(mixed.items())))

    for name, frame in one.frames.items():
        assert frame.equals(other.frames[name]), name
    assert list(other.frames) == ["patients", "visits", "samples"]


def test_rows_keep_the_order_of_the_input_if_the_policy_says_so():
    tables = hospital()

    release = release_of(tables, order="input")
    alone = release_of(tables, role="identifier", order="input")

    for found in (release, alone):
        assert found.frames["visits"]["ward"].to_list() == tables["visits"]["ward"].to_list()


def test_a_later_release_with_the_same_key_has_the_same_pseudonyms():
    tables = hospital()
    later = {**tables, "visits": tables["visits"].head(5)}

    one, other, with_new_key = (
        release_of(tables),
        release_of(later),
        release_of(key=bytes(range(1, 33))),
    )

    people = set(one.frames["patients"]["mrn"])
    assert set(other.frames["patients"]["mrn"]) == people
    assert set(with_new_key.frames["patients"]["mrn"]).isdisjoint(people)


def test_without_a_key_pseudonyms_are_random_and_have_a_mapping(tmp_path):
    release = release_of(key=None)

    release.write_mapping(tmp_path / "who.csv")
    known = dict(release.mapping.rows())
    assert known.keys() == {str(number) for number in hospital()["patients"]["mrn"]}
    assert set(release.frames["visits"]["patient"]) <= set(release.frames["patients"]["mrn"])
    assert set(release.frames["patients"]["mrn"]) == set(known.values())
    with pytest.raises(OutputError, match="There is no mapping"):
        release_of().write_mapping(tmp_path / "other.csv")


def test_people_without_events_and_a_table_without_rows_are_released():
    tables = hospital()
    tables["samples"] = tables["samples"].clear()
    with_visits = set(tables["visits"]["patient"])

    release = release_of(tables)

    assert len(with_visits) < 60
    assert release.n_people == 60
    assert release.frames["samples"].shape == (0, 2)
    assert shoal.check_tables(release.frames, hospital_policy())


@pytest.mark.parametrize("role", ["pseudonym", "identifier"])
def test_a_table_of_events_may_be_empty_in_any_library(role):
    empty = hospital()["samples"].clear()
    for to_native in (pl.DataFrame.to_pandas, pl.DataFrame.to_arrow):
        release = release_of({**hospital(), "samples": to_native(empty)}, role)
        assert len(release.frames["samples"]) == 0
        assert type(release.frames["samples"]) is type(to_native(empty))


def test_a_column_of_events_that_is_the_same_for_a_person_is_generalised_with_the_person():
    tables = with_region(hospital(), lambda number, _: number % 7)

    release = shoal.anonymize_tables(tables, with_region_column(), key=KEY)

    groups = groups_of(release, {**QUASI, "visits": ["region"]})
    assert min(map(len, groups.values())) >= 4
    assert any("[" in cell for cell in release.frames["visits"]["region"])
    assert "visits.region" in release.loss_by_column
    assert shoal.check_tables(release.frames, with_region_column())


def test_a_column_of_events_that_varies_is_refused_where_rows_are_linked():
    tables = with_region(hospital(), lambda _, i: i)

    with pytest.raises(
        PolicyError, match=r"differs between .* give 'mrn' the role identifier"
    ) as e:
        shoal.anonymize_tables(tables, with_region_column(), key=KEY)
    assert e.value.path == ("tables", "visits", "columns", "region")

    release = shoal.anonymize_tables(tables, with_region_column("identifier"))
    sizes = Counter(release.frames["visits"]["region"])
    assert len(sizes) > 1
    assert release.verdict.tables["visits"].n_people == 60
    assert release.frames["visits"].columns == ["illness", "ward", "region"]


def test_people_without_events_stand_out_where_events_are_looked_up():
    tables = hospital()
    tables["visits"] = tables["visits"].with_columns(region=pl.lit("west"))
    n_without = 60 - tables["visits"]["patient"].n_unique()

    with pytest.raises(InputError, match=f"{n_without} people have no row in the table 'visits'"):
        shoal.anonymize_tables(tables, with_region_column(), key=KEY)

    policy = with_region_column(missing="suppress", suppression=0.5)
    release = shoal.anonymize_tables(tables, policy, key=KEY)
    assert release.n_people == 60 - n_without
    assert min(map(len, groups_of(release, {**QUASI, "visits": ["region"]}).values())) >= 4


@pytest.mark.parametrize("role", ["pseudonym", "identifier"])
def test_rows_that_point_to_people_who_are_not_there_are_refused_or_left_out(role):
    tables = hospital()
    orphan = pl.DataFrame({"patient": [7, None], "illness": ["flu", "flu"], "ward": ["x", "x"]})
    tables["visits"] = pl.concat([tables["visits"], orphan])

    with pytest.raises(InputError, match=r"2 rows of the table 'visits' have keys .* `unknown:"):
        release_of(tables, role)

    release = release_of(tables, role, unknown="suppress")
    assert "x" not in release.frames["visits"]["ward"].to_list()
    assert release.tables["visits"].as_dict()["suppressed"] == 2
    assert any("2 rows of the table 'visits'" in note for note in release.notes)


def test_a_person_without_a_key_is_refused():
    tables = hospital()
    tables["patients"] = tables["patients"].with_columns(
        mrn=pl.when(pl.col("age") > 55).then(None).otherwise(pl.col("mrn"))
    )

    with pytest.raises(InputError, match=r"'patients' does not say who .* the key is missing"):
        release_of(tables)


def test_a_person_with_two_rows_is_refused():
    tables = hospital()
    tables["patients"] = pl.concat([tables["patients"], tables["patients"].head(1)])

    with pytest.raises(InputError, match="one row for each person, but 1 person"):
        release_of(tables)


@pytest.mark.parametrize("name", ["patients", "visits"])
def test_a_column_without_a_role_or_a_role_without_a_column_is_refused(name):
    tables = hospital()
    more = {**tables, name: tables[name].with_columns(phone=1)}
    fewer = {**tables, name: tables[name].drop(tables[name].columns[-1])}

    with pytest.raises(PolicyError, match=f"'phone' of the table '{name}' has no role"):
        release_of(more)
    with pytest.raises(PolicyError, match=f"is not in the table '{name}'"):
        release_of(fewer)


def test_a_misspelt_table_is_refused_with_the_nearest_name():
    tables = hospital()
    tables["visit"] = tables.pop("visits")

    with pytest.raises(InputError, match=r"'visits' of the policy is missing.*'visit'"):
        release_of(tables)
    with pytest.raises(InputError, match=r"does not know the table 'visitz'.*'visits'"):
        release_of({**hospital(), "visitz": tables["visit"]})


@pytest.mark.parametrize("role", ["pseudonym", "identifier"])
@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_each_table_comes_back_as_the_kind_it_was(role, library):
    to_native = pl.DataFrame.to_pandas if library == "pandas" else pl.DataFrame.to_arrow
    tables = {name: to_native(frame) for name, frame in hospital().items()}

    release, of_polars = release_of(tables, role), release_of(role=role)

    kind = pd.DataFrame if library == "pandas" else pa.Table
    for name, frame in release.frames.items():
        assert isinstance(frame, kind)
        assert pl.DataFrame(frame).rows() == of_polars.frames[name].rows()


def test_withheld_keys_link_nothing():
    release = release_of(role="identifier")

    assert release.frames["patients"].columns == ["age", "city", "blood"]
    assert release.frames["visits"].columns == ["illness", "ward"]
    assert min(Counter(release.frames["patients"].select("age", "city").rows()).values()) >= 4
    assert release.verdict.tables["visits"].n_people == hospital()["visits"]["patient"].n_unique()
    assert "mapping" not in release.summary()


def test_a_table_that_cannot_keep_the_models_is_refused_by_its_name():
    tables = hospital()
    tables["samples"] = tables["samples"].head(2)
    with pytest.raises(CannotSatisfy, match="cannot be satisfied by the table 'samples'"):
        release_of(tables, "identifier")

    few = with_region(hospital(), lambda _, i: i)
    few["visits"] = few["visits"].head(2)
    with pytest.raises(CannotSatisfy, match=r"Table 'visits'. k-anonymity needs"):
        shoal.anonymize_tables(few, with_region_column("identifier"))


def test_a_key_without_a_pseudonym_is_refused():
    with pytest.raises(PolicyError, match="no column has the role pseudonym"):
        shoal.anonymize_tables(hospital(), hospital_policy("identifier"), key=KEY)


def test_the_summary_counts_rows_by_table_and_shows_no_key():
    release = release_of()

    summary = release.summary()
    assert summary["tables"]["visits"]["rows"] == hospital()["visits"].height
    assert (summary["people"], summary["tables"]["visits"]["counted"]) == (60, "people")
    assert repr(release).startswith("<TablesRelease: patients 60 rows, visits ")
    assert not any(str(number) in str(summary["notes"]) for number in hospital()["patients"]["mrn"])


def test_notes_are_about_the_tables_and_not_about_their_join():
    tables = hospital()
    tables["visits"] = tables["visits"].with_columns(
        ward=pl.Series([f"bed {i}" for i in range(tables["visits"].height)])
    )

    notes = " ".join(release_of(tables).notes)

    assert "Table 'visits'. Column 'ward' is released unchanged and nearly unique" in notes
    assert "Table 'visits'. Column 'patient' shows which rows belong to the same person" in notes
    assert "'samples.found' is sensitive, but no model is about it" in notes


def test_people_who_stand_out_by_their_number_of_events_are_counted_none_included():
    release = release_of()

    rows = Counter(release.frames["visits"]["patient"])
    n = 0
    for members in groups_of(release).values():
        alike = Counter(rows[person] for person in members)
        n += sum(alike[rows[person]] < 4 for person in members)
    assert any(rows[person] == 0 for person in release.frames["patients"]["mrn"])
    (note,) = [note for note in release.notes if "'patient' shows which rows" in note]
    assert f"(at most {max(rows.values())}). {n} people stand out" in note


def broken(monkeypatch, name, change):
    """Publishing that changes the frame of one table."""
    publish = linked_tables._publish

    def wrong(table, *rest):
        made = publish(table, *rest)
        return made._replace(frame=change(made.frame)) if table == name else made

    monkeypatch.setattr(linked_tables, "_publish", wrong)


def swap_cells(frame: pl.DataFrame) -> pl.DataFrame:
    ages = frame["age"].to_list()
    ages[0], ages[-1] = ages[-1], ages[0]
    return frame.with_columns(age=pl.Series(ages))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("patients", swap_cells),
        ("patients", lambda frame: frame[1:]),
        ("visits", lambda frame: frame.with_columns(patient=pl.lit("z" * 26))),
        ("visits", lambda frame: frame.with_columns(illness=pl.lit("flu"))),
    ],
    ids=["cells of two people", "a person dropped", "keys of others", "values of others"],
)
def test_wrong_tables_are_not_released(monkeypatch, name, change):
    broken(monkeypatch, name, change)

    with pytest.raises(NotVerified, match="Nothing was released"):
        release_of()


def test_a_release_is_written_and_read_again(tmp_path):
    release = release_of()

    files = release.write(tmp_path / "release", ending="parquet")

    assert pl.read_parquet(files["visits"]).equals(release.frames["visits"])
    assert sorted(path.name for path in (tmp_path / "release").iterdir()) == [
        "patients.parquet", "samples.parquet", "visits.parquet",
    ]  # fmt: skip


@st.composite
def small_tables(draw):
    n = draw(st.integers(4, 12))
    person, illness = st.integers(0, n - 1), st.sampled_from(["flu", "gout", "cold"])
    rows = st.lists(st.tuples(person, illness), max_size=20)
    visits, samples = draw(rows), draw(rows)
    ages = draw(st.lists(st.integers(20, 23), min_size=n, max_size=n))
    numbers = list(range(n))
    random.Random(n).shuffle(numbers)
    return {
        "patients": pl.DataFrame({"mrn": numbers, "age": ages, "city": "Ulm", "blood": "A"}),
        "visits": pl.DataFrame(
            {"patient": [p for p, _ in visits], "illness": [v for _, v in visits], "ward": "w"},
            schema={"patient": pl.Int64, "illness": pl.String, "ward": pl.String},
        ),
        "samples": pl.DataFrame(
            {"mrn": [p for p, _ in samples], "found": [v for _, v in samples], "by": "b"},
            schema={"mrn": pl.Int64, "found": pl.String, "by": pl.String},
        ),
    }


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model["model"])
@given(tables=small_tables(), algorithm=st.sampled_from(["mondrian", "datafly", "k-member"]))
@examples(6, thorough=25)
def test_random_tables_are_released_as_verified_or_refused(model, tables, algorithm):
    models = [{"model": "k-anonymity", "k": 3}, model]
    policy = hospital_policy(privacy=models, algorithm=algorithm, suppression=0.3)
    try:
        release = shoal.anonymize_tables(tables, policy, key=KEY)
    except CannotSatisfy:
        release = release_of(tables, privacy=models[:1])

    groups = groups_of(release)
    assert min(map(len, groups.values())) >= 3
    assert Counter(map(len, groups.values())) == release.verdict.tables["visits"].group_sizes
    names = {pseudonym(n): n for n in tables["patients"]["mrn"]}
    left = {names[mrn] for mrn in release.frames["patients"]["mrn"]}
    before = [row[:2] for row in tables["visits"].rows() if row[0] in left]
    after = [(names[mrn], illness) for mrn, illness, _ in release.frames["visits"].rows()]
    assert sorted(after) == sorted(before)


@given(tables=small_tables(), algorithm=st.sampled_from(["mondrian", "ola"]))
@examples(6, thorough=25)
def test_random_tables_with_withheld_keys_are_private_one_by_one(tables, algorithm):
    policy = hospital_policy(
        "identifier",
        privacy=[{"model": "k-anonymity", "k": 3}],
        algorithm=algorithm,
        suppression=0.3,
        unknown="suppress",
    )
    policy["tables"]["visits"]["columns"] |= {"illness": "quasi"}
    n_people = len(set(tables["visits"]["patient"]))
    assume(n_people == 0 or n_people >= 5)
    assume(len(set(tables["samples"]["mrn"])) not in (1, 2))
    try:
        release = shoal.anonymize_tables(tables, policy)
    except CannotSatisfy:  # a table has too few people left
        reject()

    groups = Counter(release.frames["patients"].select("age", "city").rows())
    assert min(groups.values()) >= 3
    for name, frame in release.frames.items():
        assert {"mrn", "patient", "by"}.isdisjoint(frame.columns), name
    by_cell = Counter(release.frames["visits"]["illness"])
    assert min(by_cell.values(), default=3) >= 3
    assert sum(groups.values()) == release.n_people

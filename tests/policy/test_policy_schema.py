"""The JSON schema of the policy file and the code that reads one take and refuse the same."""

from __future__ import annotations

import copy
import dataclasses
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
from click.testing import CliRunner

from added_entries import add_entries
from cases.policy_texts import as_editors_see_it, policy_texts
from shoal import catalog
from shoal.cli import cli
from shoal.errors import HierarchyError, PolicyError
from shoal.group.partition.mondrian import Mondrian
from shoal.policy import described
from shoal.policy.file import parse_policy
from shoal.policy.json_schema import policy_schema
from shoal.policy.keys import COLUMN_KEYS, KEYS_OF_ROLE
from shoal.policy.policy import Policy
from shoal.policy.tables import TablesPolicy
from shoal.types.column import ROLES
from shoal.types.context import Acknowledged, Context
from shoal.types.hierarchy_spec import HierarchySpec
from tiers import part

# Every key that there is, every kind of value that it may have.
RICH = """
person: [mrn]
columns:
  mrn: identifier
  name: {role: drop, reason: it names people}
  age: {role: quasi, hierarchy: {intervals: [5, 10.0]}, weight: 2, publish: range, bounds: tight}
  zip: {role: quasi, hierarchy: {prefix: 5}}
  born: {role: quasi, format: mm/dd/yyyy, age_on: 2026-01-01, top: 90, hierarchy: {intervals: 5}}
  day: {role: quasi, hierarchy: {dates: [month, year]}, format: YYYYMMDD}
  week: {role: quasi, publish: median, bounds: {grid: month}}
  size: {role: quasi, bounds: {grid: 5}, hierarchy: null}
  sex: {role: quasi, hierarchy: flat, rare: list}
  job: {role: quasi, hierarchy: {tree: {Care: [nurse, {Doctors: [GP]}], Other: null}}}
  edu: {role: quasi, hierarchy: {levels: [[BA, Higher], [9, School]]}}
  ill: {role: sensitive, hierarchy: {flat: null}, severity: {Flu: 1, "": 0.5}, determines: accepted}
  stay: {role: keep, determines: accepted}
  stands: {role: weight, release: yes, decimal: ",", determines: accepted}
  home: {role: quasi, hierarchy: {library: countries}}
  pay: {role: quasi, decimal: ",", thousands: " "}
privacy:
  - {model: k-anonymity, k: 5}
  - {model: t_closeness, column: ill, t: 0.2, distance: equal}
  - {model: reidentification-risk, highest: 0.2, at-risk: 0.1, average: null}
algorithm: {name: oka, suppress_small: yes, passes: 2, prepartition: {size: 100}}
suppression: 0.01
missing: suppress
missing-values: ["", NA, -9, null]
unknown: other
decimal: ","
thousands: ""
order: input
seed: 7
context:
  purpose: research
  legal_basis:
  controls: a contract
  threshold: 0.09
  acknowledged: [{note: two releases, by: somebody, date: 2026-03-01}]
"""
SEARCH = """
columns: {age: quasi}
privacy: {model: k-map, k: 5, population: people.csv}
algorithm: {name: flash, metric: {name: dm_star}, seconds: 3.5, checks: 100}
"""
TABLES = """
person: mrn
tables:
  patients: {file: patients.csv, columns: {mrn: pseudonym, age: quasi}}
  visits: {file: null, key: {mrn: patients}, columns: {mrn: pseudonym, illness: sensitive}}
privacy: [{model: k-anonymity, k: 5}]
"""
BASES = (RICH, SEARCH, TABLES)


@cache
def validator() -> jsonschema.Draft7Validator:
    schema = policy_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def is_valid(content: Any) -> bool:
    return validator().is_valid(content)


def takes(content: Any, folder: Path | None = None) -> bool:
    try:
        (TablesPolicy if "tables" in content else Policy).of_mapping(content, folder=folder)
    except (HierarchyError, PolicyError):
        return False
    return True


def as_text(value: Any) -> Any:
    """What the reader makes of a value in a policy file: every scalar is text."""
    if isinstance(value, dict):
        return {key: as_text(of) for key, of in value.items()}
    if isinstance(value, list):
        return [as_text(item) for item in value]
    if isinstance(value, bool):
        return str(value).lower()
    return value if value is None else str(value)


@pytest.mark.parametrize("text", BASES)
def test_every_key_and_kind_of_value_passes_as_typed_and_as_text(text):
    assert takes(parse_policy(text).content)
    assert list(validator().iter_errors(as_editors_see_it(text))) == []
    assert list(validator().iter_errors(parse_policy(text).content)) == []


def test_every_policy_of_the_pages_and_the_tests_passes_if_the_reader_takes_it(tmp_path):
    n_taken = 0
    for place, text in policy_texts():
        try:
            content = parse_policy(text).content
        except PolicyError:
            continue
        for name in re.findall(r"[\w./-]+\.csv", text):  # a level table, or severities
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("leaf;1\n")
        if takes(content, tmp_path):
            n_taken += 1
            assert list(validator().iter_errors(as_editors_see_it(text))) == [], place
            assert list(validator().iter_errors(content)) == [], place
    assert n_taken > 20  # so it does find them


Path_ = tuple[str | int, ...]


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    yield path
    if isinstance(value, dict | list):
        for key, of in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(of, (*path, key))


def at(content: Any, path: Path_) -> Any:
    for key in path:
        content = content[key]
    return content


def put(content: Any, path: Path_, value: Any) -> Any:
    """The content with another value at a path, which may be a new key."""
    changed = copy.deepcopy(content)
    at(changed, path[:-1])[path[-1]] = value
    return changed


class Mutant(NamedTuple):
    """A policy in which one thing is changed, at a place."""

    what: str
    path: Path_
    content: Any


WRONG_TYPES = ([[[]]], {"a": {"b": ["c"]}})
WRONG_WORD = "no such word"


def mutants(content: Any) -> Iterator[Mutant]:
    """A key added or misspelt, a value of another type or name, and values that may be right."""
    for path in places(content):
        value = at(content, path)
        if isinstance(value, dict):
            yield Mutant("unknown key", path, put(content, (*path, "zzz"), 1))
        if path and isinstance(path[-1], str):
            changed = copy.deepcopy(content)
            at(changed, path[:-1])[f"{path[-1]}x"] = at(changed, path[:-1]).pop(path[-1])
            yield Mutant("misspelt key", path, changed)
        for wrong in WRONG_TYPES if path else ():
            yield Mutant("wrong type", path, put(content, path, wrong))
        for wrong in (WRONG_WORD, True, 2.5, None) if path else ():
            what = "unknown name" if wrong is WRONG_WORD else "other value"
            yield Mutant(what, path, put(content, path, wrong))


def is_name_in_the_data(mutant: Mutant) -> bool:
    """Names of columns, tables, files and leaves are anybody's choice: no schema knows them."""
    match mutant.path:
        case ("person", *_) | (*_, "column") | (*_, "columns" | "tables", _) | (*_, "tree"):
            return True
        case (*_, "hierarchy" | "levels" | "severity") | (*_, "key", _):
            return mutant.what != "wrong type"
    return False


@cache
def judged(text: str) -> list[tuple[Mutant, bool, bool]]:
    """Mutants of a policy, whether the reader takes them, and whether the schema does."""
    return [
        (mutant, takes(as_text(mutant.content)), is_valid(mutant.content))
        for mutant in part(list(mutants(as_editors_see_it(text))), 250)
    ]


@pytest.mark.parametrize("text", BASES)
def test_the_schema_takes_whatever_the_reader_takes(text):
    taken = [(mutant, by_schema) for mutant, by_reader, by_schema in judged(text) if by_reader]

    assert len(taken) >= 3
    assert [mutant[:2] for mutant, by_schema in taken if not by_schema] == []


@pytest.mark.parametrize("text", BASES)
def test_a_wrong_key_type_or_name_that_the_reader_refuses_the_schema_refuses_too(text):
    refused = [
        (mutant, by_schema)
        for mutant, by_reader, by_schema in judged(text)
        if not by_reader and mutant.what != "other value" and not is_name_in_the_data(mutant)
    ]

    assert len(refused) > 30
    assert [mutant[:2] for mutant, by_schema in refused if by_schema] == []


def option_policies() -> Iterator[tuple[str, Any, str]]:
    """A policy for each entry of the catalog, with an option that it does not have."""
    rest = {"columns": {"age": "quasi", "ill": "sensitive"}}
    model = {"model": "k-anonymity", "k": 5}
    for name in catalog.names("algorithm"):
        yield name, rest | {"privacy": [model], "algorithm": {"name": name}}, "algorithm"
    for name in catalog.names("model"):
        yield name, rest | {"privacy": {"model": name}}, "privacy"
    for name in catalog.names("metric"):
        metric = {"name": "ola", "metric": {"name": name}}
        yield name, rest | {"privacy": [model], "algorithm": metric}, "algorithm"


@pytest.mark.parametrize(("name", "content", "key"), list(option_policies()))
def test_an_option_that_an_entry_does_not_have_is_refused_by_both(name, content, key):
    wrong = put(content, (key, "optoin"), 1)

    assert not takes(wrong)
    assert not is_valid(wrong)


def test_every_pattern_means_the_same_to_the_editors_regular_expressions():
    text = json.dumps(policy_schema())
    patterns = re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', text)

    assert len(patterns) > 20
    escaped = {pair for found in patterns for pair in re.findall(r"\\.", json.loads(found))}
    assert escaped <= {r"\.", "\\\\"}  # ECMA-262 refuses others, such as an escaped hyphen


def test_every_option_of_the_catalog_is_described():
    entries = [entry for kind in catalog.PARTS for entry in catalog.loadable(kind).values()]
    without = [
        f"{entry.__name__}.{field.name}"
        for entry in [*entries, Context, Acknowledged]
        if HierarchySpec not in entry.__mro__ or entry.value_schema() is None
        for field in dataclasses.fields(entry)
        if not described.about_option(entry, field.name)
    ]

    assert without == []  # name the option in backquotes in the docstring of its class


def test_every_key_of_a_policy_is_described():
    keys = {field.name for field in dataclasses.fields(Policy)} - {"lines"}

    assert set(described.POLICY) == keys | {"tables"}
    assert set(described.COLUMN) == set(COLUMN_KEYS)
    assert set(described.ROLES) == set(KEYS_OF_ROLE) == set(ROLES)


@dataclasses.dataclass(frozen=True)
class Halved(Mondrian):
    """Halves everything. `steps` says how often."""

    steps: int = 3


def test_an_entry_of_another_package_is_in_the_schema(monkeypatch):
    add_entries(monkeypatch, "algorithm", halved=Halved)
    schema = jsonschema.Draft7Validator(policy_schema())
    content = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 2}]}

    assert schema.is_valid(content | {"algorithm": {"name": "halved", "steps": 2}})
    assert not schema.is_valid(content | {"algorithm": {"name": "halved", "steps": "two"}})
    assert not validator().is_valid(content | {"algorithm": {"name": "halved"}})


def test_the_command_prints_the_schema_or_writes_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    printed = CliRunner().invoke(cli, ["schema"]).stdout
    first = CliRunner().invoke(cli, ["schema", "-o", "policy.schema.json"])
    again = CliRunner().invoke(cli, ["schema", "-o", "policy.schema.json"])

    assert json.loads(printed) == policy_schema()
    assert Path("policy.schema.json").read_text(encoding="utf-8") == printed
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert "# yaml-language-server: $schema=policy.schema.json" in first.stdout


def test_a_file_that_is_not_a_schema_is_not_overwritten(tmp_path):
    other = tmp_path / "notes.json"
    other.write_text("{}")

    assert CliRunner().invoke(cli, ["schema", "-o", str(other)]).exit_code != 0
    assert other.read_text() == "{}"


def test_init_names_the_schema_that_lies_next_to_the_policy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{20 + i % 40},{'cook' if i % 3 else 'nurse'}" for i in range(60)]
    Path("people.csv").write_text("\n".join(["age,job", *rows]) + "\n")

    CliRunner().invoke(cli, ["init", "people.csv", "-o", "without.yaml"])
    CliRunner().invoke(cli, ["schema", "-o", "policy.schema.json"])
    CliRunner().invoke(cli, ["init", "people.csv", "-o", "with.yaml"])

    line, _, rest = Path("with.yaml").read_text().partition("\n")
    assert line == "# yaml-language-server: $schema=policy.schema.json"
    assert rest == Path("without.yaml").read_text()
    assert is_valid(as_editors_see_it(rest))


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        (RICH, ("context", "purpos"), "'purpos' is unknown"),
        (TABLES, ("tables", "visits", "file"), "expected text"),
    ],
)
def test_what_only_the_schema_refused_the_reader_refuses_too(text, path, message):
    wrong = put(parse_policy(text).content, path, None if path[0] == "context" else ["a.csv"])

    assert not is_valid(wrong)
    with pytest.raises(PolicyError, match=message):
        (TablesPolicy if "tables" in wrong else Policy).of_mapping(wrong)

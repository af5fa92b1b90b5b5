"""The JSON schema of the policy file, made from the code that reads one.

Editors complete and check a policy by it. It has every key, name, type and choice. What depends on
two keys together, on a number's range, on files or on the data, the reader alone refuses.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from shoal.policy import described as words
from shoal.policy.keys import COLUMN_KEYS, HEAVIEST, KEYS_OF_ROLE
from shoal.policy.policy import Policy
from shoal.policy.schema_parts import (
    DECIMAL,
    TEXT,
    Json,
    any_case,
    described,
    hierarchy,
    keyed,
    kinds_of_hierarchy,
    name_of,
    named,
    of_type,
    one_of,
    one_or_several,
    options_of,
    or_null,
)
from shoal.policy.table_spec import KEYS as TABLE_KEYS
from shoal.read.dates import FORMATS
from shoal.types.algorithm import Algorithm
from shoal.types.column import ROLES
from shoal.types.context import Context
from shoal.types.grid import GRID_UNITS
from shoal.types.notation import DECIMALS, LOOKALIKES, THOUSANDS
from shoal.types.population import Population
from shoal.types.schema import ColumnSpec

DRAFT = "http://json-schema.org/draft-07/schema#"
TITLE = "Policy of Shoal"
EDITOR_LINE = "# yaml-language-server: $schema={}"  # what editors look for in a file
FILE_NAME = "policy.schema.json"


def is_schema(path: Path) -> bool:
    """Whether a file begins as those that `shoal schema` writes."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return f'"title": "{TITLE}"' in file.read(200)


def editor_lines(policy: Path) -> list[str]:
    """The line by which an editor finds the schema next to a policy file, if one lies there."""
    schema = policy.with_name(FILE_NAME)
    return [EDITOR_LINE.format(FILE_NAME)] if schema.is_file() and is_schema(schema) else []


def policy_schema() -> Json:
    """The schema of policies that the installed algorithms, models and hierarchies can make.

    >>> schema = policy_schema()
    >>> sorted(schema["properties"])[:4]
    ['algorithm', 'columns', 'context', 'decimal']
    """
    return {
        "$schema": DRAFT,
        "title": TITLE,
        "description": "What each column of a table is, and which privacy its release must have.",
        **_policy(),
        "definitions": {
            "column": _column(),
            "columns": _columns(),
            "hierarchy": hierarchy(),
            **kinds_of_hierarchy(),
            "metric": _metric(),
            "minimum": _minimum(),
            "model": named("model", "model"),
            "algorithm": named("algorithm", "name"),
        },
    }


def _policy() -> Json:
    hints = get_type_hints(Policy, localns={"Algorithm": Algorithm})
    of_key = _own_keys()
    for field in fields(Policy):
        if field.name not in ("lines", *of_key):
            of_key[field.name] = of_type(hints[field.name])
    properties = {name: described(of, words.POLICY[name]) for name, of in of_key.items()}
    for field in fields(Policy):
        if isinstance(field.default, str | float | int):
            properties[field.name]["default"] = field.default
    schema = keyed(properties, ["privacy"])
    one_table = {"required": ["columns"]}
    person = {"not": {"type": "null"}}
    several = {"required": ["person"], "properties": {"columns": False, "person": person}}
    return schema | {"if": {"required": ["tables"]}, "then": several, "else": one_table}


def _own_keys() -> dict[str, Json]:
    """Keys whose values are read by code of their own."""
    model = {"$ref": "#/definitions/model"}
    texts = {"type": ["string", "number", "boolean", "null"]}
    context = options_of(Context, hyphen="_")
    for group in ("properties", "patternProperties"):
        context[group] = {name: or_null(of) for name, of in context[group].items()}
    return {
        "columns": {"$ref": "#/definitions/columns"},
        "tables": {
            "type": "object",
            "propertyNames": {"pattern": r"^[^/\\.]+$"},
            "additionalProperties": _table(),
        },
        "privacy": {"anyOf": [{"type": "array", "items": model, "minItems": 1}, model]},
        "algorithm": {"anyOf": [name_of("algorithm"), {"$ref": "#/definitions/algorithm"}]},
        "missing_values": {"anyOf": [{"type": "array", "items": texts, "minItems": 1}, texts]},
        "decimal": _sign(DECIMALS),
        "thousands": _sign(THOUSANDS),
        "person": or_null(one_or_several(TEXT)),
        "population": or_null(_population()),
        "utility": or_null(one_or_several({"$ref": "#/definitions/minimum"})),
        "context": or_null(context),
    }


def _population() -> Json:
    """One of its three keys; underscores may part the digits of a size."""
    population = options_of(Population)
    size = population["properties"]["size"]
    parted = {"type": "string", "pattern": "^[0-9][0-9_]*$"}
    population["properties"]["size"] = {
        "anyOf": [{"type": "integer"}, parted],
        "description": size["description"],
    }
    return population | {"minProperties": 1, "maxProperties": 1}


def _table() -> Json:
    of_key: dict[str, Json] = {
        "file": or_null(dict(TEXT)),
        "key": {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": TEXT,
        },
        "columns": {"$ref": "#/definitions/columns"},
    }
    return {
        "type": "object",
        "properties": {name: described(of_key[name], words.TABLE[name]) for name in TABLE_KEYS},
        "additionalProperties": False,
        "required": ["columns"],
    }


def _columns() -> Json:
    return {"type": "object", "additionalProperties": {"$ref": "#/definitions/column"}}


def _column() -> Json:
    roles = [{"const": role, "description": words.ROLES[role]} for role in ROLES]
    hints = get_type_hints(ColumnSpec)
    own = _own_column_keys() | {"role": {"anyOf": roles}}
    properties = {
        name: described(own[name] if name in own else of_type(hints[name]), words.COLUMN[name])
        for name in COLUMN_KEYS
    }
    keys = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": ["role"],
        "allOf": [
            {
                "if": {"properties": {"role": {"const": role}}, "required": ["role"]},
                "then": {"propertyNames": {"enum": ["role", *KEYS_OF_ROLE[role]]}},
            }
            for role in ROLES
        ],
    }
    return {"anyOf": [*roles, keys]}


def _own_column_keys() -> dict[str, Json]:
    """Keys of a column whose values are read by code of their own."""
    step = {"anyOf": [one_of(GRID_UNITS), {**DECIMAL, "exclusiveMinimum": 0}]}
    grid = keyed({"grid": step}, ["grid"])
    graded: Json = {**DECIMAL, "minimum": 0}
    return {
        "hierarchy": {"$ref": "#/definitions/hierarchy"},
        "weight": {**DECIMAL, "exclusiveMinimum": 0, "maximum": HEAVIEST, "default": 1},
        "bounds": {"anyOf": [{"enum": ["tight", "grid"]}, grid]},
        "format": {
            "anyOf": [
                {"enum": list(FORMATS)},
                {"type": "string", "pattern": f"^({'|'.join(map(any_case, FORMATS))})$"},
            ]
        },
        "age_on": {"type": ["string", "integer"], "pattern": "^[0-9]{4}-?(W?[0-9])[0-9-]*$"},
        "zip3": {
            "anyOf": [
                {"enum": ["census", None]},
                {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": ["string", "integer"], "pattern": "^[0-9]{3}$"},
                },
            ]
        },
        "decimal": _sign(DECIMALS),
        "thousands": _sign(THOUSANDS),
        "severity": {
            "anyOf": [
                {"type": "object", "minProperties": 1, "additionalProperties": graded},
                {"type": ["string", "null"], "description": "A csv file, `value;severity`."},
            ]
        },
        "reason": or_null(dict(TEXT)),
    }


def _sign(signs: tuple[str, ...]) -> Json:
    others = [other for sign in signs for other in LOOKALIKES.get(sign, "") if other != sign]
    return {"anyOf": [{"enum": list(signs)}, {"enum": [*others, "", None]}]}


def _metric() -> Json:
    def is_minimised(metric: Any) -> bool:
        return metric.bound is not None

    return {
        "anyOf": [name_of("metric", is_minimised), named("metric", "name", is_minimised)],
    }


def _minimum() -> Json:
    def is_of_release(metric: Any) -> bool:
        return "levels" not in metric.needs

    limits = {
        "at-most": described(DECIMAL, "A release that has more is refused."),
        "at-least": described(DECIMAL, "A release that has less is refused."),
    }
    alone = name_of("metric", is_of_release)
    keys = named("metric", "measure", is_of_release, lambda metric: limits)
    return {"anyOf": [alone, keys]}

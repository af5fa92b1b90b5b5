"""Parts of the policy's JSON schema: types, names and options, as the reader takes them.

Every scalar of a policy file is text to the reader, which parses it; an editor sees numbers and
booleans. So a number is a number or the text of one, and a text may look like a number.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from shoal import catalog
from shoal.catalog import SEARCHES, Part
from shoal.policy.described import REFINE, about_class, about_option
from shoal.policy.fields import NO, YES, needs_options
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.metric import Metric
from shoal.types.options import plain_default
from shoal.types.text import NUMBER

Json = dict[str, Any]

TEXT: Json = {"type": ["string", "number", "boolean"]}
WHOLE: Json = {"type": ["integer", "string"], "pattern": "^[+-]?[0-9]+$"}
DECIMAL: Json = {"type": ["number", "string"], "pattern": NUMBER}


def any_case(word: str) -> str:
    """A pattern for a word in small letters or large ones; JSON schemas know no flags.

    >>> any_case("D.M-Y")
    '[Dd][.][Mm][-][Yy]'
    """
    return "".join(f"[{c.upper()}{c.lower()}]" if c.isalpha() else f"[{c}]" for c in word)


BOOLEAN: Json = {
    "type": ["boolean", "string"],
    "pattern": f"^({'|'.join(map(any_case, YES + NO))})$",
}
SCALARS: dict[Any, Json] = {bool: BOOLEAN, int: WHOLE, float: DECIMAL, str: TEXT}


def of_type(wanted: Any) -> Json:
    """What `policy.fields.convert` takes for a type."""
    origin = typing.get_origin(wanted)
    if origin in (typing.Union, types.UnionType):
        inner = [arg for arg in typing.get_args(wanted) if arg is not type(None)]
        is_optional = len(inner) < len(typing.get_args(wanted))
        return or_null(of_type(inner[0])) if is_optional else of_type(inner[0])
    if origin is tuple:
        return one_or_several(of_type(typing.get_args(wanted)[0]))
    if origin is typing.Literal:
        return one_of(typing.get_args(wanted))
    if wanted in SCALARS:
        return dict(SCALARS[wanted])
    if (origin or wanted) is Metric:
        return {"$ref": "#/definitions/metric"}
    if dataclasses.is_dataclass(wanted):
        return options_of(typing.cast(type, wanted))
    raise TypeError(f"the policy reader takes no {wanted}")


def or_null(schema: Json) -> Json:
    if "null" in schema.get("type", ()):
        return schema
    if isinstance(schema.get("type"), list):
        return {**schema, "type": [*schema["type"], "null"]}
    if "anyOf" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}


def one_or_several(item: Json) -> Json:
    return {"anyOf": [{"type": "array", "items": item}, item]}


def one_of(words: Iterable[str]) -> Json:
    """One of some words, in which underscores pass for hyphens."""
    words = list(words)
    others = [_spelled_otherwise(word) for word in words if "-" in word]
    return _either({"enum": words}, others)


def described(schema: Json, text: str) -> Json:
    """A reference hides what stands next to it, so that it is wrapped."""
    return {"description": text, **({"allOf": [schema]} if "$ref" in schema else schema)}


def keyed(properties: Mapping[str, Json], required: Iterable[str] = ()) -> Json:
    """Keys with values and no others; a key may be spelled with underscores or hyphens."""
    others = {_spelled_otherwise(name): of for name, of in properties.items() if _is_joined(name)}
    schema: Json = {
        "type": "object",
        "properties": dict(properties),
        "additionalProperties": False,
        "required": [name for name in required if not _is_joined(name)],
    }
    either = [
        {"anyOf": [{"required": [name]} for name in {joined, *_both(joined)}]}
        for joined in required
        if _is_joined(joined)
    ]
    return schema | ({"patternProperties": others} if others else {}) | _all_of(either)


def options_of(
    cls: type,
    first: Mapping[str, Json] | None = None,
    *,
    also: Mapping[str, Json] | None = None,
    hyphen: str = "-",
) -> Json:
    """The options of a class as keys, after those that come `first`, which are needed.

    `also` are keys that are not, and no options of the class.
    """
    hints = typing.get_type_hints(cls)
    properties, required = dict(first or {}), list(first or ())
    for field in dataclasses.fields(cls):
        name = field.name.replace("_", hyphen)
        properties[name] = described(of_type(hints[field.name]), about_option(cls, field.name))
        default = plain_default(field)
        if default is dataclasses.MISSING:
            required.append(name)
        elif default is not None:
            properties[name]["default"] = default
    return keyed(properties | dict(also or {}), required)


def name_of(part: Part, is_meant: Callable[[Any], bool] = lambda entry: True) -> Json:
    """The name of something in the catalog, each with what it is."""
    choices: list[Json] = [
        {"const": word, "description": about_class(entry)}
        for name, entry in catalog.loadable(part).items()
        if is_meant(entry)
        for word in (name, *entry.aliases)
    ]
    others = [_spelled_otherwise(choice["const"]) for choice in choices if "-" in choice["const"]]
    return _either({"anyOf": choices}, others)


def named(
    part: Part,
    key: str,
    is_meant: Callable[[Any], bool] = lambda entry: True,
    also: Callable[[Any], Mapping[str, Json]] = lambda entry: {},
) -> Json:
    """Keys, one of which is the name of something in the catalog, and the others its options.

    `also` gives keys that something takes besides.
    """
    rules = []
    for name, entry in catalog.loadable(part).items():
        if is_meant(entry):
            words = "|".join(re.sub("-", "[-_]", word) for word in (name, *entry.aliases))
            is_it = {"type": "string", "pattern": f"^({words})$"}
            about = {key: {"description": about_class(entry)}}
            options = options_of(entry, about, also=also(entry))
            if part == "algorithm" and name != SEARCHES:
                options["properties"]["refine"] = described(of_type(bool), REFINE)
                options["properties"]["refine"]["default"] = False
            rules.append({"if": {"properties": {key: is_it}, "required": [key]}, "then": options})
    return {
        "type": "object",
        "properties": {key: name_of(part, is_meant)},
        "required": [key],
        "allOf": rules,
    }


def kinds_of_hierarchy() -> dict[str, Json]:
    """The definitions that `hierarchy` refers to."""
    return {f"hierarchy-{name}": _kind(cls) for name, cls in catalog.loadable("hierarchy").items()}


def _kind(cls: type[HierarchySpec]) -> Json:
    """What may stand under the name of a kind: its options, or the first of them alone."""
    own = cls.value_schema()
    if own is not None:
        return described(own, about_class(cls))
    options = options_of(cls)
    if not options["properties"]:
        return described({"type": ["object", "null"], "maxProperties": 0}, about_class(cls))
    choices = [next(iter(options["properties"].values())), options]
    if not needs_options(cls):
        choices.append({"type": "null"})
    return described({"anyOf": choices}, about_class(cls))


def hierarchy() -> Json:
    """A kind with its options, the name of one that needs none, or that of a file."""
    kinds = catalog.loadable("hierarchy")
    of_kind = {
        word: {"$ref": f"#/definitions/hierarchy-{name}"}
        for name, cls in kinds.items()
        for word in (name, *cls.aliases)
    }
    alone = [
        {"const": name, "description": about_class(cls)}
        for name, cls in kinds.items()
        if not needs_options(cls)
    ]
    file = {"type": "string", "description": "The name of a level table (csv)."}
    one = keyed(of_kind) | {"minProperties": 1, "maxProperties": 1}
    return {"anyOf": [*alone, one, file, {"type": "null"}]}


def _either(words: Json, patterns: list[str]) -> Json:
    if not patterns:
        return words
    other = {"type": "string", "pattern": "|".join(patterns)}
    return {"anyOf": [*words.get("anyOf", [words]), other]}


def _is_joined(name: str) -> bool:
    return "-" in name or "_" in name


def _both(name: str) -> tuple[str, str]:
    return name.replace("_", "-"), name.replace("-", "_")


def _spelled_otherwise(name: str) -> str:
    """A pattern for a name with other hyphens and underscores than its own."""
    return f"^(?!{name}$){re.sub('[-_]', '[-_]', name)}$"


def _all_of(rules: list[Json]) -> Json:
    return {"allOf": rules} if rules else {}

"""Writes docs/reference/: the command line, the Python interface, the keys of the policy,
algorithms and models, each from the code itself.

python tools/reference.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import click

import shoal
from shoal import catalog
from shoal.cli import cli
from shoal.policy.described import about_class
from shoal.policy.json_schema import policy_schema

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
MADE = "<!-- Written by tools/reference.py: make reference -->"
TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "keys with values",
    "array": "a list",
    "null": "nothing",
}
PARTS = {
    "column": "a role, or keys",
    "columns": "a role, or keys, for each column",
    "model": "[a model](models.md)",
    "algorithm": "keys with a `name`",
    "metric": "[a metric](keys.md#metrics), or keys with a `name`",
    "hierarchy": "[a kind](keys.md#kinds-of-hierarchies), or a file",
}


def pages() -> dict[str, str]:
    """The name of each page and its text."""
    schema = policy_schema()
    return {
        "commands.md": commands(),
        "python.md": python(),
        "keys.md": keys(schema),
        "algorithms.md": entries("algorithm", schema),
        "models.md": entries("model", schema),
    }


def page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", MADE, *(part.strip("\n") for part in parts if part)]) + "\n"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heads), ["--"] * len(list(heads)), *(list(row) for row in rows)]
    if len(lines) == 2:
        return ""
    cells = [[cell.replace("|", r"\|").replace("\n", " ") for cell in line] for line in lines]
    cells[1] = ["--"] * len(cells[0])
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


# The command line


def commands() -> str:
    listed = [
        (f"[`shoal {name}`](#shoal-{name})", command.get_short_help_str(100))
        for name, command in cli.commands.items()
    ]
    parts = [part for name, command in cli.commands.items() for part in about(name, command)]
    return page(
        "Commands",
        "`shoal COMMAND --help` prints the same in the terminal. Every command ends with one of "
        "four [exit codes](../policy.md#exit-codes).",
        table(("command", ""), listed),
        *parts,
    )


def about(name: str, command: click.Command) -> Iterator[str]:
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    options = [p for p in command.params if isinstance(p, click.Option)]
    yield f"## shoal {name}"
    words = ["shoal", name, *(named(argument) for argument in arguments)]
    words += ["[OPTIONS]"] if options else []
    yield f"```\n{' '.join(words)}\n```"
    yield as_code(inspect.cleandoc(command.help or ""))
    yield table(("option", ""), [(f"`{written(option)}`", meaning(option)) for option in options])


def named(argument: click.Argument) -> str:
    name = (argument.name or "").upper()
    return (name if argument.required else f"[{name}]") + ("..." if argument.nargs == -1 else "")


def written(option: click.Option) -> str:
    names = ", ".join(option.opts)
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    if option.is_flag:
        return names
    if isinstance(option.type, click.Choice):
        return f"{names} [{'|'.join(map(str, option.type.choices))}]"
    return f"{names} {option.type.name.upper()}"


def meaning(option: click.Option) -> str:
    said = [option.help or ""]
    if option.required:
        said.append("Needed.")
    elif option.show_default and option.default is not None:
        said.append(f"Default: `{option.default}`.")
    return as_code(" ".join(said))


def as_code(text: str) -> str:
    """Names of options, which stand bare in a terminal, as code."""
    pieces = text.replace("\b\n", "").split("`")  # every second one is code already
    pieces[::2] = [re.sub(r"(?<![\w-])--[a-z][a-z-]+", r"`\g<0>`", piece) for piece in pieces[::2]]
    return "`".join(pieces)


# The Python interface


def python() -> str:
    names = [name for name in shoal.__all__ if not inspect.ismodule(getattr(shoal, name))]
    functions = [name for name in names if not inspect.isclass(getattr(shoal, name))]
    classes = [name for name in names if inspect.isclass(getattr(shoal, name))]
    listed = [(f"[`shoal.{name}`](#shoal{name.lower()})", first_line(name)) for name in names]
    return page(
        "Python",
        "`import shoal` takes a fraction of a second: what a name needs is loaded when it is first "
        "used. Tables are polars, pandas or pyarrow tables; the same kind comes back. Every error "
        "is a `shoal.ShoalError`. [Algorithms](algorithms.md) and [models](models.md) are classes: "
        "`shoal.Mondrian`, `shoal.KAnonymity`.",
        table(("name", ""), sorted(listed, key=lambda row: row[0].lower())),
        *(part for name in sorted(functions) for part in documented(f"shoal.{name}")),
        *(part for name in sorted(classes) for part in class_parts(name)),
        "## Modules",
        *(part for name in ("catalog", "datasets", "testing") for part in module_parts(name)),
    )


def first_line(name: str) -> str:
    return (inspect.getdoc(getattr(shoal, name)) or "").partition("\n")[0]


def class_parts(name: str) -> Iterator[str]:
    cls = getattr(shoal, name)
    yield from documented(f"shoal.{name}")
    for member, found in inspect.getmembers(cls):
        own = any(member in vars(base) for base in cls.__mro__ if base.__module__[:5] == "shoal")
        if own and not member.startswith("_") and inspect.getdoc(found):
            if isinstance(inspect.getattr_static(cls, member), property | cached_property):
                yield f"### {name}.{member}"
                yield from prose(found)
            elif inspect.isroutine(found):
                yield from documented(f"{name}.{member}", found, level=3)


def module_parts(name: str) -> Iterator[str]:
    module = __import__(f"shoal.{name}", fromlist=[name])
    for member, found in inspect.getmembers(module, inspect.isfunction):
        if found.__module__ == module.__name__ and not member.startswith("_"):
            yield from documented(f"shoal.{name}.{member}", found, level=3)


def documented(name: str, found: Any = None, level: int = 2) -> Iterator[str]:
    found = getattr(shoal, name.removeprefix("shoal.")) if found is None else found
    yield f"{'#' * level} {name}"
    if not inspect.isclass(found):
        yield f"```python\n{signature(name, found)}\n```"
    yield from prose(found)


def signature(name: str, found: Any) -> str:
    """On one line where it fits, else a parameter on each."""
    of = inspect.signature(found)
    kept = [p for p in of.parameters.values() if p.name not in ("self", "cls")]
    texts = [parameter(p) for p in kept if p.kind is not p.VAR_KEYWORD]
    first = next((i for i, p in enumerate(kept) if p.kind is p.KEYWORD_ONLY), None)
    if first is not None:
        texts.insert(first, "*")
    result = "" if of.return_annotation is of.empty else f" -> {of.return_annotation}"
    line = f"{name}({', '.join(texts)}){result}"
    if len(line) <= 90:
        return line
    return f"{name}(\n    " + ",\n    ".join(texts) + f",\n){result}"


def parameter(of: inspect.Parameter) -> str:
    star = "*" if of.kind is of.VAR_POSITIONAL else ""
    hint = "" if of.annotation is of.empty else f": {of.annotation}"
    default = "" if of.default is of.empty else f" = {of.default!r}"
    return f"{star}{of.name}{hint}{default}"


def prose(found: Any) -> Iterator[str]:
    """A docstring: its words, and its examples as code."""
    text = inspect.getdoc(found) or ""
    words, arrow, example = text.partition(">>> ")
    yield words
    if arrow:
        yield f"```python\n{arrow}{example.strip()}\n```"


# The policy


def keys(schema: Mapping[str, Any]) -> str:
    definitions = schema["definitions"]
    column = next(part for part in definitions["column"]["anyOf"] if "properties" in part)
    context = schema["properties"]["context"]["anyOf"][0]
    tables = schema["properties"]["tables"]["additionalProperties"]
    kinds = [
        (
            f"`{name}`",
            taken(definitions[f"hierarchy-{name}"], schema),
            definitions[f"hierarchy-{name}"]["description"],
        )
        for name in catalog.names("hierarchy")
    ]
    metrics = [
        (f"`{name}`", "yes" if entry.bound is not None else "", about_class(entry))
        for name, entry in catalog.loadable("metric").items()
    ]
    return page(
        "Keys of the policy",
        "[The policy file](../policy.md) explains them; an [editor](../editor.md) completes them.",
        "## Policy",
        key_table(schema["properties"], schema),
        "## A column",
        "A column has a role, or these keys.",
        key_table(column["properties"], schema),
        "## A table, under `tables`",
        key_table(tables["properties"], schema),
        "## Context",
        key_table(context["properties"], schema),
        "## Kinds of hierarchies",
        "[Each has a section](../hierarchies.md).",
        table(("kind", "takes", ""), kinds),
        "## Metrics",
        "[Measures](../measures.md) defines them. A full-domain search can minimise some of them.",
        table(("metric", "minimised", ""), metrics),
    )


def entries(part: catalog.Part, schema: Mapping[str, Any]) -> str:
    plural = catalog.PLURALS[part]
    key = "name" if part == "algorithm" else "model"
    rules = schema["definitions"][part]["allOf"]
    names = catalog.names(part)
    listed = [(f"[{name}](#{name})", catalog.summary(part, name)) for name in names]
    parts = []
    for name, rule in zip(names, rules, strict=True):
        cls = catalog.load(part, name)
        options = {k: v for k, v in rule["then"]["properties"].items() if k != key}
        about_it = (inspect.getdoc(cls) or "").partition(">>> ")[0]
        page_ = FOLDER.parent / plural / f"{name}.md"
        link = f" · [its page](../{plural}/{name}.md)" if page_.exists() else ""
        parts += [f"## {name}", f"`shoal.{cls.__name__}`{link}", about_it]
        parts += [key_table(options, schema, rule["then"]["required"])]
    title = "Algorithms" if part == "algorithm" else "Privacy models"
    return page(title, table((part, ""), listed), *parts)


def key_table(
    properties: Mapping[str, Any], schema: Mapping[str, Any], required: Iterable[str] = ()
) -> str:
    needed = set(required)
    rows = [
        (
            f"`{name}`",
            taken(of, schema) + (" (needed)" if name in needed else ""),
            f"`{shown(of['default'])}`" if of.get("default", "") != "" else "",
            of.get("description", ""),
        )
        for name, of in properties.items()
    ]
    return table(("key", "takes", "default", ""), rows)


def shown(default: Any) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)


def taken(of: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """What a key takes, in words."""
    if "$ref" in of:
        name = of["$ref"].rpartition("/")[2]
        return PARTS.get(name, f"a {name.removeprefix('hierarchy-')}")
    if "allOf" in of and "type" not in of:
        return taken(of["allOf"][0], schema)
    if "enum" in of or "const" in of:
        words = [word for word in of.get("enum", [of.get("const")]) if word and word.isascii()]
        return " or ".join(f"`{word}`" if word.strip() else "a space" for word in words)
    if "anyOf" in of:
        several, one, *_ = of["anyOf"]
        if several.get("items") == one:
            return f"{taken(one, schema)}; or a list of such"
        if {"$ref": "#/definitions/algorithm"} in of["anyOf"]:
            return "[an algorithm](algorithms.md), or keys with a `name`"
        return " or ".join(dict.fromkeys(choice for choice in choices(of["anyOf"], schema)))
    if of.get("type") == "array":
        return f"a list, each {taken(of['items'], schema)}"
    if of.get("properties"):
        return "keys: " + ", ".join(f"`{name}`" for name in of["properties"])
    kinds = of.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
    if kinds[0] != "string" and "string" in kinds and "pattern" in of:
        kinds.remove("string")  # the text of a number is one
    return "text" if "string" in kinds else " or ".join(TYPES[kind] for kind in kinds)


def choices(listed: Iterable[Mapping[str, Any]], schema: Mapping[str, Any]) -> Iterator[str]:
    """Words by themselves stay together; other spellings are not told."""
    for choice in listed:
        if choice.get("type") == "string" and "pattern" in choice:
            continue
        if choice != {"type": "null"} and (words := taken(choice, schema)):
            yield words


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"docs/reference/{name}: {len(text):,} characters")


if __name__ == "__main__":
    main()

"""Every policy that the pages and the tests have as text, and policies as editors see them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]


def policy_texts() -> Iterator[tuple[str, str]]:
    """Where it stands, and the text."""
    for page in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]:
        for text in re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            yield page.name, text
    for file in sorted((ROOT / "src").rglob("policy.yaml")):
        yield file.parent.name, file.read_text(encoding="utf-8")
    for file in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and "privacy:" in text and "\n" in text:
                yield f"{file.name}:{node.lineno}", text


class _Core(yaml.SafeLoader):
    """YAML as version 1.2 has it, and editors: `yes` and `2026-01-01` are texts."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as the base class has it


for tag, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
):
    _Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^({pattern})$"), first)


def as_editors_see_it(text: str) -> Any:
    """Values have types, and keys are texts."""
    return _with_text_keys(yaml.load(text, Loader=_Core))


def _with_text_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _with_text_keys(of) for key, of in value.items()}
    return [_with_text_keys(item) for item in value] if isinstance(value, list) else value

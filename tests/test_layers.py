"""Who may import whom: the folders of the pipeline look back, never ahead."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "shoal"

# Folder -> folders and modules of Shoal it may import besides itself and `types` and `errors`.
MAY_IMPORT = {
    "types": set(),
    "kernels": set(),
    "privacy": {"distances"},
    "metrics": set(),
    "read": set(),
    "encode": {"read", "kernels"},
    "group": {"distances", "encode", "kernels", "metrics"},
    "recode": {"read", "encode"},
    "verify": {"read"},
    "write": {"read"},
    "report": {
        "catalog",
        "metrics",
        "policy",
        "progress",
        "propose",
        "release",
        "write",
    },
    "recoding": {  # a pipeline of its own, so it stands beside `pipeline`, above all stages
        "audit",
        "catalog",
        "encode",
        "group",
        "inputs",
        "kernels",
        "metrics",
        "pipeline",
        "policy",
        "policy_parts",
        "progress",
        "read",
        "recode",
        "release",
        "write",
    },
    "risks": {  # a pipeline of its own too
        "encode",
        "inputs",
        "kernels",
        "policy",
        "progress",
        "read",
        "recoding",
        "verify",
    },
    "attacks": {"inputs", "policy", "progress", "read", "verify"},
    "propose": {"read", "policy", "policy_parts"},
    "datasets": set(),
    "cli": {
        "audit",
        "inputs",
        "rehearsal",
        "attacks",
        "catalog",
        "datasets",
        "pipeline",
        "policy",
        "progress",
        "propose",
        "read",
        "recoding",
        "release",
        "report",
        "risks",
        "write",
    },
}
# Heavy libraries -> the only folders and files that may import them.
ONLY_IN = {
    "numba": {"kernels"},
    "pandas": set(),
    "pyarrow": {"write"},
    "narwhals": {"read", "write"},
    "polars": {
        "attacks",
        "read",
        "recode",
        "verify",
        "write",
        "propose",
        "datasets",
        "recoding",
        "release.py",
    },
    "yaml": {"read"},
    "rich": {"report", "cli"},
    "click": {"cli"},
}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, however deep inside; types alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_folder_imports_only_what_comes_before_it(path):
    room = room_of(path)
    if room not in MAY_IMPORT:
        return
    allowed = MAY_IMPORT[room] | {room, "types", "errors", "__version__"}

    reached = {name.split(".")[1] for name in imports_of(path) if name.startswith("shoal.")}

    assert reached <= allowed, f"{room} may not import {sorted(reached - allowed)}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_heavy_libraries_stay_in_their_folders(path):
    for library in {name.split(".")[0] for name in imports_of(path)} & ONLY_IN.keys():
        assert room_of(path) in ONLY_IN[library], f"{library} does not belong here"


def test_models_know_no_algorithm_and_algorithms_no_model():
    for path in (SOURCE / "group").rglob("*.py"):
        assert not any(name.startswith("shoal.privacy") for name in imports_of(path))
    for path in (SOURCE / "privacy").rglob("*.py"):
        assert not any(name.startswith("shoal.group") for name in imports_of(path))


def test_every_folder_has_its_rule():
    folders = {p.name for p in SOURCE.iterdir() if p.is_dir() and p.name != "__pycache__"}

    assert folders == MAY_IMPORT.keys()


def test_no_file_is_a_drawer_for_everything():
    for path in modules():
        assert path.stem not in ("utils", "util", "core", "common", "helpers", "misc")
        n_lines = len(path.read_text(encoding="utf-8").splitlines())
        assert n_lines <= 400, f"{path.name} has {n_lines} lines: two rooms would be better"

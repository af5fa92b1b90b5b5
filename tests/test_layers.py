"""Who may import whom. One test for each rule; it names every place that breaks the rule."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "shoal"

# Folder or module at the top -> those that it may import, besides itself, `types` and `errors`.
MAY_IMPORT = {
    "types": set(),
    "errors": set(),
    "kernels": set(),
    "catalog": set(),
    "datasets": set(),
    "metrics": {"catalog", "kernels", "utility"},
    "privacy": set(),
    "read": set(),
    "hierarchies": {"read"},
    "policy": {"catalog", "read", "write"},
    "encode": {"read", "kernels"},
    "group": {"catalog", "encode", "kernels", "metrics"},
    "bound": {"kernels"},
    "recode": {"read", "encode"},
    "verify": {"read"},
    "together": {"read", "verify"},
    "write": {"read"},
    "engines": {"read", "write"},
    "release": {"policy"},
    "saved_recoding": {"encode", "group", "hierarchies", "kernels", "policy", "read", "recode",
                       "write"},
    "risks": {"encode", "kernels", "read", "verify"},
    "attacks": {"encode", "read", "verify"},
    "utility": {"kernels", "verify"},
    "proposals": {"policy", "read", "write"},
    "plot": set(),
    "reproduction": {"catalog", "comparison", "datasets", "group", "kernels", "plot", "policy",
                     "privacy", "read", "write"},
    "comparison": {"catalog", "policy", "write"},
    "runs": {
        "attacks",
        "bound",
        "catalog",
        "comparison",
        "encode",
        "engines",
        "group",
        "hierarchies",
        "kernels",
        "metrics",
        "policy",
        "read",
        "recode",
        "release",
        "reproduction",
        "risks",
        "saved_recoding",
        "together",
        "utility",
        "verify",
        "write",
    },
    "report": {"catalog", "comparison", "plot", "read", "release", "runs", "write"},
    "api": {"engines", "comparison", "policy", "proposals", "read", "release", "report", "runs"},
    "testing": {"api", "policy"},
    "sklearn": {"api", "policy"},
    "cli": {"catalog", "datasets", "engines", "policy", "proposals", "read", "report", "runs",
            "saved_recoding", "write"},
    "__main__": {"cli"},
    "__init__": {"catalog"},
}  # fmt: skip

# Doors: the only imports that lead upwards. Each is inside a method that users call on a result, so
# that `policy.anonymize(frame)` and `release.write(path)` work.
DOORS = {
    ("shoal.cli", "shoal.kernels"),  # that nobody else is in the process; it loads no kernel
    ("shoal.comparison.comparison", "shoal.report.comparison.figures"),
    ("shoal.comparison.comparison", "shoal.report.comparison.page"),
    ("shoal.comparison.comparison", "shoal.report.comparison.text"),
    ("shoal.comparison.frontier", "shoal.report.comparison.frontier"),
    ("shoal.policy.policy", "shoal.api.anonymize"),
    ("shoal.policy.policy", "shoal.api.check"),
    ("shoal.proposals.proposal", "shoal.report.listing"),
    ("shoal.release.release", "shoal.report.text"),
    ("shoal.release.tables", "shoal.report.tables_text"),
    ("shoal.risks.figures", "shoal.report.risk"),
    ("shoal.risks.suda", "shoal.report.suda"),
    ("shoal.runs.attack", "shoal.report.attack"),
    ("shoal.runs.measure", "shoal.report.measured"),
    ("shoal.types.explanation", "shoal.report.explanation"),
    ("shoal.types.showable", "shoal.report.shown"),
    ("shoal.types.tables_verdict", "shoal.report.tables_text"),
    ("shoal.types.verdict", "shoal.report.text"),
    ("shoal.release.release", "shoal.report.dossier.files"),
    ("shoal.release.release", "shoal.saved_recoding.recoding"),
    ("shoal.release.release", "shoal.write.files"),
    ("shoal.release.release", "shoal.write.mapping"),
    ("shoal.release.tables", "shoal.write.folder"),
    ("shoal.release.tables", "shoal.write.mapping"),
    ("shoal.saved_recoding.recoding", "shoal.runs.apply"),
}

# Heavy libraries -> the only rooms that may import them.
ONLY_IN = {
    "numba": {"kernels"},
    "pandas": {"write"},
    "pyarrow": {"read", "write"},
    "narwhals": {"read", "write"},
    "fastexcel": {"read"},
    "pyreadstat": {"read"},
    "xlsxwriter": {"write"},
    "duckdb": {"engines"},
    "psycopg": {"engines"},
    "sklearn": {"metrics", "sklearn"},
    "polars": {
        "attacks",
        "comparison",
        "datasets",
        "encode",
        "engines",
        "proposals",
        "read",
        "recode",
        "release",
        "reproduction",
        "runs",
        "saved_recoding",
        "sklearn",
        "together",
        "verify",
        "write",
    },
    "yaml": {"policy"},
    "rich": {"report", "cli"},
    "click": {"cli"},
}


class Import(NamedTuple):
    importer: str
    imported: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


def modules(folder: Path = SOURCE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def name_of(path: Path, root: Path = SOURCE.parent) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path) for path in modules()}


def imports_of(path: Path, importer: str) -> list[Import]:
    """What a file imports, however deep inside; imports for type hints alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [Import(importer, alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                module = whole if whole in MODULES else node.module
                found.append(Import(importer, module, node.lineno))
    return found


@cache
def all_imports() -> list[Import]:
    return [found for path in modules() for found in imports_of(path, name_of(path))]


def room_of(module: str) -> str:
    """The folder, or the module at the top, that a module belongs to."""
    return [*module.split("."), "__init__"][1]


def is_inside(module: str) -> bool:
    return module.split(".")[0] == "shoal"


def test_a_room_imports_only_what_comes_before_it():
    broken = [
        str(found)
        for found in all_imports()
        if is_inside(found.imported) and found[:2] not in DOORS
        and found.imported != "shoal"  # its version
        and room_of(found.imported)
        not in MAY_IMPORT[room_of(found.importer)] | {room_of(found.importer), "types", "errors"}
    ]  # fmt: skip

    assert broken == []


def test_every_room_has_its_rule():
    rooms = {
        path.stem
        for path in SOURCE.iterdir()
        if path.suffix == ".py" or (path.is_dir() and path.name != "__pycache__")
    }

    assert rooms == MAY_IMPORT.keys()


def test_every_door_is_there():
    assert {found[:2] for found in all_imports()} >= DOORS


def test_no_modules_import_each_other_in_a_circle():
    graph: dict[str, set[str]] = {}
    for found in all_imports():
        if is_inside(found.imported) and found[:2] not in DOORS and found.imported != "shoal":
            graph.setdefault(found.importer, set()).add(found.imported)

    try:
        TopologicalSorter(graph).prepare()
        circle = []
    except CycleError as error:
        circle = error.args[1]

    assert circle == []


def test_no_rooms_import_each_other_in_a_circle():
    TopologicalSorter(MAY_IMPORT).prepare()  # raises `CycleError`, which names the circle


def test_kinds_of_hierarchies_are_asked_and_not_told_apart():
    """Flat alone is imported by name: it stands in where a column has none."""
    broken = [
        str(found)
        for found in all_imports()
        if room_of(found.imported) == "hierarchies" != room_of(found.importer)
        and found.imported != "shoal.hierarchies.flat"
    ]

    assert broken == []


def test_heavy_libraries_stay_in_their_rooms():
    broken = [
        str(found)
        for found in all_imports()
        if room_of(found.importer) not in ONLY_IN.get(found.imported.split(".")[0], set())
        and found.imported.split(".")[0] in ONLY_IN
    ]

    assert broken == []


def test_an_underscore_means_private_to_the_folder():
    """Tests count as part of the folder that they mirror: tests/group/lattice sees its parts."""
    sources = [(found, found.importer.rpartition(".")[0]) for found in all_imports()]
    packages = {name for name in MODULES if (SOURCE.parent / name.replace(".", "/")).is_dir()}
    sources = [(f, f.importer if f.importer in packages else folder) for f, folder in sources]
    tests = [
        (found, "shoal." + name_of(path.parent, ROOT / "tests"))
        for path in modules(ROOT / "tests")
        if path.parent != ROOT / "tests"
        for found in imports_of(path, name_of(path, ROOT))
    ]

    broken = [
        str(found)
        for found, folder in sources + tests
        if is_inside(found.imported)
        and any(part.startswith("_") for part in found.imported.split("."))
        and found.imported.rpartition(".")[0] != folder
    ]

    assert broken == []


def test_no_file_is_a_drawer_for_everything():
    drawers = ("utils", "util", "core", "common", "helpers", "misc")

    assert [name_of(path) for path in modules() if path.stem in drawers] == []


def test_no_file_is_too_long():
    lengths = {
        name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()
    }

    assert {name: n for name, n in lengths.items() if n > 400} == {}

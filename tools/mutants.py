"""Mutation testing: change the code in small ways, and see whether a test notices.

    make mutants                                   all of verify/, privacy/ and recode/
    make mutants WHAT="privacy/k_map.py verify"    some of it

Every mutant is one change of one expression: `<` for `<=`, `+` for `-`, `and` for `or`, a number
one larger. It meets the tests of the file's folder that run the changed line, then those of folders
that use it (`mutant_tests.py` says how). A mutant that no test notices has survived. It is either
killed by a new test, or listed in `tools/survivors.txt` with the reason why it changes nothing that
matters. The script fails if a survivor is not listed, or if a listed mutant does not exist or is
killed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from mutant_tests import surviving

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "shoal"
LISTED = ROOT / "tools" / "survivors.txt"
WHAT = ("verify", "privacy", "recode")
# A mutant that survives the tests of its folder meets these.
THEN = [
    "tests/recode",
    "tests/write",
    "tests/verify",
    "tests/attacks",
    "tests/risks",
    "tests/runs",
    "tests/privacy",
    "tests/group/lattice/test_population_models.py",
]
SLOW = {  # of the tests of a folder, these come with the others
    "test_cannot_be_met.py",
    "test_claims.py",
    "test_covers_of_releases.py",
    "test_people_claims.py",
    "test_people_forms.py",
}
COMPARE = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
           ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
           ast.In: ast.NotIn, ast.NotIn: ast.In}  # fmt: skip
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
              ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr,
              ast.BitOr: ast.BitAnd}  # fmt: skip
PAIRS = [("min", "max"), ("any", "all"), ("minimum", "maximum"), ("floor", "ceil")]
NAMES = dict(PAIRS) | {second: first for first, second in PAIRS} | {"sum": "max"}

Edit = Callable[[Any], None]


class Mutant(NamedTuple):
    """A change. Its name does not depend on lines, so that the list of survivors stays right."""

    file: str  # below src/shoal
    line: int
    function: str
    change: str
    number: int  # of the mutants of the function that make the same change
    place: int  # of the changed node, in the order of `ast.walk`
    edit: int  # of those that the node can have
    # A test that runs none of these, first to last, cannot notice it. None: outside functions.
    lines: tuple[int, int] | None

    @property
    def room(self) -> str:
        return self.file.split("/")[0]

    @property
    def name(self) -> str:
        times = "" if self.number == 1 else f"  (number {self.number})"
        return f"{self.file} {self.function}:  {self.change}{times}"

    @property
    def source(self) -> str:
        """The whole file, with the change."""
        tree = ast.parse((SOURCE / self.file).read_text(encoding="utf-8"))
        node = next(node for i, node in enumerate(ast.walk(tree)) if i == self.place)
        list(_edits(node))[self.edit](node)
        return ast.unparse(tree)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mutants of a file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    skipped = _skipped(tree)
    functions, lines = _functions(tree), _lines(tree)
    file = path.relative_to(SOURCE).as_posix()
    times: Counter[tuple[str, str]] = Counter()
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in skipped or not hasattr(node, "lineno"):
            continue
        for edit, change in enumerate(_changes(node)):
            function = functions.get(id(node), "module")
            times[function, change] += 1
            number = times[function, change]
            yield Mutant(
                file=file,
                line=node.lineno,
                function=function,
                change=change,
                number=number,
                place=place,
                edit=edit,
                lines=lines.get(id(node)),
            )


def _functions(tree: ast.AST) -> dict[int, str]:
    """The innermost function or class around every node; `walk` comes to the inner ones later."""
    return {
        id(inner): outer.name
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.ClassDef)
        for inner in ast.walk(outer)
    }


def _lines(tree: ast.AST) -> dict[int, tuple[int, int]]:
    """Of every node inside a function, the lines of its statement, or of the head of a block.

    What stands in the head of a function runs when it is imported; then its lines are those of all
    of it.
    """
    lines: dict[int, tuple[int, int]] = {}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for statement in ast.walk(function):
            if isinstance(statement, ast.stmt):
                last = statement.end_lineno or statement.lineno
                if isinstance(statement, ast.If | ast.For | ast.While | ast.With):
                    last = max(statement.lineno, statement.body[0].lineno - 1)
                lines |= {id(node): (statement.lineno, last) for node in ast.walk(statement)}
    return lines


def _skipped(tree: ast.AST) -> set[int]:
    """Type hints, imports, decorators, and the texts of errors: no test should look at those."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            arguments = node.args.args + node.args.kwonlyargs
            parts += [node.returns, *node.decorator_list, *(a.annotation for a in arguments)]
        elif isinstance(node, ast.ClassDef):
            parts += [*node.decorator_list, *node.bases]
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert) or _is_for_types(node):
            parts.append(node)
        for part in parts:
            if part is not None:
                skipped |= {id(inner) for inner in ast.walk(part)}
    return skipped


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _changes(node: ast.AST) -> Iterator[str]:
    """What to put in the place of a node, one change at a time."""
    before = ast.unparse(node) if isinstance(node, ast.expr) else ""
    for edit in _edits(node):
        changed = copy.deepcopy(node)
        edit(changed)
        yield f"{before}  ->  {ast.unparse(changed)}"


def _edits(node: ast.AST) -> Iterator[Edit]:
    """The changes of a node: functions that change a copy of it."""
    if isinstance(node, ast.Compare):
        yield from (partial(_compare, i) for i, op in enumerate(node.ops) if type(op) in COMPARE)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield lambda n: setattr(n, "op", ARITHMETIC[type(n.op)]())
    elif isinstance(node, ast.BoolOp):
        yield lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield lambda n: setattr(n, "operand", ast.UnaryOp(type(n.op)(), n.operand))  # not not x
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield lambda n: setattr(n, "value", n.value + 1)
    elif isinstance(node, ast.Call) and _called(node) in NAMES:
        yield _call_another
    elif isinstance(node, ast.IfExp):
        yield lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))


def _compare(place: int, node: ast.Compare) -> None:
    node.ops[place] = COMPARE[type(node.ops[place])]()


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _call_another(call: ast.Call) -> None:
    name = NAMES[_called(call)]
    if isinstance(call.func, ast.Attribute):
        call.func.attr = name
    else:
        call.func = ast.Name(name)


def listed() -> dict[str, str]:
    """The survivors that are known, and why each changes nothing that matters."""
    known, reason = {}, ""
    for line in LISTED.read_text(encoding="utf-8").splitlines() if LISTED.exists() else []:
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            known[line.strip()] = reason
    return known


def files_of(what: list[str]) -> list[Path]:
    places = [SOURCE / name for name in what]
    files = [
        path
        for place in places
        for path in ([place] if place.is_file() else sorted(place.rglob("*.py")))
    ]
    return [path for path in files if path.name != "__init__.py"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", default=list(WHAT))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="Print the mutants and stop.")
    parser.add_argument("--first-only", action="store_true", help="Only tests of the same folder.")
    chosen = parser.parse_args()
    mutants = [mutant for path in files_of(chosen.what) for mutant in mutants_of(path)]
    if chosen.list:
        print("\n".join(f"{mutant.line:4} {mutant.name}" for mutant in mutants))
        return 0
    start, known = time.monotonic(), listed()
    survivors = survivors_of(mutants, known, chosen.processes, first_only=chosen.first_only)
    surprises = [mutant for mutant in survivors if mutant.name not in known]
    gone = set(known) - {mutant.name for mutant in survivors}
    gone = {name for name in gone if name.split()[0] in {m.file for m in mutants}}
    for mutant in surprises:
        print(f"survived, line {mutant.line}  {mutant.name}")
    for name in sorted(gone):
        print(f"listed as a survivor, but killed or not there  {name}")
    n_killed = len(mutants) - len(survivors)
    print(
        f"{len(mutants)} mutants, {n_killed} killed, {len(survivors)} survived: "
        f"{len(survivors) - len(surprises)} listed with a reason, {len(surprises)} not; "
        f"{time.monotonic() - start:.0f} s"
    )
    return 1 if surprises or gone else 0


def survivors_of(
    mutants: Sequence[Mutant], known: Container[str], n_processes: int, *, first_only: bool
) -> list[Mutant]:
    """Those that no test of their own folder notices and, unless they are known, no other test."""
    left: list[Mutant] = []
    for room in dict.fromkeys(mutant.room for mutant in mutants):
        ours = [mutant for mutant in mutants if mutant.room == room]
        files = sorted((ROOT / "tests" / room).glob("test_*.py"))
        quick = [str(path.relative_to(ROOT)) for path in files if path.name not in SLOW]
        found = surviving(ours, quick, n_processes)
        n_known = sum(mutant.name in known for mutant in found)
        print(f"{room}: {len(ours)} mutants, {len(found)} survive its tests, {n_known} are listed")
        left += found
    if not first_only:
        unknown = [mutant for mutant in left if mutant.name not in known]
        left = [mutant for mutant in left if mutant.name in known]
        left += surviving(unknown, THEN, n_processes)
    return sorted(left)


if __name__ == "__main__":
    sys.exit(main())

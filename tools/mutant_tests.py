"""The tests of mutants: all tests run once, to see which lines each of them runs and how long it
takes; then, for every mutant, those that run its line, quickest first, until one fails.

Tests are collected once. Each mutant has a fork of that process, in which the functions, constants
and classes of the changed file take what the mutant has in their place; so nothing is imported
again, and nothing is written. The process that forks runs no test itself: libraries that started
threads in it would hang in the forks.
"""

from __future__ import annotations

import gc
import inspect
import json
import math
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from mutants import Mutant

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "shoal"
LONGEST = 300  # seconds; a mutant that loops for ever is noticed
PYTEST = [
    *("-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:xdist"),
    "--hypothesis-seed=0",  # the same examples with every mutant
    "-Wignore::pytest.PytestAssertRewriteWarning",  # hypothesis is imported already
]
PLAIN = (bool, int, float, str, tuple, frozenset)


def surviving(mutants: Sequence[Mutant], tests: list[str], n_processes: int) -> list[Mutant]:
    """Those that none of these tests notices."""
    if not mutants:
        return []
    with tempfile.TemporaryDirectory() as home:
        process = os.fork()
        if process == 0:
            _in_child(lambda: _session(mutants, tests, n_processes, Path(home)))
        status = os.waitpid(process, 0)[1]
        if status != 0:
            sys.exit(f"The tests fail without any mutant ({_ended(status)}).")
        left = json.loads((Path(home) / "left").read_text())
    return [mutants[i] for i in left]


def _ended(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"exit code {code}" if code >= 0 else f"ended by signal {-code}"


def _in_child(run: Callable[[], int]) -> None:
    """Run and end the process, with 0 if all went well. Exit handlers are the parent's."""
    failed = 1
    try:
        failed = run()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(failed)


def _session(mutants: Sequence[Mutant], tests: list[str], n_processes: int, home: Path) -> int:
    import pytest

    _import_what_is_slow()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(SOURCE.parent))
    os.environ["PYTHONPATH"] = str(SOURCE.parent)  # of the processes that tests start
    folders = [str(ROOT / name) for name in tests]
    loop = _Loop(mutants, n_processes, home)
    return int(pytest.main([*PYTEST, f"--basetemp={home / 'tests'}", *folders], plugins=[loop]))


def _import_what_is_slow() -> None:
    """Nothing that starts threads, which a fork would not have."""
    from hypothesis import Phase, settings

    for name in ("narwhals", "numba", "pandas", "polars", "pytest", "rich", "scipy.optimize"):
        import_module(name)

    # A failing example is not made small, and not tried first with the next mutant.
    settings.register_profile("mutants", database=None, phases=[Phase.explicit, Phase.generate])
    settings.load_profile("mutants")


def _warm_up(session: pytest.Session) -> None:
    """What every fork would do first: load a kernel, make a folder, look at all objects."""
    import numpy as np

    from shoal.encode.fold import fold_equal_rows

    if _n_polars_threads():
        sys.exit("A file of tests starts threads of polars when it is imported; forks would hang.")
    fold_equal_rows([np.zeros(1, dtype=np.int32)], [1])
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    gc.freeze()


def _n_polars_threads() -> int:
    names = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
    return sum(name.startswith(("polars-0", "polars-1")) for name in names)


class _Loop:
    """Takes the place of pytest's loop over tests."""

    def __init__(self, mutants: Sequence[Mutant], n_processes: int, home: Path) -> None:
        self.mutants, self.n_processes, self.home = mutants, n_processes, home
        self.is_quiet = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.is_quiet:
            print(f"\n{report.nodeid}\n{report.longreprtext}", flush=True)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        _warm_up(session)
        process = os.fork()
        if process == 0:
            _in_child(lambda: self._try_without(session))
        status = os.waitpid(process, 0)[1]
        if status != 0:
            print(f"\nThe run of all tests: {_ended(status)}.", flush=True)
            session.testsfailed = 1
            return True
        seen = json.loads((self.home / "seen").read_text())
        self.is_quiet = True
        session.config.pluginmanager.unregister(name="terminalreporter")
        left = [i for i, status in self._try_all(session, seen) if status == 0]
        (self.home / "left").write_text(json.dumps(sorted(left)))
        return True

    def _try_without(self, session: pytest.Session) -> int:
        """Which lines every test runs, and how long it takes, as a file."""
        files = {str(SOURCE / mutant.file) for mutant in self.mutants}
        seen = []
        for item, then in with_next(session.items):
            with _Watched(files) as lines:
                start = time.monotonic()
                _run(item, then)
                seconds = time.monotonic() - start
            seen.append((seconds, {file: sorted(found) for file, found in lines.items()}))
        (self.home / "seen").write_text(json.dumps(seen))
        return min(1, session.testsfailed)

    def _try_all(
        self, session: pytest.Session, seen: list[tuple[float, dict[str, list[int]]]]
    ) -> Iterator[tuple[int, int]]:
        """The number of every mutant, and how its process ended."""
        running: dict[int, int] = {}
        for i, mutant in enumerate(self.mutants):
            if len(running) == self.n_processes:
                process, status = os.wait()
                yield running.pop(process), status
            items = [session.items[place] for place in noticing(mutant, seen)]
            process = os.fork()
            if process == 0:
                _in_child(partial(_try, mutant, items, session))
            running[process] = i
        while running:
            process, status = os.wait()
            yield running.pop(process), status


def noticing(mutant: Mutant, seen: list[tuple[float, dict[str, list[int]]]]) -> list[int]:
    """The tests that run a line of a mutant, those first that take least time.

    What was changed outside functions runs when it is imported: then all tests may notice it, and
    those that run anything of its file come first.
    """
    file = str(SOURCE / mutant.file)
    first, last = mutant.lines or (1, math.inf)
    found = []
    for place, (seconds, lines) in enumerate(seen):
        is_run = any(first <= line <= last for line in lines.get(file, ()))
        if is_run or mutant.lines is None:
            found.append((not is_run, seconds, place))
    return [place for *_, place in sorted(found)]


def _try(mutant: Mutant, items: Sequence[pytest.Item], session: pytest.Session) -> int:
    signal.alarm(LONGEST)
    try:
        put_in(mutant)
    except Exception:  # it cannot even be imported
        return 1
    for item, then in with_next(items):
        item.repr_failure = lambda *_, **__: ""  # type: ignore[method-assign]
        _run(item, then)
        if session.testsfailed:
            return 1
    return 0


def with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip_longest(items, items[1:])


def _run(item: pytest.Item, then: pytest.Item | None) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=then)


class _Watched:
    """Notes the lines of some files that run, in this thread and in new ones."""

    def __init__(self, files: set[str]) -> None:
        self.lines: dict[str, set[int]] = {file: set() for file in files}

    def __enter__(self) -> dict[str, set[int]]:
        threading.settrace(self._call)
        sys.settrace(self._call)
        return self.lines

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def _call(self, frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename not in self.lines:
            return None
        return self._line

    def _line(self, frame: FrameType, event: str, _: object) -> Any:
        self.lines[frame.f_code.co_filename].add(frame.f_lineno)
        return self._line


def put_in(mutant: Mutant) -> None:
    """Give the module, its functions and its classes what those of the mutant have."""
    path = SOURCE / mutant.file
    module = sys.modules[".".join(["shoal", *path.relative_to(SOURCE).with_suffix("").parts])]
    changed = ModuleType(module.__name__)
    changed.__file__ = str(path)
    exec(compile(mutant.source, str(path), "exec"), changed.__dict__)
    _replace(module, module, changed)


def _replace(module: ModuleType, old: Any, new: Any) -> None:
    for name, before in list(vars(old).items()):
        after = vars(new).get(name)
        if isinstance(before, PLAIN) and type(before) is type(after):
            if before != after:
                _set_everywhere(module, old, name, after)
        elif isinstance(before, type) and before.__module__ == module.__name__:
            _replace(module, before, after)
        elif (function := _function(before)) is not None:
            other = _function(after)
            if other is not None and function.__module__ == module.__name__:
                function.__code__ = other.__code__
                function.__defaults__ = other.__defaults__
                function.__kwdefaults__ = other.__kwdefaults__


def _set_everywhere(module: ModuleType, holder: Any, name: str, value: Any) -> None:
    """Of a module's constant, those too that others imported from it."""
    if name.startswith("__"):
        return
    if isinstance(holder, type):
        setattr(holder, name, value)
        return
    before = getattr(holder, name)
    for other in list(sys.modules.values()):
        if other is module or (
            getattr(other, "__name__", "").startswith("shoal") and vars(other).get(name) is before
        ):
            setattr(other, name, value)


def _function(thing: Any) -> FunctionType | None:
    """The function that stands behind a method, a property or a decorated function."""
    if isinstance(thing, staticmethod | classmethod):
        thing = thing.__func__
    elif isinstance(thing, property):
        thing = thing.fget
    elif type(thing).__name__ == "cached_property":
        thing = thing.func
    thing = inspect.unwrap(thing) if callable(thing) else thing
    return thing if isinstance(thing, FunctionType) else None

"""The folder of a comparison: what it is about, and a line for every run that ended.

A line is added in one piece as soon as a run ends. Whatever happens to the command, only what was
running is lost, and the next call goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from shoal import __version__
from shoal.comparison.run import Run
from shoal.errors import InputError, OutputError
from shoal.write.atomic import write_text
from shoal.write.registry import append_line

ABOUT = "comparison.json"
RUNS = "runs.jsonl"


class Journal:
    """The runs that are known already; without a folder, those of this call alone."""

    def __init__(self, folder: Path | None = None, **about: str) -> None:
        self.folder = folder
        self._runs: dict[str, Run] = {}
        if folder is None:
            return
        self._refuse_other(folder, {"shoal": __version__, **about})
        for run in read_runs(folder / RUNS):
            self._runs[run.id] = run

    def add(self, run: Run) -> None:
        self._runs[run.id] = run
        if self.folder is not None:
            append_line(self.folder / RUNS, run.line())

    def known(
        self, id_: str, measures: Sequence[str], seconds: float | None, memory: int | None
    ) -> Run | None:
        """A run that need not be repeated: it has these measures, or no limit was raised since."""
        run = self._runs.get(id_)
        if run is None:
            return None
        if run.outcome in ("too long", "too much memory"):
            limit = seconds if run.outcome == "too long" else memory
            return run if limit is not None and limit <= (run.limit or 0) else None
        if run.is_verified and not set(measures) <= set(run.measures):
            return None
        return run

    def _refuse_other(self, folder: Path, about: dict[str, str]) -> None:
        """Refuse a folder that is about other data, another policy or another version."""
        path = folder / ABOUT
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            _refuse_full(folder)
            write_text(path, json.dumps(about, indent=1) + "\n")
            return
        except (OSError, ValueError):
            raise InputError(f"{path} cannot be read. Choose another folder.") from None
        other = [key for key in about if known.get(key) != about[key]] if known else ["data"]
        if other:
            what = {"data": "another table", "policy": "another policy"}.get(
                other[0], "runs of another version of Shoal"
            )
            raise OutputError(
                f"{folder} has a comparison of {what}, which cannot go on with this one. Choose "
                "another folder."
            )


def read_runs(path: Path) -> Iterable[Run]:
    """The runs of a journal; a line that was cut off when the command was killed is left out."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    return tuple(run for run in map(Run.of_line, lines) if run is not None)


def _refuse_full(folder: Path) -> None:
    if any(not path.name.startswith(".") for path in folder.iterdir()):
        raise OutputError(
            f"{folder} has files that are not of a comparison. Choose another folder, or an empty "
            "one."
        )

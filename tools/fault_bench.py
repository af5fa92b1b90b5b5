"""What the cases of `tools/faults.py` work with: a folder, the command, and what is counted."""

from __future__ import annotations

import gzip
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
LONGEST = 600  # seconds of a run that should have ended
MB = 1_000_000
POLICY = """\
columns:
  age: {{role: quasi, hierarchy: {{intervals: [5, 10, 20]}}}}
  zip: {{role: quasi, hierarchy: {{prefix: 5}}}}
  illness: sensitive
privacy:
  - {{model: k-anonymity, k: {k}}}
algorithm: {algorithm}
suppression: 0.05
"""


class Ended(NamedTuple):
    """A run of the command that is over."""

    code: int
    err: str
    peak_mb: int


@dataclass
class Outcome:
    """What a case tried, how often it ended how, and what was wrong."""

    ended: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    figures: dict[str, str] = field(default_factory=dict)

    def note(self, how: str, problem: str | None = None) -> None:
        self.ended[how] += 1
        if problem:
            self.wrong.append(f"{how}: {problem}")


class Bench:
    """A folder with a table, two policies, and the release of each."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder = folder
        self.rng = rng
        self.write_table("table.csv", 2_000)
        for i, k in enumerate((3, 20)):
            self.write_policy(f"{i}.yaml", k=k)
            ended = self.run("anonymize", "table.csv", "-p", f"{i}.yaml", "-o", f"{i}.csv")
            assert ended.code == 0, ended.err
        self.whole = [(folder / f"{i}.csv").read_bytes() for i in range(2)]

    def write_table(self, name: str, n_rows: int) -> Path:
        rng = random.Random(1)
        lines = (
            f"{rng.randrange(90)},{rng.randrange(10_000, 99_999)},i{rng.randrange(9)}"
            for _ in range(n_rows)
        )
        path = self.folder / name
        path.write_text("age,zip,illness\n" + "\n".join(lines) + "\n")
        return path

    def write_policy(self, name: str, *, k: int = 3, algorithm: str = "flash") -> None:
        (self.folder / name).write_text(POLICY.format(k=k, algorithm=algorithm))

    def start(self, *arguments: str, code: str = "", **how: Any) -> subprocess.Popen[str]:
        command = ["-c", code] if code else ["-m", "shoal"]
        path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
        how["env"] = os.environ | {"PYTHONPATH": path} | how.get("env", {})
        return subprocess.Popen(
            [sys.executable, *command, *arguments],
            **{"cwd": self.folder, "text": True} | how,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *arguments: str, **how: Any) -> Ended:
        return self.end(self.start(*arguments, **how))

    def end(self, process: subprocess.Popen[str]) -> Ended:
        """Wait for a run; the largest memory that it ever had is what the system counted."""
        peak = [0]
        watcher = threading.Thread(target=_watch_memory, args=(process, peak))
        watcher.start()
        try:
            _, err = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
            err += "\nit did not end"
        watcher.join()
        return Ended(process.returncode, err, peak[0])

    def drafts(self) -> list[Path]:
        return [path for path in self.folder.rglob(".*") if path.name not in (".", "..")]


def _watch_memory(process: subprocess.Popen[str], peak: list[int]) -> None:
    while process.poll() is None:
        with suppress(OSError, IndexError, ValueError):
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            most = next((line for line in lines if line.startswith("VmHWM")), "x 0")
            peak[0] = max(peak[0], int(most.split()[1]) // 1000)
        time.sleep(0.02)


def problem_of(ended: Ended, *words: str, code: int = 2) -> str | None:
    """What is wrong with a refusal: it must be in our words, and no crash."""
    if ended.code != code:
        return f"exit code {ended.code}: {ended.err[-200:]}"
    if "Traceback" in ended.err or "internal error" in ended.err or "panicked" in ended.err:
        return "a crash, not a message"
    missing = [word for word in words if word not in ended.err]
    return f"the message does not say {missing}: {ended.err[-200:]}" if missing else None


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[bool]:
    """A file system of its own in a folder, where this is allowed."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    is_there = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield is_there
    finally:
        if is_there:
            subprocess.run(["umount", str(folder)], check=True)


def limit_files(n_bytes: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


def machine() -> str:
    """What timings were taken on: they say little without it."""
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores with a load of {load:.0f}, at priority {os.nice(0)}"


def spread_of(waits: Sequence[float]) -> str:
    ordered = sorted(waits)
    return f"median {ordered[len(ordered) // 2]:.2f}, most {ordered[-1]:.2f}" if ordered else "none"


def make_eaters(bench: Bench) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    folder = bench.folder
    with gzip.open(folder / "bomb.csv.gz", "wb", compresslevel=1) as file:
        file.write(b"age,zip,illness\n")
        for _ in range(60):
            file.write(b"31,12345,i1\n" * 1_000_000)
    for name, begin in (("line.csv", b"age,zip,illness\n31,1"), ("note.csv", b'age\n"')):
        with (folder / name).open("wb") as file:
            file.write(begin)
            file.truncate(2_100 * MB)  # zeros, which take no room on the disk
    aliases = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}'] * 10)}]\n" for name in "bcdefghij"
    )
    (folder / "aliases.yaml").write_text(aliases)
    (folder / "braces.yaml").write_text("columns: " + "{a: " * 3_000)
    zero = POLICY.format(k=3, algorithm="flash").replace("{prefix: 5}", "/dev/zero")
    (folder / "zero.yaml").write_text(zero)

    def run(table: str, policy: str = "0.yaml") -> tuple[str, ...]:
        return ("anonymize", table, "-p", policy)

    return {
        "a gzip bomb of 60 million rows": (run("bomb.csv.gz"), ("gzip",)),
        "a line of 2.1 GB": (run("line.csv"), ("line 2 has more than",)),
        "a quoted field of 2.1 GB": (run("note.csv"), ("line 2 has more than",)),
        "aliases of aliases": (run("table.csv", "aliases.yaml"), ("values",)),
        "3,000 braces": (run("table.csv", "braces.yaml"), ("too deep",)),
        "a hierarchy of /dev/zero": (run("table.csv", "zero.yaml"), ("device",)),
        "a table of /dev/zero": (run("/dev/zero"), ("device",)),
    }

"""Is it slower than it was? Two versions of Shoal in turns, in CPU seconds of whole commands.

    python benchmarks/against.py REVISION [NAME ...]    for example HEAD~5 mondrian flash
    make bench-compare BASE=REVISION

An earlier revision is checked out into a temporary folder, and both versions run the same commands
on the same files, one after the other, so that a busy machine slows both. What is printed is the
median of the ratios of neighbouring runs, and between which the middle half of them lies. Kernels
and modules are compiled before anything is measured.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from _measure import MILLION
from tables import COLUMNS, write_tables

ROOT = Path(__file__).parents[1]
RUNS = 7
ALLOWED = 1.03  # times the seconds before
SMALL = 100_000
SENSITIVE = "occupation"
K_AND_L = f"{{model: distinct-l-diversity, column: {SENSITIVE}, l: 3}}"


class Command(NamedTuple):
    """A command of Shoal on a table of so many rows."""

    name: str
    n_rows: int
    algorithm: str
    verb: str = "anonymize"


COMMANDS = [
    Command("mondrian", MILLION, "mondrian"),
    Command("flash", MILLION, "flash"),
    Command("improved-greedy", MILLION, "improved-greedy"),
    Command("mstk", SMALL, "mstk"),
    Command("t-clustering", MILLION, "t-clustering"),
    Command("k-member", SMALL, "k-member"),
    Command("oka", SMALL, "oka"),
    Command("k-member-p", SMALL, "k-member-p"),
    Command("tgc", SMALL, "tgc, s: 25"),
    Command("check", MILLION, "mondrian", "check"),
    Command("risk", MILLION, "mondrian", "risk"),
]


def main() -> None:
    revision, *names = sys.argv[1:]
    chosen = [command for command in COMMANDS if not names or command.name in names]
    with tempfile.TemporaryDirectory() as home:
        old = Path(home) / "old"
        subprocess.run(
            ["git", "worktree", "add", "--quiet", "--detach", str(old), revision],
            cwd=ROOT, check=True,
        )  # fmt: skip
        try:
            write_tables(Path(home), sorted({command.n_rows for command in chosen}))
            print("| command | rows | before, CPU s | now, CPU s | now ÷ before | middle half |")
            print("|--|--:|--:|--:|--:|--:|")
            slower = []
            for command, row in measured(chosen, Path(home), {"before": old, "now": ROOT}):
                print(row.text, flush=True)
                slower += [command.name] * (row.ratio > ALLOWED)
            print(f"\nMore than {ALLOWED} times as slow as before: {', '.join(slower) or 'none'}.")
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(old)], cwd=ROOT)


class Row(NamedTuple):
    ratio: float
    text: str


def measured(
    commands: list[Command], home: Path, versions: dict[str, Path]
) -> Iterator[tuple[Command, Row]]:
    for command in commands:
        line = arguments(command, home)
        for root in versions.values():
            cpu_seconds(line, root)
        runs = [
            {name: cpu_seconds(line, root) for name, root in versions.items()} for _ in range(RUNS)
        ]
        before, now = ([run[name] for run in runs] for name in versions)
        low, ratio, high = statistics.quantiles(
            (n / b for n, b in zip(now, before, strict=True)), n=4, method="inclusive"
        )
        text = (
            f"| {command.name} | {command.n_rows:,} | {statistics.median(before):.2f} | "
            f"{statistics.median(now):.2f} | {ratio:.3f} | {low:.2f} to {high:.2f} |"
        )
        yield command, Row(ratio, text)


def arguments(command: Command, home: Path) -> list[str]:
    """The command line; the policy and, to check it, a release are made beforehand."""
    policy = home / f"{command.name}.yaml"
    policy.write_text(policy_text(command), encoding="utf-8")
    data, release = home / f"adult-{command.n_rows}.csv", home / f"{command.name}.csv"
    making = ["anonymize", str(data), "-p", str(policy), "-o", str(release), "--quiet", "--json"]
    if command.verb == "anonymize":
        return making
    if command.verb == "check":
        cpu_seconds(making, ROOT)
        return ["check", str(release), "-p", str(policy), "--original", str(data), "--json"]
    return ["risk", str(data), "-p", str(policy), "--json", "--quiet"]


def policy_text(command: Command) -> str:
    specs = {name: f"{{role: quasi, hierarchy: hierarchies/{name}.csv}}" for name in COLUMNS}
    specs |= {"age": "{role: quasi, hierarchy: {intervals: [5, 10, 20]}}", SENSITIVE: "sensitive"}
    columns = "".join(f"  {name}: {spec}\n" for name, spec in specs.items())
    models = f"[{{model: k-anonymity, k: 5}}, {K_AND_L}]"
    return (
        f"columns:\n{columns}privacy: {models}\nsuppression: 0.05\n"
        f"algorithm: {{name: {command.algorithm}}}\n"
    )


def cpu_seconds(line: list[str], root: Path) -> float:
    """Of the whole process, on all cores; modules come from bytecode, as in an installation.

    The release of the other version is removed first: neither overwrites what it did not write.
    """
    if "-o" in line:
        Path(line[line.index("-o") + 1]).unlink(missing_ok=True)
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": ""}
    process = subprocess.Popen(
        [sys.executable, "-m", "shoal", *line], env=environment, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"failed: {' '.join(line)}")
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()

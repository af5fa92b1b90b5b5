"""Faults: what is left of a release when something goes wrong, tried again and again.

    make faults                                    all cases, and what was lost; some minutes
    make faults ONLY="kill full-disk" TIMES=20     some of them
    python tools/faults.py --write docs/reliability.md

The command is killed, its disk is full, its memory is limited, its files are damaged. The old
release or the new one must be there, whole; nothing else may be. The script fails if anything was
wrong. Cases are in fault_cases.py, what they work with in fault_bench.py.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fault_bench import Bench, Outcome
from fault_cases import CASES


def try_case(name: str, folder: Path, *, times: int | None = None, seed: int = 0) -> Outcome:
    """One case in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    case = CASES[name]
    return case.run(Bench(folder, random.Random(f"{seed} {name}")), times or case.times)


def row_of(name: str, outcome: Outcome) -> str:
    title = (CASES[name].run.__doc__ or "").strip()
    n_tried = sum(outcome.ended.values())
    how = "; ".join(f"{how}: {n}" for how, n in sorted(outcome.ended.items()))
    figures = "; ".join(f"{what}: {value}" for what, value in outcome.figures.items())
    lost = "nothing" if not outcome.wrong else f"{len(outcome.wrong)}, see below"
    return f"| {title} | {n_tried} | {'. '.join(filter(None, [how, figures]))} | {lost} |"


HEAD = """\
# Reliability

What was done to runs, how often, and what was lost. `make faults` tries it all, with the same
random moments for the same seed, and writes this page. Afterwards the old release must be there, or
the new one, whole; a message must say what is wrong; nothing else may be left.

| what was tried | times | how it ended | lost |
|--|--|--|--|
"""


def page_of(outcomes: Mapping[str, Outcome], earlier: str = "") -> str:
    """The page; rows of cases that were not tried now are those of the earlier page."""
    rows, wrong = {}, []
    for line in earlier.splitlines():
        if line.startswith("| ") and not line.startswith("| what was tried"):
            rows[line.split(" | ")[0]] = line
        if line.startswith("- ") and line[2:].split(":")[0] not in outcomes:
            wrong.append(line)
    for name, outcome in outcomes.items():
        row = row_of(name, outcome)
        rows[row.split(" | ")[0]] = row
        wrong += [f"- {name}: {what}" for what in outcome.wrong]
    n_tried = sum(int(row.split(" | ")[1]) for row in rows.values())
    end = f"\n{n_tried:,} tries: {len(wrong)} went wrong.\n"
    found = "\n## What went wrong\n\n" + "\n".join(wrong) + "\n" if wrong else ""
    return HEAD + "\n".join(rows.values()) + "\n" + end + found


def main() -> int:
    parser = argparse.ArgumentParser(description="What is left when something goes wrong.")
    parser.add_argument("cases", nargs="*", help=f"some of {', '.join(CASES)}")
    parser.add_argument("--without", nargs="*", default=[], help="all but these")
    parser.add_argument("--times", type=int, help="tries of each case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", type=Path, help="write the results to this page")
    given = parser.parse_args()
    names = [name for name in given.cases or CASES if name not in given.without]

    def try_one(name: str) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="shoal-faults-") as folder:
            outcome = try_case(name, Path(folder), times=given.times, seed=given.seed)
        print(row_of(name, outcome), *outcome.wrong, sep="\n", flush=True)
        return outcome

    is_well = True
    for name in names:
        outcome = try_one(name)
        is_well &= not outcome.wrong
        if given.write:  # at once: a later case may be ended by somebody
            earlier = given.write.read_text(encoding="utf-8") if given.write.exists() else ""
            given.write.write_text(page_of({name: outcome}, earlier), encoding="utf-8")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())

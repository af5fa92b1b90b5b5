"""Measure the lower bound of the loss and write its tables to benchmarks/README.md.

    python benchmarks/bound.py             measure, print and write
    python benchmarks/bound.py --print     measure and print only

Adult with the ARX project's hierarchies, which are not part of this repository: set SHOAL_SHARED to
the folder that has `data/adult`. Kernels are loaded beforehand, and the table is encoded.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from _measure import MILLION, machine, write_between, yardstick
from full_domain import ADULT, adult_table
from tables import write_tables

import shoal
from shoal.bound.lower_bound import WORK, lower_bound
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.table import Table

LEFT_OUT = {"nine": (), "eight, without occupation": ("occupation",)}
# What a search is to lose in half a minute, by k; and how far that may be from the bound at k = 5.
LOSSES = {
    "nine": {5: 0.0494, 10: 0.0731, 25: 0.1100, 50: 0.1445},
    "eight, without occupation": {5: 0.0262, 10: 0.0404, 25: 0.0656, 50: 0.0912},
}
FARTHEST = {"nine": 1.25, "eight, without occupation": 1.18}
EFFORTS = (WORK // 40, WORK // 20, WORK // 10, WORK // 5, WORK // 2)


class Measured(NamedTuple):
    bound: float
    seconds: float  # of the processor


def main() -> None:
    if not ADULT.exists():
        sys.exit("the ARX project's hierarchies are not there; set SHOAL_SHARED to their folder")
    tables = {name: adult_table(left_out) for name, left_out in LEFT_OUT.items()}
    measure(next(iter(tables.values())), 5, WORK // 1000)  # loads the kernels
    with tempfile.TemporaryDirectory() as folder:
        million = write_tables(Path(folder), [MILLION])[MILLION]
        measured = yardstick(million)
    blocks = [
        [f"{machine()}, {time.strftime('%B %Y')}; yardstick {measured:.3f} s."],
        list(bounds(tables, measured)),
        list(curves(tables)),
    ]
    text = "\n\n".join("\n".join(block) for block in blocks)
    print(text)
    if "--print" not in sys.argv:
        write_between("bound tables", text)


def bounds(tables: dict[str, Table], measured: float) -> Iterator[str]:
    yield "| columns | k | bound | CPU s | ÷ yardstick | loss to be reached | loss ÷ bound |"
    yield "|--" * 7 + "|"
    for name, table in tables.items():
        for k, loss in LOSSES[name].items():
            found = measure(table, k, WORK)
            most = f" (≤ {FARTHEST[name]})" if k == 5 else ""
            line = (
                f"| {name} | {k} | {found.bound:.5f} | {found.seconds:.1f} "
                f"| {found.seconds / measured:.0f} | {loss:.4f} | {loss / found.bound:.3f}{most} |"
            )
            print(line, flush=True)
            yield line


def curves(tables: dict[str, Table]) -> Iterator[str]:
    heads = " | ".join(f"{name}: bound | CPU s" for name in tables)
    yield f"| k = 5, work in million rows | {heads} |"
    yield "|--" * (1 + 2 * len(tables)) + "|"
    for work in EFFORTS:
        found = [measure(table, 5, work) for table in tables.values()]
        cells = " | ".join(f"{each.bound:.5f} | {each.seconds:.1f}" for each in found)
        yield f"| {work // 1_000_000:,} | {cells} |"


def measure(table: Table, k: int, work: int) -> Measured:
    start = time.process_time()
    found = lower_bound(table, Privacy((shoal.KAnonymity(k),)), Limits(), work=work)
    assert found.value is not None
    return Measured(found.value, time.process_time() - start)


if __name__ == "__main__":
    main()

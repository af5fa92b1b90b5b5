"""Measure the verification of a release and write its table to benchmarks/README.md.

    python benchmarks/verify.py             measure, print and write
    python benchmarks/verify.py --print     measure and print only

A million published rows of seven quasi-identifiers, occupation being sensitive. The file is read
beforehand; grouping its cells, counting and asking all models is what is timed.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _measure import MILLION, machine, run, write_between, yardstick
from tables import COLUMNS, resampled_adult, write_tables

RUNS = 5
SENSITIVE = "occupation"
K_L_AND_T = (
    "{model: k-anonymity, k: 5}",
    f"{{model: distinct-l-diversity, column: {SENSITIVE}, l: 3}}",
    f"{{model: t-closeness, column: {SENSITIVE}, t: 0.4}}",
)
KMAP = ("{model: k-map, k: 5, population: people.csv}",)
MEASURE = """
import json, statistics, sys, time
from pathlib import Path
from shoal.runs.verification import verify_release
from shoal.policy.policy import Policy
from shoal.read.files import read_file

policy = Policy.load(sys.argv[1])
release = read_file(Path(sys.argv[2]))
schema = policy.schema_of_release(release.frame.columns)
seconds = []
for _ in range(int(sys.argv[3]) + 1):
    start = time.perf_counter()
    verdict = verify_release(release, policy, schema)
    seconds.append(time.perf_counter() - start)
assert verdict.holds
print(json.dumps({"seconds": statistics.median(seconds[1:]), "groups": verdict.n_groups}))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = write_tables(folder, [MILLION])[MILLION]
        resampled_adult(MILLION, seed=1).write_csv(folder / "people.csv")
        measured = yardstick(data)
        lines = [f"{machine()}, {time.strftime('%B %Y')}; yardstick {measured:.3f} s.", ""]
        lines += table(folder, data, measured)
    text = "\n".join(lines)
    print(text)
    if "--print" not in sys.argv:
        write_between("verification tables", text)


def table(folder: Path, data: Path, measured: float) -> Iterator[str]:
    yield "| models | algorithm | groups | s | ÷ yardstick | to be reached |"
    yield "|--" * 6 + "|"
    for models, algorithm, bound in (
        (K_L_AND_T, "mondrian", "≤ 6"),
        (K_L_AND_T, "t-clustering", "≤ 6"),
        (KMAP, "flash", ""),
    ):
        found = measure(folder, data, models, algorithm)
        names = ", ".join(model.split(",")[0].removeprefix("{model: ") for model in models)
        yield (
            f"| {names} | {algorithm} | {found['groups']:,} | {found['seconds']:.2f} | "
            f"{found['seconds'] / measured:.2f} | {bound} |"
        )


def measure(folder: Path, data: Path, models: tuple[str, ...], algorithm: str) -> dict:
    policy, release = folder / "policy.yaml", folder / "release.csv"
    columns = [f"  {name}: {role(name)}" for name in COLUMNS]
    rules = ["columns:", *columns, f"privacy: [{', '.join(models)}]", f"algorithm: {algorithm}"]
    policy.write_text("\n".join([*rules, ""]), encoding="utf-8")
    options = ["-p", str(policy), "-o", str(release), "--quiet", "--json"]
    run([sys.executable, "-m", "shoal", "anonymize", str(data), *options])
    command = [sys.executable, "-c", MEASURE, str(policy), str(release), str(RUNS)]
    return json.loads(run(command).output)


def role(name: str) -> str:
    if name == SENSITIVE:
        return "sensitive"
    return "quasi" if name == "age" else f"{{role: quasi, hierarchy: hierarchies/{name}.csv}}"


if __name__ == "__main__":
    main()

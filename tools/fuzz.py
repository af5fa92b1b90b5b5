"""Fuzzing: random policies, files, cells and whole runs, until the time is up.

    make fuzz SECONDS=60                           all targets, about a minute in all
    python tools/fuzz.py runs --seconds 10         one of them
    python tools/fuzz.py runs --seed 1234          the case that went wrong, again

What is read may be refused in our words and never crash. A release of a random table is judged by
`tests/naive`, which shares no code with Shoal. Where atheris is installed, parsers are fuzzed by
coverage too. Whatever goes wrong is printed with the command that repeats it.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import random
import subprocess
import sys
import tempfile
import time
import traceback
from importlib.util import find_spec
from pathlib import Path

from hypothesis import HealthCheck

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

POLICY_WORDS = [
    *("columns: ", "privacy: ", "algorithm: ", "suppression: ", "tables: ", "person: ", "role: "),
    *("hierarchy: ", "model: ", "k: ", "quasi", "sensitive", "identifier", "keep", "k-anonymity"),
    *("mondrian", "flash", "intervals: ", "prefix: ", "tree: ", "5", "0.1", "-1", "1e999", "~"),
    *(
        "{",
        "}",
        "[",
        "]",
        ", ",
        "- ",
        "&a ",
        "*a",
        "<<: ",
        "? ",
        ": ",
        "!!python/object ",
        "|",
        ">",
    ),
    *("'", '"', "#", "a", "b: ", "\n", "\n  ", "\n    ", " ", "é", "\x07", "\u2028", "%"),
]
CSV_WORDS = ["a", "b", "1", '"', '""', ",", ";", "\t", "\n", "\n\n", " ", "é", "x,y", '"p,q"', "|"]
CELL_WORDS = [
    *("[", "]", "(", ")", "{", "}", ", ", ",", '"', "\\", "*", "-", "1", "20.5", "1e5", "a", "."),
    *("2020-01-02", "12:30:00", " ", "\\u0041", "é", "NaN", "inf", "0s", "/"),
]
BATCH = 100  # texts that hypothesis makes from one seed


def read_policy(text: str) -> None:
    """A policy is read, or refused in our words."""
    from shoal.errors import ShoalError
    from shoal.policy.file import parse_policy
    from shoal.policy.policy import Policy

    with contextlib.suppress(ShoalError):
        Policy.of_mapping(parse_policy(text).content)


def read_hierarchy(text: str) -> None:
    """A level table becomes equally long paths under one root, or is refused."""
    from shoal.errors import HierarchyError
    from shoal.read.level_table import read_level_table

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "levels.csv")
        path.write_text(text, encoding="utf-8", newline="")
        try:
            paths = read_level_table(path)
        except HierarchyError:
            return
    assert len({len(path) for path in paths}) == 1
    assert {path[-1] for path in paths} == {"*"}
    assert len({path[0] for path in paths}) == len(paths)


def read_table(text: str) -> None:
    """A csv file has the cells that Python's own reader finds, or is refused."""
    from shoal.errors import InputError
    from shoal.read.files import read_file

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_text(text, encoding="utf-8", newline="")
        try:
            source = read_file(path)
        except InputError:
            return
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=source.delimiter, strict=True)
        header, *rows = list(lines)
    except csv.Error:
        return  # stricter than most readers, and not asked about what it refuses
    if len(header) > 1:
        rows = [row for row in rows if row]
        found = [["" if cell is None else cell for cell in row] for row in source.frame.rows()]
        assert (source.frame.columns, found) == (header, rows)


def read_cell(text: str) -> None:
    """Any text can be read as a cell, and sets are read as plain Python reads them."""
    from naive.cells import parse_set
    from shoal.verify.cell_text import measure, read_range, read_set

    measure(text)
    found, values = read_range(text), read_set(text)
    assert found is None or text[0] == "["
    try:
        naive = parse_set(text) if text[:1] == "{" and text[-1:] == "}" else None
    except (AssertionError, ValueError):
        return
    if values is not None and naive is not None and "" not in naive and "\\" not in text:
        assert list(values) == naive


def runs(seed: int) -> None:
    """The release of a random table keeps its model, as plain Python counts it."""
    import polars as pl

    from conformance.tables import HIERARCHIES, MODELS, patients
    from conformance.tables import policy as policy_of
    from naive.release import is_broken
    from shoal import catalog
    from shoal.errors import NotPrivate, NotVerified

    rng = random.Random(seed)
    model, algorithm = rng.choice(sorted(MODELS)), rng.choice(sorted(catalog.names("algorithm")))
    original = patients(rng.randrange(3, 60), seed, missing=rng.choice([0, 0.1]))
    others = patients(40, seed + 1, missing=0.05)
    options = varied(MODELS[model], rng)
    with tempfile.TemporaryDirectory() as folder:
        if "population" in options:
            options["population"] = str(Path(folder, "population.parquet"))
            pl.concat([original, others]).write_parquet(options["population"])
        rules = policy_of(
            algorithm, model, options=options, suppression=rng.choice([0, 0.1, 0.5]), seed=seed
        )
        try:
            release = rules.anonymize(original)
        except NotVerified:
            raise
        except NotPrivate:
            return
    rows = [table.to_dicts() for table in (release.published, original)]
    population = pl.concat([original, others]).to_dicts()
    assert not is_broken(model, options, *rows, list(HIERARCHIES), population), (algorithm, options)


def varied(options: dict[str, object], rng: random.Random) -> dict[str, object]:
    """Options of a model, some stricter and some milder."""
    changed = dict(options)
    for name in ("k", "l", "p"):
        if isinstance(changed.get(name), int):
            changed[name] = rng.randrange(2, 5)
    if "p" in changed and "k" in changed:  # a record has one value
        changed["p"] = min(int(str(changed["p"])), int(str(changed["k"])))
    for name in ("t", "alpha", "beta", "delta", "max"):
        value = changed.get(name)
        if isinstance(value, float):
            changed[name] = min(round(value * rng.uniform(0.8, 1.5), 3), 1.0 if value < 1 else 9.0)
    return changed


TEXTS = {
    "policy": (read_policy, POLICY_WORDS),
    "hierarchy": (read_hierarchy, CSV_WORDS),
    "table": (read_table, CSV_WORDS),
    "cell": (read_cell, CELL_WORDS),
}
TARGETS = [*TEXTS, "runs"]
GUIDED = {"policy": read_policy, "cell": read_cell}


def try_seed(name: str, seed: int) -> int:
    """The cases of one seed: texts by hypothesis, which makes a bad one small, or a whole run."""
    if name == "runs":
        runs(seed)
        return 1
    import hypothesis
    from hypothesis import strategies

    read, words = TEXTS[name]
    pieces = strategies.sampled_from(words) | strategies.characters(
        codec="utf-8", exclude_characters="\r\0"
    )
    texts = strategies.lists(pieces, max_size=50).map("".join)
    how = hypothesis.settings(
        max_examples=BATCH, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    hypothesis.seed(seed)(how(hypothesis.given(texts)(read)))()
    return BATCH


def fuzz(name: str, seconds: float, first: int) -> tuple[int, bool]:
    """How many cases were tried, and whether all went well; the first that did not is told."""
    n_tried, seed, ends = 0, first, time.monotonic() + seconds
    while n_tried == 0 or time.monotonic() < ends:
        try:
            n_tried += try_seed(name, seed)
        except Exception:
            traceback.print_exc()
            print(f"{name} went wrong. Repeat it: python tools/fuzz.py {name} --seed {seed}")
            return n_tried, False
        seed += 1
    return n_tried, True


def fuzz_guided(name: str, seconds: float) -> bool:
    """The same by coverage, in a process of its own: atheris ends the one that it runs in."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--guided", name, f"-max_total_time={int(seconds)}"]
        prefix = f"-artifact_prefix={ROOT}/fuzz-{name}-"
        ended = subprocess.run(
            [*command, prefix, folder], check=False, capture_output=True, text=True
        )
    if ended.returncode:
        print(ended.stderr[-3000:])
        print(f"Repeat it: python tools/fuzz.py --guided {name} FILE, with the file named above")
    return ended.returncode == 0


def guide(name: str, arguments: list[str]) -> None:
    import atheris

    with atheris.instrument_imports(include=["shoal.policy", "shoal.verify.cell_text"]):
        import shoal.policy.file
        import shoal.verify.cell_text  # noqa: F401 - imported to be watched

    def try_one(content: bytes) -> None:
        GUIDED[name](content.decode("utf-8", errors="replace"))

    atheris.Setup([sys.argv[0], "-verbosity=0", *arguments], try_one)
    atheris.Fuzz()


def main() -> int:
    if sys.argv[1:2] == ["--guided"]:
        guide(sys.argv[2], sys.argv[3:])
        return 0
    parser = argparse.ArgumentParser(description="Random input, until the time is up.")
    parser.add_argument("targets", nargs="*", help=f"some of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--seed", type=int, help="try this case only")
    given = parser.parse_args()
    names = given.targets or list(TARGETS)
    first = random.SystemRandom().randrange(10**9) if given.seed is None else given.seed
    guided = [name for name in names if name in GUIDED and find_spec("atheris")]
    guided = guided if given.seed is None else []
    each = 0 if given.seed is not None else given.seconds / (len(names) + len(guided))
    all_well = True
    for name in names:
        n_tried, is_well = fuzz(name, each, first)
        print(f"{name}: {n_tried:,} tried from seed {first}, {'all well' if is_well else 'WRONG'}")
        all_well &= is_well
    for name in guided:
        is_well = fuzz_guided(name, max(each, 1))
        print(f"{name}, by coverage: {'all well' if is_well else 'WRONG'}")
        all_well &= is_well
    return 0 if all_well else 1


if __name__ == "__main__":
    sys.exit(main())

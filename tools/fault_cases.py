"""The cases of `make faults`: each starts the command itself, and does something to it.

Each counts how its tries ended, and what was wrong.
"""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from fault_bench import (
    MB,
    Bench,
    Ended,
    Outcome,
    limit_files,
    machine,
    make_eaters,
    mounted,
    problem_of,
    spread_of,
)

SOON = 1.0  # seconds in which a signal is answered
QUIET = ("--quiet", "--force")  # a run that was killed may leave a release that is not remembered
# A command that replaces a release again and again, by two policies in turn.
AGAIN_AND_AGAIN = """
import sys
from shoal.cli import main
out, sys.stdout = sys.stdout, open("/dev/null", "w")
for i in range(10_000):
    where = ["table.csv", "-p", f"{i % 2}.yaml", "-o", "release.csv"]
    sys.argv[1:] = ["anonymize", *where, "--quiet", "--force"]
    try:
        main()
    except SystemExit as end:
        assert end.code == 0
    if i == 1:
        print("ready", file=out, flush=True)
"""
# Compiled code in a stage, which runs for minutes and looks neither at signals nor at a watch.
DEAF = """
import hashlib, sys
def deaf(*_, **__):
    print("now", file=sys.stderr, flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000_000_000)
{place}
from shoal.cli import start
start()
"""
STAGES = {
    "read": "import shoal.read.files as at; at._read_csv = deaf",
    "compile": "import shoal.runs.warm_up as at; at.warm_up = deaf",
    "encode": "import shoal.runs.prepare as at; at.encode = deaf",
    "group": "import shoal.group.partition.mondrian as at; at.Mondrian.group = deaf",
    "recode": "import shoal.runs.search as at; at.cells_of_groups = deaf",
    "verify": "import shoal.runs.finish as at; at.verify_release = deaf",
    "write": "import polars as pl\n"
    "def half(frame, target, **_):\n"
    "    open(target, 'w').write('half of a rel')\n"
    "    deaf()\n"
    "pl.DataFrame.write_csv = half",
}


def kill(bench: Bench, times: int) -> Outcome:
    """kill -9 at a random moment of runs that replace one release by another"""
    outcome, target = Outcome(), bench.folder / "release.csv"
    recoding = {i: (bench.folder / f"{i}.recoding.json").read_bytes() for i in range(2)}
    n_left = 0
    for _ in range(times):
        target.write_bytes(bench.whole[0])
        (bench.folder / "release.recoding.json").write_bytes(recoding[0])
        process = bench.start(code=AGAIN_AND_AGAIN)
        assert process.stdout is not None
        is_ready = process.stdout.readline() == "ready\n"
        time.sleep(bench.rng.uniform(0.0, 1.0))
        is_running = process.poll() is None
        process.kill()
        bench.end(process)
        if not (is_ready and is_running):
            outcome.note("did not run", "the command failed before it was killed")
            continue
        found = target.read_bytes()
        which = next((i for i in range(2) if found == bench.whole[i]), None)
        now = (bench.folder / "release.recoding.json").read_bytes()
        if which is None:
            outcome.note("neither", "the release is half written")
        elif now != recoding[which]:
            outcome.note("pair", "release and recoding are of two runs")
        else:
            outcome.note(f"release {which + 1} of 2, whole, with its recoding")
        for draft in bench.drafts():
            n_left += 1
            # A second name of the old release may be read by whoever could read that.
            may_read = target.stat().st_mode if draft.suffix == ".old" else 0o600
            if draft.stat().st_mode & 0o077 & ~may_read:
                outcome.wrong.append(f"a {draft.suffix} that others can read was left")
            draft.unlink()
    outcome.figures["drafts left behind, which others cannot read"] = str(n_left)
    return outcome


def full_disk(bench: Bench, times: int) -> Outcome:
    """A disk that is full after so many bytes (a small file system, or a limit on files)"""
    outcome = Outcome()
    endings = ["csv", "csv.gz", "parquet"]
    with mounted(bench.folder / "disk", "size=64k") as is_small:
        for i in range(times):
            target = bench.folder / "disk" / f"release.{endings[i % 3]}"
            target.write_bytes(b"the old release")
            n_free = bench.rng.randrange(0, 15) * 1000
            how: dict[str, Any] = {"preexec_fn": lambda n=n_free: limit_files(n)}
            if is_small:
                (bench.folder / "disk" / "filler").write_bytes(b"x" * (40_000 - n_free))
                how = {}
            command = ("anonymize", "table.csv", "-p", "0.yaml", "-o", str(target), *QUIET)
            ended = bench.run(*command, **how)
            _note_replaced(outcome, ended, target)
            for path in (bench.folder / "disk").iterdir():
                path.unlink()
    outcome.figures["the disk"] = "a file system of 64 kB" if is_small else "a limit on file size"
    return outcome


def _note_replaced(outcome: Outcome, ended: Ended, target: Path) -> None:
    """Either the old release and a message, or the new one."""
    is_old = target.exists() and target.read_bytes() == b"the old release"
    if is_old:
        outcome.note("refused, the old release stayed", problem_of(ended, "cannot be written"))
    elif ended.code == 0:
        outcome.note("the new release, whole")
    elif problem_of(ended, "cannot be written"):
        outcome.note("replaced", problem_of(ended, "cannot be written"))
    else:
        outcome.note("the new release, and a message that another file could not be written")
    if list(target.parent.glob(".*")):
        outcome.wrong.append("a draft was left")


def targets(bench: Bench, times: int) -> Outcome:
    """A target that is read-only, that vanishes during the run, or is another kind of thing"""
    outcome, home = Outcome(), bench.folder / "target"
    command = ("anonymize", "table.csv", "-p", "0.yaml", "-o", str(home / "release.csv"), *QUIET)
    for i in range(times):
        kind = ("read-only", "vanishing", "a folder")[i % 3]
        if kind == "read-only":
            with mounted(home, "ro") as is_read_only:
                how = {} if is_read_only else {"preexec_fn": lambda: limit_files(0)}
                ended = bench.run(*command, **how)
            outcome.note(kind, problem_of(ended, str(home)))
        elif kind == "vanishing":
            home.mkdir(exist_ok=True)
            process = bench.start(*command)
            time.sleep(bench.rng.uniform(0.1, 1.0))
            home.rename(bench.folder / "moved")
            ended = bench.end(process)
            moved = bench.folder / "moved" / "release.csv"
            is_whole = moved.exists() and moved.read_bytes() == bench.whole[0]
            wrong = None if ended.code == 0 and is_whole else problem_of(ended, "folder")
            left = list((bench.folder / "moved").glob(".*"))
            outcome.note(kind, wrong or ("a draft was left" if left else None))
            shutil.rmtree(bench.folder / "moved")
        else:
            (home / "release.csv").mkdir(parents=True, exist_ok=True)
            outcome.note(kind, problem_of(bench.run(*command), "not a file"))
        shutil.rmtree(home, ignore_errors=True)
    return outcome


def signals_in_stages(bench: Bench, times: int) -> Outcome:
    """SIGTERM and SIGINT in every stage, while compiled code runs that looks at nothing"""
    bench.write_policy("mondrian.yaml", algorithm="mondrian")
    command = ("anonymize", "table.csv", "-p", "mondrian.yaml", "-o", "release.csv", *QUIET)
    outcome, waits = Outcome(), []
    for i in range(times):
        stage = list(STAGES)[i % len(STAGES)]
        number = (signal.SIGTERM, signal.SIGINT)[i // len(STAGES) % 2]
        process = bench.start(*command, code=DEAF.format(place=STAGES[stage]), **_LISTENING)
        assert process.stderr is not None
        while "now" not in process.stderr.readline():
            assert process.poll() is None, f"{stage} was never reached"
        waits.append(_signal(bench, process, number, outcome, stage))
    outcome.figures["seconds from signal to end"] = spread_of(waits)
    outcome.figures["the machine"] = machine()
    return outcome


def signals_at_random(bench: Bench, times: int) -> Outcome:
    """SIGTERM and SIGINT at a random moment of runs of four algorithms"""
    bench.write_table("larger.csv", 30_000)
    outcome, waits = Outcome(), []
    for i in range(times):
        algorithm = ("mstk", "k-member", "mondrian", "flash")[i % 4]
        number = (signal.SIGTERM, signal.SIGINT)[i // 4 % 2]
        bench.write_policy("other.yaml", algorithm=algorithm)
        process = bench.start(
            *("anonymize", "larger.csv", "-p", "other.yaml", "-o", "release.csv", *QUIET),
            code='import shoal.cli as c; import sys; c.click.echo("now"); c.start()',
            **_LISTENING,
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(bench.rng.uniform(0.3, 3.0))
        if process.poll() is None:
            waits.append(_signal(bench, process, number, outcome, algorithm))
        else:
            bench.end(process)
            outcome.note("ended before the signal")
    outcome.figures["seconds from signal to end"] = spread_of(waits)
    outcome.figures["the machine"] = machine()
    return outcome


_LISTENING = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}


def _signal(
    bench: Bench, process: subprocess.Popen[str], number: int, outcome: Outcome, where: str
) -> float:
    start = time.monotonic()
    process.send_signal(number)
    ended = bench.end(process)
    waited = time.monotonic() - start
    name = signal.Signals(number).name
    wrong = None
    if ended.code != 0 or waited > SOON:  # it may have been done
        wrong = problem_of(ended, "interrupted. No file was partly written", code=130)
    if waited > SOON:
        wrong = f"{waited:.2f} s until it ended"
    if bench.drafts():
        wrong = "a draft was left"
    outcome.note(f"{name}, {where}", wrong)
    return waited


def memory_limit(bench: Bench, times: int) -> Outcome:
    """A limit on address space, from far too little to enough, and a table of 300,000 rows"""
    bench.write_table("large.csv", 300_000)
    outcome, most = Outcome(), 4_000
    for i in range(times):
        limit = (400 + (most - 400) * i // max(times - 1, 1)) * MB
        command = ("anonymize", "large.csv", "-p", "0.yaml", "-o", "release.csv", *QUIET)
        how = {"preexec_fn": lambda n=limit: resource.setrlimit(resource.RLIMIT_AS, (n, n))}
        ended = bench.run(*command, **how)
        if ended.code == 0:
            outcome.note("released")
        else:
            is_said = "address space" in ended.err or "not enough memory" in ended.err
            words = () if is_said else ("address space",)
            outcome.note("refused, with the numbers", problem_of(ended, *words))
    return outcome


def damaged_kernels(bench: Bench, times: int) -> Outcome:
    """All stored kernels with a flipped bit each, or cut short"""
    outcome, cache = Outcome(), bench.folder / "kernels"
    cache.mkdir(mode=0o700, exist_ok=True)
    how = {"env": {"NUMBA_CACHE_DIR": str(cache)}}
    command = ("anonymize", "table.csv", "-p", "0.yaml", "-o", "release.csv", *QUIET)
    assert bench.run(*command, **how).code == 0
    for i in range(times):
        for path in sorted(cache.rglob("*.kernel")):
            content = bytearray(path.read_bytes())
            if i % 2:
                del content[bench.rng.randrange(len(content)) :]
            else:
                content[bench.rng.randrange(len(content))] ^= 1 << bench.rng.randrange(8)
            path.write_bytes(content)
        first, second = bench.run(*command, **how), bench.run(*command, **how)
        wrong = problem_of(first, "are damaged, and are compiled anew", code=0)
        if (bench.folder / "release.csv").read_bytes() != bench.whole[0]:
            wrong = "another release"
        if second.code != 0 or "damaged" in second.err:
            wrong = f"the next run met it again: {second.err[-200:]}"
        outcome.note(("a flipped bit", "cut short")[i % 2] + ": mentioned, compiled anew", wrong)
    return outcome


def first_runs(bench: Bench, times: int) -> Outcome:
    """Two first runs at once, each of which compiles"""
    outcome = Outcome()
    for i in range(times):
        cache = bench.folder / f"new-{i}"
        cache.mkdir(mode=0o700)
        how = {"env": {"NUMBA_CACHE_DIR": str(cache)}}
        runs = [
            bench.start(
                *("anonymize", "table.csv", "-p", "0.yaml", "-o", f"both-{j}.csv", *QUIET), **how
            )
            for j in range(2)
        ]
        ended = [bench.end(process) for process in runs]
        releases = {(bench.folder / f"both-{j}.csv").read_bytes() for j in range(2)}
        wrong = next((problem for one in ended if (problem := problem_of(one, code=0))), None)
        if releases != {bench.whole[0]}:
            wrong = "another release"
        outcome.note("two equal releases", wrong)
        shutil.rmtree(cache)
    return outcome


def changing_file(bench: Bench, times: int) -> Outcome:
    """A file that grows while it is read"""
    outcome, target = Outcome(), bench.folder / "release.csv"
    for _ in range(times):
        table = bench.write_table("growing.csv", 200_000)
        target.write_bytes(b"the old release")
        process = bench.start(
            "anonymize", "growing.csv", "-p", "0.yaml", "-o", "release.csv", *QUIET
        )
        growing = threading.Thread(target=_grow, args=(table, process))
        growing.start()
        ended = bench.end(process)
        growing.join()
        wrong = problem_of(ended, "growing.csv")
        if target.read_bytes() != b"the old release":
            wrong = "a part of the file was released"
        outcome.note("refused", wrong)
    return outcome


def _grow(table: Path, process: subprocess.Popen[str]) -> None:
    with table.open("a") as file:
        while process.poll() is None:
            file.write("31,12345,i1\n")
            file.flush()
            time.sleep(0.001)


def eaters(bench: Bench, times: int) -> Outcome:
    """Files that would eat memory: gzip bombs, endless lines, aliases, devices"""
    outcome, peaks = Outcome(), []
    made = make_eaters(bench)
    for i in range(times):
        what, (arguments, words) = list(made.items())[i % len(made)]
        ended = bench.run(*arguments, "-o", "eaten.csv", *QUIET)
        peaks.append(ended.peak_mb)
        wrong = problem_of(ended, *words)
        if ended.peak_mb > 1_000:
            wrong = f"{ended.peak_mb} MB were used"
        outcome.note(f"{what}: refused", wrong)
    outcome.figures["most memory, in MB"] = str(max(peaks, default=0))
    for name in ("bomb.csv.gz", "line.csv", "note.csv"):
        (bench.folder / name).unlink()
    return outcome


class Case(NamedTuple):
    run: Callable[[Bench, int], Outcome]
    times: int


CASES = {
    "kill": Case(kill, 200),
    "full-disk": Case(full_disk, 18),
    "targets": Case(targets, 18),
    "signals-in-stages": Case(signals_in_stages, 28),
    "signals-at-random": Case(signals_at_random, 32),
    "memory-limit": Case(memory_limit, 13),
    "damaged-kernels": Case(damaged_kernels, 4),
    "first-runs": Case(first_runs, 2),
    "changing-file": Case(changing_file, 10),
    "eaters": Case(eaters, 14),
}

"""What Shoal depends on: within which ranges, under which licences; and that its wheel is the same
whenever it is built."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dependency_ranges
import licences
from tiers import only_thorough

ROOT = Path(__file__).parents[1]


def test_every_dependency_has_a_lower_bound_that_can_be_tested():
    dependencies = dependency_ranges.direct_dependencies()

    assert len(dependency_ranges.lower_bounds(dependencies)) == len(dependencies) > 8


def test_every_package_that_is_installed_is_listed_with_a_permissive_licence():
    found = licences.licences()

    assert {"numpy", "polars", "llvmlite"} <= set(found)
    assert [name for name, licence in found.items() if not licences.is_permissive(licence)] == []
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    only_with_lowest = {"typing-extensions"}  # polars 2.0 needs it, later ones do not
    assert set(found) - only_with_lowest <= set(re.findall(r"^\| ([\w.-]+) \|", page, re.MULTILINE))


def test_a_licence_that_asks_for_more_is_not_called_permissive():
    assert licences.is_permissive("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception")
    assert not licences.is_permissive("MIT AND LGPL-3.0")


@only_thorough
def test_a_wheel_is_the_same_whenever_and_wherever_it_is_built(tmp_path):
    hashes = []
    for folder, time, umask in (("here", 1_000_000_000, 0o022), ("there", 1_700_000_000, 0o077)):
        copy = tmp_path / folder
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache")
        )
        for file in copy.rglob("*"):
            os.utime(file, (time, time))
        hashes.append(built(copy, tmp_path / f"wheel-{folder}", umask))

    assert hashes[0] == hashes[1]


def built(source: Path, target: Path, umask: int) -> str:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", target, source]
    subprocess.run(command, check=True, capture_output=True, umask=umask)
    (wheel,) = target.glob("shoal-*.whl")
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


# Runs every command that a user has, in one process, and writes down what asked for the network.
# What is asked for is refused too, so that nothing is sent should the test fail.
WATCHED = """
import sys
from pathlib import Path

NETWORK = ("socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
           "socket.gethostbyaddr", "socket.sendto", "socket.sendmsg", "urllib.Request")

def refuse(event, arguments):
    if event in NETWORK:
        Path("asked.txt").open("a").write(event + "\\n")
        raise RuntimeError("the network")

sys.addaudithook(refuse)
from shoal.cli import cli
for command in Path("commands.txt").read_text().splitlines():
    print(command, cli(command.split(), standalone_mode=False) or 0, file=sys.stderr)
"""
COMMANDS = """
init people.csv -o proposed.yaml --quiet
anonymize people.csv -p policy.yaml -o release.csv --report report.html --quiet
check release.csv -p policy.yaml --original people.csv --json
risk people.csv -p policy.yaml --json
attack release.csv --original people.csv -p policy.yaml --json
apply people.csv -r release.recoding.json -o applied.csv --quiet
schema -o policy.schema.json
docs policy
"""
POLICY = """
columns:
  age: {role: quasi, hierarchy: {intervals: [10, 50]}}
  job: sensitive
privacy:
  - {model: k-anonymity, k: 3}
algorithm: {name: flash}
"""


@pytest.fixture
def walk(tmp_path):
    """A folder with a table, a policy, and the commands of a steward's walk."""
    rows = [f"{20 + i % 40},{'cook' if i % 3 else 'nurse'}" for i in range(120)]
    (tmp_path / "people.csv").write_text("\n".join(["age,job", *rows]) + "\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "commands.txt").write_text(COMMANDS.strip())
    (tmp_path / "watched.py").write_text(WATCHED)
    return tmp_path


def run_in(folder: Path, *command: str) -> None:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert (folder / "release.csv").exists()
    assert (folder / "applied.csv").exists()


def test_no_command_asks_for_the_network(walk):
    run_in(walk, sys.executable, "watched.py")

    assert not (walk / "asked.txt").exists()


def test_a_command_that_asked_for_the_network_would_be_noticed(walk):
    (walk / "commands.txt").write_text("")
    script = walk / "watched.py"
    script.write_text(WATCHED + "\nimport socket; socket.getaddrinfo('localhost', 80)")

    subprocess.run([sys.executable, script], cwd=walk, capture_output=True, check=False)

    assert (walk / "asked.txt").read_text() == "socket.getaddrinfo\n"


@only_thorough
@pytest.mark.skipif(
    shutil.which("strace") is None or subprocess.run(["strace", "true"], check=False).returncode,
    reason="strace is not there, or may not be used",
)
def test_compiled_code_makes_no_connection_either(walk):
    run_in(walk, "strace", "-f", "-e", "trace=network", "-o", "calls", sys.executable, "watched.py")

    calls = (walk / "calls").read_text()
    assert "exited with 0" in calls
    assert "AF_INET" not in calls

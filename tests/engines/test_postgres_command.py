"""`shoal anonymize` on a table in PostgreSQL, as a process that can be killed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

import pytest

from cases.engine_tables import hostile, policy
from tiers import only_thorough, seeds

STOPS_BEFORE_PUBLISHING = """
import time
from shoal.engines.postgres import Postgres
def publish(self):
    print("built", flush=True)
    time.sleep(600)
Postgres.publish = publish
"""


@pytest.fixture
def command(server, tmp_path) -> list[str]:
    """What follows `shoal` to release a table that was released before."""
    server.put("people", hostile(2000))
    (tmp_path / "policy.yaml").write_text(policy("flash").text(), encoding="utf-8")
    people, release = server.at("people"), server.at("release")
    tables = [f"{people.database}::{people.table}", "-o", f"{release.database}::{release.table}"]
    given = ["anonymize", *tables, "-p", str(tmp_path / "policy.yaml"), "--quiet", "--json"]
    assert runs(given)
    return given


def runs(command: list[str]) -> bool:
    with start(command) as process:
        process.communicate()
    return process.returncode == 0


def start(command: list[str], first: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", f"{first}\nfrom shoal.cli import main\nmain()", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


def wait_until_gone(server) -> None:
    """Until the server has noticed that nobody is there."""
    running = "select count(*) from pg_stat_activity where application_name = 'shoal'"
    while server.run(running) != [(0,)]:
        time.sleep(0.05)


@only_thorough
def test_a_kill_before_the_end_leaves_the_old_release_and_nothing_else(server, command):
    before = server.run("select 'release'::regclass::oid")
    with start([*command, "--k", "9"], STOPS_BEFORE_PUBLISHING) as process:
        assert process.stdout.readline() == "built\n"
        process.kill()

    wait_until_gone(server)

    assert server.run("select 'release'::regclass::oid") == before
    assert server.names() == ["people", "release"]


def ends_of_program(server, process: subprocess.Popen[str]) -> None:
    process.kill()


def ends_of_server_process(server, process: subprocess.Popen[str]) -> None:
    server.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shoal'"
    )
    assert process.wait() in (0, 2)


@only_thorough
@pytest.mark.parametrize("end", [ends_of_program, ends_of_server_process])
@pytest.mark.parametrize("seed", seeds(1, thorough=20))
def test_an_end_at_any_moment_leaves_a_whole_release(server, command, end, seed):
    sizes = [server.run("select count(*) from release")]
    assert runs([*command, "--k", "9"])
    sizes.append(server.run("select count(*) from release"))
    with start(command) as process:
        time.sleep(random.Random(seed).uniform(0.2, 3))
        end(server, process)

    wait_until_gone(server)

    assert server.run("select count(*) from release") in sizes
    assert server.names() == ["people", "release"]

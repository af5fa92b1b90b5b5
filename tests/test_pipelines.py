"""What other programs run: the pre-commit hook, the GitHub action, the container, completion."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from shoal.cli import cli

ROOT = Path(__file__).parents[1]
SHOAL = Path(sys.executable).with_name("shoal")  # the installed command
GOOD = "age;job\n" + "[20, 29];cook\n" * 5 + "[30, 39];nurse\n" * 6
BAD = GOOD + "40;pilot\n"
POLICY = "columns: {age: quasi, job: keep}\nprivacy: [{model: k-anonymity, k: 5}]\n"


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "good.csv").write_text(GOOD)
    (tmp_path / "bad.csv").write_text(BAD)
    (tmp_path / "other.csv").write_text("age\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    return tmp_path


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | environment,
    )  # fmt: skip


# pre-commit

HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (["good.csv"], 0),
        (["good.csv", "bad.csv"], 1),
        (["bad.csv", "good.csv"], 1),
        (["bad.csv", "missing.csv", "good.csv"], 2),
        ([], 0),
    ],
)
def test_the_hook_fails_if_one_of_its_files_does(folder, files, code):
    words = shlex.split(HOOK["entry"].replace("python", shlex.quote(sys.executable), 1))

    done = run(folder, *words, "--policy", "policy.yaml", "--quiet", *files)

    assert done.returncode == code, done.stderr
    assert [name for name in files if name in done.stdout] == files


def test_the_hook_is_for_files_that_a_release_can_be():
    is_meant = re.compile(HOOK["files"]).search

    assert all(map(is_meant, ["a/b.csv", "c.csv.gz", "d.parquet", "e.arrow"]))
    assert not any(map(is_meant, ["policy.yaml", "a.csv.txt", "recoding.json"]))


# The GitHub action

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


@pytest.fixture
def runner(tmp_path_factory) -> Path:
    """Where the step before has installed Shoal: here, a link to what is tested."""
    folder = tmp_path_factory.mktemp("runner")
    (folder / "shoal" / "bin").mkdir(parents=True)
    (folder / "shoal" / "bin" / "shoal").symlink_to(SHOAL)
    return folder


def checked(folder: Path, runner: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The lines of the step, as GitHub runs them: bash ends at the first error."""
    step = ACTION["runs"]["steps"][-1]
    given = {
        name: value["default"] for name, value in ACTION["inputs"].items() if "default" in value
    }
    given |= inputs
    environment = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    command = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
    return run(folder, *command, RUNNER_TEMP=str(runner), **environment)


@bash
@pytest.mark.parametrize(
    ("release", "code"),
    [("good.csv", 0), ("bad.csv", 1), ("good.csv\nbad.csv\ngood.csv\n", 1), ("no such.csv", 2)],
)
def test_the_action_ends_with_the_worst_code(folder, runner, release, code):
    done = checked(folder, runner, release=release, policy="policy.yaml", junit="result.xml")

    assert done.returncode == code, done.stderr
    n_read = len(release.splitlines())  # a file that cannot be read has a result too
    names = ["result.xml", "result-2.xml", "result-3.xml"]
    assert [name for name in names if (folder / name).exists()] == names[:n_read]


@bash
def test_the_action_takes_the_original(folder, runner):
    done = checked(folder, runner, release="good.csv", policy="policy.yaml", original="missing.csv")

    assert done.returncode == 2
    assert "missing.csv" in done.stderr


def test_the_action_puts_no_input_into_a_shell_line():
    lines = "\n".join(step["run"] for step in ACTION["runs"]["steps"])

    assert "${{" not in lines  # else a file's name could be a command
    page = (ROOT / "docs" / "tasks" / "pipeline.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(ACTION["inputs"])


# The container

CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")


def test_the_image_runs_as_a_user_without_rights():
    last = CONTAINERFILE.rpartition("\nFROM ")[2]

    users = re.findall(r"^USER (.+)$", last, re.MULTILINE)
    assert users == ["shoal"]
    assert "useradd --uid 10001" in last
    assert 'ENTRYPOINT ["shoal"]' in last


def test_every_command_that_the_image_runs_has_the_options_that_it_uses():
    lines = re.findall(r"bin/shoal (.+?)(?:;|$)", CONTAINERFILE, re.MULTILINE)

    assert lines
    for line in lines:
        name, *words = shlex.split(line)
        cli.commands[name].make_context(name, words)  # it would raise a usage error


def test_the_image_finds_its_kernels_where_they_were_compiled():
    settings = re.findall(
        r"^ENV .*(NUMBA_CPU_NAME=\S+ NUMBA_CACHE_DIR=\S+)", CONTAINERFILE, re.MULTILINE
    )

    assert len(settings) == 2
    assert settings[0] == settings[1]


# Completion of shells


@bash
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        (["shoal", "an"], "anonymize"),
        (["shoal", "check", "--jun"], "--junit"),
        (["shoal", "docs", "--br"], "--browser"),
    ],
)
def test_bash_completes_commands_and_options(tmp_path, line, completed):
    script = run(tmp_path, str(SHOAL), _SHOAL_COMPLETE="bash_source")
    assert script.returncode == 0, script.stderr
    words = " ".join(map(shlex.quote, line))
    pressed = f"COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; _shoal_completion shoal"

    done = run(
        tmp_path,
        "bash", "-c", f"{script.stdout}\n{pressed}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        PATH=f"{SHOAL.parent}{os.pathsep}{os.environ['PATH']}",
    )  # fmt: skip

    assert completed in done.stdout.split(), done.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script_as_the_page_says(tmp_path, shell):
    page = (ROOT / "docs" / "editor.md").read_text(encoding="utf-8")

    script = run(tmp_path, str(SHOAL), _SHOAL_COMPLETE=f"{shell}_source")

    assert f"_SHOAL_COMPLETE={shell}_source shoal" in page
    assert "_SHOAL_COMPLETE" in script.stdout


# The pages of tasks


@pytest.mark.parametrize("name", ["received", "regulator"])
def test_the_policies_of_the_tasks_are_read(name, tmp_path):
    from shoal.policy.policy import Policy

    page = (ROOT / "docs" / "tasks" / f"{name}.md").read_text(encoding="utf-8")
    texts = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)

    assert texts
    for text in texts:
        (tmp_path / "policy.yaml").write_text(text)
        assert Policy.load(tmp_path / "policy.yaml").privacy


def test_the_code_for_notebooks_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "tasks" / "notebook.md").read_text(encoding="utf-8")
    made: dict[str, object] = {}

    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(code, made)

    assert Path("release.csv").exists()
    assert Path("dossier.html").exists()
    assert made["gain"].linkage.n_singled_out == 0

"""The built wheel runs outside the checkout, also where nothing may be written beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tiers import only_thorough

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("shoal-*.whl")
    return path


def test_the_wheel_holds_the_data_and_the_licences(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    assert "shoal/py.typed" in names
    assert "shoal/datasets/adult/adult.csv.gz" in names
    assert "shoal/datasets/adult/hierarchies/education.csv" in names
    assert any(name.endswith("licenses/NOTICE") for name in names)


def test_the_wheel_holds_the_documentation_and_shows_it(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    names = {path.stem for path in (tmp_path / "shoal" / "documentation").rglob("*.md")}
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from shoal.cli import main; main()"

    run = subprocess.run(
        [sys.executable, "-c", code, "docs", "policy"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert {"index", "tutorial", "policy", "commands", "mondrian"} <= names
    assert run.returncode == 0, run.stderr
    assert "The policy file" in run.stdout
    scripts = (tmp_path / "shoal" / "documentation").rglob("*.py")
    assert [path.name for path in scripts] == ["make_visits.py"]  # which the tutorial needs


@only_thorough  # it compiles every kernel
def test_the_demo_runs_from_a_wheel_that_is_installed_read_only(wheel, tmp_path):
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    # A file where the cache would be a folder: nothing can be kept beside the source.
    (installed / "shoal" / "kernels" / "__pycache__").write_text("")
    place = {"PYTHONPATH": str(installed), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {k: v for k, v in os.environ.items() if k != "XDG_CACHE_HOME"} | place

    run = subprocess.run(
        [sys.executable, "-m", "shoal", "demo"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr
    assert "Verified" in run.stdout
    assert "compiling the kernels" in run.stderr
    assert (tmp_path / "shoal-demo" / "report.html").exists()
    assert list(tmp_path.rglob("*.kernel")), "the kernels are kept in the user's cache"
    assert not list(installed.rglob("*.kernel"))

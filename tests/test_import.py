"""Starting is cheap: nothing heavy is loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "numba", "polars", "pandas", "narwhals", "pyarrow", "rich", "yaml")


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        "import shoal",
        "import shoal.cli; from click.testing import CliRunner;"
        "assert CliRunner().invoke(shoal.cli.cli, ['--help']).exit_code == 0",
        "import shoal; shoal.datasets; shoal.errors",
    ],
)
def test_nothing_heavy_is_loaded(code):
    assert loaded_after(code).isdisjoint(HEAVY)


def test_all_public_names_can_be_had():
    import shoal

    assert "anonymize" in shoal.__all__
    for name in shoal.__all__:
        assert getattr(shoal, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    import shoal

    with pytest.raises(AttributeError, match="Nonsense"):
        _ = shoal.Nonsense

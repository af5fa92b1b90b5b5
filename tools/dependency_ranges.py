"""Test with the lowest and with the newest versions of what Shoal depends on.

    make test-ranges                    the tests of `make test`, twice
    make test-ranges TESTS=tests/read   some of them

The ranges are those of pyproject.toml. For each end, an environment of its own is made in
`.venv/ranges`: `lowest` pins every direct dependency, the extras' too, to the lower bound of its
range, and `newest` lets pip choose. Both get Shoal as a user gets it, from a wheel.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venv" / "ranges"
LOWEST, NEWEST = "lowest", "newest"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", default=["tests"])
    parser.add_argument("--end", choices=[LOWEST, NEWEST], help="Only this end of the ranges.")
    chosen = parser.parse_args()
    ends = [chosen.end] if chosen.end else [LOWEST, NEWEST]
    failed = [end for end in ends if not passes(end, chosen.tests)]
    told = (
        f"The tests fail with the {' and the '.join(failed)} versions." if failed else "Both pass."
    )
    print(told)
    return 1 if failed else 0


def lower_bounds(dependencies: list[str]) -> list[str]:
    """Every dependency at the lower bound of its range.

    >>> lower_bounds(["numpy>=2.0,<3", "types-pyyaml>=6.0", "psycopg[binary]>=3.2,<4"])
    ['numpy==2.0', 'types-pyyaml==6.0', 'psycopg[binary]==3.2']
    """
    pattern = r"([\w.-]+(?:\[[\w,]+\])?)>=([\w.]+)(,<.*)?"
    found = [re.fullmatch(pattern, text) for text in dependencies]
    return [f"{match[1]}=={match[2]}" for match in found if match is not None]


def direct_dependencies() -> list[str]:
    """What users install: the dependencies, and those of every extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [*project["dependencies"], *(text for extra in extras for text in extra)]


def passes(end: str, tests: list[str]) -> bool:
    python = _environment(end)
    print(f"With the {end} versions:", flush=True)
    subprocess.run([python, "-m", "pip", "list", "--format=freeze"], check=True)
    run = subprocess.run(
        [python, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *tests], cwd=ROOT, check=False
    )
    return run.returncode == 0


def _environment(end: str) -> Path:
    """The interpreter of an environment with one end of every range."""
    folder = HOME / end
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--upgrade", "pip>=25.1"], check=True)
    limits = folder / "lowest.txt"
    limits.write_text("\n".join(lower_bounds(direct_dependencies())) if end == LOWEST else "")
    extras = ",".join(_extras())
    constrained = [*pip, "--constraint", limits, "--upgrade", "--upgrade-strategy", "eager"]
    subprocess.run([*constrained, f"{ROOT}[{extras}]", "--group", "dev"], cwd=ROOT, check=True)
    return python


def _extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["optional-dependencies"])


if __name__ == "__main__":
    sys.exit(main())

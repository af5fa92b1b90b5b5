"""Write docs/licences.md: what Shoal installs, and under which licences.

    make licences

Reads the metadata of the packages that are installed, from Shoal's own dependencies on. The page
has no versions: those are chosen where Shoal is installed, within the ranges of pyproject.toml.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
# Licences that ask for the mention of their authors at most.
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "MIT",
    "Zlib",
    "PSF-2.0",
}
NAMES = {  # of the classifiers and texts of packages without a licence expression
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
}
HEAD = """# Licences

Shoal is under Apache-2.0. `pip install shoal` also installs these packages, which are not part of
Shoal's own files. All their licences are permissive. `make licences` writes this page from the
metadata of the installed packages, and a test compares them.

| package | licence |
|--|--|
"""


def licences() -> dict[str, str]:
    """The licence of every package that Shoal needs at run time, directly or not."""
    found: dict[str, str] = {}
    waiting = ["shoal"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        package = distribution(name)
        found[name] = licence_of(package)
        waiting += needs(package)
    del found["shoal"]
    return dict(sorted(found.items()))


def needs(package: Distribution) -> list[str]:
    """The packages that another needs on this machine, whatever extras there are."""
    names = []
    for text in package.requires or []:
        requirement, _, marker = text.partition(";")
        name = re.match(r"[\w.-]+", requirement)
        if name is not None and "extra ==" not in marker and _is_installed(name[0]):
            names.append(re.sub(r"[-_.]+", "-", name[0]).lower())
    return names


def _is_installed(name: str) -> bool:
    """Whether a package is here; one that a marker leaves out (Windows, old Pythons) is not."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def licence_of(package: Distribution) -> str:
    expression = package.metadata.get("License-Expression")
    if expression:
        return expression
    classifiers = package.metadata.get_all("Classifier") or []
    texts = [*classifiers, package.metadata.get("License") or ""]
    known = list(dict.fromkeys(NAMES[text] for text in texts if text in NAMES))
    if not known:
        sys.exit(f"{package.name}: its metadata name no licence that tools/licences.py knows.")
    return " AND ".join(known)


def is_permissive(licence: str) -> bool:
    """
    >>> is_permissive("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception"), is_permissive("GPL-3.0")
    (True, False)
    """
    parts = re.split(r" AND | OR ", licence.replace("(", "").replace(")", ""))
    return all(part.removesuffix(" WITH LLVM-exception") in PERMISSIVE for part in parts)


def page() -> str:
    return HEAD + "".join(f"| {name} | {licence} |\n" for name, licence in licences().items())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

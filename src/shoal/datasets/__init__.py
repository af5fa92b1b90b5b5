"""Real tables for examples and tests."""

from __future__ import annotations

import gzip
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    import polars as pl

NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
DEMO_COLUMNS = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass",
    "occupation", "salary-class",
)  # fmt: skip


def adult(*, complete: bool = False) -> pl.DataFrame:
    """The Adult table: 32,561 people of the US census of 1994, missing values as null.

    `complete=True` leaves out the people with a missing value; 30,162 remain. The values are
    those of the source: `Hong` is Hong Kong, and `South` is taken to be South Korea.

    Becker, B. and Kohavi, R. (1996). Adult. UCI Machine Learning Repository.
    https://doi.org/10.24432/C5XW20. CC BY 4.0.

    >>> adult().shape, adult(complete=True).shape
    ((32561, 15), (30162, 15))
    >>> adult()["age"].min(), adult()["age"].max()
    (17, 90)
    """
    import polars as pl

    text = gzip.decompress((_folder() / "adult.csv.gz").read_bytes())
    names = text.partition(b"\n")[0].decode().split(",")
    schema = {name: pl.Int64 if name in NUMBERS else pl.String for name in names}
    frame = pl.read_csv(text, schema=schema)
    return frame.drop_nulls() if complete else frame


def copy_adult(folder: Path) -> None:
    """Write the complete Adult records, a policy and its hierarchies into a folder.

    The folder must exist; files of the same names in it are replaced.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     copy_adult(Path(folder))
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['adult.csv', 'hierarchies', 'policy.yaml']
    """
    adult(complete=True).select(DEMO_COLUMNS).write_csv(folder / "adult.csv")
    (folder / "policy.yaml").write_bytes((_folder() / "policy.yaml").read_bytes())
    (folder / "hierarchies").mkdir(exist_ok=True)
    for table in (_folder() / "hierarchies").iterdir():
        (folder / "hierarchies" / table.name).write_bytes(table.read_bytes())


def _folder() -> Traversable:
    # Not files("shoal.datasets.adult"): importing that folder would hide the function.
    return files(__name__) / "adult"

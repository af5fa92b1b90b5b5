from __future__ import annotations

import polars as pl
import pytest

from report.secret_tables import people, release_of
from shoal.release.release import Release


@pytest.fixture(scope="session")
def complete() -> Release:
    """Nothing is suppressed."""
    return release_of(people())


@pytest.fixture(scope="session")
def shortened() -> Release:
    """One record, which has no income, is suppressed."""
    frame = people(25)
    income = pl.Series("income", [None, *frame["income"][1:]])
    return release_of(frame.with_columns(income), missing="suppress", suppression=0.05)

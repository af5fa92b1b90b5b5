from __future__ import annotations

import pytest

import tiers  # before any test, so that hypothesis has the profile of the tier
from conformance.tables import write_population


def pytest_report_header() -> str:
    return f"tier: {tiers.TIER}{'' if tiers.IS_COMPILED else ', kernels as plain Python'}"


@pytest.fixture(scope="session", autouse=True)
def _population(tmp_path_factory: pytest.TempPathFactory) -> None:
    write_population(tmp_path_factory.mktemp("population"))

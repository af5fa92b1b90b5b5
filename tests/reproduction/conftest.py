"""No test of a reproduction waits for a network: what is not bundled cannot be had."""

import pytest

from shoal.reproduction import fetched


@pytest.fixture(scope="session", autouse=True)
def _offline():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetched, "_download", lambda package, folder: None)
        yield

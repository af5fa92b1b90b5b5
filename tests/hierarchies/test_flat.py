"""Every value directly under the root."""

from __future__ import annotations

import shoal
from hierarchies.built import paths


def test_flat_puts_every_value_under_the_root():
    assert paths(shoal.flat(), ["b", "a"]) == [("a", "*"), ("b", "*")]

"""What statistics programs note on the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Labels:
    """What columns are about, and what their codes mean, as SPSS and Stata files say it."""

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[float | str, str]] = field(default_factory=dict, repr=False)

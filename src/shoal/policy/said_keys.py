"""The keys of a column that say how it is read: `format`, `age_on` and `zip3`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from shoal.errors import KeyPath, PolicyError
from shoal.policy.fields import one_of

CENSUS = "census"


def format_of(keys: Mapping[str, Any], path: KeyPath) -> str:
    """The name of a way to write dates, in small letters or large ones."""
    from shoal.read.dates import FORMATS  # loads polars

    if "format" not in keys:
        return ""
    value, spelled = keys["format"], {name.casefold(): name for name in FORMATS}
    if isinstance(value, str) and value.casefold() in spelled:
        return spelled[value.casefold()]
    found: str = one_of(value, FORMATS, path)
    return found


def day_of(keys: Mapping[str, Any], path: KeyPath) -> str:
    if "age_on" not in keys:
        return ""
    try:
        return date.fromisoformat(str(keys["age_on"])).isoformat()
    except ValueError:
        raise PolicyError("must be a day, written as in 2026-01-01", path) from None


def zip3_of(keys: Mapping[str, Any], path: KeyPath) -> tuple[str, ...] | None:
    """Further first digits that become 000; none in the list for `census` alone."""
    if keys.get("zip3") is None:
        return None
    for other in ("format", "age_on", "top", "decimal", "thousands", "bounds"):
        if keys.get(other) is not None:
            raise PolicyError(f"ZIP codes have no `{other}`. Remove one of the two", path)
    if keys.get("publish") not in (None, "node", "set"):
        raise PolicyError("ZIP codes are published as nodes or sets", path)
    value = keys["zip3"]
    if value == CENSUS:
        return ()
    more = [str(one) for one in value] if isinstance(value, (list, tuple)) else []
    if not more or not all(re.fullmatch("[0-9]{3}", one) for one in more):
        raise PolicyError(
            "must be `census`, or a list of further first digits that become 000, three of each, "
            "such as [055, 192]",
            path,
        )
    return tuple(sorted(set(more)))

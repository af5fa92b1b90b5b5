"""Severities: how grave each value of a sensitive column is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, SupportsFloat

from shoal.errors import InputError, PolicyError
from shoal.read.csv_dialect import read_rows
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.schema import Severities
from shoal.types.text import number_of

DELIMITERS = (";", ",")
GRAVEST = 1e12


class Graded(NamedTuple):
    """A sensitive column whose values have severities, and perhaps a hierarchy."""

    severities: Severities
    hierarchy: HierarchySpec | None


def severity(
    values: Mapping[str, float] | str | Path, *, hierarchy: HierarchySpec | None = None
) -> Graded:
    """How grave each value of a sensitive column is: a mapping, or a csv file `value;severity`.

    A missing value goes by the name of the empty text.

    >>> severity({"Cancer": 10, "Flu": 2}).severities.of_value["Flu"]
    2.0
    """
    if isinstance(values, str | Path):
        return Graded(severities_of_file(Path(values)), hierarchy)
    return Graded(severities_of_mapping(values), hierarchy)


def severities_of_mapping(values: Mapping[str, object]) -> Severities:
    """Checked; errors say how many values are wrong, never which."""
    if not isinstance(values, Mapping) or not values:
        raise PolicyError("expected a number for each value, such as {Cancer: 10, Flu: 2}")
    numbers = {str(value): _severity(number) for value, number in values.items()}
    n_wrong = sum(number is None for number in numbers.values())
    if n_wrong:
        raise PolicyError(
            f"{n_wrong:,} of {len(numbers):,} severities are not numbers of at least 0"
        )
    return Severities({value: number for value, number in numbers.items() if number is not None})


def severities_of_file(path: Path) -> Severities:
    """From a csv file without header, a line per value: `value;severity`."""
    try:
        rows = list(read_rows(path, DELIMITERS))
    except InputError as error:
        raise PolicyError(f"Severities {error}") from None
    found: dict[str, float] = {}
    for line, row in rows:
        number = _severity(row[1]) if len(row) == 2 else None
        if number is None:
            raise PolicyError(
                f"{path}, line {line}: expected a value and its severity, a number of at least 0"
            )
        if row[0] in found:
            raise PolicyError(f"{path}, line {line}: duplicate value")
        found[row[0]] = number
    if not found:
        raise PolicyError(f"{path} is empty. Write a line `value;severity` for each value")
    return Severities(found, path)


def _severity(value: object) -> float | None:
    """A number from 0 up, or None; far beyond any scale, sums would overflow."""
    number = None
    if isinstance(value, str):
        number = number_of(value)
    elif isinstance(value, SupportsFloat) and not isinstance(value, bool):
        number = float(value)
    return float(number) if number is not None and 0 <= number <= GRAVEST else None

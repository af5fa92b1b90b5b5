"""The key `utility` of a policy: measures of every release, and what they must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import BadOption, KeyPath, PolicyError
from shoal.policy.fields import build_named, given_name, number
from shoal.policy.measures import refuse_measure
from shoal.types.minimum import Minimum
from shoal.types.named import name_of
from shoal.types.options import file_key, options_given

if TYPE_CHECKING:
    from shoal.types.metric import AnyMetric
    from shoal.types.schema import ColumnSpec

LIMITS = ("at-most", "at-least")


def minimums_of(value: Any, folder: Path | None = None) -> tuple[Minimum, ...]:
    """From a list of measures, each with its options and perhaps a limit."""
    given: Sequence[Any] = value if isinstance(value, list | tuple) else [value] if value else []
    return tuple(_minimum(one, ("utility", i), folder or Path()) for i, one in enumerate(given))


def _minimum(value: Any, path: KeyPath, folder: Path) -> Minimum:
    if isinstance(value, Minimum):
        return value
    if isinstance(value, str):
        value = {"measure": value}
    if not isinstance(value, Mapping):
        raise PolicyError(f"this must be keys with values, not {given_name(value)}", path)
    options = {str(key).replace("_", "-"): of for key, of in value.items()}
    if "measure" not in options:
        said = "'measure' is needed, for example {measure: query-error, at-most: 0.1}"
        raise PolicyError(said, path)
    limits = {key: number(options.pop(key), (*path, key)) for key in LIMITS if key in options}
    metric = build_named("metric", options.pop("measure"), options, (*path, "measure"))
    metric = metric.placed(lambda file: str(folder / file))
    _refuse_limits(metric, limits, path)
    return Minimum(metric, limits.get("at-most"), limits.get("at-least"))


def _refuse_limits(metric: AnyMetric, limits: Mapping[str, float], path: KeyPath) -> None:
    wanted = "at-most" if metric.lower_is_better else "at-least"
    for key in limits:
        if key != wanted:
            better = "lower" if metric.lower_is_better else "higher"
            raise PolicyError(
                f"{better} is better in {name_of(metric)}, so its limit is {wanted}", (*path, key)
            )


def refuse_minimums(minimums: Sequence[Minimum], columns: Mapping[str, ColumnSpec]) -> None:
    """Raise `PolicyError` if a table of these columns cannot have one of the measures."""
    for i, minimum in enumerate(minimums):
        try:
            refuse_measure(minimum.metric, columns)
        except BadOption as error:
            raise PolicyError(str(error), ("utility", i, "measure")) from None


def minimum_keys(minimum: Minimum, folder: Path) -> dict[str, Any]:
    """What `minimums_of` takes, with files relative to a folder."""
    metric = minimum.metric.placed(lambda file: file_key(file, folder))
    return {"measure": name_of(metric), **options_given(metric), **minimum.required}

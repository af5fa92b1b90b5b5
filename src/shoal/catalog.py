"""The catalog of algorithms, privacy models and metrics, by name.

A file in `group/`, `privacy/` or `metrics/` is an entry, named like the file; other packages add
theirs through the entry points `shoal.algorithms`, `shoal.models` and `shoal.metrics`. Nothing is
imported until it is asked for.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

from shoal.errors import PolicyError, nearest

Part = Literal["algorithm", "model", "metric"]
FOLDERS: dict[Part, str] = {"algorithm": "group", "model": "privacy", "metric": "metrics"}


def names(part: Part) -> tuple[str, ...]:
    """All names of a part, sorted.

    >>> names("model")[:3]
    ('alpha-k', 'beta-likeness', 'delta-disclosure')
    """
    return tuple(sorted(_places(part)))


def load(part: Part, name: str) -> Any:
    """The class, or for a metric the function, of a name; underscores pass for hyphens."""
    wanted = name.replace("_", "-")
    places = _places(part)
    if wanted not in places:
        raise PolicyError(
            f"unknown {part} {name!r}{nearest(wanted, places)} `shoal {part}s` lists them."
        )
    module, _, attribute = places[wanted].partition(":")
    return getattr(importlib.import_module(module), attribute)


def summary(part: Part, name: str) -> str:
    """The first line of what an entry says of itself."""
    return (inspect.getdoc(load(part, name)) or "").partition("\n")[0]


def find_class(class_name: str) -> Any:
    """The algorithm or model whose class has this name, else None: `KAnonymity`."""
    for part in ("algorithm", "model"):
        for place in _places(part).values():
            module, _, attribute = place.partition(":")
            if attribute == class_name:
                return getattr(importlib.import_module(module), attribute)
    return None


@cache
def _places(part: Part) -> dict[str, str]:
    """Name -> `module:attribute`."""
    folder = Path(__file__).parent / FOLDERS[part]
    places = dict(_places_in(folder, f"{__package__}.{FOLDERS[part]}", part))
    for point in entry_points(group=f"shoal.{part}s"):
        if point.name in places:  # a model must mean the same wherever it is asked
            raise PolicyError(
                f"two installed packages define the {part} {point.name!r}. Uninstall one."
            )
        places[point.name] = point.value
    return places


def _places_in(folder: Path, package: str, part: Part) -> Iterator[tuple[str, str]]:
    for path in folder.iterdir():
        if path.name.startswith("_") or path.name == "parts":
            continue
        if path.is_dir():
            yield from _places_in(path, f"{package}.{path.name}", part)
        elif path.suffix == ".py":
            words = path.stem.split("_")
            attribute = path.stem if part == "metric" else "".join(w.capitalize() for w in words)
            yield "-".join(words), f"{package}.{path.stem}:{attribute}"

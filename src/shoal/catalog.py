"""The catalog of algorithms, privacy models, metrics and kinds of hierarchies, by name.

A file in `group/`, `privacy/`, `metrics/` or `hierarchies/` is an entry, named like the file; other
packages add theirs through the entry points `shoal.algorithms`, `shoal.models`, `shoal.metrics` and
`shoal.hierarchies`. An entry may declare other names, its `aliases`. Nothing is imported until it
is asked for.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from shoal.errors import PolicyError, nearest

Part = Literal["algorithm", "model", "metric", "hierarchy"]
PARTS: tuple[Part, ...] = ("algorithm", "model", "metric", "hierarchy")
FOLDERS: dict[Part, str] = {
    "algorithm": "group",
    "model": "privacy",
    "metric": "metrics",
    "hierarchy": "hierarchies",
}
PLURALS: dict[Part, str] = {
    "algorithm": "algorithms",
    "model": "models",
    "metric": "metrics",
    "hierarchy": "hierarchies",
}
CONTRACTS: dict[Part, str] = {
    "algorithm": "shoal.types.algorithm:Algorithm",
    "model": "shoal.types.model:PrivacyModel",
    "metric": "shoal.types.metric:Metric",
    "hierarchy": "shoal.types.hierarchy_spec:HierarchySpec",
}

SEARCHES = "sweep"  # the algorithm that is this search itself
REFINED = "shoal.group.local._refined:Refined"


def names(part: Part) -> tuple[str, ...]:
    """All names of a part, sorted, without aliases.

    >>> names("model")[:3]
    ('alpha-k', 'beta-likeness', 'delta-disclosure')
    """
    return tuple(sorted(_places(part)))


def load(part: Part, name: str) -> Any:
    """The class of a name or an alias; underscores pass for hyphens.

    >>> load("model", "k-anonymity")(k=5)
    KAnonymity(k=5)
    """
    wanted = name.replace("_", "-")
    if wanted not in _places(part):  # only then: to know the aliases, all entries are imported
        known = _aliases(part)
        if wanted not in known:
            near = nearest(wanted, [*_places(part), *known])
            raise PolicyError(f"unknown {part} {name!r}{near} `shoal {PLURALS[part]}` lists them.")
        wanted = known[wanted]
    return _entry(part, wanted)


def loadable(part: Part) -> dict[str, Any]:
    """The classes of a part by name, without those of other packages that cannot be loaded.

    >>> loadable("algorithm")["mondrian"].__name__
    'Mondrian'
    """
    found = {}
    for name in names(part):
        with contextlib.suppress(PolicyError):
            found[name] = _entry(part, name)
    return found


def summary(part: Part, name: str) -> str:
    """The first line of what an entry says of itself.

    >>> summary("model", "k-anonymity")
    'Every record looks like at least `k` - 1 others.'
    """
    return (inspect.getdoc(load(part, name)) or "").partition("\n")[0]


def aliases(part: Part, name: str) -> tuple[str, ...]:
    """The other names of an entry.

    >>> aliases("hierarchy", "date")
    ('dates',)
    """
    return tuple(alias for alias, main in _aliases(part).items() if main == name)


def find_class(class_name: str) -> Any:
    """What has a class of this name, else None: `KAnonymity`.

    >>> find_class("KAnonymity")(k=5), find_class("NoSuchClass")
    (KAnonymity(k=5), None)
    """
    for part in PARTS:
        for name, place in _places(part).items():
            if place.partition(":")[2] == class_name:
                return _entry(part, name)
    return None


def class_names() -> set[str]:
    """The names of all classes that `find_class` finds. None of them is imported.

    >>> "KAnonymity" in class_names()
    True
    """
    return {place.partition(":")[2] for part in PARTS for place in _places(part).values()}


def refined(algorithm: Any) -> Any:
    """An algorithm whose groups are improved by local search afterwards.

    >>> refined(load("algorithm", "mondrian")()).refines
    Mondrian(strict=True)
    """
    return _import(REFINED)(algorithm)


def _entry(part: Part, name: str) -> Any:
    place = _places(part)[name]
    try:
        found = _import(place)
    except Exception as error:  # of another package's code, which may raise anything
        raise PolicyError(
            f"the {part} {name!r} ({place}) cannot be loaded: {type(error).__name__}. Repair or "
            "uninstall the package that adds it"
        ) from error
    contract = _import(CONTRACTS[part])
    if not isinstance(found, type) or contract not in found.__mro__:
        raise PolicyError(
            f"the {part} {name!r} ({place}) must be a class that inherits from "
            f"{CONTRACTS[part].replace(':', '.')}"
        )
    return found


def _import(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)


@cache
def _places(part: Part) -> dict[str, str]:
    """Name -> `module:attribute`."""
    package = f"{__package__}.{FOLDERS[part]}"
    spec = find_spec(package)
    assert spec is not None
    places: dict[str, str] = {}
    for folder in spec.submodule_search_locations or ():
        places |= _places_in(Path(folder), package)
    for point in entry_points(group=f"shoal.{PLURALS[part]}"):
        if point.name in places:  # a model must mean the same wherever it is asked
            raise PolicyError(
                f"two installed packages define the {part} {point.name!r}. Uninstall one."
            )
        places[point.name] = point.value
    return places


def _places_in(folder: Path, package: str) -> dict[str, str]:
    places: dict[str, str] = {}
    for path in folder.iterdir():
        if path.name.startswith("_") or path.name == "parts":
            continue
        if path.is_dir():
            places |= _places_in(path, f"{package}.{path.name}")
        elif path.suffix == ".py":
            words = path.stem.split("_")
            attribute = "".join(word.capitalize() for word in words)
            places["-".join(words)] = f"{package}.{path.stem}:{attribute}"
    return places


@cache
def _aliases(part: Part) -> dict[str, str]:
    """Alias -> name. An alias that is also the name or the alias of another is refused."""
    found: dict[str, str] = {}
    for name, entry in loadable(part).items():
        for alias in entry.aliases:
            if alias in _places(part) or found.get(alias, name) != name:
                other = found.get(alias, alias)
                raise PolicyError(
                    f"{alias!r} means two {PLURALS[part]}, {other!r} and {name!r}; one of the "
                    "packages that add them must drop it"
                )
            found[alias] = name
    return found

"""The policies that a comparison tries: every algorithm with every k, option and seed."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from shoal import catalog
from shoal.comparison.options import applies, options_of, with_option
from shoal.errors import BadOption, PolicyError, nearest
from shoal.policy.keys import algorithm_of
from shoal.policy.policy import Policy
from shoal.types.algorithm import Algorithm
from shoal.types.context import Context
from shoal.types.named import name_of
from shoal.types.options import options_given
from shoal.types.privacy import Privacy

ALL = "all"
MOST_VARIANTS = 10_000


@dataclass(frozen=True)
class Variant:
    """A policy to try, and what tells it from the others of its comparison."""

    method: str  # the algorithm, with its options where two are of one name
    k: int  # the largest of the policy
    options: tuple[tuple[str, str], ...]  # path -> value, as they are shown
    seed: int
    policy: Policy

    @cached_property
    def id(self) -> str:
        """The same for the same policy, whatever else was asked for."""
        return policy_digest(self.policy)[:12]

    @property
    def name(self) -> str:
        """In a few words, for people: `tgc, k = 10, algorithm.s = 50`."""
        said = (f"{path} = {value}" for path, value in self.options)
        return ", ".join([self.method, f"k = {self.k:,}", *said])


@dataclass(frozen=True)
class Asked:
    """What varies: algorithms, k, options by their paths, and how many seeds."""

    algorithms: tuple[Algorithm, ...] = ()
    k: tuple[int, ...] = ()
    vary: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    seeds: int = 1

    @classmethod
    def of(
        cls,
        policy: Policy,
        algorithms: Sequence[Any] | str = (),
        k: Sequence[int] | int = (),
        vary: Mapping[str, Sequence[Any]] | None = None,
        seeds: int = 1,
    ) -> Asked:
        """From what a caller gives; the policy's own algorithm and k where nothing is said."""
        if isinstance(seeds, bool) or not isinstance(seeds, int) or seeds < 1:
            raise BadOption("seeds must be a whole number, at least 1")
        chosen = (algorithms,) if isinstance(algorithms, str) else tuple(algorithms)
        ks = (k,) if isinstance(k, int) else tuple(k)
        asked = cls(
            algorithms=algorithms_of(policy, chosen) or (policy.algorithm,),
            k=tuple(dict.fromkeys(ks)),
            vary=tuple((path, _listed(values)) for path, values in (vary or {}).items()),
            seeds=seeds,
        )
        asked.refuse_unknown(policy)
        return asked

    def refuse_unknown(self, policy: Policy) -> None:
        """Refuse options that none of the algorithms has, before anything is run."""
        for path, values in self.vary:
            if path == "seed":
                raise PolicyError("say how many `seeds` to try", (path,))
            if path == "k" and self.k:
                raise PolicyError("k is given twice. Remove one of the two", (path,))
            if not values:
                raise PolicyError("no value is given to try", (path,))
            tried = [replace(policy, algorithm=algorithm) for algorithm in self.algorithms]
            if not any(applies(one, path) for one in tried):
                known = [known for one in tried for known in options_of(one)]
                names = ", ".join(dict.fromkeys(name_of(one.algorithm) for one in tried))
                have = ", ".join(dict.fromkeys(known)) or "no options"
                raise PolicyError(
                    f"{names} has no such option{nearest(path, known)} There is {have}", (path,)
                )


def algorithms_of(policy: Policy, chosen: Sequence[Any]) -> tuple[Algorithm, ...]:
    """The algorithms by name, or as they are; the policy's own keeps its options.

    >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 5}])
    >>> algorithms_of(policy, ["mondrian", "ola"])
    (Mondrian(strict=True), Ola(metric=Loss(), seconds=None, checks=10000))
    """
    if ALL in chosen:
        chosen = [*(name for name in chosen if name != ALL), *catalog.loadable("algorithm")]
    found = []
    for one in chosen:
        algorithm = algorithm_of(one)
        is_own = isinstance(one, str) and name_of(algorithm) == name_of(policy.algorithm)
        found.append(policy.algorithm if is_own else algorithm)
    return tuple(dict.fromkeys(found))


def variants_of(policy: Policy, asked: Asked) -> list[Variant]:
    """All policies to try, each of them once."""
    found: dict[str, Variant] = {}
    for variant in _all_variants(policy, asked):
        found.setdefault(variant.id, variant)
        if len(found) > MOST_VARIANTS:
            raise BadOption(
                f"This asks for more than {MOST_VARIANTS:,} runs. Ask for fewer values."
            )
    return list(found.values())


def policy_digest(policy: Policy) -> str:
    """What decides a release as one number; why and to whom it goes does not."""
    keys = replace(policy, context=Context()).keys()
    return hashlib.sha256(json.dumps(keys, sort_keys=True, default=str).encode()).hexdigest()


def _all_variants(policy: Policy, asked: Asked) -> Iterator[Variant]:
    names = method_names(asked.algorithms)
    for algorithm, method in zip(asked.algorithms, names, strict=True):
        own = replace(policy, algorithm=algorithm)
        vary = [(path, values) for path, values in asked.vary if applies(own, path)]
        n_seeds = asked.seeds if algorithm.traits.seeded else 1
        for k in asked.k or (None,):
            of_k = own if k is None else own.with_k(k)
            for values in itertools.product(*(values for _, values in vary)):
                chosen = list(zip((path for path, _ in vary), values, strict=True))
                for seed in range(policy.seed, policy.seed + n_seeds):
                    yield variant_of(replace(of_k, seed=seed), method, chosen)


def variant_of(policy: Policy, method: str, chosen: Sequence[tuple[str, Any]]) -> Variant:
    """A policy with some options set."""
    for path, value in chosen:
        policy = with_option(policy, path, value)
    shown = tuple((path, shown_value(value)) for path, value in chosen if path != "k")
    return Variant(method, Privacy(policy.privacy).k, shown, policy.seed, policy)


def method_names(algorithms: Sequence[Algorithm]) -> list[str]:
    """The names of algorithms, with their options where two have the same."""
    names = [name_of(algorithm) for algorithm in algorithms]
    found = []
    for algorithm, name in zip(algorithms, names, strict=True):
        options = options_given(algorithm)
        is_alone = names.count(name) == 1 or not options
        said = ", ".join(f"{key}: {shown_value(value)}" for key, value in options.items())
        found.append(name if is_alone else f"{name} ({said})")
    return found


def shown_value(value: Any) -> str:
    """A value of an option as a policy writes it.

    >>> shown_value(0.5), shown_value(True), shown_value({"utility": 0.2})
    ('0.5', 'true', '{utility: 0.2}')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key}: {shown_value(one)}" for key, one in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown_value, value))}]"
    return str(value)


def _listed(values: Any) -> tuple[Any, ...]:
    return tuple(values) if isinstance(values, list | tuple | range) else (values,)

"""Changes of a policy that may save detail, each as the line to change; what they save is tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from shoal.group.auto import work_of
from shoal.policy.keys import algorithm_of
from shoal.policy.policy import Policy
from shoal.policy.yaml_text import flow
from shoal.runs.prepare import Prepared
from shoal.types.named import name_of
from shoal.types.privacy import Privacy

MOST_WORK = 15.0  # of an algorithm that is tried, in millions of rows looked at
LOCAL = ("sweep", "mondrian", "mstk", "k-member")
FULL_DOMAIN = ("flash",)
MORE = 0.01  # of the records


@dataclass(frozen=True)
class Change:
    """Another policy, and the line that makes it so."""

    kind: str
    line: str
    policy: Policy


def other_algorithms(prepared: Prepared) -> Iterator[Change]:
    """Algorithms of the same kind of recoding that the table is not too large for."""
    policy = prepared.policy
    is_full_domain = policy.algorithm.traits.publishes_nodes
    table = prepared.encoded_for(policy.algorithm).encoding.table
    for name in FULL_DOMAIN + LOCAL if is_full_domain else LOCAL:
        if name == name_of(policy.algorithm):
            continue
        algorithm = algorithm_of(name)
        if work_of(algorithm, table) > MOST_WORK and name == "sweep":
            algorithm = algorithm_of({"name": name, "effort": "fast"})
        if work_of(algorithm, table) <= MOST_WORK:
            changed = replace(policy, algorithm=algorithm)
            keys: dict[str, Any] = changed.keys()["algorithm"]
            yield Change("algorithm", f"algorithm: {flow(keys)}", changed)


def more_suppression(policy: Policy) -> Iterator[Change]:
    """One per cent of the records more."""
    share = round(min(1.0, policy.suppression + MORE), 6)
    if share > policy.suppression:
        yield Change("suppression", f"suppression: {share:g}", replace(policy, suppression=share))


def smaller_k(policy: Policy) -> Iterator[Change]:
    """k one smaller, then half of it, then 2."""
    k = Privacy(policy.privacy).k
    for smaller in sorted({k - 1, k // 2, 2} & set(range(2, k)), reverse=True):
        yield k_of(policy, smaller)


def k_of(policy: Policy, k: int) -> Change:
    """Another k in every model that has one."""
    changed = policy.with_k(k)
    pairs = zip(policy.privacy, changed.keys()["privacy"], changed.privacy, strict=True)
    lines = [f"- {flow(keys)}" for before, keys, after in pairs if before != after]
    return Change("k", "privacy: " + ", ".join(lines) if len(lines) > 1 else lines[0], changed)

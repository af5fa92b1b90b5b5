"""`shoal.check`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shoal.policy.policy import Policy
from shoal.read.given import source_of
from shoal.runs.check import check as run
from shoal.runs.together import earlier_of
from shoal.types.frames import File, Given
from shoal.types.verdict import Verdict
from shoal.types.watch import Watch

if TYPE_CHECKING:
    from shoal.proposals.proposal import Proposal


def check(
    frame: Given,
    policy: Policy | Proposal | Mapping[str, Any] | File,
    original: Given | None = None,
    *,
    earlier: Given | Sequence[Given] = (),
    watch: Watch | None = None,
) -> Verdict:
    """Verify a released table against a policy, or a policy file.

    Tables are frames of polars, pandas or pyarrow, or paths of files. With the `original`, models
    that compare groups with the whole table know its values too, and leaks are found that the
    release alone does not show: the order of its records. `earlier` releases of the original must
    keep the policy together with this one.

    >>> import polars as pl, shoal
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> bool(shoal.check(pl.DataFrame({"age": ["[20, 30]", "[20, 30]"]}), policy))
    True
    >>> verdict = shoal.check(pl.DataFrame({"age": ["[20, 30]", "40"]}), policy)
    >>> verdict.holds, verdict.findings[0].n_failing_groups
    (False, 2)
    """
    return run(
        source_of(frame),
        Policy.of(policy),
        original=None if original is None else source_of(original),
        earlier=earlier_of(earlier),
        watch=watch,
    )

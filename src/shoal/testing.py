"""An assertion that a table satisfies a policy, for the tests of those who release tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.errors import counted
from shoal.policy.policy import Policy
from shoal.types.frames import File, Given
from shoal.types.verdict import Finding, Leak, Verdict


def assert_private(
    frame: Given, policy: Policy | Mapping[str, Any] | File, *, original: Given | None = None
) -> Verdict:
    """Fail unless a table satisfies a policy; `frame` and `original` are tables, or paths of files.

    The policy is a `Policy`, a policy file, or the keys of one. Messages name models, columns and
    counts, never a value, so that anyone may read the log of a build server.

    >>> import polars as pl
    >>> rules = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    >>> assert_private(pl.DataFrame({"age": ["[20, 30]", "[20, 30]"]}), rules).n_groups
    1
    >>> assert_private(pl.DataFrame({"age": ["[20, 30]", "40"]}), rules)
    Traceback (most recent call last):
    AssertionError: The table does not satisfy the policy:
    - k-anonymity (k = 2): achieved 1; 2 groups with 2 records fail; sizes of the smallest: 1, 1
    - leak: rare value 'age', in 1 record
    """
    from shoal.api.check import check

    verdict = check(frame, policy, original)
    if not verdict.holds:
        failing = [_failure(finding) for finding in verdict.findings if not finding.holds]
        wrong = [*failing, *(_leak(leak) for leak in verdict.leaks)]
        raise AssertionError("\n- ".join(["The table does not satisfy the policy:", *wrong]))
    return verdict


def _failure(finding: Finding) -> str:
    about = f" of {finding.column!r}" if finding.column else ""
    required = ", ".join(f"{name} = {value}" for name, value in finding.required.items())
    sizes = ", ".join(map(str, finding.failing_sizes))
    return (
        f"{finding.model}{about} ({required}): achieved {finding.achieved}; "
        f"{counted(finding.n_failing_groups, 'group')} with "
        f"{counted(finding.n_failing_records, 'record')} fail; sizes of the smallest: {sizes}"
    )


def _leak(leak: Leak) -> str:
    where = "" if leak.column is None else f" {leak.column!r}"
    return f"leak: {leak.kind}{where}, in {counted(leak.count, 'record')}"

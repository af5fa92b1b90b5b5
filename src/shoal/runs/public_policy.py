"""The policy that is published with a release, checked with it before."""

from __future__ import annotations

from dataclasses import replace

from shoal.policy.public import PublicPolicy, described, outward
from shoal.read.source import Source
from shoal.release.release import Release
from shoal.runs.check import check
from shoal.types.privacy import Privacy
from shoal.types.verdict import Verdict


def public_policy(release: Release) -> PublicPolicy:
    """The models of a release that anybody can check, by checking them as anybody would.

    A model that comes out otherwise with the hierarchies of the policy looks at them; one about
    people may fail where only rows can be counted. Both are left out.
    """
    found = outward(release.policy)
    if found.policy is None:
        return found
    table = Source(release.records())
    seen = check(table, found.policy)
    known = check(table, replace(release.policy, privacy=found.policy.privacy))
    kept = tuple(
        model
        for i, model in enumerate(found.policy.privacy)
        if seen.findings[i].holds and _is_same(seen, known, i)
    )
    left_out = tuple(described(m) for m in Privacy(found.policy.privacy) if m not in kept)
    if not kept:
        return PublicPolicy(None, found.left_out + left_out)
    return PublicPolicy(replace(found.policy, privacy=kept), found.left_out + left_out)


def _is_same(seen: Verdict, known: Verdict, i: int) -> bool:
    return seen.findings[i].achieved == known.findings[i].achieved

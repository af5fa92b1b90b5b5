"""All facts of a dossier as plain data: the JSON twin, which the page is made of and carries."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from shoal import __version__
from shoal.report.attack import attack_facts
from shoal.report.dossier.known import FileFact, Known
from shoal.report.dossier.risk import risk_facts
from shoal.report.summarise import Facts, summarise
from shoal.runs.beside import least_people
from shoal.runs.evidence import threshold_of

if TYPE_CHECKING:
    from shoal.policy.policy import Policy
    from shoal.policy.public import PublicPolicy
    from shoal.release.release import Release
    from shoal.runs.evidence import Evidence

FORMAT = 1  # of the twin; raised when keys change their meaning
PACKAGES = ("polars", "numpy", "numba")


def dossier_facts(release: Release, known: Known | None = None) -> Facts:
    """Everything the dossier for the steward says.

    Lists and numbers are as JSON has them, so that the page made of the twin is the same page.
    """
    known, policy = known or Known(), release.policy
    facts = {
        "dossier": {"format": FORMAT, "audience": "internal", "made": known.made},
        **summarise(release, output=known.output),
        "unique_rows": release.n_unique_rows,
        "least": least_people(policy),
        "context": _context(policy),
        "threshold": _threshold(policy),
        "files": [_file(file) for file in known.files],
        **_evidence(known.evidence),
        "policy": _public(known.public),
        "command": known.command,
        "versions": versions(),
    }
    plain: Facts = json.loads(json.dumps(facts))
    return plain


def versions() -> dict[str, str]:
    """Of Shoal, of Python and of the packages that decide what is computed."""
    found = {"shoal": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _context(policy: Policy) -> Facts:
    said = asdict(policy.context)
    del said["threshold"], said["threshold_reason"]
    return said


def _threshold(policy: Policy) -> Facts:
    found = threshold_of(policy)
    return {
        "value": found.value,
        "given_by": found.given_by,
        "reason": policy.context.threshold_reason,
    }


def _file(file: FileFact) -> Facts:
    return {"what": file.what, "name": file.name, "sha256": file.sha256}


def _evidence(evidence: Evidence | None) -> Facts:
    if evidence is None:
        names = ("risk", "attacks", "distributions", "means", "associations", "explanation")
        return dict.fromkeys(names)
    return {
        "risk": risk_facts(evidence.risk),
        "attacks": None if evidence.attacks is None else attack_facts(evidence.attacks),
        "distributions": [found.as_dict() for found in evidence.distributions],
        "means": [found.as_dict() for found in evidence.means],
        "associations": [found.as_dict() for found in evidence.associations],
        "explanation": None if evidence.explanation is None else evidence.explanation.as_dict(),
    }


def _public(public: PublicPolicy | None) -> Facts | None:
    if public is None:
        return None
    return {"keys": public.keys(), "left_out": list(public.left_out)}

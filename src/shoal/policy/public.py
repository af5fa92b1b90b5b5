"""A policy for anybody: it says what can be checked in a release, and nothing of the original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.errors import InputError, PolicyError
from shoal.policy.keys import algorithm_of
from shoal.policy.policy import DEFAULT_ALGORITHM, Policy
from shoal.policy.written import keys_of, lines_of
from shoal.types.column import ROLES
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of
from shoal.types.schema import ColumnSpec, Schema

HEADER = """\
# What anybody can check in this release:
#   shoal check {release} -p {policy}
# It names the released columns only, and has no hierarchy, severity, population, file or seed."""
SECRET = """\
# Also required and verified when the release was made, but not checkable without what is kept
# secret (a hierarchy, severities, a population, or who is behind the records): {names}."""


@dataclass(frozen=True)
class PublicPolicy:
    """What can be checked by anybody, and the models that cannot."""

    policy: Policy | None  # None: no model can
    left_out: tuple[str, ...]

    def keys(self) -> dict[str, Any] | None:
        """The keys of the policy file, none of which names a file."""
        return None if self.policy is None else _outward(self.policy)

    def text(self, *, release: str, policy: str) -> str:
        """The policy file; `release` and `policy` are what the two files are called."""
        keys = self.keys()
        if keys is None:
            raise PolicyError(
                "there is nothing that anybody could check: every model needs a secret, such as a "
                "population. Add for example {model: k-anonymity, k: 5}",
                ("privacy",),
            )
        said = [HEADER.format(release=_plain(release), policy=_plain(policy))]
        if self.left_out:
            said.append(SECRET.format(names=_plain(", ".join(self.left_out))))
        return "\n".join([*said, *lines_of(keys)]) + "\n"


def is_public_policy(path: Path) -> bool:
    """Whether a file is such a policy, which may be replaced by a newer one."""
    try:
        with path.open("rb") as file:
            return file.readline().strip() == HEADER.splitlines()[0].encode()
    except OSError:
        return False


def outward(policy: Policy) -> PublicPolicy:
    """Released columns with their roles alone, and the models that need no more than these."""
    open_models = tuple(model for model in policy.privacy if not needs_secret(model))
    closed = tuple(described(model) for model in policy.privacy if needs_secret(model))
    if not open_models:
        return PublicPolicy(None, closed)
    released = Schema(policy.columns).released
    columns = {name: ColumnSpec(policy.columns[name].handled_as) for name in released}
    return PublicPolicy(
        Policy(
            columns=columns,
            privacy=open_models,
            algorithm=algorithm_of(DEFAULT_ALGORITHM),
            missing_values=policy.missing_values,
        ),
        closed,
    )


def policy_of_keys(keys: Any) -> Policy:
    """The policy that a dossier carries. It comes from elsewhere, so it may name no file."""
    try:
        columns, privacy = keys["columns"], keys["privacy"]
        names_files = any(role not in ROLES for role in columns.values()) or any(
            "population" in model for model in privacy
        )
        if names_files or not keys.keys() <= {"columns", "privacy", "missing_values"}:
            raise InputError("The policy in this dossier is not one that Shoal writes there.")
        return Policy.of_mapping(keys)
    except (KeyError, TypeError, AttributeError, ValueError):  # whose text may show a value
        raise InputError("The policy in this dossier is not one that Shoal writes there.") from None


def needs_secret(model: PrivacyModel) -> bool:
    return bool(model.about.needs) or model.about.population is not None


def described(model: PrivacyModel) -> str:
    """A model by its name and column, without its options."""
    column = model.about.column
    return name_of(model) if column is None else f"{name_of(model)} of {column!r}"


def _outward(policy: Policy) -> dict[str, Any]:
    keys: Mapping[str, Any] = keys_of(policy, Path())
    return {name: keys[name] for name in ("columns", "privacy", "missing_values") if name in keys}


def _plain(text: str) -> str:
    """In a comment, which ends with its line."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)

"""Whose records they are: which columns of a policy may say so."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.errors import PolicyError, nearest
from shoal.types.schema import ColumnSpec, Schema


def person_of(columns: Mapping[str, ColumnSpec], given: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that tell people apart: those given or, where it is not said, the pseudonym."""
    for name in given:
        _check_person(name, columns)
    pseudonyms = Schema(columns).names("pseudonym")
    if not pseudonyms:
        return given
    if len(pseudonyms) > 1:
        raise PolicyError(
            f"{len(pseudonyms)} columns have the role pseudonym, and each would link rows of a "
            "person by itself. Join them to one column before, or give all but one the role "
            "identifier",
            ("columns", pseudonyms[1]),
        )
    if given not in ((), pseudonyms):
        raise PolicyError(
            f"the pseudonym {pseudonyms[0]!r} shows which rows belong to the same person, so it "
            "alone must be `person`. If it takes several columns to tell people apart, join them "
            "to one column before; or give it the role identifier",
            ("person",),
        )
    return pseudonyms


def _check_person(name: str, columns: Mapping[str, ColumnSpec]) -> None:
    """Refuse a person column that is not there, or would be released as it is."""
    if name not in columns:
        raise PolicyError(f"{name!r} is not a column{nearest(name, columns)}", ("person",))
    role = columns[name].role
    if role == "weight":
        raise PolicyError(
            f"column {name!r} has weights, which do not tell people apart", ("person",)
        )
    if role in ("sensitive", "keep"):
        raise PolicyError(
            f"column {name!r} tells people apart, but its role {role} releases it as it is. "
            "Give it the role identifier, which withholds it",
            ("person",),
        )

"""What attacks on cells and groups found, in words and figures: downcoding and minimality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.report import words
from shoal.report.estimates import between, part_of, points, share_of
from shoal.types.unit import Unit

if TYPE_CHECKING:
    from shoal.attacks.downcoding import Downcoding
    from shoal.attacks.minimality import Minimality


def downcoding_says(found: Downcoding) -> str:
    if not found.n_narrowed:
        return f"{found.column!r}: generalised cells tell no more than what they cover."
    result = (
        f"{found.column!r}: {words.share(found.n_narrowed, found.n_cells)} of the generalised "
        "cells tell a value that somebody in the group has"
    )
    if found.n_exact:
        exact = words.share(found.n_exact, found.n_cells)
        result += f", and in {exact} all values are known by the size of the group"
    if found.gain.low > 0:
        return f"{result}. Guesses are better by {points(found.gain.value)} than chance."
    return f"{result}. Guesses are no better than chance."


def downcoding_figures(found: Downcoding, unit: Unit) -> dict[str, str]:
    return {
        "cells that tell a value": f"{found.n_narrowed:,} of {found.n_cells:,} generalised ones",
        "cells known exactly": f"{found.n_exact:,} of {found.n_cells:,}",
        "right guesses": share_of(found.right),
        "guessing what the cell covers": share_of(found.by_chance),
        "gain": between(found.gain),
        f"{unit.many} with generalised cells": f"{found.n_people:,}",
    }


def minimality_says(found: Minimality, unit: Unit) -> str:
    if found.changed.value == 0:
        return f"{found.column!r}: that groups were not divided tells nothing more."
    result = (
        f"{found.column!r}: that groups were not divided tells more about "
        f"{words.share(found.changed.value)} of the {unit.many}"
    )
    if found.broken.value == 0:
        return f"{result}, but no more than the models allow."
    certain = f"; for {found.n_certain:,} the value is certain" if found.n_certain else ""
    return (
        f"{result}, and for {words.share(found.broken.value)} more than the models would allow of "
        f"a group{certain}."
    )


def minimality_figures(found: Minimality, unit: Unit) -> dict[str, str]:
    n_drawn = found.n_people + found.n_uncounted
    return {
        "more is known": share_of(found.changed),
        "more than the models allow": share_of(found.broken),
        "most likely value": f"at most {words.share(found.largest)}",
        "right guesses": share_of(found.right),
        "the most frequent value of the group": share_of(found.by_group),
        "gain": between(found.gain),
        "could be counted": part_of(found.n_people, n_drawn, unit),
    }

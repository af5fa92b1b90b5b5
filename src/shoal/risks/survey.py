"""All combinations of up to three columns of a table, as many as the limit allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from shoal.risks.choice import LARGEST_COMBINATION, choose
from shoal.risks.contribution import contributions
from shoal.risks.count import Counter, Found, Tally, without_each
from shoal.risks.figures import ColumnRisk, Combination


class Survey(NamedTuple):
    """Every combination that was counted, and all columns but one, for each."""

    found: Found  # singles first, then pairs, then triples, in the order of the columns
    without: dict[int, Tally]
    contributions: list[float]
    size: int  # combinations of up to so many columns are all counted
    left_out: dict[int, int]  # number of columns -> combinations that were not counted


def n_combinations(n_columns: int, limit: int) -> int:
    """How many will be counted: single columns always, others within the limit.

    >>> n_combinations(8, 2000), n_combinations(40, 2000), n_combinations(8, 1)
    (92, 2000, 8)
    """
    sizes = range(1, LARGEST_COMBINATION + 1)
    return max(n_columns, min(limit, sum(math.comb(n_columns, size) for size in sizes)))


def survey(counter: Counter[Any], limit: int) -> Survey:
    """Single columns first, then pairs, then triples: those of the most identifying columns."""
    n_columns = len(counter.table.columns)
    nothing = counter.tally_of(counter.everything())
    singles = [(place,) for place in range(n_columns)]
    found = counter.count(singles, {(): nothing})
    size, left_out = 1, {}
    added = _contributions(counter, {(): nothing} | found, size)
    for larger in range(2, min(LARGEST_COMBINATION, n_columns) + 1):
        counted, left_out[larger] = choose(larger, _ranking(added), limit - len(found))
        found |= counter.count(counted, found)
        if not left_out[larger]:
            size = larger
            added = _contributions(counter, {(): nothing} | found, size)
    without = without_each(counter, _ranking(added))
    return Survey(found, without, added, size, left_out)


def survey_same(counter: Counter[Any], before: Survey) -> Survey:
    """The same combinations of another table."""
    nothing = counter.tally_of(counter.everything())
    found: Found = {(): nothing}
    for size in range(1, LARGEST_COMBINATION + 1):
        wanted = [places for places in before.found if len(places) == size]
        found |= counter.count(wanted, found)
    added = _contributions(counter, found, before.size)
    without = without_each(counter, _ranking(added))
    del found[()]
    return before._replace(found=found, without=without, contributions=added)


def combinations_of(found: Survey, names: Sequence[str], n: int) -> tuple[Combination, ...]:
    return tuple(
        Combination(tuple(names[place] for place in places), n, *tally)
        for places, tally in found.found.items()
    )


def columns_of(found: Survey, names: Sequence[str], n: int) -> tuple[ColumnRisk, ...]:
    """What each column adds, the one that adds most first."""
    total = sum(found.contributions) or 1.0  # nothing is added where all records are equal
    return tuple(
        ColumnRisk(
            column=names[place],
            contribution=found.contributions[place],
            share=found.contributions[place] / total,
            alone=Combination((names[place],), n, *found.found[place,]),
            left_out=Combination(
                tuple(name for i, name in enumerate(names) if i != place),
                n,
                *found.without[place],
            ),
        )
        for place in _ranking(found.contributions)
    )


def _contributions(counter: Counter[Any], found: Found, size: int) -> list[float]:
    n_found = {places: tally.n_found for places, tally in found.items()}
    return contributions(n_found, len(counter.table.columns), size, counter.table.n)


def _ranking(added: Sequence[float]) -> list[int]:
    """Columns by what they add; ties in the order of the table."""
    return sorted(range(len(added)), key=lambda place: -added[place])

"""What has to be read together with the figures."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.errors import counted
from shoal.risks.figures import Risk


def notes_on(risk: Risk) -> Iterator[str]:
    yield from _about_population(risk)
    yield from _about_release(risk)
    yield from _about_combinations(risk)


def _about_population(risk: Risk) -> Iterator[str]:
    if risk.n_population is None:
        yield (
            "No population was given, so the journalist's risk is not known. It is at most the "
            "prosecutor's, since the population holds at least the people of the table. "
            "--population FILE gives the figures."
        )
    tables = {"data": risk.data} | ({"release": risk.release} if risk.release else {})
    for name, table in tables.items():
        n = table.n_fewer_in_population
        if n:
            yield (
                f"{counted(n, 'record')} of the {name} ({n / table.n_records:.1%}) "
                f"{'fits' if n == 1 else 'fit'} fewer people of the population than of the {name}: "
                "the population file does not hold everybody, or writes values in another way. "
                f"There the people of the {name} itself are counted, so no risk is too low."
            )


def _about_release(risk: Risk) -> Iterator[str]:
    if risk.release is not None:
        yield (
            "In the release, records with the same cells count as alike. Where cells overlap, as "
            "[20, 40] and [30, 50] do, a person fits more records than those: the risks of the "
            "release, above all those of few columns, are upper bounds."
        )
    n = risk.n_fewer_records
    if n:
        yield (
            f"The release has {counted(n, 'record')} fewer than the data: suppressed records are "
            "in none of its figures, and shares are of the records that it has."
        )


def _about_combinations(risk: Risk) -> Iterator[str]:
    left_out = {size: n for size, n in risk.left_out.items() if n}
    if not left_out:
        return
    names = {2: "pair", 3: "triple"}
    counts = " and ".join(counted(n, names[size]) for size, n in left_out.items())
    verb = "was" if sum(left_out.values()) == 1 else "were"
    smaller = {1: "single columns", 2: "single columns and pairs"}[risk.contribution_size]
    yield (
        f"{counts} of columns {verb} not counted: {len(risk.data.combinations):,} combinations are "
        "the limit. Those of the columns that add most were counted first, and what columns add is "
        f"taken from {smaller}. --most-combinations allows more."
    )

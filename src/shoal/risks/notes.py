"""What has to be read together with the figures."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.errors import counted
from shoal.risks.figures import Risk


def notes_on(risk: Risk) -> Iterator[str]:
    yield from _about_population(risk)
    yield from _about_release(risk)
    yield from _about_people(risk)
    yield from _about_combinations(risk)


def _about_population(risk: Risk) -> Iterator[str]:
    if risk.n_population is None and risk.estimates is None:
        yield (
            "No population was given, so the journalist's risk is unknown. It is at most the "
            "prosecutor's, because the population includes the people of the table. Use "
            "--population FILE to measure it, or say in the policy which population the table is "
            "a sample of (`population`), to estimate it."
        )
    tables = {"data": risk.data} | ({"release": risk.release} if risk.release else {})
    for name, table in tables.items():
        n = table.n_fewer_in_population
        if n:
            yield (
                f"For {table.unit.counted(n)} ({n / table.n_counted:.1%}) the population file has "
                f"fewer matching people than the {name} itself. It is incomplete or spells values "
                f"differently; the count in the {name} is used, so the risk is not understated."
            )


def _about_release(risk: Risk) -> Iterator[str]:
    if risk.release is not None:
        for_records = "" if risk.data.unit == risk.release.unit else " for records"
        yield (
            "In the release, only records with the same cells count as a group (equivalence "
            "class). If cells overlap, such as [20, 40] and [30, 50], a person matches more "
            f"records than one group. The risks of the release are therefore upper bounds"
            f"{for_records}, most of all those of few columns."
        )
    n = risk.n_fewer_records
    if n:
        yield (
            f"The release has {counted(n, 'record')} fewer than the data. Its figures and shares "
            "do not include suppressed records."
        )


def _about_people(risk: Risk) -> Iterator[str]:
    if risk.release is not None and risk.data.unit != risk.release.unit:
        yield (
            "The figures of the data count people. The release does not say whose its records "
            "are, so its figures count records: several that look alike may be one person's, and "
            "the risk to people may be higher than shown."
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
        f"{counts} of columns {verb} not evaluated: the limit is "
        f"{len(risk.data.combinations):,} combinations. Combinations of the columns that add most "
        f"were evaluated first; what columns add was computed from {smaller}. Raise "
        "--most-combinations to evaluate more."
    )

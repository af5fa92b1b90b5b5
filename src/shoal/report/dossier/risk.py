"""The risk of being found, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shoal.plot.in_table import bar
from shoal.report import estimated, words
from shoal.report.dossier.section import Section, advice, is_internal, paragraph
from shoal.report.fragments import Html, column_name, table
from shoal.report.summarise import Facts

if TYPE_CHECKING:
    from shoal.risks.figures import AttackerRisk, Risk, TableRisk


def risk_facts(risk: Risk) -> Facts:
    """The figures of the whole tables; of columns, what each adds to the risk of the original."""
    assert risk.release is not None
    return {
        "population": risk.n_population,
        "data": _table_facts(risk.data),
        "release": _table_facts(risk.release),
        "columns": [
            {"column": column.column, "share": round(column.share, 4)}
            for column in risk.data.columns
        ],
        "estimates": _estimated_facts(risk),
        "notes": list(risk.notes),
    }


def _estimated_facts(risk: Risk) -> Facts | None:
    """The same lines that `shoal risk` prints."""
    found = risk.estimates
    if found is None:
        return None
    return {
        "title": estimated.title_of(found),
        "lines": [
            [label, texts.get("data", "-"), texts.get("release", "-")]
            for label, texts in estimated.rows(found, risk.threshold, risk.data.unit.many)
        ],
        "sentences": estimated.sentences(found),
    }


def _table_facts(found: TableRisk) -> Facts:
    return {
        "unit": found.unit.many,
        "counted": found.n_counted,
        "unique": _part_facts(found.n_unique, found.n_counted),
        "prosecutor": _attacker_facts(found.prosecutor),
        "journalist": found.journalist and _attacker_facts(found.journalist),
        "marketer": found.marketer,
    }


def _attacker_facts(found: AttackerRisk) -> Facts:
    at_risk = _part_facts(found.n_at_risk, found.n_counted)
    return {"highest": found.highest, "average": found.average, "at_risk": at_risk}


def _part_facts(n: int, of: int) -> Facts:
    return {"n": n, "share": n / of if of else 0.0}


def risk(facts: Facts) -> Section | None:
    found = facts["risk"]
    if found is None:
        return None
    return Section(
        "risk",
        "Risk before and after",
        "EMA/Health Canada: initial risk and residual risk. HIPAA: results of the analysis.",
        (
            paragraph(
                "The risk of a record is the chance of picking the right one: 1 divided by the "
                "number of records, or people, that look the same. The highest risk is that of the "
                "smallest group.",
                _counted(facts),
            ),
            table([("", "label"), ("Before", "number"), ("After", "number")], _rows(facts)),
            *_estimates(found),
            _contributions(found),
            advice(
                "If the risk after is above the threshold:",
                "raise k, or take detail out of the columns that add most.",
            )
            if is_internal(facts)
            else Html(""),
        ),
    )


def _counted(facts: Facts) -> str:
    before, after = facts["risk"]["data"]["unit"], facts["risk"]["release"]["unit"]
    if before == after:
        return f"The figures count {before}."
    highest = words.share(1 / facts["sizes"]["smallest"])
    return (
        f"Before, {before} were counted; after, {after}: a recipient cannot tell whose they are. "
        f"Counted by {before} when the release was made, the highest risk after is {highest}."
    )


def _rows(facts: Facts) -> Iterator[tuple[str, str, str]]:
    """A title, and what to say of the data and of the release."""
    before, after = facts["risk"]["data"], facts["risk"]["release"]
    limit, least = words.number(facts["threshold"]["value"]), facts["least"]
    yield "Unique", _part(before["unique"], least), _part(after["unique"], least)
    for name, title in (("prosecutor", "Prosecutor"), ("journalist", "Journalist")):
        first, second = before[name], after[name]
        if first is None or second is None:
            continue
        for key in ("highest", "average"):
            yield f"{title}, {key} risk", words.share(first[key]), words.share(second[key])
        at_risk = _part(first["at_risk"], least), _part(second["at_risk"], least)
        yield f"{title}, above {limit}", *at_risk
    marketer = words.share(before["marketer"]), words.share(after["marketer"])
    yield "Marketer, expected to be found", *marketer


def _part(part: Facts, least: int) -> str:
    """A number and its share; where it is too small to be told, just that."""
    if part["share"] is None:
        return f"fewer than {least:,}"
    if part["share"] == 0:
        return "none"
    share = words.share(part["share"])
    return share if part["n"] is None else f"{part['n']:,} ({share})"


def _estimates(found: Facts) -> Iterator[Html]:
    """What is expected in the population, where the policy says that the table is a sample."""
    if not found["estimates"]:
        return
    yield table(
        [(found["estimates"]["title"], "label"), ("Before", "number"), ("After", "number")],
        found["estimates"]["lines"],
    )
    yield paragraph(*found["estimates"]["sentences"])


def _contributions(found: Facts) -> Html:
    """What each column adds, for the steward alone."""
    if not found["columns"]:
        return Html("")
    return table(
        [("Column", "label"), ("Part of the risk before", "chart")],
        (
            (column_name(entry["column"]), bar(entry["share"], words.share(entry["share"])))
            for entry in found["columns"]
        ),
    )

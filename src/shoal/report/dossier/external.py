"""The facts that may be read by everybody: what helps an attacker is left out.

Facts are chosen, not removed: a fact that is added to the dossier stays inside until it is chosen.
"""

from __future__ import annotations

import math
from typing import Any

from shoal.report.dossier.attacks import estimates
from shoal.report.summarise import Facts

WITHHELD = "not released"
CONTEXT = ("title", "purpose", "legal_basis", "recipient", "recipient_holds", "controls",
           "attackers", "utility", "contact")  # fmt: skip


def external(facts: Facts) -> Facts:
    """The dossier for recipients and the public.

    Without seed, command, digests of inputs, reasons, withheld columns, notes, what each column
    adds to the risk, values, what the search found out, and counts of fewer people than k.
    """
    least = facts["least"]
    columns = [entry for entry in facts["columns"] if entry["published"] != WITHHELD]
    names = [entry["column"] for entry in columns]
    used = {entry["role"] for entry in columns}
    return {
        "dossier": facts["dossier"] | {"audience": "external"},
        **{
            key: facts[key] for key in ("headline", "standing", "unit", "output", "groups", "least")
        },
        "records": _records(facts),
        "people": _people(facts),
        "unique": {"before": None, "after": facts["unique"]["after"]},
        "privacy": [_model(model, facts["policy"]) for model in facts["privacy"]],
        "columns": [entry | {"reason": ""} for entry in columns],
        "roles": [entry for entry in facts["roles"] if entry["role"] in used],
        "loss": None if facts["loss"] is None else _coarse(facts["loss"]),
        "loss_by_column": _losses(facts, names),
        "bound": None,
        "measures": [],
        "utility": [],
        "tried": None,
        "sizes": facts["sizes"],
        "run": {key: facts["run"][key] for key in ("algorithm", "meaning", "shoal")},
        "levels": [],
        "discloses": {"columns": []},
        "neighbours": None,
        "notes": [],
        "context": {key: facts["context"][key] for key in CONTEXT},
        "threshold": facts["threshold"],
        "files": [file for file in facts["files"] if file["what"] == "release"],
        "risk": _risk(facts["risk"], least),
        "attacks": _attacks(facts["attacks"], least),
        "distributions": _told(facts["distributions"]),
        "means": _shifts(facts["means"]),
        "associations": _associations(facts["associations"]),
        "explanation": None,
        "policy": facts["policy"],
        "command": None,
        "versions": {"shoal": facts["versions"]["shoal"]},
    }


def _is_few(facts: Facts) -> bool:
    return 0 < int(facts["records"]["suppressed"]) < int(facts["least"])


def _records(facts: Facts) -> Facts:
    """Where few records are left out, the number of all would tell how few."""
    records = facts["records"] | {"may_be_suppressed": None}
    return {**records, **({"read": None, "suppressed": None} if _is_few(facts) else {})}


def _people(facts: Facts) -> Facts | None:
    people = facts["people"]
    if people is None or people["read"] is None:
        return None if people is None else dict(people)
    few = 0 < people["read"] - people["released"] < facts["least"]
    return {**people, **({"read": None} if few or _is_few(facts) else {})}


def _model(model: Facts, policy: Facts | None) -> Facts:
    """What was found of a model, where anybody can find it out."""
    keys = (policy or {}).get("keys") or {"privacy": []}
    is_open = any(
        own["model"] == model["model"] and own.get("column") == model["column"]
        for own in keys["privacy"]
    )
    return model | ({} if is_open else {"achieved": ""})


def _losses(facts: Facts, names: list[str]) -> list[Facts]:
    """In the order of the table, not that of the risk."""
    losses = {entry["column"]: entry["loss"] for entry in facts["loss_by_column"]}
    return [{"column": n, "loss": _coarse(losses[n])} for n in names if n in losses]


def _risk(risk: Facts | None, least: int) -> Facts | None:
    if risk is None:
        return None
    return {
        "population": None,
        "data": _table(risk["data"], least),
        "release": _table(risk["release"], least),
        "columns": [],
        "estimates": None,  # how many are unique in the population tells attackers where to look
        "notes": [],
    }


def _table(table: Facts, least: int) -> Facts:
    kept = {"unit": table["unit"], "counted": None, "unique": _part(table["unique"], least)}
    for name in ("prosecutor", "journalist"):
        found = table[name]
        kept[name] = found and {
            "highest": found["highest"],
            "average": _coarse(found["average"]),
            "at_risk": _part(found["at_risk"], least),
        }
    return kept | {"marketer": _coarse(table["marketer"])}


def _part(part: Facts, least: int) -> Facts:
    """A share in whole percents; none where it is that of few."""
    return {"n": None, "share": None if 0 < part["n"] < least else _coarse(part["share"])}


def _coarse(share: float) -> float:
    """In whole percents, of which 0 still means none and 100 all.

    >>> _coarse(0.876), _coarse(0.999), _coarse(1.0), _coarse(0.0001)
    (0.88, 0.99, 1.0, 0.01)
    """
    if share in (0, 1):
        return share
    return min(max(round(share, 2), 0.01), 0.99)


def _attacks(attacks: Facts | None, least: int) -> Facts | None:
    """Estimates alone: sentences and counts may be about few people."""
    if attacks is None:
        return None
    kept: Facts = {"people": attacks["people"], "confidence": attacks["confidence"]}
    for name, results in attacks.items():
        entries = results if isinstance(results, list) else [results]
        found = [_result(e, attacks["people"], least) for e in entries if isinstance(e, dict)]
        if found:
            kept[name] = found
    return kept


def _result(result: Facts, n_people: int, least: int) -> Facts:
    kept: Facts = {"column": result.get("column")}
    for name, figure in estimates(result):
        kept[name] = _estimate(figure, n_people, least)
    return kept


def _estimate(figure: Facts, n_people: int, least: int) -> Facts:
    is_few = 0 < abs(figure["value"]) * n_people < least
    if is_few:
        return {"value": None, "low": None, "high": math.ceil(100 * figure["high"]) / 100}
    return {key: round(share, 3) for key, share in figure.items()}


def _told(distributions: list[Facts] | None) -> list[Facts] | None:
    """How much cells tell, without the values."""
    if distributions is None:
        return None
    return [
        {
            "column": entry["column"],
            "shares": [],
            "told": _coarse(entry["told"]),
            "exact": _coarse(entry["exact"]),
        }
        for entry in distributions
    ]


def _shifts(means: list[Facts] | None) -> list[Facts] | None:
    """How far means moved: the mean itself would give away records that were left out."""
    if means is None:
        return None
    return [
        {
            "column": entry["column"],
            "shift": None if entry["shift"] is None else round(entry["shift"], 2),
            "told": _coarse(entry["told"]),
        }
        for entry in means
    ]


def _associations(found: list[Facts] | None) -> list[Facts] | None:
    return None if found is None else [entry | _rounded(entry) for entry in found]


def _rounded(entry: Facts) -> dict[str, Any]:
    return {
        key: None if entry[key] is None else round(entry[key], 2) for key in ("before", "after")
    }

"""What attackers gained who were simulated, with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.report import words
from shoal.report.dossier.section import Section, listed, paragraph
from shoal.report.fragments import Html, column_name, element, html, table
from shoal.report.summarise import Facts

QUESTIONS = {
    "linkage": "can a record or a person be found?",
    "homogeneity": "do all matching rows have the same value?",
    "skewness": "do values differ in frequency in the matching rows?",
    "inference": "can a value be guessed?",
    "downcoding": "can cells be narrowed below what they cover?",
    "intersection": "do several releases tell more than each of them?",
    "minimality": "does it tell a value that a group was not divided?",
}


def attacks(facts: Facts) -> Section | None:
    """Every attack that was tried: whatever has estimates is shown, so later ones are too."""
    found = facts["attacks"]
    if found is None:
        return None
    content = [
        paragraph(
            f"An attacker who holds the release and knows all quasi-identifiers of "
            f"{found['people']:,} {facts['unit']['many']}, drawn at random from the original, was "
            "simulated. In brackets are 95% confidence intervals for the figure of all "
            f"{facts['unit']['many']}."
        )
    ]
    for name, results in found.items():
        content += [_attack(name, result) for result in _results(results)]
    content.append(listed(found.get("notes", [])) if found.get("notes") else Html(""))
    return Section(
        "attacks",
        "Attacks that were tried",
        "EMA/Health Canada: plausible attacks; singling out, linkability and inference (WP216).",
        tuple(content),
    )


def _results(results: Any) -> list[Facts]:
    """The results of an attack: one, or one for each column."""
    entries = results if isinstance(results, list) else [results]
    return [e for e in entries if isinstance(e, dict) and any(True for _ in estimates(e))]


def estimates(result: Facts) -> Iterator[tuple[str, Facts]]:
    """The figures of an attack that have an interval."""
    for name, figure in result.items():
        if isinstance(figure, dict) and figure.keys() == {"value", "low", "high"}:
            yield name, figure


def _attack(name: str, result: Facts) -> Html:
    title = [html(name.replace("_", " ").capitalize())]
    if result.get("column") is not None:
        title += [html(" of "), column_name(result["column"])]
    asked = QUESTIONS.get(name)
    if asked:
        title.append(element("span", asked, class_="setting"))
    rows = [(key.replace("_", " "), _estimate(figure)) for key, figure in estimates(result)]
    return element(
        "div",
        element("h3", *title),
        element("p", result["says"]) if result.get("says") else Html(""),
        table([("Figure", "label"), ("Estimate (95% interval)", "number")], rows),
        class_="attack",
    )


def _estimate(figure: Facts) -> str:
    if figure["value"] is None:  # of too few to be told
        return f"at most {_percent(figure['high'])}"
    low, high = _percent(figure["low"]), _percent(figure["high"])
    return f"{_percent(figure['value'])} ({low} to {high})"


def _percent(share: float) -> str:
    """A share or a difference of shares, which may be negative."""
    return words.share(share) if share >= 0 else f"{100 * share:.1f}%"

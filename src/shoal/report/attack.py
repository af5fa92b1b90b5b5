"""The results of attacks on a release: one sentence for each, and its figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from shoal.report import words
from shoal.report.attack_cells import (
    downcoding_figures,
    downcoding_says,
    minimality_figures,
    minimality_says,
)
from shoal.report.estimates import between, part_of, points, share_of
from shoal.report.printable import printable
from shoal.types.unit import PERSON, Unit

if TYPE_CHECKING:
    from shoal.attacks.homogeneity import Homogeneity
    from shoal.attacks.inference import Inference
    from shoal.attacks.intersection import Intersection
    from shoal.attacks.linkage import Linkage
    from shoal.attacks.skewness import Skewness
    from shoal.runs.attack import Attacks

WIDEST = 88
Figures = Mapping[str, str]


def attack_facts(attacks: Attacks) -> dict[str, Any]:
    """The results, each with its sentence: what `shoal attack --json` prints."""
    facts = attacks.as_dict()
    unit = attacks.unit
    facts["linkage"]["says"] = linkage_says(attacks.linkage, unit)
    says = {
        "homogeneity": [homogeneity_says(found, unit) for found in attacks.homogeneity],
        "skewness": [skewness_says(found) for found in attacks.skewness],
        "inference": [inference_says(found, unit) for found in attacks.inference],
        "downcoding": [downcoding_says(found) for found in attacks.downcoding],
        "minimality": [minimality_says(found, unit) for found in attacks.minimality],
    }
    if attacks.intersection is not None:
        says["intersection"] = [intersection_says(found, unit) for found in attacks.intersection]
    for name, sentences in says.items():
        for entry, sentence in zip(facts[name], sentences, strict=True):
            entry["says"] = sentence
    return facts


def print_attacks(attacks: Attacks, console: Console) -> None:
    """Every attack: the question, the answer, the figures."""
    unit = attacks.unit
    _print(Text(printable(headline(attacks)), "bold"), console, above=0, indent=0)
    answer = linkage_says(attacks.linkage, unit), _linkage_figures(attacks.linkage, unit)
    question = "can a person be found?" if unit == PERSON else "can a record be found?"
    _print_attack("Linkage", question, [answer], console)
    homogeneity = [
        (homogeneity_says(h, unit), _homogeneity_figures(h)) for h in attacks.homogeneity
    ]
    skewness = [(skewness_says(s), _skewness_figures(s)) for s in attacks.skewness]
    inference = [(inference_says(i, unit), _inference_figures(i, unit)) for i in attacks.inference]
    if inference:
        question = "do all matching rows have the same value?"
        _print_attack("Homogeneity", question, homogeneity, console)
        question = "do values differ in frequency in the matching rows?"
        _print_attack("Skewness", question, skewness, console)
        _print_attack("Inference", "can a value be guessed?", inference, console)
    downcoding = [(downcoding_says(d), downcoding_figures(d, unit)) for d in attacks.downcoding]
    if downcoding:
        question = "do cells tell more than they cover?"
        _print_attack("Downcoding", question, downcoding, console)
    minimality = [
        (minimality_says(m, unit), minimality_figures(m, unit)) for m in attacks.minimality
    ]
    if minimality:
        question = "does it tell something that groups were not divided?"
        _print_attack("Minimality", question, minimality, console)
    if attacks.intersection:
        answers = [(intersection_says(i, unit), _together(i, unit)) for i in attacks.intersection]
        question = "do several releases tell more than each of them?"
        _print_attack("Intersection", question, answers, console)
    _print_notes(attacks, console)


def headline(attacks: Attacks) -> str:
    each = {"one": ", one record of each", "all": ", all their records", None: ""}
    return (
        f"Attacked with {attacks.unit.counted(attacks.n_people)} from the original"
        f"{each[attacks.known_records]}, known by "
        f"{', '.join(repr(name) for name in attacks.known)}"
    )


def linkage_says(found: Linkage, unit: Unit) -> str:
    if found.smallest is None:
        return f"No row can belong to a known {unit.one}."
    theirs = "all rows that match" if unit == PERSON else "exactly one row matches, and it"
    if found.n_singled_out:
        are = f"{unit.one} is" if found.n_singled_out == 1 else f"{unit.many} are"
        return (
            f"{found.n_singled_out:,} of {found.n_people:,} {are} singled out: {theirs} can be "
            "theirs."
        )
    rows = f"at least {found.smallest:,} rows match each {unit.one}"
    result = (
        f"No one is singled out: {rows} who can be in the release, and not all can be theirs"
        if unit == PERSON
        else f"No record is singled out: {rows} that can be in the release"
    )
    return f"{result}. On average 1 pick in {_times(found.success.value)} is right."


def homogeneity_says(found: Homogeneity, unit: Unit) -> str:
    if found.same.value == 0:
        return f"{found.column!r}: for no {unit.one} do all matching rows have the same value."
    result = (
        f"{found.column!r}: for {words.share(found.same.value)} of the {unit.many} all matching "
        f"rows have the same value, and for {words.share(found.right.value)} it is "
        f"{'one that they have' if unit == PERSON else 'the true one'}"
    )
    if found.excess.low > 0:
        return f"{result}. This reveals the value, more often than chance would."
    return f"{result}. The same number of random rows agree about as often."


def skewness_says(found: Skewness) -> str:
    if found.excess.low > 0:
        return (
            f"{found.column!r}: matching rows hint at a value. Their most frequent value is "
            f"{points(found.skew.value)} more frequent than in the whole release, "
            f"{points(found.excess.value)} more than in random rows."
        )
    return f"{found.column!r}: matching rows do not hint at a value more than random rows do."


def inference_says(found: Inference, unit: Unit) -> str:
    """What is gained over guessing blindly, and how much of it by the own rows."""
    if found.gain.low <= 0:
        return (
            f"{found.column!r}: guessing from the matching rows is no better than always "
            "guessing the most frequent value."
        )
    result = (
        f"{found.column!r}: guessing from the matching rows is better by "
        f"{points(found.gain.value)} than always guessing the most frequent value"
    )
    if found.gain_from_taking_part.low <= 0:
        who = "people who" if unit == PERSON else "records that"
        return f"{result}. The gain is the same for {who} are not in the release."
    if found.gain_from_others.low <= 0:
        return f"{result}, but only because the {unit.one} is in the release."
    return (
        f"{result}: {points(found.gain_from_others.value)} for any {unit.one}, and "
        f"{points(found.gain_from_taking_part.value)} because the {unit.one} is in the release."
    )


def intersection_says(found: Intersection, unit: Unit) -> str:
    if found.certain.value == 0:
        return f"{found.column!r}: all releases together make no {unit.one}'s value certain."
    result = (
        f"{found.column!r}: all releases together make the value of "
        f"{words.share(found.certain.value)} of the {unit.many} certain"
    )
    if found.excess.value > 0:
        return f"{result}, and for {words.share(found.excess.value)} no release alone does."
    return f"{result}. One of them alone makes it certain already."


def _together(found: Intersection, unit: Unit) -> Figures:
    figures = {"certain from all releases": share_of(found.certain)}
    for i, alone in enumerate(found.alone):
        which = "this release" if i == 0 else f"earlier release {i}"
        figures[f"certain from {which} alone"] = share_of(alone)
    figures["more than from any one"] = between(found.excess)
    if found.smallest is not None and found.median is not None:
        median = words.number(round(found.median))
        left = f"at least {found.smallest:,}, median {median}"
        figures[f"candidates left for a {unit.one}"] = left
    return figures


def _linkage_figures(found: Linkage, unit: Unit) -> Figures:
    figures = {
        "right picks from the release": share_of(found.success),
        "right picks from the original": share_of(found.in_original),
        "by chance, from all rows": words.share(found.by_chance),
    }
    if found.smallest is not None and found.median is not None:
        median = words.number(round(found.median))
        figures[f"rows that match a {unit.one}"] = f"at least {found.smallest:,}, median {median}"
    figures["unique in the original"] = part_of(found.n_unique, found.n_people, unit)
    if found.n_unmatched:
        figures["no row matches"] = part_of(found.n_unmatched, found.n_people, unit)
    if found.n_only_wrong:
        others = f"only rows of {'other people' if unit == PERSON else 'other records'} match"
        figures[others] = part_of(found.n_only_wrong, found.n_people, unit)
    return figures


def _homogeneity_figures(found: Homogeneity) -> Figures:
    return {
        "all matching rows agree": share_of(found.same),
        "and have the true value": share_of(found.right),
        "the same number of random rows agree": share_of(found.by_chance),
    }


def _skewness_figures(found: Skewness) -> Figures:
    return {
        "more frequent than overall": between(found.skew),
        "the same in random rows": between(found.by_chance),
        "largest in the sample": points(found.largest),
    }


def _inference_figures(found: Inference, unit: Unit) -> Figures:
    own = "the person's own rows" if unit == PERSON else "the record's own row"
    return {
        "right guesses": share_of(found.matched),
        f"without {own}": share_of(found.without_person),
        "always the most frequent value": share_of(found.baseline),
        "gain": between(found.gain),
        f"for any {unit.one}": between(found.gain_from_others),
        "by being in the release": between(found.gain_from_taking_part),
    }


def _times(chance: float) -> str:
    """How many picks one success takes.

    >>> _times(0.04), _times(0.4)
    ('25', '2.5')
    """
    picks = 1 / chance
    return f"{picks:,.0f}" if picks >= 10 else f"{picks:.2g}"


def _print_attack(
    title: str, question: str, answers: Iterable[tuple[str, Figures]], console: Console
) -> None:
    _print(Text.assemble((title, "bold cyan"), f": {question}"), console, indent=0)
    for sentence, figures in answers:
        _print(Text(printable(sentence)), console, above=0)
        grid = Table.grid(padding=(0, 2))
        grid.add_column(overflow="fold")
        grid.add_column(overflow="fold")
        for name, figure in figures.items():
            grid.add_row(Text(name, "dim"), Text(figure, "dim"))
        _print(grid, console, above=0, indent=4)


def _print_notes(attacks: Attacks, console: Console) -> None:
    _print(Text("Notes", "bold yellow"), console, indent=0)
    always = (
        f"{attacks.unit.many.capitalize()} were drawn at random. The ranges in brackets are 95% "
        f"confidence intervals for the figure of all {attacks.unit.many}."
    )
    grid = Table.grid(padding=(0, 2))
    for note in (always, *attacks.notes):
        grid.add_row(Text("-"), Text(printable(note)))
    _print(grid, console, above=0)


def _print(what: Text | Table, console: Console, *, above: int = 1, indent: int = 2) -> None:
    padded = Padding(what, (above, 0, 0, indent), expand=False)
    console.print(padded, width=min(console.width, WIDEST))

"""What the page says of a release in words; the words around them are in `page.html`."""

from __future__ import annotations

from shoal.report import words
from shoal.report.fragments import Html, column_name, definitions, element, html, lines, prose
from shoal.report.summarise import Facts
from shoal.types.unit import PERSON, RECORD, Unit

CHECK = "M7 12.5l3.4 3.4L17 9"
CROSS = "M8 8l8 8M16 8l-8 8"
EXCLAMATION = "M12 6.5v7M12 17.3v.2"
MARKS: dict[words.Standing, str] = {"holds": CHECK, "rows": EXCLAMATION, "fails": CROSS}
LIMIT_OF_RECORDS = (
    "k counts records. If a person has several records, a group has fewer than k people."
)
LIMIT_OF_PEOPLE = (
    "People are told apart as the policy says: a person with two numbers counts as two people."
)


def mark(standing: words.Standing) -> Html:
    """A tick, a cross, or a warning between them; the headline says the same in words."""
    return Html(
        '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        f'<circle cx="12" cy="12" r="12"></circle><path d="{MARKS[standing]}"></path>'
        "</svg>"
    )


def lead(facts: Facts) -> Html:
    """What must be said first, if anything, and the whole release in two sentences."""
    cost = facts.get("cost")
    first = Html(f"{element('strong', html(cost))} ") if cost else Html("")
    return Html(first + _sentences(facts))


def _sentences(facts: Facts) -> Html:
    records = facts["records"]
    if records["read"] is None:  # those left out are too few to be told to everybody
        few = f"fewer than {facts['least']:,} were suppressed (left out)"
        return html(f"{records['released']:,} records are released; {few}.")
    n_people = facts["people"] and facts["people"]["read"]
    read = words.records_of_people(records["read"], n_people)
    suppressed = records["suppressed"]
    if suppressed:
        released = (
            f"Of {read}, {records['released']:,} are released; {suppressed:,} "
            f"({words.share(suppressed, records['read'])}) "
            f"{'was' if suppressed == 1 else 'were'} suppressed (left out), because they stood out "
            "too much or had a missing or unknown value."
        )
    else:
        released = f"All {read} are released; none was suppressed."
    if facts["loss"] is None:
        return html(released)
    return html(f"{released} On average, a cell lost {words.share(facts['loss'])} of its detail.")


def tiles(facts: Facts) -> Html:
    """The figures that readers ask for first."""
    records = facts["records"]
    pairs: list[tuple[str, object]] = [("Released", _of_people(facts, "released"))]
    if records["read"] is not None:
        limit = records["may_be_suppressed"]
        allowed = f"of at most {limit:,}" if limit else "none allowed"
        pairs.insert(0, ("Records read", _of_people(facts, "read")))
        pairs.append(("Suppressed", _figure(f"{records['suppressed']:,}", allowed)))
    pairs.append(("Groups", f"{facts['groups']:,}"))
    if facts["loss"] is not None:
        pairs.append(("Detail lost", words.share(facts["loss"])))
    return definitions(pairs, boxed=True)


def notes(facts: Facts) -> Html:
    """Warnings, before everything else; empty if there are none."""
    if not facts["notes"]:
        return Html("")
    items = lines(element("li", prose(note)) for note in facts["notes"])
    title = element("h2", "Check before sharing", id="notes")
    return element("section", title, element("ul", items), class_="notes", aria_labelledby="notes")


def models(facts: Facts) -> Html:
    return lines(_model(model) for model in facts["privacy"])


def _model(model: Facts) -> Html:
    holds = model["holds"]
    title = element(
        "h3",
        element("span", model["model"]),
        element("span", *_setting(model), class_="setting"),
        element("span", "✓ holds" if holds else "✗ FAILS", class_="result"),
    )
    pairs = [("Required", model["requires"])]
    if model["achieved"]:
        pairs.append(("Found", model["achieved"]))
    if model["failing"]:
        pairs.append(("Failing", model["failing"]))
    facts = element("dl", definitions(pairs))
    return element("li", title, facts, class_="holds" if holds else "fails")


def _setting(model: Facts) -> list[str]:
    """The column a model is about and its options."""
    if model["column"] is None:
        return [model["parameters"]]
    return [column_name(model["column"]), ", ", model["parameters"]]


def sizes_count(facts: Facts) -> Html:
    """What the size of a group is, where that is not its records."""
    if _unit(facts) == RECORD:
        return Html("")
    return html(
        " Its size is the number of different people who have a record in it. A person with "
        "records in several groups counts in each."
    )


def unique(facts: Facts) -> Html:
    """How many records or people stood alone, before and after."""
    before, after = facts["unique"]["before"], facts["unique"]["after"]
    if before is None:
        return Html("")
    unit = _unit(facts)
    if before == 0:
        return html(f"In the original table, no {unit.one} was unique in all quasi-identifiers.")
    n_read = (facts["people"] if facts["people"] else facts["records"])["read"]
    share = f" ({words.share(before, n_read)})" if n_read else ""
    now = f"{after:,} are" if after > 1 else "one is" if after else "none is"
    were = "stood alone," if unit == PERSON else "was" if before == 1 else "were"
    return html(
        f"In the original table, {unit.counted(before)}{share} {were} "
        f"unique in all quasi-identifiers; in the release {now}."
    )


def chance(facts: Facts) -> Html:
    """What group sizes mean to an attacker who looks for a person."""
    sizes = facts["sizes"]
    if not sizes["bins"]:
        return html("No record was released, so there are no groups.")
    unit, mean = _unit(facts), words.number(round(sizes["mean"], 1))
    extent = (
        f"Groups have {sizes['smallest']:,} to {sizes['largest']:,} {unit.many}; the median is "
        f"{words.number(sizes['median'])}."
    )
    if facts["standing"] == "rows":
        return html(f"{extent} All of them may be of one person, who then does not hide at all.")
    return html(
        "Someone who knows all quasi-identifiers of a person, and that the person is in the "
        f"table, picks the right {unit.one} with a chance of 1 in {sizes['smallest']:,} at best, "
        f"and of 1 in {mean} on average. {extent}"
    )


def roles(facts: Facts) -> Html:
    return definitions((entry["role"], entry["meaning"]) for entry in facts["roles"])


def limits(facts: Facts) -> Html:
    """What the verdict does not promise."""
    sentences = [
        LIMIT_OF_RECORDS if _unit(facts) == RECORD else LIMIT_OF_PEOPLE,
        "Two releases of the same people can be compared and combined. Share only one version.",
        "The roles come from the policy: a quasi-identifier with another role is not protected.",
    ]
    if all(model["column"] is None for model in facts["privacy"]):
        sentences.insert(
            0,
            "All records of a group may have the same sensitive value, and then the group gives it "
            "away. A model for a sensitive column, such as distinct-l-diversity, prevents this.",
        )
    return lines(element("li", sentence) for sentence in sentences)


def _unit(facts: Facts) -> Unit:
    return Unit(**facts["unit"])


def _of_people(facts: Facts, which: str) -> object:
    """A number of records and, where it is known, of how many people."""
    records, people = f"{facts['records'][which]:,}", facts["people"]
    if people is None or people[which] is None:
        return records
    return _figure(records, f"of {PERSON.counted(people[which])}")


def _figure(figure: str, remark: str) -> Html:
    return Html(f"{html(figure)} {element('span', remark, class_='small')}")

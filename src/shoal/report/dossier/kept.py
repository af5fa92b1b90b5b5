"""What was lost, and what still holds."""

from __future__ import annotations

from shoal.report import tables, words
from shoal.report.dossier.section import Section, advice, figure, is_internal, paragraph
from shoal.report.fragments import Html, column_name, element, html, table
from shoal.report.summarise import Facts

NUMBER, LABEL = "number", "label"
MOST_PAIRS = 20
MEASURES = {"correlation": "correlation", "cramers-v": "Cramér's V"}


def kept(facts: Facts) -> Section:
    content = [
        _lost(facts),
        _bound(facts),
        _means(facts),
        _associations(facts),
        _measures(facts),
        _use(facts),
    ]
    if is_internal(facts):
        content.append(_unique(facts))
        content.append(_explained(facts))
        content.append(
            advice(
                "If a column that matters lost too much:",
                "raise its `weight`, give it a finer hierarchy, or drop another quasi-identifier "
                "that is not needed: each one costs detail in all others.",
            )
        )
    return Section(
        "kept",
        "What was lost, and what still holds",
        "EMA/Health Canada: data utility.",
        tuple(content),
    )


def _lost(facts: Facts) -> Html:
    order = "worst first" if is_internal(facts) else "in the order of the table"
    return figure(
        f"How much of its detail each column lost, averaged over all records, {order}. 0% means "
        "that every cell is unchanged, 100% that every cell is `*`. Suppressed records count as "
        "100%.",
        tables.loss_table(facts),
    )


def _bound(facts: Facts) -> Html:
    """How far the loss is from the least possible, where that was computed."""
    found = facts["bound"]
    return Html("") if found is None else paragraph(f"Distance to the optimum: {found['says']}.")


def _unique(facts: Facts) -> Html:
    """Over all released columns: what models promise is about quasi-identifiers alone."""
    rows, released = facts.get("unique_rows"), facts["records"]["released"]
    if rows is None:
        return Html("")
    return paragraph(
        f"{rows:,} of {released:,} released rows differ from every other row in all released "
        "columns together, kept and sensitive ones included. Who knows such a row in full finds it "
        "again; the models are about quasi-identifiers alone."
    )


def _means(facts: Facts) -> Html:
    if not facts["means"]:
        return Html("")
    has_means = is_internal(facts)
    heads = [("Column", LABEL)]
    heads += [("Mean before", NUMBER), ("Mean after", NUMBER)] if has_means else []
    heads += [("Moved, in standard deviations", NUMBER), ("Cells that tell it", NUMBER)]
    rows = []
    for entry in facts["means"]:
        row: list[object] = [column_name(entry["column"])]
        if has_means:
            row += [words.number(entry["mean_before"]), _figure(entry["mean_after"])]
        rows.append([*row, _figure(entry["shift"]), words.share(entry["told"])])
    return figure(
        "The means of numbers. After, each cell counts with its middle; cells that are `*` do not "
        "count.",
        table(heads, rows),
    )


def _associations(facts: Facts) -> Html:
    found = facts["associations"]
    if not found:
        return Html("")
    by_strength = sorted(found, key=lambda entry: -abs(entry["before"] or 0))[:MOST_PAIRS]
    shown = by_strength if is_internal(facts) else [e for e in found if e in by_strength]
    rows = [
        (
            Html(f"{column_name(entry['columns'][0])} and {column_name(entry['columns'][1])}"),
            MEASURES[entry["measure"]],
            _figure(entry["before"]),
            _figure(entry["after"]),
        )
        for entry in shown
    ]
    more = len(found) - len(shown)
    rest = html(f"{more:,} weaker pairs are in the JSON twin.") if more else Html("")
    return figure(
        "How strongly two columns go together: -1 or 0 to 1. After is what a reader would compute "
        "from the cells, each spread evenly over the values that it covers.",
        table([("Columns", LABEL), ("Measure", ""), ("Before", NUMBER), ("After", NUMBER)], rows),
        element("p", rest) if rest else Html(""),
    )


def _measures(facts: Facts) -> Html:
    if not facts["measures"]:
        return Html("")
    return figure(
        "Use these measures to compare releases of the same table; lower is better in all of them. "
        "No figure is good or bad on its own.",
        tables.measure_table(facts),
    )


def _explained(facts: Facts) -> Html:
    """What would save detail, by trying a few changes of the policy."""
    found = facts["explanation"]
    useful = [] if found is None else [one for one in found["savings"] if one["saves"] > 0]
    if not useful:
        return Html("")
    return figure(
        f"What would save detail: {found['runs'] - 1} changes of the policy were tried. `shoal "
        "explain` tries more.",
        table(
            [("Line of the policy", LABEL), ("Saves", NUMBER), ("Gives up", "")],
            ((one["line"], words.share(one["saves"]), one["price"]) for one in useful),
        ),
    )


def _use(facts: Facts) -> Html:
    """What the policy asks to measure."""
    if not facts["utility"]:
        return Html("")
    return figure(
        "What the policy asks to measure. A release that misses what is required is not written.",
        tables.use_table(facts),
    )


def _figure(value: float | None) -> str:
    return "not defined" if value is None else words.number(value)


def neighbours(facts: Facts) -> Section | None:
    """The neighbours of the chosen levels, if they were asked for."""
    found = facts["neighbours"]
    if not found:
        return None
    return Section(
        "neighbours",
        "One level up or down per column",
        "",
        (
            paragraph(
                "Every column has one level in the whole table. This is what one level lower or "
                "higher would cost, with all other columns unchanged, and which models would fail "
                f"(suppression limit: {found['limit']}). Failing groups are counted as suppressed, "
                "so a level that keeps more detail may cost more."
            ),
            tables.neighbour_table(found),
        ),
    )

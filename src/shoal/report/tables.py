"""The tables of the page, with bars where a figure is a share."""

from __future__ import annotations

from shoal.plot.in_table import bar
from shoal.report import words
from shoal.report.fragments import Html, column_name, prose, table
from shoal.report.summarise import Facts

NUMBER, CHART, LABEL, TERM = "number", "chart", "label", "term"  # how a column of a table is set
DETAILS = {
    "nodes": "Nodes of the lattice",
    "checks": "Nodes evaluated",
    "pruned": "Nodes pruned",
    "optimal": "Proven to be optimal",
    "certified": "Certified",
}


def size_table(facts: Facts) -> Html:
    """A person with records in two groups is a member of both, so that members are summed here."""
    bins, many = facts["sizes"]["bins"], facts["unit"]["many"]
    n_members = sum(entry["members"] for entry in bins)
    return table(
        [
            ("Group size", TERM),
            ("Groups", NUMBER),
            (many.capitalize(), NUMBER),
            (f"Of all {many}", CHART),
        ],
        (
            (
                words.span(entry["low"], entry["high"]),
                f"{entry['groups']:,}",
                f"{entry['members']:,}",
                bar(entry["members"] / n_members, words.share(entry["members"], n_members)),
            )
            for entry in bins
        ),
    )


def loss_table(facts: Facts) -> Html:
    return table(
        [("Column", LABEL), ("Detail lost", CHART)],
        (
            (column_name(entry["column"]), bar(entry["loss"], words.share(entry["loss"])))
            for entry in facts["loss_by_column"]
        ),
    )


def disclosed_table(facts: Facts) -> Html:
    return table(
        [
            ("Column", LABEL),
            ("Generalised cells", NUMBER),
            ("Known exactly", NUMBER),
            ("Range ends", NUMBER),
            ("Listed values", NUMBER),
            ("Means", NUMBER),
        ],
        (
            (
                column_name(entry["column"]),
                f"{entry['cells']:,}",
                f"{entry['known_exactly']:,}",
                f"{entry['range_ends']:,}",
                f"{entry['listed_values']:,}",
                f"{entry['means']:,}",
            )
            for entry in facts["discloses"]["columns"]
        ),
    )


def column_table(facts: Facts) -> Html:
    return table(
        [("Column", LABEL), ("Role", ""), ("Published", "")],
        (
            (column_name(entry["column"]), entry["role"], entry["published"])
            for entry in facts["columns"]
        ),
    )


def neighbour_table(neighbours: Facts) -> Html:
    """What each column would cost one level lower and one higher."""
    return table(
        [("Column", LABEL), ("Level", TERM), ("What happens", ""), (neighbours["metric"], NUMBER)],
        (
            (
                column_name(entry["column"]),
                f"{entry['chosen']} to {entry['level']}",
                entry["says"],
                words.number(entry["cost"]),
            )
            for entry in neighbours["entries"]
        ),
    )


def measure_table(facts: Facts) -> Html:
    return table(
        [("Measure", TERM), ("What it says", ""), ("Value", NUMBER)],
        (
            (entry["name"], prose(entry["meaning"]), words.number(entry["value"]))
            for entry in facts["measures"]
        ),
    )


def use_table(facts: Facts) -> Html:
    return table(
        [
            ("Measure", TERM),
            ("What it says", ""),
            ("Value", NUMBER),
            ("Required", ""),
            ("Behind it", ""),
        ],
        (
            (
                entry["measure"],
                prose(entry["meaning"]),
                words.number(entry["value"]),
                entry["requires"] or "nothing",
                entry["behind"],
            )
            for entry in facts["utility"]
        ),
    )


def run_table(facts: Facts) -> Html:
    run = facts["run"]
    memory = run["peak_memory_mb"]
    rows = [
        ("Algorithm", ": ".join(filter(None, (run["algorithm"], run["meaning"])))),
        ("Options", words.settings(run["options"]) or "none"),
        ("Seed", str(run["seed"])),
        ("Version", f"Shoal {run['shoal']}"),
        ("Peak memory", "not known" if memory is None else f"{memory:,} MB"),
    ]
    if facts["tried"] is not None:
        rows.append(("Tried", words.tried(facts["tried"])))
    rows += [(title, words.number(run[key])) for key, title in DETAILS.items() if key in run]
    return table([("Setting", LABEL), ("Value", "")], rows)


def seconds_table(facts: Facts) -> Html:
    seconds = facts["run"]["seconds"]
    total = sum(seconds.values())
    return table(
        [("Stage", LABEL), ("Time", CHART)],
        (
            (words.STAGES.get(stage, stage), bar(spent / (total or 1.0), words.seconds(spent)))
            for stage, spent in seconds.items()
        ),
    )

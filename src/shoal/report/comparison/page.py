"""A comparison as one page that needs nothing else: no files, no network, no scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from string import Template

from shoal import __version__
from shoal.comparison.comparison import Comparison, policy_name
from shoal.comparison.measures import SECONDS, Measure
from shoal.comparison.run import Run
from shoal.errors import counted
from shoal.plot.drawing import swatch
from shoal.plot.figure import Figure, css
from shoal.plot.markup import Html, element, html, lines, table
from shoal.report.comparison.figures import figure_of
from shoal.report.comparison.layout import Layout, Line, listed, short
from shoal.report.comparison.sentences import best_lines
from shoal.report.html import MARKER, head
from shoal.report.shown import as_html
from shoal.report.words import number

NOTHING = Html("")


def page_of(comparison: Comparison) -> str:
    """The page; every figure with a sentence and a table, and a list of all runs."""
    layout = Layout(comparison)
    measures = (*comparison.measures, SECONDS)
    figures = [(measure, figure_of(comparison, measure, layout)) for measure in measures]
    drawn = [(measure, figure) for measure, figure in figures if figure.wide]
    return rendered(
        comparison,
        kind="comparison",
        title=title_of(comparison, layout),
        lead=lead_of(layout),
        pick=_pick(layout.lines, [measure for measure, _ in drawn]),
        rules=_rules(layout.lines, len(drawn)),
        figures=lines(_section(i, *one) for i, one in enumerate(drawn)),
    )


def rendered(
    comparison: Comparison,
    *,
    kind: str,
    title: str,
    lead: str,
    figures: Html,
    pick: Html = NOTHING,
    rules: str = "",
) -> str:
    """The page of a comparison or a front, with its list of runs."""
    shared = files("shoal.report").joinpath("page.css").read_text(encoding="utf-8")
    return Template(head() + _part("page.html")).substitute(
        marker=MARKER,
        css="".join([shared, css(), _part("page.css"), rules]),
        kind=kind,
        title=html(title),
        lead=html(lead),
        pick=pick,
        figures=figures,
        runs=_runs(comparison),
        version=html(__version__),
    )


def notebook_part(comparison: Comparison) -> str:
    """For a notebook: the first measure as a plot, and the table."""
    shown = as_html(comparison.print_to)
    if not comparison.verified or not comparison.measures:
        return shown
    return figure_of(comparison, comparison.measures[0])._repr_html_() + shown


def title_of(comparison: Comparison, layout: Layout) -> str:
    methods = counted(len({run.method for run in comparison.runs}), "method")
    dimensions = [f"{len(values)} values of {short(path)}"
                  for path, values in layout.dimensions.items()]  # fmt: skip
    return f"{listed([methods, *dimensions])}, compared"


def lead_of(layout: Layout) -> str:
    """How many runs there were, and who is best by the first measure."""
    comparison = layout.comparison
    n_verified = len(comparison.verified)
    records = counted(comparison.n_records, "record")
    said = f"{counted(len(comparison.runs), 'run')} on {records}; {n_verified:,} verified."
    if not comparison.measures or not n_verified:
        return said
    measure = comparison.measures[0]
    figures = layout.figures(measure)
    places = list(dict.fromkeys((x, panel) for _, x, panel in figures))
    winners = [best_lines(figures, place, lower=measure.lower_is_better)[0] for place in places]
    names = sorted(set(winners), key=lambda name: -winners.count(name))
    return f"{said} Best by {measure.label}: {listed(names)}." if names else said


def _section(i: int, measure: Measure, figure: Figure) -> Html:
    about = element("p", measure.summary, class_="about")
    title = element("h2", figure.title, id=f"m{i}")
    return element("section", title, about, figure.html(), class_=f"fig f{i}")


def _pick(methods: Sequence[Line], measures: Sequence[Measure]) -> Html:
    """Which methods and which measure are shown: ticks and buttons that need no script."""
    boxes = lines(
        element(
            "label",
            Html(f'<input type="checkbox" id="show-{line.class_}" checked>'),
            swatch(line.style),
            line.name,
        )
        for line in methods
    )
    buttons = [("All measures", "show-all", " checked")]
    buttons += [(measure.label, f"show-f{i}", "") for i, measure in enumerate(measures)]
    radios = lines(
        element("label", Html(f'<input type="radio" name="measure" id="{id_}"{checked}>'), name)
        for name, id_, checked in buttons
    )
    return element(
        "section",
        element("fieldset", element("legend", "Methods"), _choices(boxes)),
        element("fieldset", element("legend", "Measures"), _choices(radios)),
        class_="pick",
    )


def _choices(inside: Html) -> Html:
    return element("div", inside, class_="choices")


def _rules(methods: Sequence[Line], n_measures: int) -> str:
    """The style that hides what is not ticked."""
    hidden = [f"body:has(#show-{line.class_}:not(:checked)) .{line.class_}" for line in methods] + [
        f"body:has(#show-f{i}:checked) .fig:not(.f{i})" for i in range(n_measures)
    ]
    return "".join(f"{rule} {{ display: none; }}\n" for rule in hidden)


def _runs(comparison: Comparison) -> Html:
    """All runs with how they ended, and the policy that repeats each."""
    paths = comparison.paths
    heads = [("Method", "label"), ("k", "number"), *((short(path), "number") for path in paths)]
    heads += [("Seed", "number"), ("Ended", ""), ("Groups", "number"), ("Suppressed", "number")]
    heads += [("Seconds", "number"), ("Policy", "")]
    rows = zip(comparison.runs, comparison.variants, strict=True)
    body = table(heads, (_row(comparison, run, policy_name(v), paths) for run, v in rows))
    why = [*_why(comparison.runs)]
    return element(
        "section",
        element("h2", "All runs"),
        element(
            "p",
            "Every release was verified, measured and let go. To make one of them, anonymize the "
            "table with its policy.",
            class_="about",
        ),
        element("div", body, class_="scroll"),
        element("ul", *why) if why else Html(""),
        class_="runs",
    )


def _row(comparison: Comparison, run: Run, policy: str, paths: Sequence[str]) -> list[object]:
    options = [run.options.get(path, "–") for path in paths]
    ended: object = "verified" if run.is_verified else element("span", run.outcome, class_="ended")
    link: object = run.id
    if comparison.folder is not None:
        link = element("a", policy, href=f"policies/{policy}")
    counts = [number(n) if n is not None else "–" for n in (run.groups, run.suppressed)]
    return [
        run.method,
        f"{run.k:,}",
        *options,
        run.seed,
        ended,
        *counts,
        f"{run.seconds:.2f}",
        link,
    ]


def _why(runs: Sequence[Run]) -> Iterator[Html]:
    """Each reason once, with the runs that it is of."""
    reasons: dict[str, list[Run]] = {}
    for run in runs:
        if run.why:
            reasons.setdefault(run.why, []).append(run)
    for why, of in reasons.items():
        names = listed(list(dict.fromkeys(f"{run.method}, k = {run.k}" for run in of)))
        yield element("li", f"{names}: {why}", class_="why")


def _part(name: str) -> str:
    return files("shoal.report.comparison").joinpath(name).read_text(encoding="utf-8")

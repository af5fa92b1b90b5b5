"""Figures of a reproduction, computed again from released files by naive code."""

import csv

import pytest

from naive import reproduced as naive
from shoal.api.anonymize import anonymize
from shoal.reproduction.experiments import trials_of
from shoal.reproduction.scale import tiny
from shoal.reproduction.tables import levels_of
from shoal.runs.reproduce import Reproduction, chosen, measure

ASKED = {  # a trial: experiment, method, k; and its measures
    ("mstk-k", "MSTK", 3): ("DM", "CAVG", "iloss"),
    ("mstk-k", "Incognito", 6): ("DM", "iloss"),
    ("babu-k", "Datafly", 5): ("groups", "iloss"),
    ("oka-k", "OKA", 5): ("groups", "il"),
    ("tgc-quality", "TGCB", 5): ("DM", "UM"),
    ("tgc-values", "K-Members-p", 5): ("c", "l"),
    ("kayem-sizes", "t = 0.017", 3): ("distance:occupation",),
}


def columns_of(trial, frame):
    """The quasi-identifiers as naive code sees them."""
    found = {}
    for name, spec in trial.table.roles.quasi.items():
        values = frame[name].to_list()
        if isinstance(values[0], int):
            found[name] = naive.Numbers(values, nodes=spec is not None)
        elif spec is None:
            found[name] = naive.Leaves([(value, "*") for value in sorted(set(values))])
        else:
            found[name] = naive.Leaves(list(spec.paths))
    return found


def recomputed(measure_, trial, rows, columns):
    quasi = list(columns)
    column = measure_.partition(":")[2]
    places = {path[0]: i for i, path in enumerate(levels_of(column or "occupation"))}
    severity = {v: 1 + round(9 * i / (len(places) - 1)) for v, i in places.items()}
    sensitive = next(iter(trial.table.roles.sensitive), "")
    return {
        "DM": lambda: naive.discernibility(rows, quasi),
        "groups": lambda: len(naive.groups_of(rows, quasi)),
        "CAVG": lambda: naive.average_size(rows, quasi, trial.k),
        "iloss": lambda: naive.total_excess(rows, columns),
        "il": lambda: naive.total_height(rows, columns),
        "UM": lambda: naive.utility(rows, columns),
        "c": lambda: naive.most_frequent_by_others(rows, quasi, sensitive),
        "l": lambda: naive.different_values(rows, quasi, sensitive),
        "distance": lambda: naive.severity_distance(rows, quasi, column, severity),
    }[measure_.partition(":")[0]]()


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: "-".join(map(str, asked)))
def test_figures_are_those_of_the_released_file(asked, tmp_path):
    experiment, method, k = asked
    trial = next(
        trial
        for trial in trials_of(tiny(tmp_path), [experiment])
        if (trial.method, trial.k) == (method, k)
    )
    run = Reproduction(tmp_path, chosen(()), tiny(tmp_path))
    measure(run, [trial], processes=0)
    frame = trial.table.frame()
    anonymize(frame, policy=trial.policy).write(tmp_path / "release.csv")
    with (tmp_path / "release.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = columns_of(trial, frame)

    figures = run.figures().frame()

    for name in ASKED[asked]:
        (found,) = figures.filter(figures["measure"] == name)["figure"]
        assert found == pytest.approx(recomputed(name, trial, rows, columns), rel=1e-6)

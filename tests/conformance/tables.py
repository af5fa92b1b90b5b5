"""Tables and policies that every algorithm and every model must cope with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

import shoal

POPULATION = "population.parquet"  # a fixture for all tests says in which folder

# A mild instance of every model. A model without one here fails the suite: add it.
MODELS = {
    "k-anonymity": {"k": 3},
    "distinct-l-diversity": {"column": "disease", "l": 2},
    "entropy-l-diversity": {"column": "disease", "l": 1.8},
    "recursive-cl-diversity": {"column": "disease", "c": 2, "l": 2},
    "alpha-k": {"column": "disease", "alpha": 0.6, "k": 3},
    "p-sensitive": {"column": "disease", "p": 2, "k": 3},
    "t-closeness": {"column": "disease", "t": 0.4, "distance": "hierarchical"},
    "s-diversity": {"column": "disease", "max": 0.8, "r": 0.5},
    "severity-closeness": {"column": "disease", "t": 0.05},
    "delta-disclosure": {"column": "disease", "delta": 1.5},
    "beta-likeness": {"column": "disease", "beta": 1.2, "enhanced": True},
    "k-map": {"k": 20, "population": POPULATION},
    "delta-presence": {"min": 0, "max": 0.5, "population": POPULATION},
    "reidentification-risk": {"highest": 0.3, "average": 0.15, "at-risk": 0.1},
}
# People have several diseases, each of which more of them have.
MODELS_OF_PEOPLE = MODELS | {"alpha-k": {"column": "disease", "alpha": 0.8, "k": 3}}
HIERARCHIES = {
    "age": shoal.intervals(5, 10, 20, 40),
    "zip": shoal.prefix(5),
    "sex": None,
    "born": shoal.dates("month", "year", "decade"),
    "job": shoal.tree({"Care": ["nurse", "doctor"], "Kitchen": ["cook"], "Sea": ["fisher"]}),
    "pay": None,
}
JOBS = ["nurse", "doctor", "cook", "fisher"]
DISEASES = ["flu", "cold", "gout", "none"]
GRADED = shoal.severity(
    {"flu": 4, "cold": 2, "gout": 6, "none": 1},
    hierarchy=shoal.tree({"airways": ["flu", "cold"], "joints": ["gout"], "nothing": ["none"]}),
)


def patients(n: int, seed: int = 0, *, missing: float = 0.1) -> pl.DataFrame:
    """A table with every kind of column."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.integers(0, 100, n),
            "zip": [f"{code:05}" for code in rng.integers(0, 300, n) * 7],
            "sex": rng.choice(["f", "m", "x"], n),
            "born": pl.Series(rng.integers(-7_000, 13_000, n), dtype=pl.Int32).cast(pl.Date),
            "job": rng.choice(JOBS, n),
            "pay": np.round(rng.gamma(2, 1000, n), 2),
            "disease": rng.choice(DISEASES, n),
            "visits": rng.integers(0, 9, n),
        }
    )
    gaps = ["age", "zip", "sex", "born", "job", "pay"]
    return frame.with_columns(
        pl.when(pl.Series(rng.random(n) >= missing)).then(pl.col(name)).alias(name) for name in gaps
    )


VARYING = ("age", "pay")  # what may differ from visit to visit
KINDS = {"constant": (), "varying": tuple(HIERARCHIES), "both": VARYING}  # of visits: what varies


def visits(n_people: int, seed: int = 0, *, varying: Sequence[str] = VARYING) -> pl.DataFrame:
    """One to five visits of each patient; the name says whose a visit is."""
    rng = np.random.default_rng(seed)
    of_people = patients(n_people, seed, missing=0.05)
    person = np.repeat(np.arange(n_people), rng.integers(1, 6, n_people))
    of_visits = patients(len(person), seed + 1000, missing=0.05)
    own = [*varying, "disease", "visits"]
    return of_people[person].with_columns(of_visits[name] for name in own)


def policy(algorithm: str, model: str = "k-anonymity", **settings: object) -> shoal.Policy:
    """The policy for `patients`, with one model and its mild options unless said otherwise."""
    options = {"model": model} | settings.pop("options", MODELS[model])
    return shoal.Policy.of_roles(
        identifiers=["name"],
        quasi=HIERARCHIES,
        sensitive={"disease": GRADED},
        keep=["visits"],
        privacy=[options],
        algorithm=algorithm,
        **settings,
    )


def write_population(folder: Path) -> None:
    """Write a population that each table is a sample of, for the models about one."""
    path = folder / POPULATION
    patients(12_000, seed=99, missing=0.05).write_parquet(path)
    for options in MODELS.values():
        if "population" in options:
            options["population"] = str(path)

"""What proposals of `shoal init` cost, on real tables that come with packages of PyPI.

    pip install scikit-learn statsmodels lifelines vega_datasets
    python benchmarks/proposals.py            # prints a line for each table, and medians

Every csv file in these packages that init proposes a policy for is anonymized with it, by Mondrian
with k = 5, in four ways: numbers with intervals, as init proposed them once; as proposed now; as
proposed now with ends of all ranges on a grid; and with dates by month, year and decade, as init
proposed these once. The loss is counted over the same columns each time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from shoal.errors import ShoalError
from shoal.policy.file import parse_policy
from shoal.policy.policy import Policy
from shoal.proposals.hierarchies import intervals_of
from shoal.proposals.policy_text import policy_text
from shoal.proposals.profile import Profile
from shoal.proposals.propose import propose
from shoal.read.files import read_file
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize

PACKAGES = ("sklearn", "statsmodels", "lifelines", "vega_datasets")
RECORDS = (100, 20_000)  # fewer say little, more take long
WAYS = ("intervals", "proposed", "on a grid", "units of time")


def tables() -> Iterator[tuple[str, Source]]:
    """Csv files of installed packages that can be read, by package and name."""
    for package in PACKAGES:
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            print(f"{package} is not installed", file=sys.stderr)
            continue
        for path in sorted(Path(spec.origin).parent.rglob("*.csv")):
            if "tests" in path.parts:
                continue
            try:
                source = read_file(path)
            except ShoalError:
                continue
            if RECORDS[0] <= source.n_records <= RECORDS[1]:
                yield f"{package} {path.stem}", source


def policies(source: Source) -> dict[str, Policy]:
    """The policy that is proposed, and the same with numbers published in other ways."""
    content = dict(parse_policy(policy_text(propose(source), data_name="data")).content)
    columns: dict[str, Any] = content["columns"]
    found = {}
    for way in WAYS:
        keys = {n: _published(dict(c), source, n, way) for n, c in columns.items()}
        found[way] = Policy.of_mapping({**content, "columns": keys})
    return found


def _published(keys: dict[str, Any], source: Source, name: str, way: str) -> dict[str, Any]:
    profile = Profile(source.frame[name], source.is_text)
    if way == "units of time" and keys.get("bounds") and profile.kind in ("date", "datetime"):
        del keys["bounds"]
        keys["hierarchy"] = {"date": ["month", "year", "decade"]}
        return keys
    if keys["role"] != "quasi" or profile.kind not in ("integer", "number") or "hierarchy" in keys:
        return keys
    widths = intervals_of(profile)
    if way == "intervals" and widths:
        keys.pop("bounds", None)
        keys["hierarchy"] = {"intervals": list(widths)}
    if way == "on a grid":
        keys["bounds"] = "grid"
    return keys


def loss(source: Source, policy: Policy) -> float:
    return float(anonymize(source, policy, threads=1).measures["loss"])


def main() -> None:
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for name, source in tables():
        try:
            losses = {way: loss(source, policy) for way, policy in policies(source).items()}
        except ShoalError as error:
            print(f"{name}: {type(error).__name__}", file=sys.stderr)
            continue
        for way, value in losses.items():
            found[way].append(value)
        print(f"{name:40} " + " ".join(f"{losses[way]:.3f}" for way in WAYS), flush=True)
    n_tables = len(found["proposed"])
    n_worse = sum(a > b for a, b in zip(found["intervals"], found["proposed"], strict=True))
    print(f"{n_tables} tables; {n_worse} lose more with intervals")
    of_dates = zip(found["units of time"], found["proposed"], strict=True)
    dated = [(units, proposed) for units, proposed in of_dates if units != proposed]
    n_worse = sum(units > proposed for units, proposed in dated)
    print(f"{len(dated)} of them have dates; {n_worse} of these lose more with units of time")
    for way in WAYS:
        print(f"  median loss, {way}: {median(found[way]):.3f}")


if __name__ == "__main__":
    main()

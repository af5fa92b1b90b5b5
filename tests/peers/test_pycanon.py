"""What pycanon says of the same tables: where we agree, and exactly where not (docs/peers.md)."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shared_data import SHARED, needs_shared
from tiers import IS_THOROUGH

HOME = Path(os.environ.get("SHOAL_PEERS", Path(sys.prefix) / "peers"))
PYTHON = HOME / "bin" / "python"
pytestmark = pytest.mark.skipif(
    not PYTHON.exists(),
    reason="the environment of pycanon is not there; `make peers` makes it",
)
N_ADULT = 10_000 if IS_THOROUGH else 1_000  # pycanon takes seconds for many
LAX = 1e9  # a limit that everything is within


class Table:
    """A table, and what both say of it."""

    def __init__(self, frame, quasi, sensitive):
        self.frame, self.quasi, self.sensitive = frame, quasi, sensitive
        self.is_number = frame[sensitive].dtype.is_numeric()

    def as_json(self):
        columns = {name: self.frame[name].to_list() for name in (*self.quasi, self.sensitive)}
        return {"columns": columns, "quasi": self.quasi, "sensitive": self.sensitive}

    def achieved(self, *models):
        """What `shoal check` finds of these cells."""
        rules = shoal.Policy.of_roles(
            quasi=self.quasi, sensitive=[self.sensitive], privacy=list(models)
        )
        findings = shoal.check(self.frame.select(*self.quasi, self.sensitive), rules).findings
        return [finding.achieved for finding in findings]

    def groups(self):
        """The sensitive values of each group of equal quasi-identifiers."""
        found = defaultdict(list)
        for *key, value in self.frame.select(*self.quasi, self.sensitive).rows():
            found[tuple(key)].append(value)
        return dict(found)


def ask(tables):
    """Everything at once: an interpreter that imports pandas takes its time."""
    script = Path(__file__).with_name("ask_pycanon.py")
    told = subprocess.run(
        [PYTHON, "-I", script],
        input=json.dumps([table.as_json() for table in tables]),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(told.stdout)


def generated():
    """Tables whose groups have several records, of text and of numbers."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(30, 300))
        values = rng.choice(["a", "b", "c", "d", "e"][: 2 + seed % 4], n, p=None)
        if seed % 2:
            values = rng.integers(0, 2 + seed, n) ** 2
        frame = pl.DataFrame(
            {"x": rng.choice(["u", "v"], n), "y": rng.integers(0, 2 + seed % 3, n), "s": values}
        )
        yield Table(frame, ["x", "y"], "s")


def of_adult():
    """Records as they are, in few columns, and a release of them in all."""
    file = SHARED / "data" / "adult" / "adult.csv"
    if not file.exists():
        return
    adult = pl.read_csv(file, separator=";").head(N_ADULT)
    yield Table(adult, ["sex", "marital-status"], "occupation")
    yield Table(adult, ["sex", "race"], "age")
    quasi = [name for name in adult.columns if name != "occupation"]
    release = shoal.anonymize(
        adult, quasi=quasi, sensitive=["occupation"], privacy=[shoal.KAnonymity(25)]
    )
    yield Table(release.frame, quasi, "occupation")


@pytest.fixture(scope="module")
def compared():
    tables = [*generated(), *of_adult()]
    return list(zip(tables, ask(tables), strict=True))


@needs_shared
def test_adult_is_among_the_tables(compared):
    assert sum(len(table.frame) == N_ADULT for table, _ in compared) == 3


def test_k_l_and_alpha_agree(compared):
    for table, said in compared:
        column = table.sensitive
        k, l, alpha = table.achieved(
            shoal.KAnonymity(1), shoal.DistinctLDiversity(column, 1), shoal.AlphaK(column, 1, 1)
        )

        assert (k, l) == (said["k-anonymity"], said["distinct-l-diversity"])
        assert said["alpha-k"] == [pytest.approx(alpha, abs=1e-12), k]


def test_t_agrees_equal_for_text_and_ordered_for_numbers(compared):
    for table, said in compared:
        distance = "ordered" if table.is_number else "equal"

        (t,) = table.achieved(shoal.TCloseness(table.sensitive, 1, distance))

        assert t == pytest.approx(said["t-closeness"], abs=1e-9)


def test_beta_agrees(compared):
    for table, said in compared:
        (beta,) = table.achieved(shoal.BetaLikeness(table.sensitive, LAX))

        assert beta == pytest.approx(said["beta-likeness"], abs=1e-9)


def test_entropy_l_agrees_but_for_its_digits_which_pycanon_cuts_off(compared):
    for table, said in compared:
        (l,) = table.achieved(shoal.EntropyLDiversity(table.sensitive, 1))

        # Two equally frequent values are 1.9999999999999998 to it, hence 1.
        assert said["entropy-l-diversity"] in (math.floor(l), math.floor(l - 1e-9))


def test_delta_agrees_where_every_group_has_every_value(compared):
    is_whole = [
        all(len(set(group)) == table.frame[table.sensitive].n_unique() for group in
            table.groups().values())
        for table, _ in compared
    ]  # fmt: skip
    assert 5 <= sum(is_whole) < len(compared)
    for (table, said), whole in zip(compared, is_whole, strict=True):
        (delta,) = table.achieved(shoal.DeltaDisclosure(table.sensitive, LAX))

        assert delta == (pytest.approx(said["delta-disclosure"], abs=1e-9) if whole else math.inf)


def test_where_a_group_lacks_a_value_pycanon_looks_at_the_others_alone(compared):
    for table, said in compared:
        whole = Counter(table.frame[table.sensitive])
        furthest = max(
            abs(math.log(count / len(group) / (whole[value] / len(table.frame))))
            for group in table.groups().values()
            for value, count in Counter(group).items()
        )

        assert said["delta-disclosure"] == pytest.approx(furthest, abs=1e-9)


def test_c_is_that_of_the_paper_and_pycanon_begins_at_the_rarest_value(compared):
    n_different = 0
    for table, said in compared:
        c, l = said["recursive-cl-diversity"]
        (ratio,) = table.achieved(shoal.RecursiveClDiversity(table.sensitive, LAX, int(l)))
        counts = [sorted(Counter(group).values()) for group in table.groups().values()]
        as_in_paper = max(max(group) / sum(group[: len(group) - int(l) + 1]) for group in counts)
        as_in_pycanon = max(math.floor(group[0] / sum(group[int(l) - 1 :]) + 1) for group in counts)

        assert l == min(map(len, counts))
        assert ratio == pytest.approx(as_in_paper, rel=1e-12)
        assert c == as_in_pycanon if l > 1 else math.isnan(c)
        n_different += l > 1 and not c - 1 <= ratio < c
    assert n_different > 5


def test_enhanced_beta_of_pycanon_is_a_bound_for_no_value_in_particular(compared):
    n_different = 0
    for table, said in compared:
        rarest = min(Counter(table.frame[table.sensitive]).values()) / len(table.frame)
        figure = min(said["beta-likeness"], -math.log(rarest))
        model = shoal.BetaLikeness(table.sensitive, max(figure, 1e-6) + 1e-6, enhanced=True)
        rules = shoal.Policy.of_roles(
            quasi=table.quasi, sensitive=[table.sensitive], privacy=[model]
        )

        assert said["enhanced-beta-likeness"] == pytest.approx(figure, abs=1e-9)
        n_different += not shoal.check(
            table.frame.select(*table.quasi, table.sensitive), rules
        ).holds
    assert n_different > 0  # its figure does not say that the model holds with it


def test_records_without_a_quasi_identifier_are_in_no_group_of_pycanon():
    table = Table(
        pl.DataFrame({"x": ["u", "u", "u", "v", "v", None], "s": ["a", "b", "b", "a", "b", "c"]}),
        ["x"],
        "s",
    )

    (said,) = ask([table])

    k, l, t = table.achieved(
        shoal.KAnonymity(1), shoal.DistinctLDiversity("s", 1), shoal.TCloseness("s", 1)
    )
    assert (k, l) == (1, 1)  # the record that stands alone, as anybody sees who has the release
    assert (said["k-anonymity"], said["distinct-l-diversity"]) == (2, 2)
    # In the whole table it still counts them: {a: 1/3, b: 1/2, c: 1/6} against {a: 1/3, b: 2/3}.
    assert said["t-closeness"] == pytest.approx(1 / 6)
    assert t == pytest.approx(5 / 6)


def test_a_missing_sensitive_value_is_a_value_here_and_an_error_or_nothing_there():
    text = Table(pl.DataFrame({"x": ["u"] * 4, "s": ["a", "b", None, None]}), ["x"], "s")
    numbers = Table(pl.DataFrame({"x": ["u"] * 4, "s": [1, 2, None, None]}), ["x"], "s")

    of_text, of_numbers = ask([text, numbers])

    for table in (text, numbers):
        l, alpha = table.achieved(shoal.DistinctLDiversity("s", 1), shoal.AlphaK("s", 1, 1))
        assert (l, alpha) == (3, 0.5)
    assert of_text["distinct-l-diversity"] == of_text["alpha-k"] == "TypeError"
    assert of_text["t-closeness"] == "ValueError"
    assert of_numbers["distinct-l-diversity"] == 3
    assert of_numbers["alpha-k"] == [0.25, 4]  # nothing equals what is no number


def test_a_column_of_one_number_has_no_distance_in_pycanon():
    table = Table(pl.DataFrame({"x": ["u", "u", "v"], "s": [7, 7, 7]}), ["x"], "s")

    (said,) = ask([table])

    assert said["t-closeness"] == "ZeroDivisionError"
    assert table.achieved(shoal.TCloseness("s", 1, "ordered")) == [0]

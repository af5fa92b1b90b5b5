"""A sensitive column of more values than are counted one by one."""

from collections import Counter

import numpy as np
import pytest

from shoal.attacks import sensitive
from shoal.attacks.sensitive import Sensitive
from tiers import seeds

N_GROUPS = 40


def random_column(seed):
    """The group and the value of each row, and the column; most values occur once."""
    rng = np.random.default_rng(seed)
    groups, values = rng.integers(0, N_GROUPS, 300), rng.integers(0, 2000, 300)
    values = np.unique(values, return_inverse=True)[1]
    n_values = int(values.max()) + 1
    entries, n_rows = np.unique(groups * n_values + values, return_counts=True)
    starts = np.searchsorted(entries // n_values, np.arange(N_GROUPS + 1))
    column = Sensitive(
        "ill", np.bincount(values), values[:0], values, starts, entries % n_values, n_rows
    )
    return groups, values, column


def counted(tally):
    found = dict(zip(tally.values.tolist(), tally.counts.tolist(), strict=True))
    assert list(found) == sorted(found)
    return +Counter(found)


@pytest.mark.parametrize("most_values", [0, 1000])
@pytest.mark.parametrize("seed", seeds(4, thorough=20))
def test_values_of_some_groups_are_counted(seed, most_values, monkeypatch):
    monkeypatch.setattr(sensitive, "MOST_VALUES", most_values)
    groups, values, column = random_column(seed)
    chosen = np.random.default_rng(seed).choice(N_GROUPS, 1 + seed % 3, replace=False)

    found = column.in_groups(chosen)

    assert counted(found) == Counter(values[np.isin(groups, chosen)].tolist())


@pytest.mark.parametrize("most_values", [0, 1000])
@pytest.mark.parametrize("n_rows", [1, 20, 300])
def test_rows_at_random_are_rows_of_the_release(n_rows, most_values, monkeypatch):
    monkeypatch.setattr(sensitive, "MOST_VALUES", most_values)
    _, values, column = random_column(0)

    found = counted(column.at_random(n_rows, np.random.default_rng(1)))

    assert found.total() == n_rows
    assert found <= Counter(values.tolist())

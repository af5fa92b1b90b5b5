"""Records of the original for those of a release, against the obvious way."""

from __future__ import annotations

import numpy as np
import pytest

import naive.utility as naive
from shoal.kernels.origins import take_records
from tiers import seeds


@pytest.mark.parametrize("seed", seeds(4, thorough=60))
def test_released_records_take_original_ones_as_group_by_group(seed):
    rng = np.random.default_rng(seed)
    n_groups, n_records, n_cells, n_codes = 5, 25, 3, 4
    tables = rng.random((2, n_cells, n_codes)) < 0.6
    cells = rng.integers(0, n_cells, (n_groups, 2)).astype(np.int32)
    codes = rng.integers(0, n_codes, (n_records, 2)).astype(np.int32)
    keys = rng.integers(0, 2, n_records)
    sizes = rng.integers(1, 6, n_groups)
    ends = np.append(0, np.cumsum(sizes))
    keys_after, order = rng.integers(0, 2, ends[-1]), rng.permutation(n_groups)
    origins = np.full(ends[-1], -1, dtype=np.int64)

    take_records(
        tables.ravel(), np.array([0, n_cells * n_codes]), np.array([n_codes, n_codes]), cells,
        order, codes, keys, np.arange(ends[-1]), ends, keys_after, origins,
    )  # fmt: skip

    covered = [
        [r for r in range(n_records) if all(tables[c, cells[g, c], codes[r, c]] for c in (0, 1))]
        for g in range(n_groups)
    ]
    released = [keys_after[ends[g] : ends[g + 1]].tolist() for g in range(n_groups)]
    found = naive.taken(covered, keys.tolist(), released, order.tolist())
    expected = [
        found.get((g, i), -1) for g in range(n_groups) for i in range(ends[g + 1] - ends[g])
    ]
    assert origins.tolist() == expected

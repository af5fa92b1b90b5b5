"""The smallest box around each group: its minimum bounding box."""

import numpy as np

from shoal.kernels._compile import kernel

LARGEST = np.iinfo(np.int32).max


@kernel
def group_boxes(codes, rows, labels, n_groups):
    """Smallest box around each group: int32[n,q], int32[p], int32[p] -> low, high int32[g,q].

    Part i is the row rows[i] in the group labels[i]; a negative label is in none.
    """
    n_columns = codes.shape[1]
    low = np.full((n_groups, n_columns), LARGEST, dtype=np.int32)
    high = np.full((n_groups, n_columns), -1, dtype=np.int32)
    for part in range(len(rows)):
        group = labels[part]
        if group < 0:
            continue
        for column in range(n_columns):
            code = codes[rows[part], column]
            low[group, column] = min(low[group, column], code)
            high[group, column] = max(high[group, column], code)
    return low, high

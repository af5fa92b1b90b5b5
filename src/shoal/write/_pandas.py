"""Pandas columns in new memory, with nothing but their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.types.arrays import Int64Array
from shoal.types.objects import own_objects
from shoal.write._arrow import rows_of_column


def rows_of_series(series: Any, rows: Int64Array) -> Any:
    """Some rows of a series, as one without its index, name and notes."""
    import pandas as pd

    values = series.array.take(rows)
    if isinstance(values, pd.Categorical):
        return pd.Series(_categorical(values, before=series.array))
    return pd.Series(_rebuilt(values), dtype=series.dtype)


def _rebuilt(values: Any) -> Any:
    """An array of pandas by the way in which it keeps its values."""
    import pandas as pd

    masked = pd.arrays.IntegerArray | pd.arrays.FloatingArray | pd.arrays.BooleanArray
    if isinstance(values.dtype, pd.ArrowDtype):
        return type(values)._from_sequence(_arrow(values), dtype=values.dtype)
    if isinstance(values.dtype, pd.StringDtype) and values.dtype.storage == "pyarrow":
        return type(values)._from_sequence(_arrow(values), dtype=values.dtype)
    if isinstance(values, masked):
        numbers = values.to_numpy(dtype=values.dtype.numpy_dtype, na_value=0)
        return type(values)(numbers.copy(), np.array(values.isna()))
    if isinstance(values, pd.arrays.SparseArray):
        return type(values)(np.asarray(values), dtype=values.dtype)
    if isinstance(values.dtype, pd.StringDtype):  # python's own texts
        return pd.Series(own_objects(values), dtype=values.dtype).array
    if isinstance(values, pd.arrays.NumpyExtensionArray) and values.to_numpy().dtype == object:
        return pd.Series(own_objects(values), dtype=object).array
    return values.copy()


def _arrow(values: Any) -> Any:
    import pyarrow as pa

    column = pa.chunked_array(values.__arrow_array__())
    return rows_of_column(column, np.arange(len(values)))


def _categorical(values: Any, before: Any) -> Any:
    """Without the categories that only other rows of the input had.

    Those that no row had stay, for they belong to the type. Where categories have no order of
    their own, they are sorted: else they may tell in which order the values came.
    """
    import pandas as pd

    gone = np.setdiff1d(before.codes, values.codes)
    left = np.setdiff1d(np.arange(len(values.categories)), gone)
    kept = values.categories[left]
    categories = pd.Index(_rebuilt(kept.array), dtype=kept.dtype)
    if not values.ordered:
        in_order = _sorted_places(categories)
        categories, left = categories[in_order], left[in_order]
    place = np.full(len(values.categories) + 1, -1)
    place[left] = np.arange(len(left))
    return pd.Categorical.from_codes(
        place[values.codes], dtype=pd.CategoricalDtype(categories, values.ordered)
    )


def _sorted_places(categories: Any) -> Any:
    try:
        return categories.argsort()
    except TypeError:  # values of several types
        names = [f"{type(value).__name__} {value!r}" for value in categories]
        return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)

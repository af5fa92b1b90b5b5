"""Names for the arrays that travel between the stages."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Int32Array: TypeAlias = npt.NDArray[np.int32]
Int64Array: TypeAlias = npt.NDArray[np.int64]
IntArray: TypeAlias = npt.NDArray[np.signedinteger[Any]]  # either of them
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
NumberArray: TypeAlias = npt.NDArray[Any]  # int64 or float64: whole numbers stay exact

SUPPRESSED = -1  # the label of a record that leaves the table
MISSING = -1  # the code of a missing value, until encode gives it a leaf of its own

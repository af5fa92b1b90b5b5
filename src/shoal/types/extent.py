"""How much of its column each cell covers: what measures add up."""

from __future__ import annotations

from typing import NamedTuple

from shoal.types.arrays import FloatArray


class Extent(NamedTuple):
    """How much of a column's domain each cell covers.

    `covered` of `span`: leaves beyond the first of all leaves beyond the first, or width of
    domain width. `unit` is what one value covers by itself: 1 leaf, or nothing on a line.
    `level` of `height`: how far its node is above its furthest leaf, and how far the root is.
    """

    covered: FloatArray
    span: float
    unit: float
    level: FloatArray
    height: int

    @property
    def is_on_a_line(self) -> bool:
        return self.unit == 0

    @property
    def share(self) -> FloatArray:
        """From 0, one value, to 1, the whole domain."""
        return self.covered / self.span

    @property
    def relative_level(self) -> FloatArray:
        """From 0, a leaf, to 1, the root. A cell without hierarchy is a leaf or the root."""
        return self.level / self.height

"""Slow, obvious twins of what Shoal does fast, in plain Python and from the definitions.

Nothing here imports a stage of Shoal: a twin that shares code with what it judges judges nothing.
"""

from naive.cells import parse_set, read_cell
from naive.kernels import boxes, counting_order, folded, numbered, value_counts
from naive.measures import Column, Node, Range, Values, measures
from naive.partition import Branching, Line, all_of, k_anonymous, l_diverse, mondrian, no_majority

__all__ = [
    "Branching",
    "Column",
    "Line",
    "Node",
    "Range",
    "Values",
    "all_of",
    "boxes",
    "counting_order",
    "folded",
    "k_anonymous",
    "l_diverse",
    "measures",
    "mondrian",
    "no_majority",
    "numbered",
    "parse_set",
    "read_cell",
    "value_counts",
]

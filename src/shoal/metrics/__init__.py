"""Measures of what a release loses, one file each; the file name is the measure's name.

Lower is better.
"""

# Those of every summary, over all input records: a suppressed one has the root in every cell.
MEASURES = ("loss", "ncp", "il", "iloss", "dm", "cavg", "precision")

# Those that a full-domain search can minimise. None falls when a node becomes more general or
# when a group is suppressed, so their value with nothing suppressed bounds all nodes above.
# The first kind is then known from the levels alone, the second needs the groups.
BY_COLUMN = ("loss", "loss-geometric", "iloss", "level", "precision", "entropy", "entropy-monotone")
BY_GROUP = ("dm", "dm-star", "class-size")

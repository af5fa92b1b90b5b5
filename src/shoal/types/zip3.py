"""ZIP codes of the United States by their first three digits, as HIPAA Safe Harbor allows them."""

from __future__ import annotations

SMALL = "000"  # all areas where too few people live
# First three digits of areas in which 20,000 people or fewer were counted, in the census of 2000
# (67 FR 53182, 53233-53234; guidance of HHS on de-identification, 2012), and in that of 2010. An
# area that was small in either is taken for small.
IN_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
IN_2010 = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893"
SMALL_AREAS = frozenset(IN_2000.split()) | frozenset(IN_2010.split())

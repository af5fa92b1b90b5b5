"""Clusters of similar records: local recoding, every group with its own box.

_clusterer   what the algorithms have in common: parts, threads, what is left over, repair
_spanning_tree  the minimum spanning tree of different rows: the first step of MSTK
_repair      groups that fail a model are merged with the one that costs least, or suppressed
"""

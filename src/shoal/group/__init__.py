"""Table and privacy models in, groups (equivalence classes) out: the algorithms, one file each.

Files that begin with an underscore are shared parts; every other name is an algorithm.
"""

"""Clusters of similar records: local recoding, every group with its own box.

All algorithms share

    _clusterer        parts, threads, records that are left over, and the repair of failing groups

and each has steps of its own:

    _spanning_tree    MSTK: the minimum spanning tree of different rows, its first step
    _severity         t-clustering: mean severities of groups, and rows as points in space
    _severity_parts   t-clustering: parts of the table in which severity is balanced
    _severity_figures t-clustering: what the summary says of the result
    _diversity        TGC: what clusters are judged by, laid out for kernels
    _subspaces        TGC: cutting the table into subspaces that stay diverse (Algorithm 2)
    _thresholds       TGC: how diverse a cluster may be, tried on a sample (Algorithm 3)
    _join             TGC: records that no cluster took join one (step 9)

What other families use too, such as the repair of failing groups, is in `group/parts`.
"""

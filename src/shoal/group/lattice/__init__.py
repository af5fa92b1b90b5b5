"""Full-domain generalisation: one level for every column, for the whole table.

A *node* is a vector of levels; all nodes form a lattice. The algorithms differ only in how they
walk it, and share everything else:

    _grid        nodes as entries of an array: those above and below are slices of it
    _rows        rows at any node, rolled up from less general ones; memoised in an LRU cache
    _matched_rows  which people of a population the groups at a node match
    _judge       what a node costs, by any metric
    _checker     what becomes of the groups at a node: which fail, what it costs
    _chart       what is known about every node (predictive tagging): holds, fails, lower bound
    _search      what an algorithm walks with: it keeps the best node so far, and the time
    _settle      branch and bound: the true optimum, once it is known which nodes hold
    _anytime     a best-first search for lattices too large to chart
    _full_domain what all algorithms here have in common: their options, and groups at the end
    _whole_lattice  what those have in common that look at all nodes
    _neighbours  the nodes around the chosen one: which column forces the generalisation
"""

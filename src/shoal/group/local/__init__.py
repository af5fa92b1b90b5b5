"""Local search: groups made better by moves, as long as moves lower the loss.

_space    rows and the cells of boxes, as kernels look them up
_start    groups to begin with: a sweep of the lattice
_groups   groups as kernels hold them, and back
_search   a search: its steps, its temperatures, its clock
"""

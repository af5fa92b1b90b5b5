"""What moves would leave: the groups that they change, as privacy models are asked about them."""

import numpy as np

from shoal.kernels._compile import inner, kernel
from shoal.kernels.sweep_state import CANDIDATES, NONE, ROUND, fresh_mark


@kernel
def count_groups(state, values, counts):
    """How often each value occurs in the groups that the last round changed.

    IN values int64[n,columns]: of each row, those of all columns numbered together.
    OUT counts int64[groups,values].
    """
    for group in range(1, len(state.groups)):
        if state.groups[group].round != state.numbers[ROUND]:
            continue
        counts[group] = 0
        if state.groups[group].n_records == 0:
            continue
        part = state.groups[group].first
        while part != NONE:
            row = state.parts[part].row
            for column in range(values.shape[1]):
                counts[group, values[row, column]] += state.parts[part].count
            part = np.int64(state.parts[part].next_of_group)


@kernel
def counts_after(state, found, values, counts, sizes, then, of_moves):
    """The same for all groups that candidates change, as each would leave them.

    -> groups, and how many candidates there was room for. OUT sizes int64[m], then
    int64[m,values], of_moves int64[m]: of which candidate a group is.
    """
    n_groups = 0
    for i in range(found.numbers[CANDIDATES]):
        first, end = found.candidates[i].first, found.candidates[i].end
        if n_groups + 2 * (end - first) + 1 > len(sizes):
            return n_groups, i
        mark, new = fresh_mark(found), n_groups
        if found.candidates[i].opens == 1:
            sizes[new], of_moves[new] = 0, i
            then[new] = 0
            n_groups += 1
        for j in range(2 * first, 2 * end):
            transfer = found.transfers[j // 2]
            is_source = j % 2 == 0
            group = np.int64(transfer.source) if is_source else np.int64(transfer.target)
            if group == 0:
                continue
            at = new
            if group != NONE:
                if found.tried[group].mark != mark:
                    found.tried[group].mark, found.tried[group].n_taken = mark, n_groups
                    sizes[n_groups], of_moves[n_groups] = state.groups[group].n_records, i
                    then[n_groups] = counts[group]
                    n_groups += 1
                at = found.tried[group].n_taken
            change = -transfer.count if is_source else transfer.count
            sizes[at] += change
            row = state.parts[transfer.part].row
            for column in range(values.shape[1]):
                then[at, values[row, column]] += change
    return n_groups, found.numbers[CANDIDATES]


@kernel
def after_moves(state, found, given, rows, counts, groups, of_moves):
    """The parts of all groups that candidates change, as each would leave them.

    -> parts, groups, and how many candidates there was room for. OUT rows, counts, groups: groups
    are numbered from 0, `of_moves` says of which candidate. given: zeros for all parts, as left.
    """
    n_parts, n_groups = 0, 0
    for i in range(found.numbers[CANDIDATES]):
        first, end = found.candidates[i].first, found.candidates[i].end
        if n_groups + 2 * (end - first) + 1 > len(of_moves):
            return n_parts, n_groups, i
        for j in range(first, end):
            given[found.transfers[j].part] += found.transfers[j].count
        then_parts, then_groups = after_move(
            state, found, i, given, rows, counts, groups, n_parts, n_groups
        )
        for j in range(first, end):
            given[found.transfers[j].part] = 0
        if then_parts == NONE:
            return n_parts, n_groups, i
        of_moves[n_groups:then_groups] = i
        n_parts, n_groups = then_parts, then_groups
    return n_parts, n_groups, found.numbers[CANDIDATES]


@inner
def after_move(state, found, i, given, rows, counts, groups, n_parts, n_groups):
    """The same for one of them: -> parts, groups; NONE parts if there is no room for them."""
    first, end = found.candidates[i].first, found.candidates[i].end
    mark, new = fresh_mark(found), n_groups
    n_groups += found.candidates[i].opens
    for j in range(2 * first, 2 * end):
        transfer = found.transfers[j // 2]
        group = np.int64(transfer.source) if j % 2 == 0 else np.int64(transfer.target)
        if group <= 0 or found.tried[group].mark == mark:
            continue
        found.tried[group].mark, found.tried[group].n_taken = mark, n_groups
        part = state.groups[group].first
        while part != NONE:
            if n_parts + end - first >= len(rows):
                return NONE, n_groups
            rows[n_parts], groups[n_parts] = state.parts[part].row, n_groups
            counts[n_parts] = state.parts[part].count - given[part]
            n_parts += counts[n_parts] > 0
            part = np.int64(state.parts[part].next_of_group)
        n_groups += 1
    for j in range(first, end):
        transfer = found.transfers[j]
        if transfer.target != 0:
            rows[n_parts], counts[n_parts] = state.parts[transfer.part].row, transfer.count
            groups[n_parts] = new
            if transfer.target != NONE:
                groups[n_parts] = found.tried[transfer.target].n_taken
            n_parts += 1
    return n_parts, n_groups

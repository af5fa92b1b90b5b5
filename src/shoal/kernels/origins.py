"""Records of the original for those of a release."""

from shoal.kernels._compile import kernel


@kernel
def take_records(
    covers, starts, widths, cells, order, codes, keys, by_group, ends, keys_after, origins
):
    """Give each released record of a group an original one that its cells cover, with its key.

    `covers` has, for each column in turn, a table of cells by codes; `starts` is where that of a
    column begins, `widths` its width. `cells` [groups, columns] are those of each group, `order` in
    which groups take their records. Released records of group g are by_group[ends[g]:ends[g + 1]].
    """
    n_columns = cells.shape[1]
    is_taken = keys < 0
    for place in range(len(order)):
        g = order[place]
        n_left = ends[g + 1] - ends[g]
        for record in range(len(keys)):
            if n_left == 0:
                break
            if is_taken[record]:
                continue
            is_covered = True
            for c in range(n_columns):
                if not covers[starts[c] + cells[g, c] * widths[c] + codes[record, c]]:
                    is_covered = False
                    break
            if not is_covered:
                continue
            for i in range(ends[g], ends[g + 1]):
                released = by_group[i]
                if origins[released] < 0 and keys_after[released] == keys[record]:
                    origins[released] = record
                    is_taken[record] = True
                    n_left -= 1
                    break
    return origins

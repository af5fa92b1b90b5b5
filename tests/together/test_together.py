"""Several releases of one table as one: against a twin, and against what is true."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product

import numpy as np
import polars as pl
import pytest

import shoal
from cases.two_releases import at_levels, rules, table
from naive.together import Release, candidates
from shoal.read.source import Source
from shoal.runs.inputs import read_columns
from shoal.runs.together_columns import as_releases, known_table, unchanged_values
from shoal.together.joint import Joint
from shoal.together.placed import Placed, Rows
from shoal.types.watch import Watch
from shoal.verify.covers import covers
from tiers import part, seeds

QUASI = ["age", "town"]
NODES = list(product(range(5), range(3)))


def joint_of(frame, policy, released):
    sources = [Source.of_frame(one) for one in released]
    original, known = known_table(Source.of_frame(frame), policy)
    values = unchanged_values(original, sources, policy, ["earlier"] * (len(sources) - 1))
    known = known._replace(unchanged={name: found.in_table for name, found in values.items()})
    rows, watch = Rows.of_table(known), Watch()
    placed = [Placed.of_release(one, rows, watch) for one in as_releases(sources, values, policy)]
    return Joint(rows, placed, watch)


def fits_of(frame, policy, released):
    columns = read_columns(Source.of_frame(frame), policy, QUASI)
    known = set()
    for name, one in product(QUASI, released):
        texts = list(dict.fromkeys(one[name].cast(pl.String)))
        covered = covers(texts, columns[name], policy.columns[name])
        values = dict(zip(frame[name], columns[name].codes, strict=True))
        for i, cell in enumerate(texts):
            known |= {(name, cell, value) for value, code in values.items() if covered[i, code]}
    return lambda name, cell, value: (name, str(cell), value) in known


def by_twin(frame, policy, released):
    fits = fits_of(frame, policy, released)
    releases = [
        Release(one.to_dicts(), QUASI, [n for n in ("ill", "visits") if n in one.columns], fits)
        for one in released
    ]
    return candidates(frame.to_dicts(), releases)


def released_by(frame, algorithm, **settings):
    return rules(algorithm, suppression=0.3, **settings).anonymize(frame).frame


def drawn(seed):
    """Two or three releases of a small table, of any kinds."""
    rng = np.random.default_rng(seed)
    frame = table(24, seed)
    kinds = [
        lambda: released_by(frame, "mondrian", k=int(rng.integers(2, 5))),
        lambda: released_by(frame, "k-member", k=3, seed=int(rng.integers(9))),
        lambda: at_levels(frame, NODES[rng.integers(len(NODES))], k=2).frame,
        lambda: at_levels(frame, NODES[rng.integers(4, len(NODES))], k=3).frame.drop("visits"),
        lambda: at_levels(frame[:18], NODES[rng.integers(8, len(NODES))], k=2).frame,
    ]
    first = kinds[rng.integers(3)]()
    others = [kinds[rng.integers(len(kinds))]() for _ in range(rng.integers(1, 3))]
    found = [one for one in (first, *others) if one.height]
    return frame, [first if first.height else frame_at_top(frame), *found[bool(first.height) :]]


def frame_at_top(frame):
    return at_levels(frame, (4, 2)).frame


@pytest.mark.parametrize("seed", seeds(6, thorough=60))
def test_candidates_are_those_of_the_definition(seed):
    frame, released = drawn(seed)
    policy = rules("mondrian")

    joint = joint_of(frame, policy, released)

    wanted = by_twin(frame, policy, released)
    view = joint.view_of_row[joint.rows.row.number]
    assert [v < 0 for v in view] == [found is None for found in wanted]
    labels = joint.rows.table.sensitive["ill"].column.labels
    counts, sizes = joint.candidates.of_values("ill"), joint.candidates.sizes
    for v, found in zip(view, wanted, strict=True):
        if found is not None:
            assert joint.candidates.n_records[v] == sum(found.values())
            here = slice(counts.starts[v], counts.starts[v + 1])
            by_code = zip(counts.values[here], counts.counts[here], strict=True)
            ill = Counter()
            for key, n in found.items():
                ill[key[0]] += n
            assert {labels[code]: n for code, n in by_code} == ill
            assert sizes[v] == sum(found.values())


def true_classes(first, second):
    """Records by the groups that they have in both releases; who is in neither is left out."""
    classes = defaultdict(list)
    for i, pair in enumerate(zip(first.groups, second.groups, strict=True)):
        if pair != (None, None):
            classes[pair].append(i)
    return classes


def holds_in_truth(frame, first, second, *, k, l):
    ill = frame["ill"].to_list()
    return all(
        len(people) >= k and len({ill[i] for i in people}) >= l
        for people in true_classes(first, second).values()
    )


def passes(policy, new, frame, earlier):
    """Leaks of a release by itself, such as rare values, are left out."""
    found = shoal.check(new, policy, frame, earlier=earlier).findings
    return all(finding.holds for finding in found)


@pytest.mark.parametrize("n_before", [60, 50])
@pytest.mark.parametrize("seed", seeds(1, thorough=2))
def test_what_passes_also_holds_where_every_row_is_linked_with_its_other(seed, n_before):
    """Also where people have joined the table since the earlier release."""
    frame, policy = table(60, seed), rules("flash")
    found = Counter()
    for earlier, new in part(list(product(NODES, NODES)), 45):
        before, after = at_levels(frame[:n_before], earlier), at_levels(frame, new)
        before = before._replace(groups=before.groups + [None] * (60 - n_before))
        if before.frame.height and after.frame.height:
            is_true = holds_in_truth(frame, before, after, k=3, l=2)
            found[passes(policy, after.frame, frame, before.frame), is_true] += 1

    assert found[True, False] == 0
    assert found[False, True] == 0 or n_before < 60  # with the same people, it is exact
    assert found[True, True] > 0
    assert found[False, False] > 10

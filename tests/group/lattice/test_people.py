"""People at the nodes of a lattice, against dictionaries."""

from __future__ import annotations

from itertools import product

from hypothesis import given

from cases.entries import VISITS, as_multiset, encoded, expected_of, figures, groups_at
from shoal.group.lattice._checker import Checker
from shoal.group.parts.threads import spread_over
from shoal.metrics.loss import Loss
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import examples


@given(VISITS)
@examples(30, thorough=150)
def test_people_are_counted_once_in_each_group_of_every_node(visits):
    table = encoded(visits).table
    privacy = Privacy((KAnonymity(2), DistinctLDiversity("ill", 2)), table.people.may_meet)
    heights = [axis.height for axis in table.axes]
    with spread_over(1) as spread:
        checker = Checker(table, privacy, Limits(), metric=Loss(), spread=spread)
        for node in product(*(range(height + 1) for height in heights)):
            (rows,) = checker.roll_up.at([node])
            _, stats = checker.stats(node, rows)

            found = figures(stats, table.sensitive_columns[0])
            assert as_multiset(found) == as_multiset(expected_of(groups_at(visits, node).values()))
            assert stats.entries.sum() == table.n_records

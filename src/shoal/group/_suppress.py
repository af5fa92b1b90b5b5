"""The last resort for groups that fail: leave their records out, within the limit."""

from __future__ import annotations

from shoal.errors import CannotSatisfy
from shoal.group._count import stats_of_grouping
from shoal.types.grouping import Grouping
from shoal.types.limits import Limits
from shoal.types.privacy import Privacy
from shoal.types.table import Table


def suppress_failing(
    grouping: Grouping, *, table: Table, privacy: Privacy, limits: Limits
) -> Grouping:
    """Suppress the groups that fail a model, or raise `CannotSatisfy` where they are too many."""
    stats = stats_of_grouping(table, grouping)
    fails = ~privacy.holds(stats)
    n_records = int(stats.sizes[fails].sum())
    if n_records + grouping.n_suppressed > limits.suppression:
        models, n_groups = privacy.failing(stats), int(fails.sum())
        if grouping.n_groups == 1:
            raise CannotSatisfy.even_as_one_group(models, n_records, limits.suppression)
        raise CannotSatisfy.too_many_to_suppress(models, n_groups, n_records, limits.suppression)
    return grouping.without(fails) if fails.any() else grouping

"""The second step of a run: groups that keep the policy, and the cells that they will publish."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.errors import CannotSatisfy, PolicyError
from shoal.group.parts.check_grouping import check_grouping
from shoal.group.parts.repair import merge_failing
from shoal.group.parts.stats import stats_of_grouping
from shoal.group.parts.suppress import suppress_failing
from shoal.recode.cells import Cells, cells_of_groups
from shoal.recode.recode import merge_equal_groups
from shoal.runs.prepare import Encoded, Prepared
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.bound import Bound
from shoal.types.grouping import Grouping
from shoal.types.named import name_of
from shoal.types.neighbour import Neighbour
from shoal.types.outcome import Outcome
from shoal.types.privacy import Privacy
from shoal.types.table import Encoding
from shoal.types.unit import RECORD, Unit


@dataclass(frozen=True, eq=False, repr=False)
class Found:
    """Groups and the cells of each; nothing is published yet, and nothing verified."""

    encoded: Encoded
    outcome: Outcome
    cells: tuple[Cells, ...]
    neighbours: tuple[Neighbour, ...] = ()
    bound: Bound | None = None  # of the loss, where the algorithm asks for it

    @property
    def grouping(self) -> Grouping:
        return self.outcome.grouping


def search(prepared: Prepared, *, neighbours: bool = False) -> Found:
    """Let the algorithm of the policy group the records, and name the cells of its groups.

    `neighbours`: also look at the levels next to those that a full-domain algorithm chose.
    """
    algorithm, stages = prepared.policy.algorithm, prepared.stages
    encoded = prepared.encoded_for(algorithm)
    encoding = encoded.encoding
    privacy = prepared.privacy_for(encoding.table)
    limits = prepared.limits_for(encoding)
    refuse_small_table(privacy, encoding.table.size, encoding.table.unit)
    with stages("group"):
        grouping = algorithm.group(encoding.table, privacy, limits)
        check_grouping(grouping, table=encoding.table, limits=limits, algorithm=name_of(algorithm))
        refuse_nothing(encoding.table.n_records - grouping.n_suppressed)
        nearby = neighbours_of(prepared, grouping, encoding, limits) if neighbours else ()
    with stages("recode"):
        outcome, cells = settle(grouping, encoding=encoding, privacy=privacy, limits=limits)
    traits, bound = algorithm.traits, None
    if traits.bounded:
        from shoal.bound.lower_bound import lower_bound  # few runs ask for it

        with stages("bound"):
            bound = lower_bound(encoding.table, privacy, limits, work=traits.bound_work)
    return Found(encoded, outcome, cells, nearby, bound)


def settle(
    grouping: Grouping, *, encoding: Encoding, privacy: Privacy, limits: Limits
) -> tuple[Outcome, tuple[Cells, ...]]:
    """Name the cells of every group, and make one of the groups whose cells are the same."""
    grouping, cells = _named(grouping, encoding, privacy)
    if not privacy.survives_merging:  # then the union of two groups that held may fail
        resolve = suppress_failing if grouping.levels is not None else merge_failing
        while privacy.to_suppress(stats_of_grouping(encoding.table, grouping)).any():
            grouping = resolve(grouping, table=encoding.table, privacy=privacy, limits=limits)
            refuse_nothing(grouping.n_groups)
            grouping, cells = _named(grouping, encoding, privacy)
    return outcome_of(encoding, grouping, privacy), cells


def _named(
    grouping: Grouping, encoding: Encoding, privacy: Privacy
) -> tuple[Grouping, tuple[Cells, ...]]:
    """Groups and their cells, those with the same cells being one."""
    cells = cells_of_groups(outcome_of(encoding, grouping, privacy))
    return merge_equal_groups(grouping, cells)


def outcome_of(encoding: Encoding, grouping: Grouping, privacy: Privacy) -> Outcome:
    return Outcome(
        table=encoding.table,
        grouping=grouping,
        stats=stats_of_grouping(encoding.table, grouping),
        n_suppressed=encoding.n_suppressed + grouping.n_suppressed,
        k=privacy.k,
        smallest=privacy.smallest,
    )


def neighbours_of(
    prepared: Prepared, grouping: Grouping, encoding: Encoding, limits: Limits
) -> tuple[Neighbour, ...]:
    """The nodes around the one that a full-domain algorithm chose."""
    look, levels = prepared.policy.algorithm.neighbours, grouping.levels
    assert look is not None  # or it was refused before
    assert levels is not None
    return look(levels, encoding.table, prepared.privacy_for(encoding.table), limits)


def refuse_without_levels(algorithm: Algorithm) -> None:
    if algorithm.neighbours is None:
        raise PolicyError(
            f"{name_of(algorithm)} does not choose one level for each column, so there are no "
            "neighbours to show. Full-domain algorithms do, such as flash",
            ("algorithm",),
        )


def refuse_nothing(n_left: int) -> None:
    if n_left == 0:
        raise CannotSatisfy.nothing_left()


def refuse_small_table(privacy: Privacy, size: int, unit: Unit = RECORD) -> None:
    for model in privacy:
        if model.smallest > size:
            name = name_of(model)
            raise CannotSatisfy.table_too_small(name, model.smallest, size, unit.words)

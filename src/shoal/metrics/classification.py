"""How well a classifier that learns from a release does on records that it has not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from shoal.errors import BadOption, counted, nearest
from shoal.metrics._learning import Accuracy, Learner, learner_of
from shoal.metrics._records import records_of
from shoal.types.arrays import BoolArray, FloatArray, Int64Array
from shoal.types.metric import Measured, Metric
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec
from shoal.utility.beside import Beside
from shoal.utility.compared import Compared

MOST_CLASSES, FEWEST_RECORDS = 50, 20
MOST_CATEGORIES = 30  # that a column is told in


@dataclass(frozen=True)
class Classification(Metric[Outcome]):
    """Balanced accuracy of a classifier trained on the release, on held-out original records.

    The mean over the classes of `target`, a sensitive or kept column, of how many of their records
    are recognised. A `share` of the records is held out, drawn with a `seed`; the release without
    them is learned from, and so is the original, to compare with. `learner` is a logistic
    regression or a tree. Higher is better; guessing the most frequent class has 1 / classes.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [*range(20, 40), *range(60, 80)], "retired": ["n", "y"] * 20})
    >>> people = people.with_columns(retired=pl.when(pl.col("age") < 50).then(pl.lit("n"))
    ...                              .otherwise(pl.lit("y")))
    >>> release = shoal.anonymize(people, quasi=["age"], sensitive=["retired"],
    ...                           privacy=[shoal.KAnonymity(5)])
    >>> release.measure("classification", target="retired")
    1.0
    """

    target: str = ""
    learner: Literal["logistic", "tree"] = "logistic"
    share: float = 0.3
    seed: int = 0
    needs = ("release", "records")
    unit = "balanced accuracy, 0 to 1"
    is_costly = True

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise BadOption("share must be a number between 0 and 1")

    @property
    def lower_is_better(self) -> bool:
        return False

    def measure(self, outcome: Outcome) -> float:
        return self.explain(outcome).value

    def refuse(self, columns: Mapping[str, ColumnSpec]) -> None:
        learner_of(self.learner, self.seed)  # scikit-learn is there
        unchanged = [
            name for name, spec in columns.items() if spec.handled_as in ("sensitive", "keep")
        ]
        if not self.target:
            raise BadOption("classification: say which column to recognise, as its `target`.")
        if self.target not in unchanged:
            raise BadOption(
                f"classification: the target {self.target!r} must be a sensitive or kept column"
                f"{nearest(self.target, unchanged)} Its values must be released as they are."
            )

    def explain(self, outcome: Outcome) -> Measured:
        beside = records_of(outcome, "classification")
        self.refuse(beside.specs)
        records = _read(beside, self.target)
        is_held = _held_out(records, self.share, self.seed)
        is_learned = _is_learned(records, is_held)
        test = _Test(learner_of(self.learner, self.seed), records, is_held)
        by_release = test.after(
            records.after[is_learned], records.classes[records.origins[is_learned]]
        )
        known = ~is_held & (records.classes >= 0)
        by_original = test.after(records.before[known], records.classes[known])
        guess = test.of_guess(int(np.bincount(records.classes[known]).argmax()))
        return Measured(
            by_release.value,
            {
                "interval": [by_release.low, by_release.high],
                "original": by_original.value,
                "original_interval": [by_original.low, by_original.high],
                "majority": guess.value,
                "learned_from": int(is_learned.sum()),
                "held_out": int(is_held.sum()),
            },
        )


class _Records(NamedTuple):
    """What is learned from: figures of each record, and the class of each original one.

    `origins` has the original record of each released one, and `groups` the group of each original
    one; -1 is none.
    """

    before: FloatArray
    after: FloatArray
    classes: Int64Array
    origins: Int64Array
    groups: Int64Array


class _Test(NamedTuple):
    """Records that no learner has seen."""

    learner: Learner
    records: _Records
    is_held: BoolArray

    def after(self, figures: FloatArray, classes: Int64Array) -> Accuracy:
        """How well it goes after learning from these, in whatever order they come."""
        order = np.lexsort((*figures.T, classes))
        guessed = self.learner(figures[order], classes[order], self.records.before[self.is_held])
        return Accuracy.of(self.records.classes[self.is_held], guessed)

    def of_guess(self, value: int) -> Accuracy:
        truth = self.records.classes[self.is_held]
        return Accuracy.of(truth, np.full(len(truth), value))


def _read(beside: Beside, target: str) -> _Records:
    column = beside.before(target)
    used = [name for name in beside.specs if name != target]
    if not used:
        raise BadOption(f"classification: there is no column to tell {target!r} from.")
    if not 2 <= len(column.labels) <= MOST_CLASSES:
        raise BadOption(
            f"classification: the target {target!r} has {counted(len(column.labels), 'value')}. "
            f"It needs 2 to {MOST_CLASSES}."
        )
    told = [beside.compared(name, least=1, most=MOST_CATEGORIES).spread_out() for name in used]
    before, after = (np.concatenate(f, axis=1) for f in zip(*map(_figures, told), strict=True))
    origins = beside.origins() if beside.origins is not None else np.empty(0, dtype=np.int64)
    groups = np.full(len(before) + 1, -1, dtype=np.int64)
    groups[origins] = beside.groups  # those without an origin write behind the last
    return _Records(before, after, column.codes.astype(np.int64), origins, groups[:-1])


def _figures(column: Compared) -> tuple[FloatArray, FloatArray]:
    """A figure for each category: 1 where a value is in it, and the share of a cell that is."""
    before = np.eye(column.categories.n + 1)[column.categories_before()]
    return before, column.weights[column.cell_codes]


def _held_out(records: _Records, share: float, seed: int) -> BoolArray:
    """Which records are held out: drawn class by class, whatever the order of the input."""
    rng, is_held = np.random.default_rng(seed), np.zeros(len(records.classes), dtype=np.bool_)
    if (records.classes >= 0).sum() < FEWEST_RECORDS:
        raise BadOption(
            f"classification needs at least {FEWEST_RECORDS} records that have a class: some are "
            "learned from, and the others tested."
        )
    order = np.lexsort((records.groups, *records.before.T, records.classes))
    classes = records.classes[order]
    for value in np.unique(classes[classes >= 0]):
        of_class = order[classes == value]
        is_held[rng.permutation(of_class)[: max(1, round(share * len(of_class)))]] = True
    return is_held


def _is_learned(records: _Records, is_held: BoolArray) -> BoolArray:
    """Which released records are learned from: those of no record that is held out."""
    origins = records.origins
    return np.asarray((origins >= 0) & ~is_held[origins] & (records.classes[origins] >= 0))

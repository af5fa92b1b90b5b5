"""Outcomes made by hand: a frame, what its columns are, and the group of each record."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from naive.kernels import boxes
from shoal.encode.encode import encode
from shoal.group.parts.stats import stats_of_grouping
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.recode.cells import cells_of_groups
from shoal.recode.recode import merge_equal_groups, place, recode
from shoal.types.grouping import Grouping
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.table import Encoding


@dataclass
class Handmade:
    """Everything between reading and publishing."""

    source: Source
    schema: Schema
    encoding: Encoding
    outcome: Outcome

    def published(self, *, order="input", missing_text=None):
        grouping, cells = merge_equal_groups(self.outcome.grouping, cells_of_groups(self.outcome))
        return recode(
            self.source,
            place(self.source, self.encoding, grouping, self.schema),
            cells,
            schema=self.schema,
            order=order,
            missing_text=missing_text,
        )

    def cells(self, name):
        return self.published().frame[name].to_list()


def quasi(hierarchy=None, publish=None, weight=1.0, bounds=None):
    return ColumnSpec("quasi", hierarchy, weight, publish, bounds=bounds)


def encoded(frame, columns, *, missing="category", unknown="error", is_text=False):
    """A frame's encoding; `columns` maps names to ColumnSpecs or roles."""
    schema = schema_of(columns)
    read = {
        name: read_column(frame[name], is_text=is_text and schema.columns[name].may_be_numbers)
        for name in schema.quasi + schema.sensitive
    }
    return encode(read, schema, missing=missing, unknown=unknown)


def schema_of(columns):
    return Schema(
        {
            name: ColumnSpec(spec) if isinstance(spec, str) else spec
            for name, spec in columns.items()
        }
    )


def grouped(frame, columns, groups, *, levels=None, k=1, **how):
    """The outcome of putting the i-th record in the group groups[i]; -1 suppresses it."""
    encoding = encoded(frame, columns, **how)
    rows = encoding.row_of_record.tolist()
    placed = [(row, group) for row, group in zip(rows, groups, strict=True) if row >= 0]
    parts = Counter(placed)
    in_order = sorted(parts)
    box_of = boxes(encoding.table.codes, *zip(*in_order, strict=True))
    low, high = (
        np.array([box_of[group][side] for group in sorted(box_of)], dtype=np.int32)
        for side in (0, 1)
    )
    grouping = Grouping(
        rows=np.array([row for row, _ in in_order], dtype=np.int32),
        counts=np.array([parts[part] for part in in_order], dtype=np.int64),
        labels=np.array([group for _, group in in_order], dtype=np.int32),
        low=low,
        high=high,
        levels=levels,
    )
    outcome = Outcome(
        table=encoding.table,
        grouping=grouping,
        stats=stats_of_grouping(encoding.table, grouping),
        n_suppressed=encoding.n_suppressed + grouping.n_suppressed,
        k=k,
    )
    return Handmade(Source(frame), schema_of(columns), encoding, outcome)

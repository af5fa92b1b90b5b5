"""What a metric is: a measure of what a release loses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Protocol,
    Self,
    TypeVar,
    runtime_checkable,
)

from shoal.errors import BadOption
from shoal.types.outcome import Judged

if TYPE_CHECKING:
    from shoal.types.schema import ColumnSpec

J = TypeVar("J", bound=Judged, contravariant=True)
Bound = Literal["levels", "groups"]
Need = Literal["levels", "release", "records", "sensitive", "severity"]


@dataclass(frozen=True)
class Measured:
    """The value of a measure, and what stands behind it: the worst column, an interval."""

    value: float
    details: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class Metric(Protocol[J]):
    """Says what a release, or a node that a search considers, loses. Lower is better, mostly.

    Its options are the fields of its own frozen dataclass; its file's name is its public name, and
    `aliases` are others. Inherit from `Metric[...]` with what it looks at in the brackets.

    `needs`: what it looks at besides what `Judged` has. The levels of a node, or a finished
    release; the records of the release and those of its original; a sensitive column, or one whose
    values have severities. `bound`: what a full-domain search must know of a node to bound its cost
    there and at all nodes above, its levels alone or also its groups; None: no search can minimise
    it. A metric with a bound never falls when a node becomes more general or when a group is
    suppressed, so its value with nothing suppressed is that bound. By levels it must take many
    nodes at once.
    `place_in_summary`: its position among the measures of every summary; None: not shown.
    `lower_is_better`: false for the few measures of what is kept. `unit`: what its figures count,
    for the axes of plots. `is_costly`: it takes so long that it is computed only where somebody
    names it.
    """

    aliases: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[Need, ...]] = ()
    bound: ClassVar[Bound | None] = None
    place_in_summary: ClassVar[int | None] = None
    is_costly: ClassVar[bool] = False
    unit: ClassVar[str] = "number"

    @property
    def lower_is_better(self) -> bool:
        return True

    @abstractmethod
    def measure(self, judged: J, /) -> float: ...

    def explain(self, judged: J, /) -> Measured:
        """The value with what stands behind it, where the measure tells that."""
        return Measured(self.measure(judged))

    @property
    def file(self) -> Path | None:
        """A file that it reads, such as a list of queries."""
        return None

    def placed(self, place: Callable[[str], str], /) -> Self:
        """The same with the names of its files changed: a policy has them relative to itself."""
        return self

    def refuse(self, columns: Mapping[str, ColumnSpec], /) -> None:
        """Raise `BadOption` if a table of these columns cannot have the measure."""
        refuse_without(self.needs, columns)


def refuse_without(needs: tuple[Need, ...], columns: Mapping[str, ColumnSpec]) -> None:
    """Raise `BadOption` if a measure needs columns that there are not."""
    sensitive = [spec for spec in columns.values() if spec.role == "sensitive"]
    if not sensitive and ("sensitive" in needs or "severity" in needs):
        raise BadOption("it is about a sensitive column, and the policy has none")
    if "severity" in needs and not any(spec.severity for spec in sensitive):
        raise BadOption("it needs severities: give a sensitive column a `severity` in the policy")


AnyMetric = Metric[Any]

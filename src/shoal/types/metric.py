"""What a metric is: a measure of what a release loses."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

from shoal.types.outcome import Judged

J = TypeVar("J", bound=Judged, contravariant=True)
Bound = Literal["levels", "groups"]
Need = Literal["levels", "release", "sensitive", "severity"]


@runtime_checkable
class Metric(Protocol[J]):
    """Says what a release, or a node that a search considers, loses. Lower is better, mostly.

    Its options are the fields of its own frozen dataclass; its file's name is its public name, and
    `aliases` are others. Inherit from `Metric[...]` with what it looks at in the brackets.

    `needs`: what it looks at besides what `Judged` has. The levels of a node, or a finished
    release; a sensitive column, or one whose values have severities. `bound`: what a full-domain
    search must know of a node to bound its cost there and at all nodes above, its levels alone or
    also its groups; None: no search can minimise it. A metric with a bound never falls when a node
    becomes more general or when a group is suppressed, so its value with nothing suppressed is that
    bound. By levels it must take many nodes at once.
    `place_in_summary`: its position among the measures of every summary; None: not shown.
    `lower_is_better`: false for the few measures of what is kept. `unit`: what its figures count,
    for the axes of plots.
    """

    aliases: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[Need, ...]] = ()
    bound: ClassVar[Bound | None] = None
    place_in_summary: ClassVar[int | None] = None
    unit: ClassVar[str] = "number"

    @property
    def lower_is_better(self) -> bool:
        return True

    @abstractmethod
    def measure(self, judged: J, /) -> float: ...


AnyMetric = Metric[Any]

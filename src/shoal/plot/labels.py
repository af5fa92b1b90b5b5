"""Labels that do not collide."""

from __future__ import annotations

from collections.abc import Sequence


def spread(places: Sequence[float], *, room: float, low: float, high: float) -> list[float]:
    """Places at least `room` apart, each as near to its own as that allows, in the same order.

    Labels that would touch move as one block, whose middle is the mean of where they belong. Where
    `low` to `high` is too short for all of them, they go beyond `high`.

    >>> spread([10, 11, 40], room=10, low=0, high=100)
    [5.5, 15.5, 40.0]
    """
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    blocks: list[_Block] = []
    for i in order:
        blocks.append(_Block([i], places[i] - room / 2, room))
        while len(blocks) > 1 and blocks[-2].end > blocks[-1].start:
            last = blocks.pop()
            blocks[-1] = blocks[-1].with_next(last)
    found = [0.0] * len(places)
    for block in _inside(blocks, low, high):
        for n, i in enumerate(block.members):
            found[i] = block.start + (n + 0.5) * room
    return found


class _Block:
    """Labels that stand directly below one another, from `start` on."""

    def __init__(self, members: list[int], start: float, room: float) -> None:
        self.members, self.start, self.room = members, start, room

    @property
    def end(self) -> float:
        return self.start + len(self.members) * self.room

    def with_next(self, other: _Block) -> _Block:
        """Both as one, its middle where that of its members was wanted on average."""
        n, m = len(self.members), len(other.members)
        middles = n * (self.start + self.end) / 2 + m * (other.start + other.end) / 2
        start = middles / (n + m) - (n + m) * self.room / 2
        return _Block(self.members + other.members, start, self.room)


def _inside(blocks: list[_Block], low: float, high: float) -> list[_Block]:
    """Pushed back between two places: first up from below, then down from above."""
    end = high
    for block in reversed(blocks):
        block.start = min(block.start, end - len(block.members) * block.room)
        end = block.start
    start = low
    for block in blocks:
        block.start = max(block.start, start)
        start = block.end
    return blocks


def kept(spans: Sequence[tuple[float, float]], gap: float = 6.0) -> list[int]:
    """Which labels of an axis are shown, as many as do not touch; first and last come first.

    >>> kept([(0, 10), (12, 22), (40, 50)])
    [0, 2]
    """
    chosen: list[int] = []
    order = dict.fromkeys([0, len(spans) - 1, *range(len(spans))]) if spans else {}
    for i in order:
        start, end = spans[i]
        if all(end + gap <= spans[j][0] or start >= spans[j][1] + gap for j in chosen):
            chosen.append(i)
    return sorted(chosen)

"""How a long search and whoever waits for it talk to each other."""

from __future__ import annotations

from collections.abc import Callable


class Watch:
    """How a long search and whoever waits for it talk to each other.

    A search that can end early with a result sets `may_stop`; asked to stop, it does.
    """

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        self.tell = tell or (lambda progress: None)
        self.may_stop = False
        self.is_stopped = False

    def ask_to_stop(self) -> bool:
        """Whether the search will end by itself; asked twice, or where it cannot, it will not."""
        if not self.may_stop or self.is_stopped:
            return False
        self.is_stopped = True
        return True

"""Results that show themselves as the terminal shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


class Showable:
    """A result with a text of its own: `print(it)` prints it, a notebook shows it."""

    def print_to(self, console: Console) -> None:
        """Print it as the command does."""
        raise NotImplementedError

    def __str__(self) -> str:
        from shoal.report.shown import as_text

        return as_text(self.print_to)

    def _repr_html_(self) -> str:
        from shoal.report.shown import as_html

        return as_html(self.print_to)

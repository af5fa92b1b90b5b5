"""Numbers as people write them, made and read letter by letter."""

from __future__ import annotations


def written(whole: int, fraction: str, decimal: str, thousands: str) -> str:
    """A number with a sign before its fraction and one after every third digit of the rest."""
    digits = str(abs(whole))
    grouped = ""
    for place, digit in enumerate(digits):
        n_left = len(digits) - place
        if place and n_left % 3 == 0:
            grouped += thousands
        grouped += digit
    return ("-" if whole < 0 else "") + grouped + (decimal + fraction if fraction else "")

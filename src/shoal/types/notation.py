"""How numbers are written: the sign before their fraction, and the one between thousands."""

from __future__ import annotations

import re
from typing import NamedTuple

POINT, COMMA = ".", ","
DECIMALS = (POINT, COMMA)
THOUSANDS = (POINT, COMMA, " ", "'")
LOOKALIKES = {" ": " \u00a0\u2009\u202f", "'": "'\u2019"}  # of which typesetters have several


class Notation(NamedTuple):
    """A way to write numbers. Whatever it is, cells are published with a decimal point.

    >>> Notation(",", ".").plain("1.234,5"), Notation(",", ".").plain("1.5")
    ('1234.5', None)
    """

    decimal: str = POINT
    thousands: str = ""

    @property
    def is_plain(self) -> bool:
        return self == PLAIN

    @property
    def separators(self) -> str:
        """All signs that stand between thousands."""
        return LOOKALIKES.get(self.thousands, self.thousands)

    @property
    def regex(self) -> str:
        """Of all numbers written so. It is text, because polars and SQL match by it too."""
        whole = "0|[1-9][0-9]*"
        if self.thousands:
            whole += f"|[1-9][0-9]{{0,2}}([{self.separators}][0-9]{{3}})+"
        fraction = f"[{self.decimal}][0-9]+"
        return f"^-?(({whole})({fraction})?|{fraction})([eE][+-]?[0-9]+)?$"

    def plain(self, text: str) -> str | None:
        """The number with a decimal point and nothing else, None where it is not written so."""
        if not re.fullmatch(self.regex, text):
            return None
        for sign in self.separators:
            text = text.replace(sign, "")
        return text.replace(self.decimal, POINT)

    def describe(self) -> str:
        """
        >>> Notation(",", " ").describe()
        'with a decimal comma and spaces between thousands'
        """
        decimal = f"with a decimal {'comma' if self.decimal == COMMA else 'point'}"
        names = {POINT: "points", COMMA: "commas", " ": "spaces", "'": "apostrophes"}
        if not self.thousands:
            return decimal
        return f"{decimal} and {names[self.thousands]} between thousands"


PLAIN = Notation()


def notation_of(decimal: str, thousands: str) -> Notation:
    """From what a policy says; points between thousands leave a comma for the fraction."""
    return Notation(decimal or (COMMA if thousands == POINT else POINT), thousands)

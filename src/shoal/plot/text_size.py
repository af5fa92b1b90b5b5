"""How much room a text takes, without a font at hand: rather too much than too little."""

from __future__ import annotations

NARROW, WIDE = set("iljtfrI.,:;'|!()[]{} -"), set("mwMW%@—…")
SIZE = 12.0  # pixels of a letter's height, in all plots
LINE = 15.0  # pixels from one line to the next


def width_of(text: str, size: float = SIZE) -> float:
    """Pixels from the first letter to the last.

    >>> width_of("k") < width_of("mondrian") < width_of("mondrian, strict")
    True
    """
    return size * sum(map(_of_letter, text))


def shortened(text: str, room: float, size: float = SIZE) -> str:
    """A text that fits: its end gives way to an ellipsis.

    >>> shortened("improved-greedy", 60)
    'improv…'
    """
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


def _of_letter(letter: str) -> float:
    if letter in NARROW:
        return 0.38
    if letter in WIDE:
        return 0.98
    if letter.isupper():
        return 0.74
    return 0.61 if ord(letter) < 0x2E80 else 1.05

"""Reading published cells back, as a recipient would."""

import json
import re

ROOT = "*"


def parse_set(text):
    """The values of `{a, "b, c"}`, in the order in which they stand."""
    assert text[0] == "{"
    assert text[-1] == "}"
    inside, values = text[1:-1], []
    while inside:
        if inside[0] == '"':
            value, end = json.JSONDecoder().raw_decode(inside)
        else:
            value = inside.split(", ")[0]
            end = len(value)
        values.append(value)
        assert inside[end : end + 2] in ("", ", ")
        inside = inside[end + 2 :]
    return values


def read_cell(text, *, as_set=False):
    """What a cell says: None, `*`, a pair of ends, or a list of values."""
    if text is None or text == ROOT:
        return text
    if as_set:
        return parse_set(text) if text.startswith("{") else [text]
    interval = re.fullmatch(r"\[(.+), (.+)\]", text)
    return (interval[1], interval[2]) if interval else (text, text)

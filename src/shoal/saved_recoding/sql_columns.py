"""How SQL reads a value and names its node: expressions that DuckDB and PostgreSQL share.

Every column is cast to text first, so that one query fits columns of text and of types. A value
goes through three steps: `written`, what the text means, NULL where it means nothing of its kind;
`value`, what the cell is made of, NULL where the hierarchy has no place for it; and the cell.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.errors import InputError
from shoal.read.columns import EXACT
from shoal.read.dates import MONTHS
from shoal.saved_recoding.fixed import Fixed
from shoal.types.column import Kind
from shoal.types.hierarchy import ROOT, Hierarchy
from shoal.types.hierarchy_spec import OTHER
from shoal.types.notation import POINT
from shoal.types.schema import ColumnSpec
from shoal.types.sql_cell import SqlColumn, literal
from shoal.types.text import NUMBER, KnownValues, number_of

WHOLE = "^-?(0|[1-9][0-9]{0,18})([.]0+)?$"
SMALLEST, LARGEST = -(2**63), 2**63 - 1
MIDNIGHT = "([T ]00:00(:00([.]0+)?)?)?$"
CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
SECONDS = ":[0-5][0-9]([.][0-9]+)?"
LONG_MONTHS = "('01', '03', '05', '07', '08', '10', '12')"
SHORT_MONTHS = "('04', '06', '09', '11')"


NAMED, NAMED_FIRST = "DD-Mon-YYYY", "Mon-DD-YYYY"
CLEAR = ("DD.MM.YYYY", NAMED, NAMED_FIRST)  # read without being asked to
NUMBERS = "[0-9]{{1,2}}{sign}[0-9]{{1,2}}{sign}[0-9]{{4}}"
NAMES = "|".join("".join(f"[{a}{a.upper()}]" for a in name) for name in MONTHS)
ENDS = "(uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?[.]?"
PARTED = {  # the sign between parts, what they look like, which of them is the day
    "DD.MM.YYYY": (".", "^" + NUMBERS.format(sign="[.]") + MIDNIGHT, 1),
    "DD/MM/YYYY": ("/", "^" + NUMBERS.format(sign="/") + MIDNIGHT, 1),
    "MM/DD/YYYY": ("/", "^" + NUMBERS.format(sign="/") + MIDNIGHT, 2),
    "DD-MM-YYYY": ("-", "^" + NUMBERS.format(sign="-") + MIDNIGHT, 1),
    "MM-DD-YYYY": ("-", "^" + NUMBERS.format(sign="-") + MIDNIGHT, 2),
    NAMED: ("-", f"^[0-9]{{1,2}}[-/ ]({NAMES}){ENDS}[-/ ][0-9]{{4}}{MIDNIGHT}", 1),
    NAMED_FIRST: ("-", f"^({NAMES}){ENDS}[-/ ][0-9]{{1,2}}(,? |[-/])[0-9]{{4}}{MIDNIGHT}", 2),
}


class Steps(NamedTuple):
    """The expressions of one column; a listed hierarchy has its value from a join with `pairs`."""

    written: str  # in terms of text_i
    value: str  # in terms of written_i
    cell: str  # in terms of value_i
    pairs: tuple[tuple[str, str], ...] | None = None  # leaf, cell


def refuse_beyond_sql(name: str, spec: ColumnSpec, kind: Kind) -> None:
    """Refuse what only Shoal reads: ages, highest values, moments in a format of their own.

    And points between thousands: a database may have read 1.234 as a number with a fraction.
    """
    beyond = {
        "age_on": bool(spec.age_on),
        "top": spec.top is not None,
        "zip3": spec.zip3 is not None,
        "format": bool(spec.format) and kind == "datetime",
        "thousands": spec.thousands == POINT and kind in ("integer", "number"),
    }
    if any(beyond.values()):
        key = next(key for key, is_given in beyond.items() if is_given)
        raise InputError(
            f"Column {name!r} is read by its `{key}`, which cannot be written as SQL. Recode later "
            "records with `shoal apply`."
        )


def steps_of(name: str, fixed: Fixed, level: int, number: int, spec: ColumnSpec) -> Steps:
    """The expressions of the quasi-identifier with this name and number."""
    text, written, value = f"text_{number}", f"written_{number}", f"value_{number}"
    kind = fixed.kind
    read = _written(kind, _with_point(text, spec, kind), spec.format)
    label = _label(kind, written)
    if fixed.listed is not None:
        as_text = _label(kind, f"({read})") if kind in ("integer", "number") else read
        cell = f"listed_{number}.cell"
        if fixed.names_others:
            cell = f"COALESCE({cell}, {literal(_cell_of_others(fixed.listed, level))})"
        return Steps(as_text, cell, value, _pairs(fixed.listed, kind, level))
    if fixed.is_empty:
        return Steps(text, f"CASE WHEN {written} = {literal(ROOT)} THEN {written} END", value)
    if level == fixed.height and fixed.takes_any:
        return Steps(read, label, literal(ROOT))
    if level == 0 and fixed.takes_any:
        return Steps(read, label, value)
    made = fixed.sql(level, SqlColumn(kind, written, label, value))
    if made is None:
        raise InputError(
            f"Column {name!r}: its hierarchy ({fixed.describe()}) cannot be written as SQL. "
            "Recode later records with `shoal apply`."
        )
    return Steps(read, *made)


def _cell_of_others(tree: Hierarchy, level: int) -> str:
    return tree.label(level, tree.leaves.index(OTHER))


def named(name: str) -> str:
    """The name of a column or table."""
    return '"' + name.replace('"', '""') + '"'


def _pairs(tree: Hierarchy, kind: Kind, level: int) -> tuple[tuple[str, str], ...]:
    """Each leaf as it is written, and where values are numbers also as the number it means."""
    known = KnownValues(tree.leaves)
    numbers = [number_of(leaf) for leaf in tree.leaves if kind in ("integer", "number")]
    as_written = [_number_label(number, kind) for number in numbers if number is not None]
    places = {text: known.place(text) for text in (*as_written, *tree.leaves)}
    return tuple(
        (text, tree.label(level, leaf)) for text, leaf in places.items() if leaf is not None
    )


def _number_label(number: float, kind: Kind) -> str:
    """A number as `_label` writes one of this kind."""
    is_whole = kind == "integer" and number == int(number)
    return repr(int(number) if is_whole else float(number)).removesuffix(".0")


def _written(kind: Kind, text: str, format_: str = "") -> str:
    match kind:
        case "integer":
            whole = f"split_part({text}, '.', 1)"
            fits = f"CAST({whole} AS DECIMAL(20, 0)) BETWEEN {SMALLEST} AND {LARGEST}"
            return (
                f"CASE WHEN {text} ~ {literal(WHOLE)} THEN "
                f"CASE WHEN {fits} THEN CAST({whole} AS BIGINT) END END"
            )
        case "number":
            pattern = literal(NUMBER.replace(r"\.", "[.]"))
            number = f"CAST({text} AS DOUBLE PRECISION)"
            # Digits that a floating-point number would lose mean none of the release's numbers.
            is_kept = f"NOT ({text} ~ '^-?[0-9]+$') OR abs({number}) < {EXACT}"
            return f"CASE WHEN {text} ~ {pattern} THEN CASE WHEN {is_kept} THEN {number} END END"
        case "date":
            return _iso_day(text, format_)
        case "datetime":
            return _iso_moment(text)
        case "time":
            clock = f"substr({text}, 1, 8) || {_fraction(f'substr({text}, 10)')}"
            return f"CASE WHEN {text} ~ {literal(f'^{CLOCK}{SECONDS}$')} THEN {clock} END"
        case "boolean":
            return f"CASE WHEN lower({text}) IN ('true', 'false') THEN lower({text}) END"
    return text


def _with_point(text: str, spec: ColumnSpec, kind: Kind) -> str:
    """The text of a number with a decimal point, NULL where it is not written as the policy says.

    The column must be text, as the file had it: of 134.5 where a comma is said nothing is made.
    """
    if kind not in ("integer", "number") or spec.notation.is_plain:
        return text
    found = text
    for sign in spec.notation.separators:
        found = f"replace({found}, {literal(sign)}, '')"
    found = f"replace({found}, {literal(spec.notation.decimal)}, '.')"
    return f"CASE WHEN {text} ~ {literal(spec.notation.regex)} THEN {found} END"


def _label(kind: Kind, written: str) -> str:
    """What was read, as the release writes an ungeneralised value."""
    as_text = f"CAST({written} AS VARCHAR)"
    if kind == "number":  # one engine writes 17.0, the other 17
        return (
            f"CASE WHEN {written} = 0 THEN '0' WHEN {as_text} LIKE '%.0' "
            f"THEN substr({as_text}, 1, length({as_text}) - 2) ELSE {as_text} END"
        )
    if kind in ("date", "datetime"):
        return _valid_day(written)
    return as_text if kind == "integer" else written


def _iso_day(text: str, format_: str = "") -> str:
    """A day as 2021-03-05, from the ways of writing that are clear and the one that is given."""
    first = f"substr({text}, 1, 10)"
    parted = [_parted(text, form) for form in (*CLEAR, format_) if form in PARTED]
    compact = literal(f"^[0-9]{{8}}{MIDNIGHT}")
    days = f"substr({text}, 1, 4) || '-' || substr({text}, 5, 2) || '-' || substr({text}, 7, 2)"
    if format_ == "YYYYMMDD":
        parted.append(f"WHEN {text} ~ {compact} THEN {days}")
    return (
        f"CASE WHEN {text} ~ {literal('^[0-9]{4}-[0-9]{2}-[0-9]{2}' + MIDNIGHT)} THEN {first} "
        f"WHEN {text} ~ {literal('^[0-9]{4}/[0-9]{2}/[0-9]{2}' + MIDNIGHT)} "
        f"THEN replace({first}, '/', '-') {' '.join(parted)} END"
    )


def _parted(text: str, format_: str) -> str:
    """From three parts, in the order that the format has them; the year comes last."""
    sign, pattern, day = PARTED[format_]
    plain = f"split_part(split_part({text}, ' 00:', 1), 'T00:', 1)"
    if format_ in (NAMED, NAMED_FIRST):
        plain = f"replace(replace(replace({plain}, ', ', '-'), '/', '-'), ' ', '-')"
    first, second, year = (f"split_part({plain}, '{sign}', {i})" for i in (1, 2, 3))
    in_order = (second, first) if day == 1 else (first, second)
    if format_ in (NAMED, NAMED_FIRST):
        place = f"strpos('{''.join(MONTHS)}', lower(substr({in_order[0]}, 1, 3)))"
        in_order = (f"CAST(({place} + 2) / 3 AS INTEGER)", in_order[1])
    month, day_ = (f"lpad(CAST({part} AS VARCHAR), 2, '0')" for part in in_order)
    return f"WHEN {text} ~ {literal(pattern)} THEN {year} || '-' || {month} || '-' || {day_}"


def _iso_moment(text: str) -> str:
    """A moment as 2021-03-05 13:45:00, with three or six digits of a second where it has any."""
    pattern = literal(f"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{CLOCK}({SECONDS})?$")
    minute = f"substr({text}, 1, 10) || ' ' || substr({text}, 12, 5)"
    second = f"CASE WHEN length({text}) = 16 THEN ':00' ELSE substr({text}, 17, 3) END"
    return (
        f"CASE WHEN {text} ~ {pattern} THEN {minute} || {second} || "
        f"{_fraction(f'substr({text}, 21)')} ELSE {_iso_day(text)} || ' 00:00:00' END"
    )


def _fraction(digits: str) -> str:
    six = f"rpad({digits}, 6, '0')"
    return (
        f"CASE WHEN {six} = '000000' THEN '' WHEN substr({six}, 4, 3) = '000' "
        f"THEN '.' || substr({six}, 1, 3) ELSE '.' || {six} END"
    )


def _valid_day(iso: str) -> str:
    """The same, or NULL for a day that no calendar has. A cast would end the query instead."""
    year, month = f"CAST(substr({iso}, 1, 4) AS INTEGER)", f"substr({iso}, 6, 2)"
    is_leap = f"mod({year}, 4) = 0 AND (mod({year}, 100) <> 0 OR mod({year}, 400) = 0)"
    last = (
        f"CASE WHEN {month} IN {LONG_MONTHS} THEN 31 WHEN {month} IN {SHORT_MONTHS} THEN 30 "
        f"WHEN {month} <> '02' THEN 0 WHEN {is_leap} THEN 29 ELSE 28 END"
    )
    return f"CASE WHEN CAST(substr({iso}, 9, 2) AS INTEGER) BETWEEN 1 AND {last} THEN {iso} END"

"""What is counted: records, or the people whose records they are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """What the sizes of groups count, in words.

    >>> PERSON.counted(1), PERSON.counted(1200), RECORD.counted(0)
    ('1 person', '1,200 people', '0 records')
    """

    one: str
    many: str

    @property
    def words(self) -> tuple[str, str]:
        return self.one, self.many

    def counted(self, n: int) -> str:
        return f"{n:,} {self.one if n == 1 else self.many}"

    def others(self, n: int) -> str:
        """So many more: `4 others`, `4 other people`."""
        if self.one == "record":
            return f"{n:,} other{'' if n == 1 else 's'}"
        return f"{n:,} other {self.one if n == 1 else self.many}"


RECORD = Unit("record", "records")
PERSON = Unit("person", "people")
ENTRY = Unit("entry of a person", "entries of people")  # what is suppressed where people count

"""Published tables, joined by their keys in dictionaries, and their people counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

Rows = Sequence[Mapping[str, object]]


def people_by_cells(
    people: Rows, events: Mapping[str, Rows], quasi: Mapping[str, Sequence[str]], key: str
) -> dict[tuple, set]:
    """Who has which cells; `quasi` are the columns of each table, "" stands for that of people."""
    cells: dict[object, list[object]] = {}
    for row in people:
        assert row[key] not in cells  # one row for each person
        cells[row[key]] = [row[column] for column in quasi[""]]
    for name, rows in events.items():
        of_person = defaultdict(set)
        for row in rows:
            of_person[row[key]].add(tuple(row[column] for column in quasi.get(name, ())))
        assert of_person.keys() <= cells.keys()
        for person, known in cells.items():
            found = of_person.get(person, {()})
            assert len(found) == 1  # the cells of a person do not vary
            known.extend(*found)
    groups = defaultdict(set)
    for person, known in cells.items():
        groups[tuple(known)].add(person)
    return dict(groups)


def values_by_cells(groups: Mapping[tuple, set], rows: Rows, key: str, column: str) -> list[dict]:
    """For each group, how many of its people have each value; `None`: they have no row."""
    of_person = defaultdict(set)
    for row in rows:
        of_person[row[key]].add(row[column])
    counted = []
    for members in groups.values():
        count: dict[object, int] = defaultdict(int)
        for person in members:
            for value in of_person.get(person, {None}):
                count[value] += 1
        counted.append(dict(count))
    return counted

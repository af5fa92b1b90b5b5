"""Who a person can be over several releases, one record and one row at a time."""

from __future__ import annotations

from collections import Counter

ABSENT = "not in it"


class Release:
    """Rows as dicts, some of whose columns are cells and some left unchanged."""

    def __init__(self, rows, quasi, unchanged, fits):
        self.rows, self.quasi, self.unchanged, self.fits = rows, quasi, unchanged, fits

    def group(self, row):
        return tuple(row[name] for name in self.quasi)

    def key(self, row, names=None):
        return tuple(row[name] for name in (self.unchanged if names is None else names))

    def covering(self, record):
        return {
            self.group(row)
            for row in self.rows
            if all(self.fits(name, row[name], record[name]) for name in self.quasi)
        }

    def may_have(self, record):
        groups = self.covering(record)
        return {
            self.group(row)
            for row in self.rows
            if self.group(row) in groups and self.key(row) == self.key(record)
        } or {ABSENT}

    def looked_in(self, record):
        return {ABSENT} if self.may_have(record) == {ABSENT} else self.covering(record)

    def component(self, group, records):
        found, before = {group}, set()
        while found != before:
            before = set(found)
            for record in records:
                covering = self.covering(record)
                if covering & found:
                    found |= covering
        return found


def candidates(records, releases):
    """For each record that is in a release, how often each value of common columns occurs."""
    names = [n for n in releases[0].unchanged if all(n in r.unchanged for r in releases)]
    may_have = [[release.may_have(record) for release in releases] for record in records]
    looked_in = [[release.looked_in(record) for release in releases] for record in records]
    found = []
    for views in looked_in:
        if all(view == {ABSENT} for view in views):
            found.append(None)
            continue
        people = [
            record
            for record, places in zip(records, may_have, strict=True)
            if all(place & view for place, view in zip(places, views, strict=True))
        ]
        found.append(limited(people, records, releases, views, names))
    return found


def limited(people, records, releases, views, names):
    """No more than rows have a value, and fewer by those who may be missing."""
    counts = Counter(tuple(person[n] for n in names) for person in people)
    result = Counter()
    for key, n in counts.items():
        least, n_missing = n, 0
        for release, view in zip(releases, views, strict=True):
            if view == {ABSENT}:
                continue
            rows = [row for row in release.rows if release.key(row, names) == key]
            least = min(least, sum(release.group(row) in view for row in rows))
            together = release.component(next(iter(view)), records)
            covered = [
                record
                for record in records
                if release.key(record, names) == key and release.covering(record) & together
            ]
            n_rows = sum(release.group(row) in together for row in rows)
            n_missing += max(0, len(covered) - n_rows)
        if min(least, n - n_missing) > 0:
            result[key] = min(least, n - n_missing)
    return result

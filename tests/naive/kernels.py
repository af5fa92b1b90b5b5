"""Twins of the kernels that number, fold, count and bound."""

from collections import Counter


def numbered(keys):
    """The number of each key by first appearance, and where each number appeared first."""
    number_of, first = {}, []
    numbers = []
    for i, key in enumerate(keys):
        if key not in number_of:
            number_of[key] = len(number_of)
            first.append(i)
        numbers.append(number_of[key])
    return numbers, first


def folded(records):
    """The place of each record among the different ones, sorted, and those."""
    different = sorted(set(records))
    return [different.index(record) for record in records], different


def counting_order(keys):
    return [i for _, i in sorted((key, i) for i, key in enumerate(keys))]


def value_counts(labels, values, counts):
    """Group -> how often each value occurs in it; groups below 0 are none."""
    result = {}
    for label, value, count in zip(labels, values, counts, strict=True):
        if label >= 0:
            result.setdefault(label, Counter())[value] += count
    return result


def boxes(codes, rows, labels):
    """Group -> its lowest codes and its highest, column by column."""
    members = {}
    for row, label in zip(rows, labels, strict=True):
        if label >= 0:
            members.setdefault(label, []).append(codes[row])
    result = {}
    for label, those in members.items():
        columns = list(zip(*those, strict=True))
        result[label] = [min(column) for column in columns], [max(column) for column in columns]
    return result

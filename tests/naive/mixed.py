"""The order of rows that no column rules."""

from hashlib import blake2b


def mixed(codes, names):
    """The hash by which rows are ordered: splitmix64 of each code, added up."""
    total = 0
    for code, name in zip(codes, names, strict=True):
        word = code ^ int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
            word = (word ^ (word >> shift)) * factor % 2**64
        total = (total + word) % 2**64
    return total

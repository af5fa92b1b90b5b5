"""Stand-ins for identifiers: the same one for the same person, in every table under one key."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.errors import InputError, counted
from shoal.types.arrays import MISSING
from shoal.types.column import RawColumn

TAG = b"shoal pseudonym 1\x00"  # what else the key is used for gives other values
CHECK_TAG = b"shoal key check 1\x00"
N_BYTES = 16  # of a pseudonym: 128 bits
N_CHARACTERS = 26  # of five bits each
ALPHABET = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", dtype=np.uint8)  # RFC 4648


@dataclass(frozen=True, eq=False, repr=False)
class Pseudonyms:
    """The pseudonym of each record and, where they are random, the identifier behind each.

    `mapping` is never published: it has the identifiers, and next to them the pseudonyms.
    """

    of_record: pl.Series
    mapping: pl.DataFrame | None = None


def pseudonyms_of(column: RawColumn, secret: bytes | None) -> Pseudonyms:
    """Replace identifiers, by HMAC with a secret or, without one, at random.

    A record without an identifier has a person of its own, and so a random pseudonym.
    """
    texts = column.labels
    n_unknown = int(np.count_nonzero(column.codes == MISSING))
    known = drawn(len(texts)) if secret is None else keyed(texts, secret)
    pseudonyms = pl.concat([known, drawn(n_unknown)])
    _refuse_collisions(pseudonyms)
    person = column.codes.copy()
    person[person == MISSING] = np.arange(len(texts), len(pseudonyms))
    of_record = pseudonyms.gather(person).alias(column.name)
    if secret is not None:
        return Pseudonyms(of_record)
    identifiers = pl.Series(texts, dtype=pl.String)
    return Pseudonyms(of_record, pl.DataFrame({"identifier": identifiers, "pseudonym": known}))


def keyed(texts: Sequence[str], secret: bytes) -> pl.Series:
    """The pseudonym of each text: HMAC-SHA-256 of it, cut to 128 bits.

    >>> keyed(["7"], bytes(range(32))).to_list()
    ['kggwjogxe7t3k76yq2tux4eudy']
    """
    digests = (hmac.digest(secret, TAG + text.encode(), "sha256")[:N_BYTES] for text in texts)
    return _written(b"".join(digests))


def key_check(secret: bytes) -> str:
    """A text that is the same for the same key, and does not tell the key."""
    return hmac.digest(secret, CHECK_TAG, "sha256")[:8].hex()


def drawn(n: int) -> pl.Series:
    """So many random pseudonyms."""
    return _written(secrets.token_bytes(N_BYTES * n))


def _written(values: bytes) -> pl.Series:
    """Each 16 bytes as 26 letters and digits, in base 32."""
    bits = np.unpackbits(np.frombuffer(values, dtype=np.uint8).reshape(-1, N_BYTES), axis=1)
    padding = ((0, 0), (0, 5 * N_CHARACTERS - 8 * N_BYTES))
    fives = np.pad(bits, padding).reshape(len(bits), N_CHARACTERS, 5)
    places: npt.NDArray[np.uint8] = fives @ np.array([16, 8, 4, 2, 1], dtype=np.uint8)
    texts = ALPHABET[places].tobytes().decode("ascii")
    starts = range(0, len(texts), N_CHARACTERS)
    return pl.Series([texts[i : i + N_CHARACTERS] for i in starts], dtype=pl.String)


def _refuse_collisions(pseudonyms: pl.Series) -> None:
    """Refuse two people with one pseudonym, although it will not happen in a lifetime."""
    n_shared = len(pseudonyms) - pseudonyms.n_unique()
    if n_shared:
        raise InputError(
            f"{counted(n_shared, 'pseudonym')} would stand for more than one person. Use another "
            "key, and report this: with 128 bits it should not happen."
        )

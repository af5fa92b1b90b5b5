"""A new key for pseudonyms."""

from __future__ import annotations

import secrets
from pathlib import Path

from shoal.write.private import private_file

N_BYTES = 32  # as many as HMAC-SHA-256 gives


def write_key(path: Path) -> None:
    """Write a random key as a line of hexadecimal digits, readable by the owner alone."""
    with private_file(path) as file:
        file.write(f"{secrets.token_hex(N_BYTES)}\n".encode())

"""HMAC-SHA-256 as RFC 2104 writes it, and base 32 as RFC 4648 does."""

from __future__ import annotations

import hashlib

BLOCK = 64  # bytes
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    if len(key) > BLOCK:
        key = hashlib.sha256(key).digest()
    key = key.ljust(BLOCK, b"\x00")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def base32(value: bytes) -> str:
    bits = "".join(f"{byte:08b}" for byte in value)
    bits += "0" * (-len(bits) % 5)
    return "".join(LETTERS[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))

"""How much memory there is, and about how much a table will need: found out before it is read.

Libraries that do not get the memory they ask for end the whole process. So a table that will not
fit is refused, with the numbers, while there is still somebody to say so.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import NamedTuple

from shoal.errors import InputError

# What a run needs at its peak, measured on tables from 300,000 to 6,000,000 rows.
OF_A_BYTE = 3  # bytes for each byte of text: as it was read, as cells, and as it is written
OF_A_ROW = 50  # bytes: orders, groups, numbers of rows
OF_A_CELL = 100  # bytes: text, codes, and what is sorted on the way
LIBRARIES = 1_600_000_000  # bytes of address space that libraries ask for, though they use few
ADDRESSES_OF_A_BYTE = 3  # reserved for each byte that is used, where many values differ
OF_A_THREAD = 150_000_000  # bytes of address space, of which there are as many as cores
CGROUPS = ("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")
ADVICE = (
    "Use a machine with more memory, or leave out columns and records that are not needed. "
    "`shoal anonymize --engine duckdb` reads csv and parquet files that are larger than memory."
)


class Available(NamedTuple):
    """So many bytes can still be had, and what sets this limit."""

    n_bytes: int
    limit: str


def refuse_large(path: Path, *, n_bytes: int, n_rows: int = 0, n_columns: int = 0) -> None:
    """Refuse a table for which there is not enough memory."""
    need = needed(n_bytes, n_rows, n_columns)
    have = available()
    if have is None or need <= have.n_bytes:
        return
    of_what = f"{n_rows:,} rows of {n_columns:,} columns" if n_rows else f"{n_bytes:,} bytes"
    raise InputError(
        f"{path}: there is not enough memory for this table. It has {of_what}, which need about "
        f"{shown(need)}, and {shown(have.n_bytes)} are available ({have.limit}).\n{ADVICE}"
    )


def needed(n_bytes: int, n_rows: int, n_columns: int) -> int:
    """About how many bytes a run needs for a table with so many bytes of text.

    >>> shown(needed(19_000_000, 1_000_000, 7))
    '807.0 MB'
    """
    return OF_A_BYTE * n_bytes + n_rows * (OF_A_ROW + OF_A_CELL * n_columns)


def available() -> Available | None:
    """The least that any limit leaves; None where the system does not tell."""
    limits = [_in_machine(), _in_group(), _in_address_space()]
    return min((limit for limit in limits if limit is not None), default=None)


def refuse_small_address_space() -> None:
    """Refuse a limit on address space in which the libraries themselves have no room."""
    limit, least = _limit_of_addresses(), _of_libraries()
    if limit is not None and limit < least:
        raise InputError(
            f"The address space of this process is limited to {shown(limit)} (`ulimit -v`). Shoal "
            f"needs {shown(least)} for its libraries, most of which is never used. Raise the "
            "limit, or limit the memory that is used instead, for example by a container."
        )


def shown(n_bytes: int) -> str:
    """A number of bytes in words.

    >>> shown(1_234_567_890), shown(25_000_000)
    ('1.2 GB', '25.0 MB')
    """
    unit, name = (10**9, "GB") if n_bytes >= 10**9 else (10**6, "MB")
    return f"{n_bytes / unit:.1f} {name}"


def _in_machine() -> Available | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable"))
        return Available(int(line.split()[1]) * 1024, "free on this machine")
    with contextlib.suppress(OSError, ValueError, StopIteration):
        n_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return Available(n_bytes, "the memory of this machine")
    return None


def _in_group() -> Available | None:
    """What the container, or another control group of Linux, leaves."""
    for most, used in CGROUPS:
        for folder in ("/sys/fs/cgroup", "/sys/fs/cgroup/memory"):
            with contextlib.suppress(OSError, ValueError):
                limit = int(Path(folder, most).read_text())
                left = limit - int(Path(folder, used).read_text())
                return Available(max(left, 0), "the limit of this container")
    return None


def _in_address_space() -> Available | None:
    limit = _limit_of_addresses()
    if limit is None:
        return None
    left = (limit - max(_of_libraries(), _addresses_used())) // ADDRESSES_OF_A_BYTE
    return Available(max(left, 0), "the limit on address space, `ulimit -v`")


def _limit_of_addresses() -> int | None:
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit


def _of_libraries() -> int:
    return LIBRARIES + OF_A_THREAD * (os.cpu_count() or 1)


def _addresses_used() -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0

"""How much memory a run took."""

from __future__ import annotations

from pathlib import Path


def peak_memory_mb() -> int | None:
    """The most memory this process has had, in megabytes, where the system tells."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1000
    try:
        import resource
    except ModuleNotFoundError:
        return None
    # In bytes on macOS. On Linux it would count the memory of the process that started this one.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000_000

"""Whether a release may take the place of a file that is there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from shoal.cli._outputs import refuse_inputs
from shoal.cli._recoding import recoding_path
from shoal.errors import InputError, OutputError


def refuse_lost(
    path: Path, inputs: Mapping[str, Path], *, force: bool, registry: Path | None = None
) -> None:
    """Refuse a release where an input is, ever, and over a file that is no release unless told."""
    from shoal.write.atomic import check_target

    check_target(path)
    refuse_inputs(path, inputs)
    if path.exists() and not (force or is_release(path, registry)):
        raise OutputError(
            f"{path} exists, and is not known to be a release of Shoal's. Choose another name, or "
            "use `--force` to overwrite it."
        )


def is_release(path: Path, registry: Path | None = None) -> bool:
    """Whether a file is a release of an earlier run, as that run left it.

    It is known by its SHA-256: from the registry of this run or the one next to the file, or from
    the recoding that was written with it.
    """
    from shoal.read.registry import REGISTRY, read_registry
    from shoal.read.steady import sha256_of
    from shoal.saved_recoding.recoding import Recoding

    known: set[str | None] = set()
    for one in {registry or path.parent / REGISTRY, path.parent / REGISTRY}:
        with suppress(InputError):
            known |= {entry.release_sha256 for entry in read_registry(one).entries}
    with suppress(InputError):
        known.add(Recoding.load(recoding_path(path)).release_sha256)
    return bool(known) and path.is_file() and sha256_of(path) in known

"""Refuse, before any work is done, to overwrite files that would be lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shoal.errors import OutputError

if TYPE_CHECKING:
    from shoal.write.atomic import FileSet


def named(data: Path, policy: Path, of_policy: Sequence[Path] = ()) -> dict[str, Path]:
    """The files that a command reads, by what they are; `of_policy` are named by the policy."""
    files = {"the data": data, "the policy": policy}
    return files | {f"{path.name}, which the policy reads": path for path in of_policy}


def refuse_inputs(path: Path, inputs: Mapping[str, Path]) -> None:
    """Refuse to overwrite a file that the command reads, links included."""
    for what, other in inputs.items():
        if os.path.realpath(path) == os.path.realpath(other) or (
            path.exists() and other.exists() and path.samefile(other)
        ):
            raise OutputError(f"{path} is {what}. Choose another name for the output.")


def protect(
    path: Path,
    *,
    force: bool,
    inputs: Mapping[str, Path | None],
    is_ours: Callable[[Path], bool] | None = None,
) -> None:
    """Refuse to overwrite an input, ever, and anything but our own files unless told to.

    `is_ours` recognises a file that an earlier run wrote; without it, a page or a test report.
    """
    from shoal.write.atomic import check_target

    refuse_inputs(path, {what: other for what, other in inputs.items() if other is not None})
    check_target(path)
    if path.exists() and not (force or (is_ours or is_page)(path)):
        raise OutputError(f"{path} exists. Choose another name, or use `--force` to overwrite it.")


def tell_left_behind(files: FileSet) -> None:
    """Name hidden files that could not be removed, once the others are in their places."""
    for path in files.left_behind:
        click.echo(
            f"shoal: {path} could not be removed. All files were written. Delete it.", err=True
        )


def is_page(path: Path) -> bool:
    from shoal.report.html import is_report
    from shoal.report.junit import is_junit

    return is_report(path) or is_junit(path)

"""shoal warm-up"""

from __future__ import annotations

import time

import click

from shoal.cli import _options as options


@click.command("warm-up", short_help="Compile the kernels beforehand, for images.")
@click.argument("algorithms", nargs=-1, metavar="[ALGORITHM]...", shell_complete=options.algorithms)
@options.quiet
def warm_up(algorithms: tuple[str, ...], quiet: bool) -> None:
    """Compile the kernels of algorithms, of all unless some are named, before a table is there.

    For the image of a container, or a build server: what is compiled once is loaded afterwards.
    """
    from shoal import catalog
    from shoal.errors import counted
    from shoal.runs.warm_up_algorithms import warm_up_algorithm, warm_up_risk
    from shoal.types.named import name_of

    names = [name_of(catalog.load("algorithm", name)()) for name in algorithms]
    names = list(dict.fromkeys(names)) or list(catalog.loadable("algorithm"))
    begin = time.perf_counter()
    for name in names:
        start = time.perf_counter()
        warm_up_algorithm(name)
        if not quiet:
            click.echo(f"  {name:<24} {time.perf_counter() - start:6.2f} s", err=True)
    warm_up_risk()
    seconds = time.perf_counter() - begin
    click.echo(f"The kernels of {counted(len(names), 'algorithm')} are ready ({seconds:.1f} s).")

"""`shoal.propose`."""

from __future__ import annotations

from shoal.proposals.proposal import Proposal
from shoal.proposals.propose import propose as run
from shoal.proposals.recipes import recipe_of
from shoal.read.given import source_of
from shoal.types.frames import Given


def propose(frame: Given, *, recipe: str | None = None) -> Proposal:
    """Look at a table, a frame or the path of a file, and propose what each column is, and why.

    The policy made of it runs on this table. Read it before you use it: you know your data best.
    A `recipe`, such as `"ema"`, fills in what a regulation asks for (`shoal init --for`).

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"email": [f"{i}@b.org" for i in range(18)],
    ...                        "age": range(20, 38)})
    >>> proposal = shoal.propose(people)
    >>> [(column.name, column.role) for column in proposal.suggestions]
    [('email', 'identifier'), ('age', 'quasi')]
    >>> proposal.policy().privacy
    (KAnonymity(k=5),)
    """
    return run(source_of(frame), None if recipe is None else recipe_of(recipe))

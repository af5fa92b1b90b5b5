"""Algorithms, models and metrics as if another installed package added them."""

from __future__ import annotations

from importlib.metadata import EntryPoint

from shoal import catalog


def add_entries(monkeypatch, part, **classes):
    """`own_metric=Own` adds the class as `own-metric`, until the test ends."""
    points = [
        EntryPoint(name.replace("_", "-"), f"{c.__module__}:{c.__qualname__}", f"shoal.{part}s")
        for name, c in classes.items()
    ]
    monkeypatch.setattr(
        catalog, "entry_points", lambda group: [p for p in points if p.group == group]
    )
    look_again(monkeypatch)


def look_again(monkeypatch):
    """The catalog looks what there is, now and after the test."""
    for remembered in ("_places", "_aliases"):
        fresh = getattr(catalog, remembered).__wrapped__
        monkeypatch.setattr(catalog, remembered, catalog.cache(fresh))

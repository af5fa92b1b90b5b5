"""Bars that stand in a row of a table, next to their figures."""

from __future__ import annotations

from shoal.plot.markup import Html, element


def bar(share: float, figure: str) -> Html:
    """A bar from 0 to 1 and its figure, so that readers of text miss nothing."""
    width = round(100 * min(max(share, 0.0), 1.0), 2)
    picture = Html(
        '<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" '
        'focusable="false"><rect class="track" width="100" height="8"></rect>'
        f'<rect class="fill" width="{width:g}" height="8"></rect></svg>'
    )
    return element("div", picture, element("span", figure), class_="bar")


def pair(before: float, after: float) -> Html:
    """Two bars, one above the other; the figures stand next to them."""
    return Html(
        '<svg class="pair" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" '
        f'focusable="false"><rect class="was" width="{100 * before:.4g}" height="4"></rect>'
        f'<rect class="fill" y="5" width="{100 * after:.4g}" height="5"></rect></svg>'
    )

"""Plots as SVG of our own: small, without scripts, readable in light and dark and on paper."""

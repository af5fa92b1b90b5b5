"""Algorithms that cut the table in ever smaller boxes."""

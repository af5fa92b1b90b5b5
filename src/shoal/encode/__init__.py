"""Columns in, a table of codes out."""

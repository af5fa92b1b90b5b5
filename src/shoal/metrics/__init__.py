"""Measures of what a release loses, one file each; the file name is the measure's name.

Those named in MEASURES are part of every release's summary; others only steer searches. All are
over all input records: a suppressed one has the root in every cell. Lower is better.
"""

MEASURES = ("loss", "ncp", "il", "iloss", "dm", "cavg", "precision")

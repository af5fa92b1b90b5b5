"""Measures of what a release loses, one file each; the file name is the measure's name.

All are over all input records: a suppressed one has the root in every cell. Lower is better.
"""

"""Methods as their papers print them, scan by scan, with every look at a record counted.

They are slow on purpose, and not in the catalog. They take tables without missing values.
"""

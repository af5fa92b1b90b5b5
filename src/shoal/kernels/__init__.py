"""Compiled loops: arrays and numbers in, arrays out. Nothing else imports numba."""

"""Compiled loops: arrays and numbers in, arrays out. Nothing else imports numba."""

in_command = False  # whether nobody but Shoal uses numba in this process: `shoal` says so

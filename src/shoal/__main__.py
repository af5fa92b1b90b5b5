"""`python -m shoal`, the same as `shoal`."""

from shoal.cli import start

start()

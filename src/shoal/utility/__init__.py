"""What a release still tells, compared with the original: in figures that are about k people."""

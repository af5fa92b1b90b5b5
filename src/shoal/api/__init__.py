"""What is called from Python: a file per call, as `cli` has one per command."""

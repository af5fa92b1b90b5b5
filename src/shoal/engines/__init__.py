"""Where a table lives: in a database, or in files that are larger than memory."""

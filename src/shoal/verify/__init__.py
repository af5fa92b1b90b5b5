"""Published columns in, verdict out, by code that shares nothing with the search for groups."""

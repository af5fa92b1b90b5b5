"""A comparison for its readers: plots with sentences, a page, a table in the terminal."""

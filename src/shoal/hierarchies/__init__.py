"""Kinds of hierarchies, one in each file; the file's name is the name in a policy."""

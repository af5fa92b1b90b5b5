"""A verified release in, a file or the caller's kind of frame out."""

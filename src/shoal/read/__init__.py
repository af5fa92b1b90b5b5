"""Anything in, columns out: files, frames and hierarchies."""

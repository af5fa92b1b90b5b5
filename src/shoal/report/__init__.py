"""A release in, a page or a few lines about it out."""

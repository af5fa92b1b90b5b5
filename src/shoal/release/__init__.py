"""A verified release, and what is known of it."""

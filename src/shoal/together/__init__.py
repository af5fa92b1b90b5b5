"""Several releases of the same people, judged as one; independent of how they were made."""

"""The nouns of the pipeline: frozen, no I/O, no algorithms. Everything may import them."""

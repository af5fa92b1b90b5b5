"""Groups in, published columns out."""

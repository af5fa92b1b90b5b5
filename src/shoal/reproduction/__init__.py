"""The experiments of five papers, run again: tables, trials, counted methods, claims, a page."""

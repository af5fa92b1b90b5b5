"""What tests look at: tables, models and groupings, made with Shoal's own types and stages.

No twin is here: what judges Shoal is in `naive`, and imports nothing of it.
"""

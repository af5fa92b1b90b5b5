"""Real tables to try things on."""

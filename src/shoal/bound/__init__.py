"""The least loss that any release of a table can have."""

"""A first policy from a look at the data: a role, a hierarchy and a reason for each column."""

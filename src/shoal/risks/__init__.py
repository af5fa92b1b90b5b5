"""How easily people are found in a table: attackers, combinations of columns, before and after."""

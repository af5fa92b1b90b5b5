"""How many people of the population look like a record of a sample: one file for each method."""

"""What the commands do: a file for each, named as in `cli`, and the steps that they share."""

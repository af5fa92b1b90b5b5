"""What each column is, which privacy is wanted, and how to get it: a policy and its file."""

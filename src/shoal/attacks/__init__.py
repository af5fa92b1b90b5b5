"""What an adversary gains from a release, by trying it: a file for each attack.

The folder is not called `attack`: importing it would hide the function `shoal.attack`.
"""

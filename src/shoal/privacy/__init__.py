"""Privacy models, one file each; the file name is the model's public name."""

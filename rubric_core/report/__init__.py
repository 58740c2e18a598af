"""Reports: pure functions from what was found in the files to text that a person or a machine reads."""

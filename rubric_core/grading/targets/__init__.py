"""Targets: which provider a name stands for, where its secrets come from, and where an answer comes from."""

"""Targets: the providers of names, where their secrets come from, and where an answer comes from."""

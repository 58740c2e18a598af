"""Refactors: changes of how a file is written that are offered where they make sense."""

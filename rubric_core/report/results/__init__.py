"""Formats of results, for people and for machines."""

"""Formats of results: what grading says of cases, for people and for machines."""

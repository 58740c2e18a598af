"""Formats of reports: the `render` of each module writes any family."""

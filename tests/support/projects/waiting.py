"""How long tests wait."""

TIMEOUT = 120.0
"""Seconds that a test waits for what should come at once, before it fails. Only a failing test waits this long."""

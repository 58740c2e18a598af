"""Dialects: one package for each format, a registry of them, and the questions that the core asks them."""

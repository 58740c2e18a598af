"""Prompts of judges, in which the answer under test is fenced off as data."""

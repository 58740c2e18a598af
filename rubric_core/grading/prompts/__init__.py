"""Prompts: what a judge is asked, with the answer under test fenced off as data."""

"""The store: every judgement, result and evaluation, in SQLite."""

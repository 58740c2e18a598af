"""Evaluators: one file for each kind that this grader runs."""

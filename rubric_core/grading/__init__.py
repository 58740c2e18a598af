"""Grading: from a case, a candidate answer and a judge to a result. Nothing that runs on a keystroke imports it."""

"""Judges, which answer questions about an answer: a model, a person, a recording, the editor."""

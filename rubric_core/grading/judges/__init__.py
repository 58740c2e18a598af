"""Judges: who answers a question about an answer. A model, a person, a recording, the editor."""

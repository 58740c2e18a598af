"""The user's configuration: its settings, their readers, and its effect on a rule."""

"""The user's configuration: its settings, where it is found, and its effect on a rule."""

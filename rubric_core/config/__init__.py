"""The user's configuration: what it may say, where it is found, and what it means for a rule."""

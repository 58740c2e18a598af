"""Completion: what can be typed at the cursor, also while the text around it is not YAML yet."""

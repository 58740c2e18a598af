"""Completion: proposals at the cursor, even while the text around it is not valid YAML."""

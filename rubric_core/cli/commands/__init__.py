"""The subcommands of `rubric`, one file each. `main.py` has their table."""

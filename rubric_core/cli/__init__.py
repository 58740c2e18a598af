"""The command line: `start.py` begins, `main.py` has the table of subcommands, `commands/` has a file for each."""

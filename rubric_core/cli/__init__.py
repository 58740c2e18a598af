"""The command line: `main.py` has the table of subcommands, `commands/` has a file for each."""

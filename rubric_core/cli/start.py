"""The beginning of the `rubric` command, from which on Ctrl-C ends it without a traceback."""

import sys


def start() -> None:
    """Import the command line and run it; most of the time that a short command takes goes into importing it."""
    try:
        from rubric_core.cli.main import main  # noqa: PLC0415 - it is what may be interrupted.

        main()
    except KeyboardInterrupt:
        sys.exit(130)

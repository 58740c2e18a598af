"""The beginning of the `rubric` command, from which on Ctrl-C ends it without a traceback."""

import os
import sys

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def start() -> None:
    """Import the command line and run it; most of the time that a short command takes goes into importing it."""
    try:
        _open_closed_streams()
        from rubric_core.cli.main import main  # noqa: PLC0415 - it is what may be interrupted.

        main()
    except KeyboardInterrupt:
        sys.exit(130)


def _open_closed_streams() -> None:
    """Read nothing from a stream that the caller has closed, and throw away what is written to it."""
    for name, mode in _MODES.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - until the end.

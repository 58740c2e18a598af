"""The entry point of the `rubric` command; Ctrl-C ends it without a traceback from here on."""

import os
import sys

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def start() -> None:
    """Import the command line, which takes most of the time of a short command, and run it."""
    try:
        _open_closed_streams()
        from rubric_core.cli.main import main  # noqa: PLC0415 - it is what may be interrupted.

        main()
    except KeyboardInterrupt:
        sys.exit(130)


def _open_closed_streams() -> None:
    """Replace each stream that the caller has closed by one that is empty and discards its input."""
    for name, mode in _MODES.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - until the end.

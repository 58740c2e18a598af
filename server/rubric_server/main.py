"""The `rubric-lsp` command."""

from __future__ import annotations

import argparse
import gc
import logging
import sys
from typing import TYPE_CHECKING

from rubric_core import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

HOST = "127.0.0.1"

# Trees of nodes are large, live long and hold hardly any cycles.
_COLLECTION_THRESHOLDS = (50_000, 20, 100)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the server and end the process: with 0 after an orderly shutdown, with 1 otherwise."""
    options = _parser().parse_args(arguments)
    _start_log(options.log_file)
    gc.set_threshold(*_COLLECTION_THRESHOLDS)
    sys.exit(_serve(options.tcp))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rubric-lsp", description="The language server for eval files. An editor starts it."
    )
    parser.add_argument("-V", "--version", action="version", version=f"rubric-lsp {__version__}")
    parser.add_argument("--stdio", action="store_true", help="speak on standard input and output (the default)")
    parser.add_argument("--tcp", type=int, metavar="PORT", help=f"wait for one editor at this port of {HOST} instead")
    parser.add_argument("--log-file", metavar="FILE", help="write what goes wrong to this file, not to standard error")
    return parser


def _start_log(log_file: str | None) -> None:
    layout = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    if log_file is None:
        logging.basicConfig(level=logging.WARNING, format=layout, stream=sys.stderr)
        return
    try:
        logging.basicConfig(level=logging.WARNING, format=layout, filename=log_file, encoding="utf-8")
    except OSError as error:
        sys.exit(f"rubric-lsp: the log file {log_file} cannot be written: {error.strerror}.")


def _serve(port: int | None) -> int:
    from rubric_server.app import create_server  # noqa: PLC0415 - `--version` answers without the protocol's types.

    server = create_server()
    if port is None:
        server.start_io()
    else:
        server.start_tcp(HOST, port)
    return 0 if server.was_shut_down else 1


if __name__ == "__main__":
    main()

"""The `rubric-lsp` command."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from rubric_core import __version__

# Trees of nodes are large, live long and hold hardly any cycles.
_COLLECTION_THRESHOLDS = (50_000, 20, 100)
# While a large file is read, the thread that reads messages may run after this many seconds.
_SWITCH_INTERVAL = 0.001
_STOPPING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the server and end the process: with 0 after an orderly shutdown, with 1 otherwise."""
    options = _parser().parse_args(arguments)
    _start_log(options.log_file)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    status = _serve(options)
    # End the process at once: the thread that reads may still wait for a message of the client.
    logging.shutdown()
    sys.stderr.flush()
    os._exit(status)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rubric-lsp", description="The language server for eval files. An editor starts it."
    )
    parser.add_argument("-V", "--version", action="version", version=f"rubric-lsp {__version__}")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--stdio", action="store_true", help="use standard input and output (the default)")
    ways.add_argument("--tcp", type=int, metavar="PORT", help="accept one connection at this port of 127.0.0.1")
    ways.add_argument(
        "--ws", type=int, metavar="PORT", help="accept one WebSocket connection at this port of 127.0.0.1"
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="allow WebSocket connections from web pages of this origin (default: none)",
    )
    parser.add_argument("--log-file", metavar="FILE", help="write the log to FILE instead of standard error")
    # Editors may pass this with `--stdio`. It is not needed: the end of the input means the same.
    parser.add_argument("--clientProcessId", type=int, help=argparse.SUPPRESS)
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


def _serve(options: argparse.Namespace) -> int:
    # `--version` does not need these imports. Their objects are permanent, so the collector need not scan them.
    gc.disable()
    import asyncio  # noqa: PLC0415

    from rubric_server.protocol.lazy_types import import_types  # noqa: PLC0415

    import_types()
    from rubric_server.app import RubricServer  # noqa: PLC0415
    from rubric_server.protocol import transports  # noqa: PLC0415

    gc.set_threshold(*_COLLECTION_THRESHOLDS)
    gc.freeze()
    gc.enable()

    async def serve() -> int:
        server = RubricServer()
        if options.tcp is not None:
            serving = asyncio.ensure_future(transports.serve_tcp(server, options.tcp))
        elif options.ws is not None:
            serving = asyncio.ensure_future(transports.serve_web_socket(server, options.ws, options.allow_origin))
        else:
            serving = asyncio.ensure_future(transports.serve_stdio(server))
        for name in _STOPPING_SIGNALS:
            # Windows has no handlers of this kind; there Ctrl-C raises KeyboardInterrupt, which cancels too.
            with suppress(NotImplementedError, AttributeError):
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), serving.cancel)
        try:
            with suppress(asyncio.CancelledError):
                await serving
        finally:
            # Processes that grading started must end with the server.
            status = server.close()
        return status

    try:
        return asyncio.run(serve())
    except KeyboardInterrupt:
        return 1
    except (OSError, OverflowError) as error:
        sys.exit(f"rubric-lsp: the port cannot be used: {error}.")


if __name__ == "__main__":
    main()

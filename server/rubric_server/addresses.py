"""Addresses of documents (URIs) and the paths behind them."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

_DRIVE_LENGTH = 3


def path_of(uri: str) -> str:
    """Return the path of a file's address; nothing for an address that is no file's."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme != "file":
        return ""
    path = unquote(parts.path, errors="surrogateescape")
    if parts.netloc and parts.netloc != "localhost":
        path = f"//{parts.netloc}{path}"
    elif os.name == "nt" and len(path) >= _DRIVE_LENGTH and path[0] == "/" and path[2] == ":":
        # `/c:/folder` is a path on a drive.
        path = path[1:]
    return "" if "\0" in path else path


def uri_of(path: str | Path) -> str:
    """Return the address of a file."""
    return Path(path).absolute().as_uri()

"""The part of Neovim's remote protocol that tests need: calls with integers, texts and lists, in MessagePack.

Values go to Neovim and come back as JSON inside of a text, so no more of MessagePack is needed than this.
"""

from __future__ import annotations

import socket
import struct
from typing import Any

_REQUEST, _RESPONSE, _NOTIFICATION = 0, 1, 2


class NeovimError(Exception):
    """What Neovim says where a call fails."""


class NeovimRpc:
    """A connection to the socket that Neovim listens at."""

    def __init__(self, path: str, patience: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(patience)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise
        self._reader = self._socket.makefile("rb")
        self._calls = 0

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a function of the remote interface and return its result. Raises NeovimError."""
        self._calls += 1
        self._socket.sendall(packed([_REQUEST, self._calls, method, list(arguments)]))
        while True:
            kind, *rest = self._read()
            if kind == _RESPONSE and rest[0] == self._calls:
                _, error, result = rest
                if error is not None:
                    raise NeovimError(error[1] if isinstance(error, list) else error)
                return result

    def close(self) -> None:
        """End the connection."""
        self._reader.close()
        self._socket.close()

    def _read(self) -> Any:
        return unpacked(self._take)

    def _take(self, size: int) -> bytes:
        data = self._reader.read(size)
        if len(data) < size:
            raise NeovimError("Neovim has closed the connection.")
        return data


def packed(value: Any) -> bytes:
    """Return a value in MessagePack."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return b"\xd3" + struct.pack(">q", value)
    if isinstance(value, str):
        data = value.encode()
        return b"\xdb" + struct.pack(">I", len(data)) + data
    return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(packed, value))


def unpacked(take: Any) -> Any:
    """Read one value; `take` gives so many bytes."""
    first: int = take(1)[0]
    if first < 0x80 or first >= 0xE0:
        return first if first < 0x80 else first - 0x100
    if first in _CONSTANTS:
        return _CONSTANTS[first]
    if first in _NUMBERS:
        code, size = _NUMBERS[first]
        return struct.unpack(">" + code, take(size))[0]
    return _sequence(first, take)


_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS = {
    0xCA: ("f", 4),
    0xCB: ("d", 8),
    0xCC: ("B", 1),
    0xCD: ("H", 2),
    0xCE: ("I", 4),
    0xCF: ("Q", 8),
    0xD0: ("b", 1),
    0xD1: ("h", 2),
    0xD2: ("i", 4),
    0xD3: ("q", 8),
}
# What is behind each head: its kind, and in how many bytes its length is written.
_SIZED = {
    0xC4: ("bytes", 1),
    0xC5: ("bytes", 2),
    0xC6: ("bytes", 4),
    0xC7: ("extension", 1),
    0xD9: ("text", 1),
    0xDA: ("text", 2),
    0xDB: ("text", 4),
    0xDC: ("list", 2),
    0xDD: ("list", 4),
    0xDE: ("map", 2),
    0xDF: ("map", 4),
}
_FIXED_EXTENSIONS = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}


def _sequence(first: int, take: Any) -> Any:
    if first in _FIXED_EXTENSIONS:
        return take(1 + _FIXED_EXTENSIONS[first])
    kind, length = _kind_and_length(first, take)
    if kind == "map":
        return {unpacked(take): unpacked(take) for _ in range(length)}
    if kind == "list":
        return [unpacked(take) for _ in range(length)]
    if kind == "text":
        return take(length).decode("utf-8", "replace") if length else ""
    return take(length + (kind == "extension")) if length else b""


def _kind_and_length(first: int, take: Any) -> tuple[str, int]:
    if first in _SIZED:
        kind, size = _SIZED[first]
        return kind, int.from_bytes(take(size), "big")
    if first < 0x90:
        return "map", first & 0x0F
    if first < 0xA0:
        return "list", first & 0x0F
    return "text", first & 0x1F

"""Writing a file so that at any moment either the old text or the new one is on the disk, never half of one."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_NAME_LENGTH = 100
"""How much of the file's name the temporary file repeats: most systems allow names of 255 bytes only."""

_BINARY = getattr(os, "O_BINARY", 0)
"""Windows would translate line breaks without it; elsewhere it does not exist."""


@dataclass(frozen=True, slots=True)
class Unwritable:
    """Why a file was not written, as a whole sentence. The old file is untouched."""

    message: str


def write_text(path: str | os.PathLike[str], text: str, encoding: str = "utf-8") -> Unwritable | None:
    """Replace the text of a file, or make a new file. Gives what went wrong, or None.

    `encoding` is what `read_text` gave: a byte order mark is part of the text, so the bytes come back exactly. A
    link stays a link and its target is written. The mode stays, and the owner where the system allows it.
    """
    try:
        data = text.encode(encoding)
        target = Path(os.path.realpath(path))
        status = _status(target)
        if status is not None and not stat.S_ISREG(status.st_mode):
            return Unwritable("Only files are written, and this is something else.")
        if status is not None and not os.access(target, os.W_OK):
            return Unwritable("The file is read-only.")
        _replace(target, data, status)
    except UnicodeEncodeError as error:
        return Unwritable(f"The character at offset {error.start} cannot be written in {encoding.upper()}.")
    except (OSError, ValueError) as error:
        detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Unwritable(f"The file cannot be written: {detail}.")
    return None


def _status(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _replace(target: Path, data: bytes, status: os.stat_result | None) -> None:
    """Write beside the target and rename over it: a rename is whole or does not happen."""
    temporary = target.with_name(f".{target.name[:_NAME_LENGTH]}.{secrets.token_hex(8)}.tmp")
    # A new file gets the mode that the user's mask gives; the copy of an existing one is private until it has its mode.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666 if status is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            # Without this a power cut could leave the new name with none of the new bytes.
            os.fsync(stream.fileno())
        if status is not None:
            _keep_ownership(temporary, status)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _keep_ownership(temporary: Path, status: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(temporary, status.st_uid, status.st_gid)
    # The mode comes after the owner, because a change of owner clears some of its bits.
    temporary.chmod(stat.S_IMODE(status.st_mode))


def _sync_folder(folder: Path) -> None:
    """Ask for the rename to reach the disk. Some systems cannot open a folder; the file itself is safe by then."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

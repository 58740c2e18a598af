"""Atomic writing: at any moment either the old text or the new one is on the disk."""

import os
import re
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such locks; there an open file cannot be removed.
    fcntl = None  # type: ignore[assignment]
from collections.abc import Iterable

CHANGED = "The file was changed by another program, so it was left as it is; run the command again."

_NAME_LENGTH = 100
"""How much of the file's name the temporary file repeats: most systems allow names of 255 bytes only."""

_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{16}\.tmp", re.DOTALL)
"""The name of a temporary file, with that of the file it is for."""

_BINARY = getattr(os, "O_BINARY", 0)
"""Windows would translate line breaks without it; elsewhere it does not exist."""


@dataclass(frozen=True, slots=True)
class Unwritable:
    """Why a file was not written, as a whole sentence. The old file is untouched."""

    message: str


class _ChangedError(Exception):
    """The file no longer has the text that was read from it."""


def write_text(
    path: str | os.PathLike[str], text: str, encoding: str = "utf-8", *, before: str | None = None
) -> Unwritable | None:
    """Replace the text of a file, or make a new file. Return the error, or None.

    `encoding` is that of `read_text`: a byte order mark is part of the text, so the bytes are preserved. With `before`,
    the file is replaced only if it still has that text. The target of a link is written. The mode is kept, and the
    owner if the system allows it.
    """
    try:
        data = text.encode(encoding)
        expected = None if before is None else before.encode(encoding)
        target = Path(os.path.realpath(path))
        status = _status(target)
        if status is not None and not stat.S_ISREG(status.st_mode):
            return Unwritable("Only files are written, and this is something else.")
        if status is not None and not os.access(target, os.W_OK):
            return Unwritable("The file is read-only.")
        _replace(target, data, status, expected)
    except _ChangedError:
        return Unwritable(CHANGED)
    except UnicodeEncodeError as error:
        return Unwritable(f"The character at offset {error.start} cannot be written in {encoding.upper()}.")
    except (OSError, ValueError) as error:
        return _unwritable(error)
    return None


def make_file(path: str | os.PathLike[str], text: str) -> Unwritable | None:
    """Make a new file with a text, and its folder. Return the error, or None; an existing file is not replaced."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        if isinstance(error, FileExistsError) and target.exists():
            return Unwritable("There is a file of this name already.")
        return _unwritable(error)
    return None


def _unwritable(error: OSError | ValueError) -> Unwritable:
    detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Unwritable(f"The file cannot be written: {detail}.")


def remove_leftovers(paths: Iterable[str | os.PathLike[str]]) -> None:
    """Remove the temporary files of killed runs, but not those that are being written."""
    wanted: dict[str, set[str]] = {}
    for path in paths:
        folder, name = os.path.split(os.path.realpath(path))
        wanted.setdefault(folder, set()).add(name[:_NAME_LENGTH])
    for folder, names in wanted.items():
        with suppress(OSError, ValueError), os.scandir(folder) as entries:
            for entry in entries:
                temporary = _TEMPORARY.fullmatch(entry.name)
                if temporary and temporary[1] in names:
                    _remove_leftover(entry.path)


def _remove_leftover(path: str) -> None:
    """Remove a temporary file unless a running process has locked it."""
    with suppress(OSError):
        if fcntl is None:
            os.unlink(path)  # noqa: PTH108 - the path is a plain string.
            return
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)  # noqa: PTH108 - the same.
        finally:
            os.close(handle)


def _status(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _replace(target: Path, data: bytes, status: os.stat_result | None, expected: bytes | None) -> None:
    """Write beside the target and rename over it, because a rename is atomic."""
    # A new file gets the mode of the user's mask; the copy of an existing one is private until it has its mode.
    temporary, handle, lock = _make_temporary(target, 0o666 if status is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            # Without this, the file could be empty after a power cut.
            os.fsync(stream.fileno())
        if status is not None:
            _keep_ownership(temporary, status)
        # As late as possible: what others save between here and the next line is lost.
        if expected is not None:
            _require(target, expected)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    finally:
        if lock is not None:
            os.close(lock)
    _sync_folder(target.parent)


def _make_temporary(target: Path, mode: int) -> tuple[Path, int, int | None]:
    """Make a file beside the target; return its path, its handle, and one that keeps it locked until closed."""
    while True:
        temporary = target.with_name(f".{target.name[:_NAME_LENGTH]}.{secrets.token_hex(8)}.tmp")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
        if fcntl is None:
            return temporary, handle, None
        lock = os.dup(handle)
        with suppress(OSError):
            # Some network file systems have no locks.
            fcntl.flock(lock, fcntl.LOCK_EX)
        if os.fstat(lock).st_nlink:
            return temporary, handle, lock
        # Another run removed it as a leftover before it was locked.
        os.close(handle)
        os.close(lock)


def _require(target: Path, expected: bytes) -> None:
    """Raise if a file has changed since it was read."""
    try:
        now = target.read_bytes()
    except FileNotFoundError:
        raise _ChangedError from None
    if now != expected:
        raise _ChangedError


def _keep_ownership(temporary: Path, status: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(temporary, status.st_uid, status.st_gid)
    # The mode comes after the owner, because a change of owner clears some of its bits.
    temporary.chmod(stat.S_IMODE(status.st_mode))


def _sync_folder(folder: Path) -> None:
    """Flush the rename to the disk. Some systems cannot open a folder; the file itself is safe by then."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

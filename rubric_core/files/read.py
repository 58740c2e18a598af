"""Reads a file as text, byte-exact, or returns in one sentence why it cannot be read."""

import codecs
import os
import stat
from enum import Enum
from pathlib import PurePath
from typing import BinaryIO, NamedTuple

from rubric_core.syntax.limits import Limits
from rubric_core.text.patterns import lazily

DOTENV = ".env"
_EXAMPLES = (".example", ".sample", ".template")
_VARIABLES = lazily(r"\.env.*|.*\.env(?:[.~].*)?")

# The longer marks come first: the mark of UTF-32 little endian starts with that of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Reason(Enum):
    """Why a file was not read. Only `TOO_LARGE` and `LONG_LINE` are limits of the configuration."""

    MISSING = "missing"
    NOT_A_FILE = "not a file"
    DENIED = "denied"
    NOT_TEXT = "not text"
    TOO_LARGE = "too large"
    LONG_LINE = "long line"


class ReadText(NamedTuple):
    """A text with its own line breaks and its byte order mark, and the encoding that gives its bytes back."""

    text: str
    encoding: str = "utf-8"


class Unreadable(NamedTuple):
    """Why there is no text: `message` is a whole sentence, `at` the offset of the first byte that is no text."""

    reason: Reason
    message: str
    at: int | None = None


def read_text(path: str | os.PathLike[str], limits: Limits) -> ReadText | Unreadable:
    """Read a regular file. Its size is checked first, so a file over the limit is not read.

    Pipes and devices are never opened, since that could block for ever.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - `path` may be a plain string on a hot loop over many files.
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "neither a file nor a folder"
            return Unreadable(Reason.NOT_A_FILE, f"This is {kind}; only files are read.")
        if status.st_size > limits.file_bytes:
            return _too_large(status.st_size, limits)
        with open(path, "rb") as stream:  # noqa: PTH123 - the same.
            return read_stream(stream, limits)
    except FileNotFoundError:
        return Unreadable(Reason.MISSING, "The file does not exist.")
    except (OSError, ValueError) as error:
        # A ValueError is a path with a null character.
        detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Unreadable(Reason.DENIED, f"The file cannot be opened: {detail}.")


def read_stream(stream: BinaryIO, limits: Limits) -> ReadText | Unreadable:
    """Read an open stream such as standard input, up to the limit."""
    data = stream.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        return _too_large(len(data), limits)
    return decode(data, limits)


def decode(data: bytes, limits: Limits) -> ReadText | Unreadable:
    """Decode bytes: UTF-8, or UTF-16 and UTF-32 with a byte order mark. The mark stays in the text."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"The file is not text in {encoding.upper()}: the byte at offset {error.start} does not fit."
        return Unreadable(Reason.NOT_TEXT, message, error.start)
    null = text.find("\0")
    if null != -1:
        at = len(text[:null].encode(encoding))
        return Unreadable(Reason.NOT_TEXT, f"The file is not text: there is a null byte at offset {at}.", at)
    line = _first_long_line(text, limits.line_length)
    if line is not None:
        number, length = line
        message = (
            f"Line {number} has {length} characters, more than the limit of {limits.line_length}; break the line, "
            f"or raise the limit `line-length`."
        )
        return Unreadable(Reason.LONG_LINE, message)
    return ReadText(text, encoding)


def _too_large(size: int, limits: Limits) -> Unreadable:
    message = (
        f"The file has at least {size} bytes, more than the limit of {limits.file_bytes}; split it, "
        f"or raise the limit `file-bytes`."
    )
    return Unreadable(Reason.TOO_LARGE, message)


def _first_long_line(text: str, longest: int) -> tuple[int, int] | None:
    """Return the number and the length of the first line over the limit."""
    if len(text) <= longest:
        return None
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        if len(line) > longest:
            return number, len(line)
    return None


def holds_variables(path: str) -> bool:
    """Return whether a path names a file of variables, which may hold secrets: `.env.local`, `.envrc`, `prod.env`.

    A public example does not count. Each file in a folder such as `.env.d` does.
    """
    *folders, name = [part.lower() for part in PurePath(path).parts] or [""]
    has_name = _VARIABLES.fullmatch(name) is not None and not name.endswith(_EXAMPLES)
    return has_name or any(folder.startswith(DOTENV) for folder in folders)

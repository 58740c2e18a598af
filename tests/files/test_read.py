"""Reading files as text, or saying why not."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.files.read import ReadText, Reason, Unreadable, decode, read_stream, read_text
from rubric_core.syntax.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = Limits()

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_byte_order_mark_shows_the_encoding_and_stays(tmp_path: Path, encoding: str) -> None:
    """Line breaks of every kind and the mark are kept as they are."""
    text = "\ufeffa: é\r\nb: 😀\rc: 1\n"
    path = tmp_path / "a.yaml"
    path.write_bytes(text.encode(encoding))
    assert read_text(path, LIMITS) == ReadText(text, encoding)


@given(st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",))), st.sampled_from(ENCODINGS))
def test_the_bytes_come_back_exactly(text: str, encoding: str) -> None:
    """Encoding what was read gives the bytes of the file."""
    data = ("" if encoding == "utf-8" else "\ufeff").encode(encoding) + text.encode(encoding)
    read = decode(data, LIMITS)
    assert isinstance(read, ReadText)
    assert read.text.encode(read.encoding) == data


@given(st.binary(max_size=40))
def test_any_bytes_give_an_answer(data: bytes) -> None:
    """Bytes are text, or there is a byte to point at."""
    read = decode(data, LIMITS)
    if isinstance(read, ReadText):
        assert read.text.encode(read.encoding) == data
    else:
        assert read.at is not None
        assert 0 <= read.at < len(data)


@pytest.mark.parametrize(
    ("data", "at", "message"),
    [
        (b"ab\xffcd", 2, "The file is not text in UTF-8: the byte at offset 2 does not fit."),
        ("é".encode("latin-1"), 0, "The file is not text in UTF-8: the byte at offset 0 does not fit."),
        ("éa\0b".encode(), 3, "The file is not text: there is a null byte at offset 3."),
        (b"\xff\xfea\0\0\0b\0", 4, "The file is not text: there is a null byte at offset 4."),
        (b"\xff\xfea\0b", 4, "The file is not text in UTF-16-LE: the byte at offset 4 does not fit."),
    ],
)
def test_what_is_not_text_says_where(data: bytes, at: int, message: str) -> None:
    """Wrong bytes and null bytes are reported by their offset."""
    assert decode(data, LIMITS) == Unreadable(Reason.NOT_TEXT, message, at)


def test_a_large_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size is asked for first: a file over the limit costs nothing."""
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(200 * 1024 * 1024)
    monkeypatch.setattr("builtins.open", lambda *_: pytest.fail("The file was opened."))
    read = read_text(path, LIMITS)
    assert isinstance(read, Unreadable)
    assert read.reason is Reason.TOO_LARGE
    assert "209715200 bytes, more than the limit of 67108864" in read.message


def test_a_stream_is_read_up_to_the_limit() -> None:
    """Standard input has no size, so it is read until the limit is passed."""
    limits = Limits(file_bytes=4)
    assert read_stream(io.BytesIO(b"abcd"), limits) == ReadText("abcd")
    stream = io.BytesIO(b"x" * 100)
    read = read_stream(stream, limits)
    assert isinstance(read, Unreadable)
    assert (read.reason, stream.tell()) == (Reason.TOO_LARGE, 5)


@pytest.mark.parametrize(
    ("text", "line"), [("ab\nabcde\n", 2), ("abcde", 1), ("a\r\nabcd\rabcdef", 3), ("abcd\r\nabcd\n\nabcd", None)]
)
def test_a_long_line_is_refused(text: str, line: int | None) -> None:
    """The message names the first line over the limit; a line break does not count."""
    read = decode(text.encode(), Limits(line_length=4))
    if line is None:
        assert read == ReadText(text)
    else:
        assert isinstance(read, Unreadable)
        assert read.reason is Reason.LONG_LINE
        assert read.message.startswith(f"Line {line} has ")


def test_only_files_are_read(tmp_path: Path) -> None:
    """Folders, pipes and devices are refused without being opened, so nothing ever waits."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert read_text(tmp_path, LIMITS) == Unreadable(Reason.NOT_A_FILE, "This is a folder; only files are read.")
    for path in (pipe, "/dev/zero"):
        read = read_text(path, LIMITS)
        assert read == Unreadable(Reason.NOT_A_FILE, "This is neither a file nor a folder; only files are read.")


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    """So is a link that leads nowhere."""
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / "nowhere.yaml")
    for path in (tmp_path / "no.yaml", link):
        assert read_text(path, LIMITS) == Unreadable(Reason.MISSING, "The file does not exist.")


def test_a_refusal_of_the_system_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing permission, and a path that no system takes, are reported and not raised."""
    path = tmp_path / "a.yaml"
    path.touch()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert read_text(path, LIMITS) == Unreadable(Reason.DENIED, "The file cannot be opened: Permission denied.")
    read = read_text("a\0b", LIMITS)
    assert isinstance(read, Unreadable)
    assert read.reason is Reason.DENIED

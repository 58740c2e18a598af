"""Writing files: the old text or the new one, never half of one."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, NoReturn

import pytest

from rubric_core.files.read import ReadText, read_text
from rubric_core.files.write import CHANGED, Unwritable, make_file, remove_leftovers, write_text
from rubric_core.syntax.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path


def full_disk(*_: object) -> NoReturn:
    """Fail as a full disk does."""
    raise OSError(errno.ENOSPC, "No space left on device")


def names(folder: Path) -> list[str]:
    """List a folder."""
    return [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-32-be"])
def test_what_was_read_is_written_back_exactly(tmp_path: Path, encoding: str) -> None:
    """Encoding, byte order mark and line breaks stay."""
    path = tmp_path / "a.yaml"
    data = "\ufeffa: é\r\nb: 1\n".encode(encoding)
    path.write_bytes(data)
    read = read_text(path, Limits())
    assert isinstance(read, ReadText)
    assert write_text(path, read.text, read.encoding) is None
    assert path.read_bytes() == data
    assert names(tmp_path) == ["a.yaml"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4711])
def test_the_mode_stays(tmp_path: Path, mode: int) -> None:
    """An executable file stays executable and a private one private."""
    path = tmp_path / "a.yaml"
    path.touch()
    path.chmod(mode)
    assert write_text(path, "new") is None
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", mode)


def test_a_new_file_gets_the_users_mode(tmp_path: Path) -> None:
    """The mask of the process decides, as for any new file."""
    sibling = tmp_path / "sibling"
    sibling.touch()
    assert write_text(tmp_path / "new.yaml", "a") is None
    assert (tmp_path / "new.yaml").stat().st_mode == sibling.stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The target gets the text, in its own folder."""
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "a.yaml"
    target.write_text("old")
    link = tmp_path / "link.yaml"
    link.symlink_to(target)
    assert write_text(link, "new") is None
    assert (link.is_symlink(), target.read_text()) == (True, "new")


@pytest.mark.parametrize("failing", ["os.fsync", "os.fdopen", "pathlib.Path.replace", "pathlib.Path.chmod"])
def test_a_failure_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    """Whatever step fails, the old text is there and no temporary file is left."""
    path = tmp_path / "a.yaml"
    path.write_text("old")
    monkeypatch.setattr(failing, full_disk)
    assert write_text(path, "new") == Unwritable("The file cannot be written: No space left on device.")
    monkeypatch.undo()
    assert (path.read_text(), names(tmp_path)) == ("old", ["a.yaml"])


def test_an_interruption_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C goes on its way, after the temporary file is gone."""
    path = tmp_path / "a.yaml"
    path.write_text("old")

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(path, "new")
    assert (path.read_text(), names(tmp_path)) == ("old", ["a.yaml"])


def test_a_system_without_owners_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the owner cannot be kept the text is written all the same."""
    path = tmp_path / "a.yaml"
    path.write_text("old")
    monkeypatch.setattr("os.chown", full_disk)
    assert write_text(path, "new") is None
    monkeypatch.delattr("os.chown")
    assert write_text(path, "newer") is None
    assert path.read_text() == "newer"


def test_a_folder_that_cannot_be_synced_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is complete by then."""
    path = tmp_path / "a.yaml"
    path.write_text("old")
    real_open = os.open

    def open_files_only(name: object, flags: int, *rest: int) -> int:
        return full_disk() if name == tmp_path else real_open(str(name), flags, *rest)

    monkeypatch.setattr("os.open", open_files_only)
    assert write_text(path, "new") is None
    assert path.read_text() == "new"


def test_what_cannot_be_written_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders, read-only files, missing folders, odd paths and lone surrogates are refused politely."""
    path = tmp_path / "a.yaml"
    path.write_text("old")
    assert write_text(tmp_path, "x") == Unwritable("Only files are written, and this is something else.")
    assert write_text(tmp_path / "no" / "a.yaml", "x") == Unwritable(
        "The file cannot be written: No such file or directory."
    )
    assert write_text(path, "a\ud800") == Unwritable("The character at offset 1 cannot be written in UTF-8.")
    assert isinstance(write_text("a\0b", "x"), Unwritable)
    monkeypatch.setattr("os.access", lambda *_: False)
    assert write_text(path, "x") == Unwritable("The file is read-only.")
    assert path.read_text() == "old"


@pytest.mark.parametrize("now", ["saved by somebody else", None])
def test_a_file_that_changed_since_it_was_read_is_not_replaced(tmp_path: Path, now: str | None) -> None:
    """What somebody else saved or deleted stays so, and no temporary file is left."""
    path = tmp_path / "a.yaml"
    if now is not None:
        path.write_text(now)
    assert write_text(path, "new", before="old") == Unwritable(CHANGED)
    assert [each.read_text() for each in tmp_path.iterdir()] == ([] if now is None else [now])


def test_a_save_is_seen_until_the_file_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison comes after the slow part, which is to bring the new text to the disk."""
    path = tmp_path / "a.yaml"
    path.write_text("old")
    monkeypatch.setattr("os.fsync", lambda _: path.write_text("saved"))
    assert write_text(path, "new", before="old") == Unwritable(CHANGED)
    assert (path.read_text(), names(tmp_path)) == ("saved", ["a.yaml"])


def test_leftovers_of_killed_runs_are_removed(tmp_path: Path) -> None:
    """Only those of the files that are named; long names are cut, and everything else stays."""
    long = "b" * 150
    hexadecimal = "0123456789abcdef"
    gone = [f".a.yaml.{hexadecimal}.tmp", f".{long[:100]}.{hexadecimal}.tmp"]
    kept = ["a.yaml", f".other.yaml.{hexadecimal}.tmp", ".a.yaml.tmp", ".a.yaml.xyz.tmp", f"a.yaml.{hexadecimal}.tmp"]
    for name in (*gone, *kept):
        (tmp_path / name).touch()
    remove_leftovers([tmp_path / "a.yaml", tmp_path / long, tmp_path / "missing" / "a.yaml"])
    assert sorted(names(tmp_path)) == sorted(kept)


def test_a_leftover_that_another_run_is_writing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs on one folder are not in each other's way."""
    path = tmp_path / "a.yaml"
    path.write_text("old")
    monkeypatch.setattr("os.fsync", lambda _: remove_leftovers([path]))
    assert write_text(path, "new") is None
    assert (path.read_text(), names(tmp_path)) == ("new", ["a.yaml"])


def test_a_temporary_file_that_was_taken_for_a_leftover_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run may look between the making of the file and its lock."""
    fcntl = pytest.importorskip("fcntl")
    path = tmp_path / "a.yaml"
    real = fcntl.flock
    taken: list[str] = []

    def lose_the_first(handle: int, operation: int) -> None:
        for each in tmp_path.glob(".*.tmp") if not taken else ():
            each.unlink()
            taken.append(each.name)
        real(handle, operation)

    monkeypatch.setattr("fcntl.flock", lose_the_first)
    assert write_text(path, "new") is None
    assert (path.read_text(), len(taken)) == ("new", 1)


def test_a_new_file_is_made_with_its_folder_and_never_written_over(tmp_path: Path) -> None:
    """What is there stays."""
    path = tmp_path / "a" / "b.md"
    assert make_file(path, "x\n") is None
    assert make_file(path, "y\n") == Unwritable("There is a file of this name already.")
    assert path.read_text(encoding="utf-8") == "x\n"
    problem = make_file(path / "c.md", "z")
    assert problem is not None
    assert problem.message.startswith("The file cannot be written: ")

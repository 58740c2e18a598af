"""Files that cases refer to come and go, and no client tells of each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from loopback import Loopback

from rubric_core.config.config import DEFAULT
from rubric_server.workspace import RememberedProject

if TYPE_CHECKING:
    from pathlib import Path

CASE = """\
  - id: {name}
    expected_outcome: Answers from the notes
    input_messages:
      - role: user
        content:
          - type: file
            value: notes.md
    rubrics:
      - Answers from the notes
"""
TEXT = "evalcases:\n" + CASE.format(name="first") + CASE.format(name="second")
# In the expected outcome of the first case.
PLACE = {"line": 2, "character": 22}


@pytest.fixture
def uri(tmp_path: Path) -> str:
    """Return the address of an eval file in a repository of its own."""
    (tmp_path / ".git").mkdir()
    return (tmp_path / "a.eval.yaml").as_uri()


@pytest.fixture
def client(uri: str) -> Loopback:
    """Give a client with two cases that miss the same file."""
    client = Loopback()
    client.open(TEXT, uri)
    assert missing(client) == [7, 16]
    return client


def missing(client: Loopback) -> list[int]:
    """Return the lines at which a missing file is on the screen."""
    client.work()
    shown = client.published()[-1]["diagnostics"]
    return [found["range"]["start"]["line"] for found in shown if found["code"] == "RB503"]


def type_a_letter(client: Loopback, uri: str, version: int) -> None:
    """Edit the first case."""
    client.change({"range": {"start": PLACE, "end": PLACE}, "text": "x"}, version, uri)


def save(client: Loopback, uri: str) -> None:
    """Save some file, which makes the server look around."""
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def test_a_file_that_was_made_is_found_when_the_case_is_edited(client: Loopback, uri: str, tmp_path: Path) -> None:
    """Only the case that is edited is looked at, so another one follows when a file is saved."""
    (tmp_path / "notes.md").touch()
    type_a_letter(client, uri, 2)
    assert missing(client) == [16]
    save(client, uri)
    assert missing(client) == []


def test_a_file_that_was_made_is_found_when_any_file_is_saved(client: Loopback, tmp_path: Path) -> None:
    """It need not be a file that is open."""
    (tmp_path / "notes.md").touch()
    save(client, (tmp_path / "notes.md").as_uri())
    assert missing(client) == []


def test_a_file_that_came_and_went_is_missing_everywhere(client: Loopback, uri: str, tmp_path: Path) -> None:
    """A case that was looked at in between is looked at again."""
    (tmp_path / "notes.md").touch()
    type_a_letter(client, uri, 2)
    assert missing(client) == [16]
    (tmp_path / "notes.md").unlink()
    save(client, uri)
    assert missing(client) == [7, 16]


def test_only_what_is_missing_is_looked_for_again(tmp_path: Path) -> None:
    """A file that is there is taken to stay until somebody tells that something changed."""
    (tmp_path / "there.md").touch()
    project = RememberedProject(str(tmp_path / "a.eval.yaml"), DEFAULT)
    paths = frozenset({"there.md", "missing.md"})
    assert project.files(paths) == {"there.md": True, "missing.md": False}
    assert project.is_unchanged()
    (tmp_path / "there.md").rename(tmp_path / "missing.md")
    assert project.files(paths) == {"there.md": True, "missing.md": True}
    assert not project.is_unchanged()


def test_a_text_that_changed_is_noticed(tmp_path: Path) -> None:
    """That of a prompt, one that came, and one that was read twice."""
    for change in ("{{ b }}", None):
        prompt = tmp_path / "prompt.txt"
        prompt.write_text("{{ a }}", "utf-8")
        project = RememberedProject(str(tmp_path / "promptfooconfig.yaml"), DEFAULT)
        assert project.texts(frozenset({"prompt.txt", "missing.txt"})) == {"prompt.txt": "{{ a }}"}
        assert project.is_unchanged()
        prompt.write_text(change, "utf-8") if change else prompt.unlink()
        assert not project.is_unchanged()
    (tmp_path / "missing.txt").write_text("{{ a }}", "utf-8")
    project = RememberedProject(str(tmp_path / "promptfooconfig.yaml"), DEFAULT)
    project.texts(frozenset({"missing.txt"}))
    (tmp_path / "missing.txt").write_text("{{ b }}", "utf-8")
    project.texts(frozenset({"missing.txt"}))
    assert not project.is_unchanged()

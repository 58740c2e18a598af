"""Messages become the turns that a model or a command reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.config.config import Config
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.prompts.parts import conversation_of, files_of, text_of_message
from rubric_core.grading.providers.provider import Turn
from rubric_core.model.suite import ContentPart, EvalCase, Message

if TYPE_CHECKING:
    from pathlib import Path


NO_FILE = EvalCase(id="made-in-python")


def _case(folder: Path, **settings: Any) -> EvalCase:
    """Return a case of an eval file in a folder, with these settings where there are some."""
    config = Config(**settings) if settings else None
    return EvalCase(id="a", source=str(folder / "a.eval.yaml"), config=config)


@pytest.mark.parametrize(
    ("message", "turn"),
    [
        (Message(role="system", content="Be short."), Turn("system", "Be short.")),
        (Message(role="user", content="Hello"), Turn("user", "Hello")),
        (Message(role="assistant", content="Hi"), Turn("assistant", "Hi")),
        (Message(role="tool", content="42"), Turn("user", "A tool answered:\n42")),
        (Message(role="tool", name="sum", content="42"), Turn("user", "The tool sum answered:\n42")),
        (Message(role="user", content={"größe": 2}), Turn("user", '{\n  "größe": 2\n}')),
        (
            Message(role="assistant", tool_calls=({"tool": "sum", "input": [1, 2]},)),
            Turn("assistant", 'Tool call: {"tool": "sum", "input": [1, 2]}'),
        ),
        (
            Message(role="assistant", content="I count.", tool_calls=({"tool": "sum"},)),
            Turn("assistant", 'I count.\n\nTool call: {"tool": "sum"}'),
        ),
    ],
)
def test_each_message_is_one_turn(message: Message, turn: Turn) -> None:
    """A role that providers do not know is told by the user, and structured data is JSON."""
    assert conversation_of([message], NO_FILE) == (turn,)


def test_a_message_without_text_is_no_turn() -> None:
    """Providers reject empty turns."""
    messages = [Message(role="system", content=" \n"), Message(role="user", content="Hello")]
    assert conversation_of(messages, NO_FILE) == (Turn("user", "Hello"),)


def _with_file(reference: str) -> Message:
    parts = (ContentPart(type="text", value="Review:"), ContentPart(type="file", value=reference))
    return Message(role="user", content=parts)


def test_a_file_part_is_replaced_by_the_text_of_the_file(tmp_path: Path) -> None:
    """The path starts at the eval file; the byte order mark and carriage returns of the file are dropped."""
    (tmp_path / "code.py").write_bytes("\ufeffx = 1\r\ny = 2".encode())
    text = text_of_message(_with_file("code.py"), _case(tmp_path))
    assert text == 'Review:\n\n<file path="code.py">\nx = 1\ny = 2\n</file>'


def test_a_file_part_is_looked_for_in_the_folders_above(tmp_path: Path) -> None:
    """The workspace that the nearest configuration spans is searched from the eval file upwards."""
    (tmp_path / "rubric.toml").write_text("", encoding="utf-8")
    (tmp_path / "code.py").write_text("x = 1", encoding="utf-8")
    (tmp_path / "evals").mkdir()
    assert "x = 1" in text_of_message(_with_file("code.py"), _case(tmp_path / "evals"))


def test_the_files_that_messages_name_are_known_by_their_paths(tmp_path: Path) -> None:
    """A file that is named twice is one file."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
    messages = [_with_file("a.py"), Message(role="user", content="text"), _with_file("b.py"), _with_file("a.py")]
    assert files_of(messages, _case(tmp_path)) == (str(tmp_path / "a.py"), str(tmp_path / "b.py"))
    assert files_of(messages[1:2], NO_FILE) == ()


def test_a_file_outside_of_the_workspace_is_read_only_on_request(tmp_path: Path) -> None:
    """What a case names must not send private files to a provider."""
    (tmp_path / "secret.txt").write_text("private", encoding="utf-8")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.txt").symlink_to(tmp_path / "secret.txt")
    for reference in ("../secret.txt", str(tmp_path / "secret.txt"), "link.txt"):
        with pytest.raises(CannotGrade, match="correct the path"):
            text_of_message(_with_file(reference), _case(inside, root=inside))
        allowed = _case(inside, root=inside, allow_outside=True)
        assert "private" in text_of_message(_with_file(reference), allowed)


@pytest.mark.parametrize(
    "reference",
    [
        *(".env", "./.env", "inner/.env.local", "plain.txt", ".ENV", ".envrc", "prod.env", ".env~", "prod.env.bak"),
        *(".env.d/database", "inner/../.env.d/database", "linked/database"),
    ],
)
def test_a_file_of_secrets_is_never_sent(tmp_path: Path, reference: str) -> None:
    """Neither by its name nor by a link, whatever the configuration allows."""
    (tmp_path / "inner").mkdir()
    (tmp_path / ".env.d").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / ".env.d")
    secret = (".env", "inner/.env.local", ".envrc", "prod.env", ".env~", "prod.env.bak", ".env.d/database")
    for name in (*secret, ".env.example", "prod.env.template", "environment.md"):
        (tmp_path / name).write_text("API_KEY=private", encoding="utf-8")
    (tmp_path / "plain.txt").symlink_to(tmp_path / ".env")
    for case in (_case(tmp_path, root=tmp_path), _case(tmp_path, root=tmp_path, allow_outside=True)):
        with pytest.raises(CannotGrade, match="holds variables"):
            text_of_message(_with_file(reference), case)
    for name in (".env.example", "prod.env.template", "environment.md"):
        assert "API_KEY" in text_of_message(_with_file(name), _case(tmp_path, root=tmp_path))


def test_a_workspace_below_a_folder_of_that_name_is_an_ordinary_one(tmp_path: Path) -> None:
    """Only what is below the workspace counts."""
    root = tmp_path / ".envs" / "project"
    root.mkdir(parents=True)
    (root / "notes.md").write_text("Port 443", encoding="utf-8")
    assert "443" in text_of_message(_with_file("notes.md"), _case(root, root=root))


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "neither beside the eval file"), (b"\xff\xfe\xfd", r"code\.py cannot be used"), (b"a\0b", "null byte")],
)
def test_a_file_that_cannot_be_read_is_an_error_that_names_it(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    """A case is never asked without the file that it needs."""
    if content is not None:
        (tmp_path / "code.py").write_bytes(content)
    with pytest.raises(CannotGrade, match=reason):
        text_of_message(_with_file("code.py"), _case(tmp_path, root=tmp_path))


def test_a_case_made_in_python_has_no_files_to_refer_to() -> None:
    """Without an eval file nobody knows where a path starts."""
    with pytest.raises(CannotGrade, match="not loaded from an eval file"):
        text_of_message(_with_file("code.py"), NO_FILE)

"""Files of promptfoo that the command line names: checked, or refused with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

MARKED = "prompts: [Hello]\nproviders: [echo]\ntests:\n  - vars: {a: b}\ndefaultTest:\n  assert: []\n"
PLAIN = "prompts: [Hello]\nproviders: [echo]\ntests:\n  - vars: {a: b}\n    assert: [{type: is-json}]\n"


@pytest.mark.parametrize("command", ["check", "fix"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config.yaml", MARKED),
        ("promptfooconfig.yaml", PLAIN),
        ("promptfooconfig.dev.yaml", PLAIN),
        ("promptfooconfig-dev.yaml", PLAIN),
        ("promptfooconfig.json", '{"prompts": ["Hello"], "providers": ["echo"], "tests": []}'),
        ("a.promptfooconfig.b.yml", MARKED),
    ],
)
def test_what_has_the_name_or_the_keys_of_a_configuration_is_checked(
    rubric: Any, folder: Path, command: str, name: str, text: str
) -> None:
    """Whatever else is in it."""
    (folder / name).write_text(text, encoding="utf-8")
    result = rubric(command, name)
    assert result.exit_code in (0, 1)
    assert "No eval files found" not in result.stderr
    assert "not an eval file" not in result.stderr


@pytest.mark.parametrize("command", ["check", "fix"])
@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("suite.yaml", "redteam: {}\n", "it has the key `redteam`"),
        ("my-promptfooconfig.yml", "tests: []\n", "it is called my-promptfooconfig.yml"),
    ],
)
def test_a_file_for_something_else_is_refused_with_the_reason(  # noqa: PLR0913, PLR0917 - a file and its message.
    rubric: Any, folder: Path, command: str, name: str, text: str, reason: str
) -> None:
    """Status 2, and the file stays as it is."""
    (folder / name).write_text(text, encoding="utf-8")
    result = rubric(command, name)
    message = (
        f"rubric: {name}: This is not an eval file but a promptfoo configuration ({reason}), so it was not checked;"
        " a comment `# rubric: dialect=promptfoo` at its top has it checked.\n"
    )
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)
    assert (folder / name).read_text() == text


def test_the_key_that_makes_it_a_configuration_is_named(rubric: Any, folder: Path) -> None:
    """With its line."""
    (folder / "c.yaml").write_text(MARKED, encoding="utf-8")
    explained = rubric("check", "--explain-dialect", "c.yaml")
    assert explained.stdout == "c.yaml: promptfoo because of the key `defaultTest`, line 5\n"

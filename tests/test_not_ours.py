"""YAML of other tools gets no diagnostic at all, whole or broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import KnownProject

FOLDER = Path(__file__).parent / "not_ours"
FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())}
# With files and targets known, every rule that could speak would.
EVERYWHERE = KnownProject(known=frozenset(), targets=frozenset({"default"}))

# Lines that make YAML of any kind something that cannot be parsed, or something else.
BREAKS = (
    "\tindented: with a tab",
    "open: [bracket",
    'open: "quote',
    "  : : :",
    "- item",
    "key: *nowhere",
    "? {",
    "%",
)


def _assert_silence(text: str, path: str) -> None:
    checked = check_text(text, path=path, project=EVERYWHERE)
    assert [(problem.code, problem.message) for problem in checked.problems] == []
    assert not checked.ours


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_tool_is_not_ours(name: str) -> None:
    """Some of these have `tests` or `cases`, and some have our words in other places."""
    _assert_silence(FILES[name], name)


@pytest.mark.parametrize("name", FILES)
def test_line_breaks_and_a_byte_order_mark_make_no_difference(name: str) -> None:
    """What is not ours on Linux is not ours on Windows."""
    _assert_silence("\ufeff" + FILES[name].replace("\n", "\r\n"), name)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_file_of_another_tool_is_not_ours(name: str, broken: str) -> None:
    """The syntax error of a file that is not ours is for others to report."""
    lines = FILES[name].split("\n")
    for place in range(0, len(lines), 5):
        _assert_silence("\n".join((*lines[:place], broken, *lines[place:])), name)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_being_typed_is_not_ours(name: str) -> None:
    """At no point of its making does it look like one of ours."""
    text = FILES[name]
    for end in range(0, len(text), 23):
        _assert_silence(text[:end], name)


@pytest.mark.parametrize("name", FILES)
def test_the_same_file_is_ours_when_it_says_so(name: str) -> None:
    """The comment makes a file ours, which shows that silence above is no accident."""
    assert check_text(f"# rubric: file\n{FILES[name]}", path=name).ours

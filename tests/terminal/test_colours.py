"""When colours are written."""

from __future__ import annotations

import pytest

from rubric_core.terminal.display import ansi, plain, wants_colour


@pytest.mark.parametrize(
    ("environment", "is_terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "3"}, False, True),
    ],
)
def test_the_environment_decides_before_the_terminal(
    environment: dict[str, str],
    is_terminal: bool,  # noqa: FBT001 - a column of the table.
    expected: bool,  # noqa: FBT001 - a column of the table.
) -> None:
    """NO_COLOR wins, then FORCE_COLOR, then the terminal."""
    assert wants_colour(environment, is_terminal=is_terminal) is expected


def test_an_empty_text_gets_no_escapes() -> None:
    """An empty stretch would only cost bytes."""
    assert ansi("error", "") == ""
    assert ansi("error", "x") == "\x1b[1;31mx\x1b[0m"
    assert plain("error", "x") == "x"

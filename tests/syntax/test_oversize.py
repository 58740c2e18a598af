"""A text over a limit is reported at the place where it goes over it."""

from __future__ import annotations

import pytest

from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits, over_limits


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("a: b\n", DEFAULT_LIMITS),
        ("", Limits(file_bytes=0, line_length=0)),
        ("a" * 10, Limits(file_bytes=10)),
        ("🎉" * 2, Limits(file_bytes=8)),
        ("12345\n12345\r\n12345\r1\n", Limits(line_length=5)),
    ],
)
def test_a_text_may_reach_its_limits(text: str, limits: Limits) -> None:
    """The limit itself is allowed, and line breaks are no part of a line."""
    assert over_limits(text, limits) == ()


@pytest.mark.parametrize(
    ("text", "limits", "span", "message"),
    [
        (
            "a" * 1200,
            Limits(file_bytes=1100),
            (0, 1),
            "The file has 1,200 bytes and the limit is 1,100; split it into several files.",
        ),
        ("é🎉", Limits(file_bytes=5), (0, 1), "The file has 6 bytes and the limit is 5; split it into several files."),
        (
            "1\r\n123456\n1234567",
            Limits(line_length=5),
            (3, 4),
            "Line 2 has 6 characters and the limit is 5; break it up.",
        ),
    ],
)
def test_the_first_limit_is_reported(text: str, limits: Limits, span: tuple[int, int], message: str) -> None:
    """Bytes are those of utf-8, lines are counted from one."""
    (problem,) = over_limits(text, limits)
    assert (problem.span, problem.message, problem.code) == (span, message, "RB008")

"""Regular expressions in assertions: what cannot be used is an error that names the pattern."""

from __future__ import annotations

import asyncio

import pytest

from rubric_core.grading.evaluators.regexes import check_pattern, matches, matches_now
from rubric_core.grading.failures import CannotGrade
from rubric_core.javascript_regex import matching


@pytest.mark.parametrize(
    ("pattern", "flags", "reason"),
    [
        ("(", "", "The pattern /(/ cannot be used: a group, `(`, is never closed."),
        ("a", "v", "The pattern /a/v cannot be used: The flag v is not translated; write u."),
    ],
)
def test_a_pattern_that_cannot_be_used_is_an_error(pattern: str, flags: str, reason: str) -> None:
    """Wherever it is used."""
    for use in (
        lambda: check_pattern(pattern, flags),
        lambda: matches_now(pattern, flags, "a"),
        lambda: asyncio.run(matches(pattern, flags, "a")),
    ):
        with pytest.raises(CannotGrade) as caught:
            use()
        assert caught.value.reason == reason


def test_a_match_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never a score."""
    limited = matching.matches_now
    monkeypatch.setattr(matching, "matches_now", lambda *given: limited(*given[:3], 0.2))
    with pytest.raises(
        CannotGrade, match=r"^The pattern /\(a\+\)\+\$/ took longer than 0\.2 s on this answer; write one"
    ):
        matches_now("(a+)+$", "", "a" * 39 + "b")

"""What others said is quoted in one line, and never with half of a secret."""

from __future__ import annotations

import pytest

from rubric_core.grading.evaluators.code_judge_output import result_of
from rubric_core.grading.processes import Finished
from rubric_core.grading.secrets import NO_SECRETS, Redactor, quote_for_message
from rubric_core.model.evaluators import CodeJudge

KEY = "sk-planted-0123456789"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("", ""),
        ("no such\n  model", "no such model"),
        (f"wrong key {KEY}", "wrong key [secret KEY]"),
        ("word " * 100, "word " * 59 + "…"),
        ("x" * 301, "…"),
    ],
)
def test_a_quote_is_one_short_line(text: str, quote: str) -> None:
    """It is cut between words."""
    assert quote_for_message(text, Redactor({"KEY": KEY})) == quote


@pytest.mark.parametrize("before", range(270, 310))
def test_no_part_of_a_secret_is_left_where_a_quote_is_cut(before: int) -> None:
    """Not even of one that nobody has told the redactor of."""
    for redactor in (Redactor({"KEY": KEY}), NO_SECRETS):
        shown = quote_for_message("w" * 9 + " " + "y" * (before - 10) + " " + KEY, redactor)
        assert KEY in shown or "sk-" not in shown


@pytest.mark.parametrize("after", [1975, 1980, 1985, 1990, 1995, 2000])
@pytest.mark.parametrize("status", [0, 1])
def test_no_part_of_a_secret_is_left_where_the_reasoning_of_a_command_is_cut(after: int, status: int) -> None:
    """Its end is kept, and a secret may be where that begins."""
    finished = Finished(status, "", f"{KEY}{'z' * after}")
    result = result_of(CodeJudge(name="check", script="run"), finished, redactor=Redactor({"KEY": KEY}))
    assert "0123456789"[-3:] not in str(result)

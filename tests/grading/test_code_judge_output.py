"""What a command that judges has said: a score that is exact, an exit status, or an error. Never a guess."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.grading.evaluators.code_judge_output import result_of, without_score
from rubric_core.grading.failures import JudgeFailed
from rubric_core.grading.processes import Finished
from rubric_core.model.evaluators import CodeJudge
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from rubric_core.grading.results import EvaluatorResult

JUDGE = CodeJudge(name="syntax", script="check", weight=Decimal("2.5"))


def _result(output: str, *, status: int = 0, errors: str = "") -> EvaluatorResult:
    return result_of(JUDGE, Finished(status, output, errors))


@pytest.mark.parametrize(
    ("output", "score", "verdict"),
    [
        ('{"score": 1}', Fraction(1), Verdict.PASS),
        ('{"score": 0}', Fraction(0), Verdict.FAIL),
        ('{"score": 0.8}', Fraction(4, 5), Verdict.PASS),
        ('{"score": 0.79999999999999999999}', Fraction(79999999999999999999, 10**20), Verdict.BORDERLINE),
        ('{"score": 0.6}', Fraction(3, 5), Verdict.BORDERLINE),
        ('{"score": 1.0}', Fraction(1), Verdict.PASS),
        ('{"score": 8e-1}', Fraction(4, 5), Verdict.PASS),
        ('{"score": -0.0}', Fraction(0), Verdict.FAIL),
        ('\n {"score": 0.5}\n', Fraction(1, 2), Verdict.FAIL),
        ('{"score": 0.5, "reasoning": "two\nlines"}', Fraction(1, 2), Verdict.FAIL),
        ('checking ...\n{"score": 0.5}\n', Fraction(1, 2), Verdict.FAIL),
        ('checking ...\n{\n  "score": 0.5\n}\ndone\n', Fraction(1, 2), Verdict.FAIL),
        ('{"score": 0.5, "details": {"score": 9}}', Fraction(1, 2), Verdict.FAIL),
    ],
)
def test_a_printed_score_counts_exactly(output: str, score: Fraction, verdict: Verdict) -> None:
    """Also with lines of a log around it, and without any binary rounding."""
    result = _result(output)
    assert (result.status, result.score, result.verdict, result.weight) == ("graded", score, verdict, Decimal("2.5"))


@given(st.decimals(0, 1, allow_nan=False, places=12))
def test_every_decimal_is_kept_as_it_is_written(score: Decimal) -> None:
    """No binary float is made of it on the way."""
    assert _result(f'{{"score": {score:f}}}').score == Fraction(score)


def test_hits_misses_and_reasoning_are_taken_over() -> None:
    """What is no text is passed over, as AgentV does."""
    result = _result('{"score": 1, "hits": ["a", "", 3, "b"], "misses": {}, "reasoning": "fine"}')
    assert (result.hits, result.misses, result.reasoning) == (("a", "b"), (), "fine")


def test_a_lone_text_is_one_hit_or_miss() -> None:
    """Whoever has one to tell need not write a list."""
    result = _result('{"score": 0, "hits": " ", "misses": "It names no day."}')
    assert (result.hits, result.misses) == ((), ("It names no day.",))
    assert _result('{"score": 1, "reasoning": 3}').reasoning == ""


@pytest.mark.parametrize(
    "output",
    [
        *("", "   \n", "all fine\n", "12 passed {ok}\n", 'saw {"a": 1}\n', "[INFO] ok\n", "[INFO] {", "[1/3] built\n"),
        *("[12:30:01] ok", "[2026-11-17] ok", "[50%] built", "[x] done", "[ ] open", "[true-ish] ok", "[nothing] ok"),
        *("the high_score: fine", "scores: fine", "a\tb\x1b[0m", "na\u00efve \U0001f600"),
    ],
)
def test_without_a_score_the_status_counts(output: str) -> None:
    """Status 0 is the score 1, anything else the score 0 with the command's last words."""
    passed = _result(output, errors="warning\n")
    assert (passed.score, passed.verdict, passed.hits, passed.misses) == (1, Verdict.PASS, (), ())
    assert passed.reasoning == "warning"
    failed = _result(output, status=3, errors="line 1\nbad syntax\n")
    assert (failed.status, failed.score, failed.verdict) == ("graded", 0, Verdict.FAIL)
    assert failed.misses == ("The command ended with status 3: bad syntax",)
    assert failed.reasoning == "line 1\nbad syntax"


def test_a_command_that_fails_in_silence_is_reported_by_its_status() -> None:
    """There are no words of its own to show."""
    assert _result("", status=3).misses == ("The command ended with status 3.",)


@pytest.mark.parametrize("output", ["", "all fine\n", '{"score": 1}', '{"score": 0}', "{"])
def test_a_command_that_a_signal_ended_is_an_error(output: str) -> None:
    """Whatever it printed: nobody knows what it would have printed next."""
    with pytest.raises(JudgeFailed, match=r"was ended by signal 9 \(SIGKILL\)"):
        _result(output, status=-9)


@pytest.mark.parametrize(("status", "signal"), [(129, 1), (137, 9), (139, 11), (143, 15), (159, 31)])
@pytest.mark.parametrize("output", ["", "all fine\n", '{"score": 1}'])
def test_a_program_that_a_signal_ended_behind_a_shell_is_an_error(output: str, status: int, signal: int) -> None:
    """The shell tells it by its status."""
    with pytest.raises(JudgeFailed, match=rf"ended with status {status}: .* signal {signal} ended a program"):
        _result(output, status=status)
    assert _result("", status=160).score == 0


@pytest.mark.parametrize("output", ['{"score": 0.5}\ndone\n', '{"score": 0.5} // fine', '{"score": 0.5}{"score": 1}'])
def test_what_starts_like_json_is_json_to_its_end(output: str) -> None:
    """Nobody knows what was meant otherwise."""
    with pytest.raises(JudgeFailed, match=r"starts like JSON and is not|cannot be read"):
        _result(output)


@pytest.mark.parametrize("status", [126, 127])
@pytest.mark.parametrize("output", ["", '{"score": 1}'])
def test_a_program_that_was_not_found_is_an_error(output: str, status: int) -> None:
    """Where a shell looks for it, its status is all that tells."""
    with pytest.raises(JudgeFailed, match=rf"ended with status {status}, which means that .*: sh: 1: judge"):
        _result(output, status=status, errors="sh: 1: judge: not found\n")


@pytest.mark.parametrize(
    ("output", "errors"),
    [
        ("", "usage: py_compile.py [-h] [-q] filenames [filenames ...]\nerror: the arguments are required"),
        ("Usage: judge FILE\n", ""),
        ("", "judge: usage: judge FILE"),
        ("", "error: a value is required\n\nUsage: ruff check [OPTIONS] [FILES]...\n"),
    ],
)
def test_a_usage_error_is_an_error(output: str, errors: str) -> None:
    """The command was called in a wrong way, which says nothing about the answer. Other statuses say something."""
    with pytest.raises(JudgeFailed, match="called in a wrong way"):
        _result(output, status=2, errors=errors)
    assert _result(output, status=1, errors=errors).score == 0


@pytest.mark.parametrize(
    ("output", "errors", "score"),
    [
        ("", "2 errors", 0),
        ("", "It tells no memory usage: wrong", 0),
        ('{"score": 0, "misses": ["usage: none"]}', "", 0),
    ],
)
def test_status_2_without_a_usage_message_is_a_failure(output: str, errors: str, score: int) -> None:
    """Many a checker ends with it."""
    assert _result(output, status=2, errors=errors).score == score


@pytest.mark.parametrize("status", [0, 1])
@pytest.mark.parametrize(
    "output",
    [
        '{"hits": [], "misses": ["every row is wro',
        *("{ score: 0.2 }", "{'score': 0.2}", "{", " \n{", "{}}", "{ok}", '{"passed": false}\ndone', "{}\n{}"),
        *('[{"a":1},', "[", "[ \n", "[[", '["', "[1", "[-1.5e3,", "[1, 0.", "[true", "[tru", "[null,", "[-"),
        *('[1] {"a" 2', '[{"score": 1}] ok', '{ok} {"score": 1}', "score: 0.2", "ok\nScore : .5"),
        *('{"result": "bad"}', "[1, 2]", "[]"),
    ],
)
def test_output_that_cannot_be_read_is_an_error(output: str, status: int) -> None:
    """The status alone decides for empty output and plain text only."""
    with pytest.raises(JudgeFailed):
        _result(output, status=status)


@pytest.mark.parametrize("part", ["[", '{"a":', "[1", "{", "[0,", "1", " ", "{\n", "score ", '{"a":1}\n'])
def test_output_that_never_ends_is_read_in_little_time(part: str) -> None:
    """However deep it is nested, it ends in a result or in an error."""
    for output in (part * 200_000, "[" + part * 200_000):
        with suppress(JudgeFailed):
            _result(output)


@pytest.mark.parametrize("output", ["score: high", "{ok\n score: 1", 'log\n{"hits": ["every row is wro'])
def test_a_success_with_half_a_result_is_an_error(output: str) -> None:
    """Also below lines of a log."""
    with pytest.raises(JudgeFailed):
        _result(output)


@pytest.mark.parametrize("status", [0, 1])
@pytest.mark.parametrize(
    "finished",
    [
        Finished(0, '\ufeff{"passed":false}', ""),
        Finished(0, '\ufeff{"score": 1}', ""),
        Finished(0, "{\0}\0", ""),
        Finished(0, "all fine \ufffd", "", output_is_utf8=False),
    ],
)
def test_output_that_is_not_clean_utf8_is_an_error(finished: Finished, status: int) -> None:
    """A byte order mark and null characters are signs of another encoding."""
    with pytest.raises(JudgeFailed, match="not clean UTF-8"):
        result_of(JUDGE, replace(finished, status=status))


def test_a_long_text_is_kept_at_its_end() -> None:
    """The reason for a failure is there."""
    assert _result("", status=1, errors="x" * 5000 + "why").reasoning == "x" * 1997 + "why"


@pytest.mark.parametrize(
    "output",
    ['saw {"score": 1} and {"score": 2}', "saw {'score': 1}", 'diff {"score": 1}', "def f(score: float)", "0", "false"],
)
def test_a_failure_is_a_failure_whatever_is_in_the_log(output: str) -> None:
    """A test runner that shows what it compared has printed no result."""
    assert _result(output, status=1).score == 0


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ('{"score": 1.0000001}', "must be a number from 0 to 1, but is 1.0000001"),
        ('{"score": -0.1}', "must be a number from 0 to 1, but is -0.1"),
        ('{"score": 100}', "but is 100"),
        ('{"score": NaN}', "but is NaN"),
        ('{"score": Infinity}', "but is Infinity"),
        ('{"score": 1e999}', "but is 1e\\+999"),
        ('{"score": 1e99999999999999999999}', "but is NaN"),
        ('{"score": 1e-5000}', "has more than 400 decimal places"),
        ('{"score": "0.8"}', "but is a JSON string"),
        ('{"score": true}', "but is a JSON boolean"),
        ('{"score": null}', "but is null"),
        ('{"score": [1]}', "but is a JSON list"),
        ('{"score": 1, "score": 0}', "more than one `score`"),
        ('{"score": 0.5', "cannot be read. The JSON object ends before it is complete."),
        ('{"score": 0.5}{"score": 1}', "cannot be read. The reply holds more than one JSON object"),
        ("{'score': 0.5}", "cannot be read"),
        ('{"result": {"score": 0.5}}', "printed JSON without a `score`"),
        ('log {"result": {"score": 0.5}}', "printed JSON without a `score`"),
        ('{"Score": 0.5}', "printed JSON without a `score`"),
        ("{}", "printed JSON without a `score`"),
        ('[{"level": 1}]', "printed JSON without a `score`"),
        ("0.8", "printed JSON without a `score`"),
        ("true", "printed JSON without a `score`"),
        ("null", "printed JSON without a `score`"),
        ('"fine"', "printed JSON without a `score`"),
    ],
)
def test_what_cannot_be_told_is_no_score(output: str, reason: str) -> None:
    """Status 0 does not make a pass of it."""
    with pytest.raises(JudgeFailed, match=reason):
        _result(output)


@pytest.mark.parametrize(("output", "score"), [('{"score": 1}', 1), ('\n{"score": 0, "misses": ["x"]}\n', 0)])
def test_a_score_counts_whatever_the_status(output: str, score: int) -> None:
    """Many a checker ends with status 1 to tell that it found something, and says in its JSON how much."""
    assert _result(output, status=2).score == score


@given(st.text(max_size=40), st.sampled_from([0, 1]))
def test_any_output_gives_a_score_from_0_to_1_or_none(output: str, status: int) -> None:
    """Nothing else is ever raised."""
    try:
        score = _result(output, status=status).score
    except JudgeFailed:
        return
    assert score is not None
    assert 0 <= score <= 1


def test_an_error_has_neither_score_nor_verdict() -> None:
    """It names the evaluator and the reason."""
    result = without_score(JUDGE, "It broke.")
    assert (result.name, result.type, result.status, result.error) == ("syntax", "code_judge", "error", "It broke.")
    assert result.score is None
    assert result.verdict is None

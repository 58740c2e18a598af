"""Reads the result of a code judge from its exit status and from what it printed.

1. It printed a JSON object with `score`: the result, whatever its status. Beside status 0 other text may be in front
   of it; beside another status such text is the log of a failure, and the object may be a part of it. In a dialect that
   has them, checks or a verdict in an object without a score are one.
2. It printed nothing, or plain text: status 0 is the score 1, any other status the score 0.
3. Everything else is an error and no score: a command that a signal ended (status 129 to 159 behind a shell), that was
   not found (status 126 and 127) or that was called wrongly (status 2 with a usage message), output that is not clean
   UTF-8, output that starts like JSON and is not, JSON without a score, and a score that is not a number from 0 to 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from rubric_core.grading.failures import JudgeFailed
from rubric_core.grading.grader import SCORE_ALONE, ReplyFormat
from rubric_core.grading.json_text import FoundObject, NotJson, find_object, kind_of
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.processes import Finished
from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.secrets import NO_SECRETS, Redactor, quote_for_message
from rubric_core.model.evaluators import CodeJudge
from rubric_core.schema.scales import THREE_VERDICTS, VerdictMarks
from rubric_core.scoring.exact import exact
from rubric_core.scoring.grades import verdict_of
from rubric_core.text.patterns import lazily
from rubric_core.text.writing import without_surrogates

_NO_JSON = object()
_SCORE_KEY = lazily(r"""(?<![\w.-])(["']?)score\1\s*:""", re.IGNORECASE)
"""What looks like a score, also where the text is not JSON: a Python dictionary, or an object as Node prints it."""

_BARE_SCORE = lazily(r"(?<![\w.-])score\s*:\s*[-+]?\.?[0-9]", re.IGNORECASE)
"""A score without quotes and with its number. A log of a failure may well have `score: float` in it, which is none."""

_JSON_START = lazily(
    r"""\s*(?:\{|\[\s*(?:\Z|\]\s*\Z|["{\[]|(?:-?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]*)?|true|false|null)(?=[\s,\]]|\Z)"""
    r"""|(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)\Z))"""
)
"""`{`, or `[` with a JSON value or the end behind it. `[INFO] ok`, `[1/3] ok` and `[12:30:01] ok` are plain text."""

_NOT_STARTED = {126: "a program cannot be run", 127: "there is no such program"}
"""What a shell, and whatever else starts programs, ends with where it cannot start one."""

_SIGNAL_BASE = 128
_ENDED_BY_SIGNAL = range(_SIGNAL_BASE + 1, _SIGNAL_BASE + 32)
"""What a shell ends with where a signal ended its last program."""

_USAGE_STATUS = 2
_USAGE = lazily(r"^[ \t]*(?:\S+:[ \t]+)?usage:.*", re.IGNORECASE | re.MULTILINE)
_OBJECT_LINE = lazily(r'^[ \t]*(?=\{\s*")', re.MULTILINE)
_BYTE_ORDER_MARK = "\ufeff"
_WITHOUT_SCORE = "The command printed JSON without a `score`; let it print an object with one, or no JSON at all."

_LONGEST_REASONING = 2000
_MOST_PLACES = 400
"""A score with more decimal places is no score that anybody means, and costs a lot to compute with."""


def result_of(
    evaluator: CodeJudge,
    finished: Finished,
    marks: VerdictMarks = THREE_VERDICTS,
    format_: ReplyFormat = SCORE_ALONE,
    redactor: Redactor = NO_SECRETS,
) -> EvaluatorResult:
    """Return the result of a command that ran to its end, without secrets in its texts. Raises JudgeFailed."""
    reply = _read_output(finished, format_, redactor)
    if reply is None:
        result = _by_status(evaluator, finished, redactor)
    else:
        reasons = (reply.get(key) for key in format_.reasons)
        checks = _checks(reply, format_)
        result = _with_score(
            evaluator,
            _score(reply["score"]),
            hits=_texts([*_listed(reply.get("hits")), *(check.text for check in checks if check.holds)], redactor),
            misses=_texts(
                [*_listed(reply.get("misses")), *(check.text for check in checks if not check.holds)], redactor
            ),
            reasoning=_shown(next((reason for reason in reasons if isinstance(reason, str)), ""), redactor),
        )
    assert result.score is not None  # noqa: S101 - both ways give one.
    return replace(result, verdict=verdict_of(result.score, gates_hold=True, marks=marks))


class _ReplyCheck(NamedTuple):
    """One of the checks that a command printed beside its score, or instead of it."""

    text: str
    holds: bool
    score: Decimal | None


def _checks(reply: Mapping[str, Any], format_: ReplyFormat) -> list[_ReplyCheck]:
    """Return the checks in the output of a command, without anything else."""
    checks: list[_ReplyCheck] = []
    for key, holds in format_.lists.items():
        listed = reply.get(key)
        for check in listed if isinstance(listed, list) else ():
            if isinstance(check, dict) and isinstance(check.get("text"), str) and isinstance(check.get(holds), bool):
                score = check.get("score")
                checks.append(_ReplyCheck(check["text"], check[holds], score if isinstance(score, Decimal) else None))
    return checks


def _derived_score(reply: Mapping[str, Any], format_: ReplyFormat) -> Fraction | None:
    """Return the score of a reply without one, in a dialect that accepts checks or a verdict instead."""
    checks = _checks(reply, format_)
    if checks:
        scores = [Fraction(check.holds) if check.score is None else _score(check.score) for check in checks]
        return sum(scores, Fraction(0)) / len(scores)
    verdict = reply.get(format_.verdict) if format_.verdict is not None else None
    return Fraction(verdict) if isinstance(verdict, bool) else None


def _read_output(finished: Finished, format_: ReplyFormat, redactor: Redactor) -> Mapping[str, Any] | None:
    """Return the result that a command printed, or None if there is only its status. Raises JudgeFailed."""
    _check_ending(finished, redactor)
    _check_encoding(finished)
    if _JSON_START.match(finished.output) is not None:
        return _said_in_json(finished, format_)
    if finished.status == 0:
        return _said_in_text(finished.output)
    # After a failure, text is a log, which may contain something like a result.
    if _BARE_SCORE.search(finished.output):
        raise JudgeFailed("The score that the command printed is not in a JSON object, so it cannot be read.")
    return None


def _said_in_json(finished: Finished, format_: ReplyFormat) -> Mapping[str, Any]:
    """Return the result in an output that starts like JSON, and must be JSON as a whole."""
    output = finished.output.strip()
    if isinstance(_whole(output), list):
        raise JudgeFailed(_WITHOUT_SCORE)
    try:
        reply = find_object(output)
    except NotJson as error:
        raise JudgeFailed(f"The result that the command printed cannot be read. {error}") from None
    if reply.text != output:
        raise JudgeFailed("The output of the command starts like JSON and is not; let it print one object and no more.")
    derived = None if "score" in reply.value else _derived_score(reply.value, format_)
    return _with_its_score(reply) if derived is None else {**reply.value, "score": derived}


def _said_in_text(output: str) -> Mapping[str, Any] | None:
    """Return the result among other text, or None."""
    looks_like_score = _SCORE_KEY.search(output) is not None
    try:
        reply = find_object(output)
    except NotJson as error:
        if looks_like_score or _has_broken_object(output):
            raise JudgeFailed(f"The result that the command printed cannot be read. {error}") from None
        if _whole(output) is not _NO_JSON:
            raise JudgeFailed(_WITHOUT_SCORE) from None
        return None
    return _with_its_score(reply) if looks_like_score else None


def _with_its_score(reply: FoundObject) -> Mapping[str, Any]:
    if "score" in reply.repeated_keys:
        raise JudgeFailed("The command printed an object with more than one `score`.")
    if "score" not in reply.value:
        raise JudgeFailed(_WITHOUT_SCORE)
    return reply.value


def _check_ending(finished: Finished, redactor: Redactor) -> None:
    """Raise JudgeFailed if the command did not judge: a signal ended it, it was not found, or was called wrongly."""
    if finished.status < 0:
        raise JudgeFailed(f"The command {finished.ending} before it was done.")
    if finished.status in _ENDED_BY_SIGNAL:
        signal = finished.status - _SIGNAL_BASE
        raise JudgeFailed(
            f"The command {finished.ending}: that is what a shell gives where signal {signal} ended a program."
        )
    if finished.status in _NOT_STARTED:
        quoted = quote_for_message(finished.last_words, redactor)
        raise JudgeFailed(
            f"The command {finished.ending}, which means that {_NOT_STARTED[finished.status]}"
            + (f": {quoted}" if quoted else ".")
        )
    output = "" if _JSON_START.match(finished.output) else finished.output
    usage = _USAGE.search(finished.errors) or _USAGE.search(output)
    if finished.status == _USAGE_STATUS and usage:
        quoted = quote_for_message(usage[0].strip(), redactor)
        raise JudgeFailed(f"The command was called in a wrong way, so it judged nothing: {quoted}")


def _check_encoding(finished: Finished) -> None:
    """Raise JudgeFailed for output that is not clean UTF-8. In UTF-16 every second byte of English text is null."""
    output = finished.output
    if not finished.output_is_utf8 or "\0" in output or output.startswith(_BYTE_ORDER_MARK):
        raise JudgeFailed(
            "The output of the command is not clean UTF-8; let it print UTF-8 without a byte order mark and without "
            "null characters."
        )


def _has_broken_object(output: str) -> bool:
    """Return whether the first line that starts like an object starts a broken one, below lines of a log."""
    start = _OBJECT_LINE.search(output)
    if start is None:
        return False
    try:
        json.JSONDecoder(strict=False, parse_int=Decimal).raw_decode(output, start.end())
    except (ValueError, RecursionError):
        return True
    return False


def _whole(output: str) -> Any:
    try:
        return json.loads(output, parse_int=Decimal, strict=False)
    except (ValueError, RecursionError):
        return _NO_JSON


def _score(value: Any) -> Fraction:
    if isinstance(value, Fraction):
        return value
    problem = "The score that the command printed must be a number from 0 to 1, but is"
    if not isinstance(value, Decimal):
        raise JudgeFailed(f"{problem} {kind_of(value)}.")
    if not value.is_finite() or not 0 <= value <= 1:
        raise JudgeFailed(f"{problem} {value:.10g}.")
    # The exponent of a finite number is a number; those of NaN and infinity are letters.
    if int(value.as_tuple().exponent) < -_MOST_PLACES:
        raise JudgeFailed(f"The score that the command printed has more than {_MOST_PLACES} decimal places.")
    return exact(value)


def _texts(value: Any, redactor: Redactor) -> tuple[str, ...]:
    """Return the texts of a list, or a single text as a list; other values are ignored."""
    return tuple(_shown(text, redactor) for text in _listed(value) if isinstance(text, str) and text.strip())


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _shown(text: str, redactor: Redactor) -> str:
    return redactor.redact(without_surrogates(text))


def _by_status(evaluator: CodeJudge, finished: Finished, redactor: Redactor) -> EvaluatorResult:
    output = finished.errors.strip() or finished.output.strip()
    # More text is redacted than is kept, so that cutting it leaves no part of a secret.
    reasoning = redactor.redact(output[-2 * _LONGEST_REASONING :])[-_LONGEST_REASONING:]
    if finished.status == 0:
        return _with_score(evaluator, exact(1), reasoning=reasoning)
    words = quote_for_message(finished.last_words, redactor)
    miss = f"The command {finished.ending}" + (f": {words}" if words else ".")
    return _with_score(evaluator, exact(0), misses=(miss,), reasoning=reasoning)


def _with_score(evaluator: CodeJudge, score: Fraction, **texts: Any) -> EvaluatorResult:
    return replace(without_score(evaluator, None), status="graded", score=score, **texts)


def without_score(evaluator: CodeJudge, reason: str | None) -> EvaluatorResult:
    """Return the result for a command without a result."""
    judge = JudgeIdentity(evaluator.name, evaluator.type)
    return EvaluatorResult(evaluator.name, evaluator.type, evaluator.weight, "error", error=reason, judge=judge)

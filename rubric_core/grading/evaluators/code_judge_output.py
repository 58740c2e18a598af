"""What a command that judges has said, read from how it ended and what it printed.

1. It printed a JSON object with `score`: the result, whatever its status. Beside status 0 other text may stand around
   it; beside another status such text is the log of a failure, and the object may be a part of it.
2. It printed no score: status 0 is the score 1, any other status the score 0.
3. What cannot be told is an error and no score: a score that cannot be read or is none from 0 to 1, and JSON without a
   score beside status 0.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rubric_core.grading.json_text import FoundObject, NotJson, find_object, kind_of
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.quotes import quoted
from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.surrogates import without_surrogates
from rubric_core.scoring.exact import exact
from rubric_core.scoring.verdicts import verdict_of
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from rubric_core.grading.processes import Finished
    from rubric_core.model.evaluators import CodeJudge

_NO_JSON = object()
_SCORE_KEY = lazily(r"""["']score["']\s*:""")
"""What looks like a score, also where the text is a Python dictionary and no JSON."""

_LONGEST_REASONING = 2000
_MOST_PLACES = 400
"""A score with more decimal places is no score that anybody means, and costs a lot to compute with."""


class NoResult(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A command that gave no result that can be used. The message is one sentence."""


def result_of(evaluator: CodeJudge, finished: Finished, redactor: Redactor = NO_SECRETS) -> EvaluatorResult:
    """Return the result of a command that ran to its end, without secrets in its texts. Raises NoResult."""
    said = _said(finished)
    if said is None:
        return _by_status(evaluator, finished, redactor)
    reasoning = said.get("reasoning")
    return _with_score(
        evaluator,
        _score(said["score"]),
        hits=_texts(said.get("hits"), redactor),
        misses=_texts(said.get("misses"), redactor),
        reasoning=_shown(reasoning, redactor) if isinstance(reasoning, str) else "",
    )


def _said(finished: Finished) -> Mapping[str, Any] | None:
    """Return the result that a command printed, or None where its status is all it says. Raises NoResult."""
    output = finished.output
    if finished.status != 0 and not _has_score(_whole(output)):
        return None
    try:
        found = find_object(output)
    except NotJson as error:
        if _SCORE_KEY.search(output):
            raise NoResult(f"The score that the command printed cannot be read. {error}") from None
        found = FoundObject({})
    if "score" in found.repeated_keys:
        raise NoResult("The command printed an object with more than one `score`.")
    if _has_score(found.value):
        return found.value
    if _whole(output) is not _NO_JSON or _SCORE_KEY.search(output):
        raise NoResult(
            "The command printed JSON without a `score`; let it print an object with one, or no JSON at all."
        )
    return None


def _whole(output: str) -> Any:
    """Return the JSON that an output is as a whole."""
    try:
        return json.loads(output, parse_int=Decimal)
    except (ValueError, RecursionError):
        return _NO_JSON


def _has_score(value: Any) -> bool:
    return isinstance(value, dict) and "score" in value


def _score(value: Any) -> Fraction:
    wanted = "The score that the command printed must be a number from 0 to 1, but is"
    if not isinstance(value, Decimal):
        raise NoResult(f"{wanted} {kind_of(value)}.")
    if not value.is_finite() or not 0 <= value <= 1:
        raise NoResult(f"{wanted} {value:.10g}.")
    # The exponent of a finite number is a number; those of NaN and infinity are letters.
    if int(value.as_tuple().exponent) < -_MOST_PLACES:
        raise NoResult(f"The score that the command printed has more than {_MOST_PLACES} decimal places.")
    return exact(value)


def _texts(value: Any, redactor: Redactor) -> tuple[str, ...]:
    """Return the texts of a list; a lone text is a list of one, and AgentV passes over whatever else stands there."""
    listed = value if isinstance(value, list) else [value]
    return tuple(_shown(each, redactor) for each in listed if isinstance(each, str) and each.strip())


def _shown(text: str, redactor: Redactor) -> str:
    return redactor.redact(without_surrogates(text))


def _by_status(evaluator: CodeJudge, finished: Finished, redactor: Redactor) -> EvaluatorResult:
    said = finished.errors.strip() or finished.output.strip()
    # More is looked at than is kept, so that no half of a secret is left where the text is cut.
    reasoning = redactor.redact(said[-2 * _LONGEST_REASONING :])[-_LONGEST_REASONING:]
    if finished.status == 0:
        return _with_score(evaluator, exact(1), reasoning=reasoning)
    words = quoted(finished.last_words, redactor)
    miss = f"The command {finished.ending}" + (f": {words}" if words else ".")
    return _with_score(evaluator, exact(0), misses=(miss,), reasoning=reasoning)


def _with_score(
    evaluator: CodeJudge,
    score: Fraction,
    *,
    hits: tuple[str, ...] = (),
    misses: tuple[str, ...] = (),
    reasoning: str = "",
) -> EvaluatorResult:
    return EvaluatorResult(
        evaluator.name,
        evaluator.type,
        evaluator.weight,
        "graded",
        score=score,
        verdict=verdict_of(score, gates_hold=True),
        hits=hits,
        misses=misses,
        reasoning=reasoning,
        judge=JudgeIdentity(evaluator.name, evaluator.type),
    )


def without_score(evaluator: CodeJudge, reason: str) -> EvaluatorResult:
    """Return the result of a command that gave none."""
    judge = JudgeIdentity(evaluator.name, evaluator.type)
    return EvaluatorResult(evaluator.name, evaluator.type, evaluator.weight, "error", error=reason, judge=judge)

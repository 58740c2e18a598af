"""Results as JSON, written and read without loss. Every score is exact: the fraction is beside its decimal."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, get_args

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.grading import exact_json
from rubric_core.grading.agentv_fields import agentv_fields
from rubric_core.grading.exact_json import (
    BOOLEAN,
    INTEGER,
    LABEL,
    NUMBER,
    OBJECT,
    TEXT,
    TEXTS,
    JsonField,
    JsonRecord,
    choice,
    derived,
    expect,
    read_field,
)
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult, Status, Upstream
from rubric_core.grading.usage import NOTHING_SPENT, Usage
from rubric_core.scoring.exact import fraction_text, json_number, read_fraction
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore, Gate, Mode, ScoreBand
from rubric_core.scoring.scorecards import Adjustment, DimensionHistory, DimensionScore, HistoryReport, ScorecardScore

# Fields that few results have. They are written where there is something in them.
_OMITTED_IF_EMPTY = frozenset({"other_fields", "threshold", "upstream", "members", "negated", "min_score", "gate"})
# A share of samples or of points has a small denominator. Two such fractions lie further apart than the digits that
# are cut off, so the nearest one is the one that was written.
_LARGEST_DENOMINATOR = 10**6
# Who reads JSON with binary floats and writes it again rounds the last digits.
_ROUNDING = Fraction(1, 10**12)


def json_line(result: CaseResult) -> str:
    """Return a result as one line of JSON, without the line break."""
    return exact_json.write(to_json(result))


def stored_line(result: CaseResult) -> str:
    """Return a result as one line of JSON with all that is read again, and without what AgentV alone has names for."""
    return exact_json.write(_own_fields(result))


def to_json(result: CaseResult) -> dict[str, Any]:
    """Return a result as plain data, with a Decimal for each number that is not whole: `exact_json` writes it."""
    return {**_own_fields(result), **agentv_fields(result)}


def _own_fields(result: CaseResult) -> dict[str, Any]:
    written = _CASE.write(result)
    fields = {name: value for name, value in written.items() if name not in _OMITTED_IF_EMPTY or not _is_empty(value)}
    if result.dialect == DEFAULT_DIALECT.name:
        del fields["dialect"], fields["test_id"]
    else:
        fields["test_id"] = result.test_id
    return fields


def _is_empty(value: Any) -> bool:
    return value is None or value is False or value in ({}, [])


def from_json(value: object) -> CaseResult:
    """Return the result that `to_json` wrote. Raises ValueError with one sentence that names the field."""
    result: CaseResult = _CASE.read(value)
    if not result.partial:
        _check_verdict(result, "")
        for place, evaluator in enumerate(result.evaluators):
            _check_verdict(evaluator, f"evaluator_results[{place}].")
    if result.error is not None and result.score is not None:
        raise ValueError("`score` must be null where `error` is given: an error has no score.")
    return result


def history_to_json(history: HistoryReport) -> dict[str, Any]:
    """Return the history of a skill as plain data."""
    return _HISTORY.write(history)


def _check_verdict(result: CaseResult | EvaluatorResult, path: str) -> None:
    """Raise ValueError where a verdict has no score or a score no verdict; that of a partial result has none."""
    if (result.verdict is None) != (result.score is None):
        raise ValueError(f"`{path}verdict` and `score` must both be given, or both be null.")


def _unless_none(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else write(value)


def _without_floats(value: Any) -> Any:
    """Return data of an eval file with its numbers as they are written there; what is no finite number is a text."""
    if isinstance(value, dict):
        return {name: _without_floats(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_floats(each) for each in value]
    if not isinstance(value, float):
        return value
    return Decimal(repr(value)) if isfinite(value) else repr(value)


def _read_share(value: Any, path: str) -> Fraction:
    return Fraction(NUMBER.read(value, path)).limit_denominator(_LARGEST_DENOMINATOR)


def _read_shares(value: Any, path: str) -> dict[str, Fraction]:
    expect(value, dict, path, "an object")
    return {name: read_field(value, name, _SHARE, path) for name in value}


def _read_exact_score(value: Any, path: str) -> Fraction:
    text = TEXT.read(value, path)
    try:
        score = read_fraction(text)
    except ValueError:
        raise ValueError(f"`{path}` must be {_EXACT_SCORE.expected}, not a string.") from None
    if not 0 <= score <= 1:
        raise ValueError(f"`{path}` must be from 0 to 1.")
    return score


def _read_milliseconds(value: Any, path: str) -> float:
    return float(NUMBER.read(value, path).scaleb(-3))


def _milliseconds(seconds: float) -> Decimal:
    # The shortest decimal of a float names it exactly, so the same float comes back.
    return Decimal(format(Decimal(repr(seconds)).scaleb(3), "f"))


def _read_bounds(value: Any, path: str) -> tuple[int, ...]:
    expect(value, list, path, "a list")
    numbers = {str(at): each for at, each in enumerate(value)}
    bounds = tuple(read_field(numbers, name, INTEGER, path) for name in numbers)
    if len(bounds) != 2:  # noqa: PLR2004 - a range has two ends.
        raise ValueError(f"`{path}` must be a list of two whole numbers.")
    return bounds


class _Criterion(JsonRecord):
    """A criterion, which has the fields of its mode."""

    def write(self, value: CriterionScore) -> dict[str, Any]:
        return _BY_MODE[value.mode].write(value)

    def values(self, value: Any, path: str) -> dict[str, Any]:
        return _BY_MODE[super().values(value, path)["mode"]].values(value, path)


class _Graded(JsonRecord):
    """A record with a score and a verdict. The decimal must equal the fraction, or one of them was changed."""

    def values(self, value: Any, path: str) -> dict[str, Any]:
        found = super().values(value, path)
        shown, score = found["score"], read_field(value, "score_exact", _EXACT_SCORE, path)
        before = f"{path}." if path else ""
        if shown is not None and score is None:
            raise ValueError(f"`{before}score_exact` is missing; it must be {_EXACT_SCORE.expected}.")
        if score is not None and (shown is None or abs(Fraction(shown) - score) > _ROUNDING):
            actual = "missing" if shown is None else shown
            raise ValueError(f"`{before}score` is {actual}, but `score_exact` is {fraction_text(score)}.")
        return {**found, "score": score}


class _Evaluator(_Graded):
    """An evaluator. Few have members, a minimum or a turned result, so that these are written where there are some."""

    def write(self, value: EvaluatorResult) -> dict[str, Any]:
        written = super().write(value)
        return {name: each for name, each in written.items() if name not in _OMITTED_IF_EMPTY or not _is_empty(each)}


class _Scorecard(JsonRecord):
    """A scorecard whose score is among its other fields. Without a score these are there, and empty."""

    def write(self, value: ScorecardResult) -> dict[str, Any]:
        score = _NO_SCORE if value.score is None else _SCORE.write(value.score)
        return {"skill": value.skill, **score, **super().write(value)}

    def values(self, value: Any, path: str) -> dict[str, Any]:
        found = super().values(value, path)
        is_scored = read_field(value, "final_score", NUMBER.optional(), path) is not None
        return {**found, "score": _SCORE.read(value, path) if is_scored else None}


def _judged(result: CaseResult) -> Iterator[tuple[EvaluatorResult, CriterionScore]]:
    parts = (part for evaluator in result.evaluators for part in evaluator.parts)
    return ((part, criterion) for part in parts for criterion in part.criteria)


def _gates(result: EvaluatorResult) -> Iterator[tuple[EvaluatorResult, CriterionScore]]:
    """Yield the gates of the case below an evaluator, each with the evaluator that has the criterion."""
    if not result.negated:
        yield from ((result, criterion) for criterion in result.criteria if criterion.gate is not None)
        for member in result.members:
            yield from _gates(member)


_NULLABLE_TEXT = TEXT.optional()
_COUNT = INTEGER.optional(0)
_SHARE = JsonField("a number", _read_share, json_number)
_SCORE_SHOWN = JsonField("a number", NUMBER.read, json_number, default=None)
_EXACT_SCORE = JsonField("a fraction such as `4/5`", _read_exact_score, default=None)
_VERDICT_WORD = choice([verdict.value for verdict in Verdict])
_MODE = choice(get_args(Mode))
_VERDICT = JsonField(
    _VERDICT_WORD.expected,
    lambda value, path: Verdict(_VERDICT_WORD.read(value, path)),
    _unless_none(lambda verdict: verdict.value),
    default=None,
)
_USAGE = JsonRecord(Usage, calls=_COUNT, remembered=_COUNT, input_tokens=_COUNT, output_tokens=_COUNT)
_JUDGE = JsonRecord(JudgeIdentity, name=TEXT, kind=TEXT, model=_NULLABLE_TEXT).field().optional()
_JUDGING = {
    "judge": _JUDGE,
    "prompt_hash": _NULLABLE_TEXT,
    "samples": INTEGER.optional(1),
    "agreement": JsonField(
        "an object",
        _read_shares,
        lambda shares: {name: json_number(share) for name, share in shares.items()},
        default={},
    ),
    "usage": _USAGE.field().optional(NOTHING_SPENT),
}
"""Who judged, what was asked, how often, and what it cost."""


def _read_gate(value: Any, path: str) -> int | Decimal:
    """Return a score, which is a fraction only where a dialect writes it as a share of the scale."""
    number = NUMBER.read(value, path)
    return int(number) if number == int(number) else number


_BAND = JsonRecord(
    lambda score_range, outcome: ScoreBand(score_range[0], score_range[1], outcome),
    score_range=JsonField("a list of two whole numbers", _read_bounds),
    expected_outcome=TEXT.of("outcome"),
)
_CRITERION_START = {"id": TEXT, "mode": _MODE, "weight": NUMBER}
_CRITERION_END = {
    "value": _SHARE,
    "gate": choice(get_args(Gate)).optional(),
    "outcome": LABEL,
    "reasoning": LABEL,
}
_BY_MODE = {
    "checklist": JsonRecord(CriterionScore, **_CRITERION_START, satisfied=BOOLEAN, **_CRITERION_END),
    "score-range": JsonRecord(
        CriterionScore,
        **_CRITERION_START,
        score=INTEGER,
        **_CRITERION_END,
        bands=_BAND.list_field().optional(()),
        required_min_score=JsonField("a number", _read_gate).optional(),
    ),
}
_CRITERION = _Criterion(CriterionScore, mode=_MODE)
_EVALUATOR: JsonRecord = _Evaluator(
    EvaluatorResult,
    name=TEXT,
    type=TEXT,
    weight=NUMBER,
    status=choice(get_args(Status)),
    score=_SCORE_SHOWN,
    score_exact=derived(lambda result: _unless_none(fraction_text)(result.score)),
    verdict=_VERDICT,
    hits=TEXTS,
    misses=TEXTS,
    reasoning=LABEL,
    error=_NULLABLE_TEXT,
    criteria=_CRITERION.list_field().optional(()),
    **_JUDGING,
    members=JsonField(
        "a list",
        lambda values, path: _EVALUATOR.list_field().read(values, path),
        lambda values: [_EVALUATOR.write(each) for each in values],
        default=(),
    ),
    negated=BOOLEAN.optional(False),
    min_score=NUMBER.of("minimum").optional(),
    gate=derived(lambda result: result.gate),
)
_ADJUSTMENTS = (
    JsonRecord(Adjustment, id=TEXT, amount=NUMBER, outcome=LABEL, explanation=LABEL).list_field().optional(())
)
_SCORE = JsonRecord(
    ScorecardScore,
    dimensions=JsonRecord(DimensionScore, score=INTEGER, weight=NUMBER, reasoning=LABEL).named_field(),
    composite=NUMBER,
    deductions=_ADJUSTMENTS,
    deduction_total=NUMBER,
    adjusted=NUMBER,
    bonuses=_ADJUSTMENTS,
    bonus_total=NUMBER,
    final_score=NUMBER,
    grade=TEXT,
    label=TEXT,
    description=derived(lambda score: score.description),
    overall_reasoning=LABEL,
)
_NO_SCORE: dict[str, Any] = {
    **dict.fromkeys(_SCORE.fields),
    "dimensions": {},
    "deductions": [],
    "bonuses": [],
    "overall_reasoning": "",
}
_DEVIATIONS = JsonRecord(
    DimensionHistory, score=INTEGER, mean=NUMBER, standard_deviation=NUMBER, deviation=NUMBER, flagged=BOOLEAN
)
_HISTORY = JsonRecord(
    HistoryReport,
    skill=TEXT,
    evaluations=INTEGER,
    dimensions=_DEVIATIONS.named_field(),
    flags=derived(lambda history: list(history.flags)),
)
_SCORECARD = _Scorecard(
    ScorecardResult,
    skill=TEXT,
    history=_HISTORY.field().optional(),
    error=_NULLABLE_TEXT,
    evaluation_id=_NULLABLE_TEXT,
    **_JUDGING,
)
_CASE = _Graded(
    CaseResult,
    eval_id=TEXT,
    dataset=LABEL,
    file=LABEL,
    conversation_id=_NULLABLE_TEXT,
    target=_NULLABLE_TEXT,
    timestamp=LABEL,
    score=_SCORE_SHOWN,
    score_exact=derived(lambda result: _unless_none(fraction_text)(result.score)),
    verdict=_VERDICT,
    error=_NULLABLE_TEXT,
    partial=BOOLEAN.optional(False),
    hits=derived(lambda result: [hit for evaluator in result.evaluators for hit in evaluator.hits]),
    misses=derived(lambda result: [miss for evaluator in result.evaluators for miss in evaluator.misses]),
    reasoning=derived(lambda result: result.reasoning),
    candidate_answer=LABEL,
    criteria=derived(
        lambda result: [
            {"id": each.id, "evaluator": evaluator.name, **_CRITERION.write(each)}
            for evaluator, each in _judged(result)
        ]
    ),
    gates=derived(
        lambda result: [
            {"id": each.id, "evaluator": evaluator.name, "state": each.gate}
            for part in result.evaluators
            for evaluator, each in _gates(part)
        ]
    ),
    evaluator_results=_EVALUATOR.list_field().of("evaluators"),
    scorecard=_SCORECARD.field().optional(),
    judge=_JUDGE,
    usage=_USAGE.field().optional(NOTHING_SPENT),
    duration_ms=JsonField("a number", _read_milliseconds, _milliseconds, default=0.0, attribute="duration"),
    fingerprint=LABEL,
    other_fields=replace(OBJECT.optional({}), write=_without_floats),
    dialect=TEXT.optional(DEFAULT_DIALECT.name),
    threshold=NUMBER.optional(),
    upstream=JsonRecord(Upstream, score=NUMBER, verdict=_VERDICT).field().optional(),
    test_id=LABEL.of("copy_of"),
)

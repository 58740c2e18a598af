"""Results as JSON, written and read without loss. Every score is exact: the fraction is beside its decimal.

The keys are the fields of the result's classes, in their order and by their types. `_RECORDS` has the exceptions.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isfinite
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from rubric_core.dialects.parts import RESULT_FIELDS
from rubric_core.dialects.registry import BY_NAME, DEFAULT_DIALECT
from rubric_core.grading import exact_json
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
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult, Upstream
from rubric_core.scoring.exact import fraction_text, json_number, read_fraction
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore, Mode, ScoreBand
from rubric_core.scoring.scorecards import DimensionHistory, DimensionScore, HistoryReport, ScorecardScore

_Exceptions: TypeAlias = Mapping[str, Mapping[str, JsonField | None]]
"""By attribute, the keys in its place; a key without a field is written by its annotation."""

# A share of samples or of points has a small denominator. Two such fractions lie further apart than the digits that
# are cut off, so the nearest one is the one that was written.
_LARGEST_DENOMINATOR = 10**6
# A program that reads and writes JSON with binary floats rounds the last digits.
_ROUNDING = Fraction(1, 10**12)


def json_line(result: CaseResult) -> str:
    """Return a result as one line of JSON, without the line break."""
    return exact_json.write(to_json(result))


def stored_line(result: CaseResult) -> str:
    """Return a result as one line of JSON with all fields that are read, without those of its dialect."""
    return exact_json.write(_own_fields(result))


def to_json(result: CaseResult) -> dict[str, Any]:
    """Return a result as plain data, with a Decimal for each number that is not whole: `exact_json` writes it."""
    return {**_own_fields(result), **dialect_fields(result)}


def dialect_fields(result: CaseResult) -> dict[str, Any]:
    """Return the additional fields of a result's dialect; none for a dialect of a later version."""
    dialect = BY_NAME.get(result.dialect)
    return {} if dialect is None else RESULT_FIELDS.of(dialect)(result)


def _own_fields(result: CaseResult) -> dict[str, Any]:
    fields = _CASE.write(result)
    if result.dialect == DEFAULT_DIALECT.name:
        del fields["dialect"], fields["test_id"]
    else:
        fields["test_id"] = result.test_id
    return fields


def from_json(value: object) -> CaseResult:
    """Parse the output of `to_json`. Raises ValueError with one sentence that names the field."""
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
    """Raise ValueError for a verdict without a score or the reverse, except a partial result without a verdict."""
    if (result.verdict is None) != (result.score is None):
        raise ValueError(f"`{path}verdict` and `score` must both be given, or both be null.")


def _without_floats(value: Any) -> Any:
    """Return data of an eval file with its numbers as written; those that are not finite become texts."""
    if isinstance(value, dict):
        return {name: _without_floats(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_without_floats(member) for member in value]
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
    numbers = {str(at): number for at, number in enumerate(value)}
    bounds = tuple(read_field(numbers, name, INTEGER, path) for name in numbers)
    if len(bounds) != 2:  # noqa: PLR2004 - a range has two ends.
        raise ValueError(f"`{path}` must be a list of two whole numbers.")
    return bounds


_SHARE = JsonField("a number", _read_share, json_number)
_EXACT_SCORE = JsonField("a fraction such as `4/5`", _read_exact_score, default=None)
_VERDICT_WORD = choice([verdict.value for verdict in Verdict])
_FIELDS: Mapping[Any, JsonField] = {
    str: TEXT,
    bool: BOOLEAN,
    int: INTEGER,
    Decimal: NUMBER,
    Fraction: _SHARE,
    Verdict: JsonField(
        _VERDICT_WORD.expected,
        lambda value, path: Verdict(_VERDICT_WORD.read(value, path)),
        lambda verdict: None if verdict is None else verdict.value,
        default=None,
    ),
    tuple[str, ...]: TEXTS,
    Mapping[str, Any]: JsonField(OBJECT.expected, OBJECT.read, _without_floats, default={}),
    Mapping[str, Fraction]: JsonField(
        OBJECT.expected,
        _read_shares,
        lambda shares: {name: json_number(share) for name, share in shares.items()},
        default={},
    ),
}


def _field_of(annotation: Any) -> JsonField:
    field = _FIELDS.get(annotation)
    if field is not None:
        return field
    first, *others = get_args(annotation) or (annotation,)
    if NoneType in others:
        return _field_of(first)
    if get_origin(annotation) is Literal:
        return choice([first, *others])
    record = _RECORDS.get(first) or _ClassRecord(first)
    return record.list_field().optional(()) if get_origin(annotation) is tuple else record.field()


class _ClassRecord(JsonRecord):
    """A record with the fields of a class in their order, but for exceptions."""

    def __init__(self, kind: type, exceptions: _Exceptions | None = None, omitted: Collection[str] = ()) -> None:
        super().__init__(kind)
        self.kind: Any = kind
        self.exceptions = exceptions or {}
        self.omitted = omitted

    @cached_property
    def fields(self) -> dict[str, JsonField]:
        """Return the fields by their keys; the annotations are first evaluated when they are needed."""
        fields: dict[str, JsonField] = {}
        annotations = get_type_hints(self.kind)
        for attribute in dataclasses.fields(self.kind):
            for key, exception in self.exceptions.get(attribute.name, {attribute.name: None}).items():
                field = exception or _field_of(annotations[attribute.name])
                if exception is None and attribute.default is not dataclasses.MISSING:
                    field = field.optional(attribute.default)
                fields[key] = field.of(field.attribute or attribute.name)
        return fields


class _Criterion(_ClassRecord):
    """A criterion, which has the fields of its mode."""

    def write(self, value: CriterionScore) -> dict[str, Any]:
        return _BY_MODE[value.mode].write(value)

    def values(self, value: Any, path: str) -> dict[str, Any]:
        expect(value, dict, path, "an object")
        return _BY_MODE[read_field(value, "mode", _MODE, path)].values(value, path)


class _Graded(_ClassRecord):
    """A record with a score and a verdict. The decimal must equal the fraction, or one of them was changed."""

    def values(self, value: Any, path: str) -> dict[str, Any]:
        values = super().values(value, path)
        shown, score = values["score"], read_field(value, "score_exact", _EXACT_SCORE, path)
        before = f"{path}." if path else ""
        if shown is not None and score is None:
            raise ValueError(f"`{before}score_exact` is missing; it must be {_EXACT_SCORE.expected}.")
        if score is not None and (shown is None or abs(Fraction(shown) - score) > _ROUNDING):
            actual = "missing" if shown is None else shown
            raise ValueError(f"`{before}score` is {actual}, but `score_exact` is {fraction_text(score)}.")
        return {**values, "score": score}


class _Scorecard(_ClassRecord):
    """A scorecard whose score is among its other fields. Without a score these are there, and empty."""

    def write(self, value: ScorecardResult) -> dict[str, Any]:
        score = {**dict.fromkeys(_SCORE.fields), **_NO_SCORE} if value.score is None else _SCORE.write(value.score)
        return {"skill": value.skill, **score, **super().write(value)}

    def values(self, value: Any, path: str) -> dict[str, Any]:
        values = super().values(value, path)
        is_scored = read_field(value, "final_score", NUMBER.optional(), path) is not None
        return {**values, "score": _SCORE.read(value, path) if is_scored else None}


def _judged(evaluators: Iterable[EvaluatorResult]) -> list[dict[str, Any]]:
    """Return all criteria, each with the evaluator that has it."""
    parts = (part for evaluator in evaluators for part in evaluator.parts)
    return [
        {"id": criterion.id, "evaluator": part.name, **_CRITERION.write(criterion)}
        for part in parts
        for criterion in part.criteria
    ]


def _gates(evaluators: Iterable[EvaluatorResult]) -> Iterator[dict[str, Any]]:
    """Yield the gates of the case, each with the evaluator that has the criterion."""
    for evaluator in evaluators:
        if not evaluator.negated:
            gates = (criterion for criterion in evaluator.criteria if criterion.gate is not None)
            yield from ({"id": gate.id, "evaluator": evaluator.name, "state": gate.gate} for gate in gates)
            yield from _gates(evaluator.members)


def _read_gate(value: Any, path: str) -> int | Decimal:
    """Return a score, which is a fraction only in dialects that write gates as shares of the scale."""
    number = NUMBER.read(value, path)
    return int(number) if number == int(number) else number


_MODE = choice(get_args(Mode))
_SCORES: Mapping[str, JsonField | None] = {
    "score": JsonField("a number", NUMBER.read, json_number, default=None),
    "score_exact": derived("score", lambda score: None if score is None else fraction_text(score)),
}
_BY_MODE = {
    mode: _ClassRecord(CriterionScore, exceptions, omitted=("other_fields",))
    for mode, exceptions in {
        "checklist": {"satisfied": {"satisfied": BOOLEAN}, "score": {}, "bands": {}, "required_min_score": {}},
        "score-range": {
            "satisfied": {},
            "score": {"score": INTEGER},
            "required_min_score": {"required_min_score": JsonField("a number", _read_gate, default=None)},
        },
    }.items()
}
_NO_SCORE: Mapping[str, Any] = {"dimensions": {}, "deductions": [], "bonuses": [], "overall_reasoning": ""}
_BAND = JsonRecord(
    lambda score_range, outcome: ScoreBand(score_range[0], score_range[1], outcome),
    score_range=JsonField("a list of two whole numbers", _read_bounds),
    expected_outcome=TEXT.of("outcome"),
)
_CRITERION = _Criterion(CriterionScore)
_EVALUATOR = _Graded(
    EvaluatorResult,
    {
        "score": _SCORES,
        "criteria": {},
        "error": {"error": None, "criteria": _CRITERION.list_field().optional(()).of("criteria")},
        "minimum": {"min_score": NUMBER.optional(), "gate": derived("gate")},
    },
    omitted=("members", "negated", "min_score", "gate"),
)
_SCORE = _ClassRecord(
    ScorecardScore,
    {
        "dimensions": {"dimensions": _ClassRecord(DimensionScore, {"name": {}}).named_field()},
        "label": {"label": None, "description": derived("description")},
    },
)
_DEVIATIONS = _ClassRecord(DimensionHistory, {"name": {}}).named_field()
_HISTORY = _ClassRecord(HistoryReport, {"dimensions": {"dimensions": _DEVIATIONS, "flags": derived("flags", list)}})
_CASE = _Graded(
    CaseResult,
    {
        "score": _SCORES,
        "partial": {
            "partial": None,
            "hits": derived("evaluators", lambda graded: [text for evaluator in graded for text in evaluator.hits]),
            "misses": derived("evaluators", lambda graded: [text for evaluator in graded for text in evaluator.misses]),
            "reasoning": derived("reasoning"),
        },
        "candidate_answer": {
            "candidate_answer": None,
            "criteria": derived("evaluators", _judged),
            "gates": derived("evaluators", lambda graded: list(_gates(graded))),
        },
        "evaluators": {"evaluator_results": _EVALUATOR.list_field()},
        "duration": {"duration_ms": JsonField("a number", _read_milliseconds, _milliseconds, default=0.0)},
        "copy_of": {"test_id": LABEL},
    },
    omitted=("other_fields", "threshold", "upstream"),
)
_RECORDS: Mapping[type, JsonRecord] = {
    ScoreBand: _BAND,
    EvaluatorResult: _EVALUATOR,
    HistoryReport: _HISTORY,
    ScorecardResult: _Scorecard(ScorecardResult, {"score": {}}),
    Upstream: JsonRecord(Upstream, score=NUMBER, verdict=_FIELDS[Verdict]),
}

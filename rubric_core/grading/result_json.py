"""Results as JSON, written and read without loss. Every score is exact: the fraction stands beside its decimal."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, get_args

from rubric_core.grading import exact_json
from rubric_core.grading.json_fields import Fields
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult, Status
from rubric_core.grading.scorecard_json import history_to_json, read_history, read_scorecard, scorecard_to_json
from rubric_core.grading.usage import Usage
from rubric_core.scoring.exact import decimal_text, fraction_text, read_fraction
from rubric_core.scoring.rubrics import CriterionScore, Gate, Mode, ScoreBand
from rubric_core.scoring.verdicts import Verdict

_VERDICTS = tuple(verdict.value for verdict in Verdict)
# A share of samples or of points has a small denominator. Two such fractions lie further apart than the digits that
# are cut off, so the nearest one is the one that was written.
_LARGEST_DENOMINATOR = 10**6
# Who reads JSON with binary floats and writes it again rounds the last digits.
_ROUNDING = Fraction(1, 10**12)


def json_line(result: CaseResult) -> str:
    """Return a result as one line of JSON, without the line break."""
    return exact_json.write(to_json(result))


def to_json(result: CaseResult) -> dict[str, Any]:
    """Return a result as plain data, with a Decimal for each number that is not whole: `exact_json` writes it."""
    return {
        "eval_id": result.eval_id,
        "dataset": result.dataset,
        "file": result.file,
        "conversation_id": result.conversation_id,
        "target": result.target,
        "timestamp": result.timestamp,
        **_score_to_json(result.score),
        "verdict": _word(result.verdict),
        "error": result.error,
        "partial": result.partial,
        "hits": [hit for evaluator in result.evaluators for hit in evaluator.hits],
        "misses": [miss for evaluator in result.evaluators for miss in evaluator.misses],
        "reasoning": _joined_reasoning(result),
        "candidate_answer": result.candidate_answer,
        "criteria": [
            {"id": criterion.id, "evaluator": evaluator.name, **_criterion_to_json(criterion)}
            for evaluator in result.evaluators
            for criterion in evaluator.criteria
        ],
        "gates": [
            {"id": criterion.id, "evaluator": evaluator.name, "state": criterion.gate}
            for evaluator in result.evaluators
            for criterion in evaluator.criteria
            if criterion.gate is not None
        ],
        "evaluator_results": [_evaluator_to_json(evaluator) for evaluator in result.evaluators],
        "scorecard": None if result.scorecard is None else _scorecard_to_json(result.scorecard),
        "judge": _judge_to_json(result.judge),
        "usage": _usage_to_json(result.usage),
        "duration_ms": _milliseconds(result.duration),
        "fingerprint": result.fingerprint,
        **({"other_fields": dict(result.other_fields)} if result.other_fields else {}),
    }


def from_json(value: object) -> CaseResult:
    """Return the result that `to_json` wrote. Raises ValueError with one sentence that names the field."""
    fields = Fields(value)
    score = _read_score(fields)
    partial = fields.boolean("partial", default=False)
    result = CaseResult(
        eval_id=fields.text("eval_id"),
        file=fields.text("file", ""),
        dataset=fields.text("dataset", ""),
        conversation_id=fields.optional_text("conversation_id"),
        target=fields.optional_text("target"),
        candidate_answer=fields.text("candidate_answer", ""),
        score=score,
        verdict=_read_verdict(fields, score, partial=partial),
        error=fields.optional_text("error"),
        evaluators=tuple(
            _read_evaluator(each, partial=partial) for each in fields.objects("evaluator_results", must_exist=True)
        ),
        scorecard=_read_scorecard(fields.child("scorecard")),
        judge=_read_judge(fields.child("judge")),
        usage=_read_usage(fields.child("usage")),
        timestamp=fields.text("timestamp", ""),
        duration=float((fields.optional_number("duration_ms") or Decimal(0)).scaleb(-3)),
        partial=partial,
        fingerprint=fields.text("fingerprint", ""),
        other_fields=_read_other_fields(fields.child("other_fields")),
    )
    if result.error is not None and result.score is not None:
        raise ValueError("`score` must be null where `error` is given: an error has no score.")
    return result


def _read_other_fields(fields: Fields | None) -> dict[str, Any]:
    return {} if fields is None else dict(fields.items())


def _score_to_json(score: Fraction | None) -> dict[str, Any]:
    if score is None:
        return {"score": None, "score_exact": None}
    return {"score": _decimal(score), "score_exact": fraction_text(score)}


def _decimal(value: Fraction) -> int | Decimal:
    return value.numerator if value.denominator == 1 else Decimal(decimal_text(value))


def _word(verdict: Verdict | None) -> str | None:
    return None if verdict is None else verdict.value


def _milliseconds(seconds: float) -> Decimal:
    # The shortest decimal of a float names it exactly, so the same float comes back.
    return Decimal(format(Decimal(repr(seconds)).scaleb(3), "f"))


def _joined_reasoning(result: CaseResult) -> str:
    told = [evaluator for evaluator in result.evaluators if evaluator.reasoning]
    if len(told) == 1:
        return told[0].reasoning
    return "\n".join(f"{evaluator.name}: {evaluator.reasoning}" for evaluator in told)


def _criterion_to_json(criterion: CriterionScore) -> dict[str, Any]:
    is_checklist = criterion.mode == "checklist"
    judged = {"satisfied": criterion.satisfied} if is_checklist else {"score": criterion.score}
    scale = {
        "bands": [{"score_range": band[:2], "expected_outcome": band.outcome} for band in criterion.bands],
        "required_min_score": criterion.required_min_score,
    }
    return {
        "id": criterion.id,
        "mode": criterion.mode,
        "weight": criterion.weight,
        **judged,
        "value": _decimal(criterion.value),
        "gate": criterion.gate,
        "outcome": criterion.outcome,
        "reasoning": criterion.reasoning,
        **({} if is_checklist else scale),
    }


def _evaluator_to_json(evaluator: EvaluatorResult) -> dict[str, Any]:
    return {
        "name": evaluator.name,
        "type": evaluator.type,
        "weight": evaluator.weight,
        "status": evaluator.status,
        **_score_to_json(evaluator.score),
        "verdict": _word(evaluator.verdict),
        "hits": list(evaluator.hits),
        "misses": list(evaluator.misses),
        "reasoning": evaluator.reasoning,
        "error": evaluator.error,
        "criteria": [_criterion_to_json(criterion) for criterion in evaluator.criteria],
        **_provenance_to_json(evaluator),
    }


def _provenance_to_json(part: EvaluatorResult | ScorecardResult) -> dict[str, Any]:
    """Return who judged, what was asked, how often, and what it cost."""
    return {
        "judge": _judge_to_json(part.judge),
        "prompt_hash": part.prompt_hash,
        "samples": part.samples,
        "agreement": {name: _decimal(share) for name, share in part.agreement.items()},
        "usage": _usage_to_json(part.usage),
    }


def _judge_to_json(judge: JudgeIdentity | None) -> dict[str, Any] | None:
    return None if judge is None else {"name": judge.name, "kind": judge.kind, "model": judge.model}


def _usage_to_json(usage: Usage) -> dict[str, int]:
    return {
        "calls": usage.calls,
        "remembered": usage.remembered,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
    }


def _scorecard_to_json(scorecard: ScorecardResult) -> dict[str, Any]:
    return {
        "skill": scorecard.skill,
        **scorecard_to_json(scorecard.score),
        "history": None if scorecard.history is None else history_to_json(scorecard.history),
        "error": scorecard.error,
        "evaluation_id": scorecard.evaluation_id,
        **_provenance_to_json(scorecard),
    }


def _read_score(fields: Fields) -> Fraction | None:
    """Return the exact score. The decimal beside it must say the same, or somebody changed one of the two."""
    shown = fields.optional_number("score")
    text = fields.optional_text("score_exact")
    if text is None and shown is None:
        return None
    if text is None:
        raise fields.wrong("score_exact", "a fraction such as `4/5`")
    score = _read_fraction(fields, "score_exact", text)
    if not 0 <= score <= 1:
        raise ValueError(f"`{fields.where('score_exact')}` must be from 0 to 1.")
    if shown is None or abs(Fraction(shown) - score) > _ROUNDING:
        told = "missing" if shown is None else shown
        raise ValueError(f"`{fields.where('score')}` is {told}, but `score_exact` is {fraction_text(score)}.")
    return score


def _read_fraction(fields: Fields, name: str, text: str) -> Fraction:
    try:
        return read_fraction(text)
    except ValueError:
        raise fields.wrong(name, "a fraction such as `4/5`") from None


def _read_verdict(fields: Fields, score: Fraction | None, *, partial: bool) -> Verdict | None:
    """Return the verdict, which stands beside every score but that of a partial result."""
    word = fields.optional_choice("verdict", _VERDICTS)
    if (word is None) != (score is None) and not partial:
        raise ValueError(f"`{fields.where('verdict')}` and `score` must both be given, or both be null.")
    return None if word is None else Verdict(word)


def _read_share(fields: Fields, name: str) -> Fraction:
    return Fraction(fields.number(name)).limit_denominator(_LARGEST_DENOMINATOR)


def _read_criterion(fields: Fields) -> CriterionScore:
    mode = fields.choice("mode", get_args(Mode))
    is_checklist = mode == "checklist"
    return CriterionScore(
        id=fields.text("id"),
        mode=mode,
        weight=fields.number("weight"),
        value=_read_share(fields, "value"),
        satisfied=fields.boolean("satisfied") if is_checklist else None,
        score=None if is_checklist else fields.integer("score"),
        gate=fields.optional_choice("gate", get_args(Gate)),
        outcome=fields.text("outcome", ""),
        reasoning=fields.text("reasoning", ""),
        bands=tuple(_read_band(band) for band in fields.objects("bands")),
        required_min_score=fields.optional_integer("required_min_score"),
    )


def _read_band(fields: Fields) -> ScoreBand:
    bounds = fields.integers("score_range")
    if len(bounds) != 2:  # noqa: PLR2004 - a range has two ends.
        raise ValueError(f"`{fields.where('score_range')}` must be a list of two whole numbers.")
    return ScoreBand(*bounds, fields.text("expected_outcome"))


def _read_evaluator(fields: Fields, *, partial: bool) -> EvaluatorResult:
    score = _read_score(fields)
    return EvaluatorResult(
        name=fields.text("name"),
        type=fields.text("type"),
        weight=fields.number("weight"),
        status=fields.choice("status", get_args(Status)),
        score=score,
        verdict=_read_verdict(fields, score, partial=partial),
        criteria=tuple(_read_criterion(each) for each in fields.objects("criteria")),
        hits=fields.texts("hits"),
        misses=fields.texts("misses"),
        reasoning=fields.text("reasoning", ""),
        error=fields.optional_text("error"),
        **_read_provenance(fields),
    )


def _read_provenance(fields: Fields) -> dict[str, Any]:
    agreement = fields.child("agreement")
    return {
        "judge": _read_judge(fields.child("judge")),
        "prompt_hash": fields.optional_text("prompt_hash"),
        "samples": fields.integer("samples", 1),
        "agreement": {name: _read_share(agreement, name) for name, _ in agreement.items()} if agreement else {},
        "usage": _read_usage(fields.child("usage")),
    }


def _read_judge(fields: Fields | None) -> JudgeIdentity | None:
    if fields is None:
        return None
    return JudgeIdentity(fields.text("name"), fields.text("kind"), fields.optional_text("model"))


def _read_usage(fields: Fields | None) -> Usage:
    if fields is None:
        return Usage()
    return Usage(
        calls=fields.integer("calls", 0),
        remembered=fields.integer("remembered", 0),
        input_tokens=fields.integer("input_tokens", 0),
        output_tokens=fields.integer("output_tokens", 0),
    )


def _read_scorecard(fields: Fields | None) -> ScorecardResult | None:
    if fields is None:
        return None
    return ScorecardResult(
        skill=fields.text("skill"),
        score=read_scorecard(fields),
        history=read_history(fields.child("history")),
        error=fields.optional_text("error"),
        evaluation_id=fields.optional_text("evaluation_id"),
        **_read_provenance(fields),
    )

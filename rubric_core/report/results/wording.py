"""The state of a case, the summary of all, and their wording in every format for people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple, TypeVar

from rubric_core.dialects.registry import BY_NAME, DEFAULT_DIALECT
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.grading.usage import NOTHING_SPENT, Usage
from rubric_core.schema.grades import HIGHEST_FINAL, LOWEST_FINAL
from rubric_core.scoring.exact import PLACES, decimal_text, exact, fraction_text
from rubric_core.scoring.grades import is_below
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import Adjustment, HistoryReport, ScorecardScore
from rubric_core.text.writing import plural
from rubric_core.views.amounts import describe, percent

_Part = TypeVar("_Part", "CriterionScore", "EvaluatorResult")

# A longer decimal is cut, not rounded, so that a score below a mark never looks like the mark.
_LONGEST_SCORE = 6
_LONGEST_FRACTION = 15
_HASH_LENGTH = 12
State = Literal["pass", "borderline", "fail", "error", "partial", "no verdict"]
STATES: tuple[State, ...] = ("pass", "borderline", "fail", "error", "partial", "no verdict")
NO_MINIMUMS: Mapping[str, str] = {}


def short_score(score: Fraction) -> str:
    """Return a score in a few characters; an ellipsis marks digits that are cut off."""
    text = decimal_text(score)
    return text if len(text) <= _LONGEST_SCORE or "E" in text else f"{text[:_LONGEST_SCORE]}…"


def score_words(score: Fraction) -> str:
    """Return a score exactly: as a short decimal, else with its fraction, else with all its digits."""
    short = short_score(score)
    fraction = fraction_text(score)
    if not short.endswith("…"):
        return short
    return f"{short} ({fraction})" if len(fraction) <= _LONGEST_FRACTION else decimal_text(score)


def with_shares(parts: Iterable[_Part]) -> tuple[tuple[_Part, Fraction | None], ...]:
    """Return each part with its share of the total weight; without a share if that is 0."""
    listed = tuple(parts)
    total = sum((exact(part.weight) for part in listed), Fraction(0))
    return tuple((part, exact(part.weight) / total if total else None) for part in listed)


def evaluators_with_shares(result: CaseResult) -> tuple[tuple[EvaluatorResult, Fraction | None], ...]:
    """Return each evaluator with its share of the score, if it has one; members follow their set, named after it."""
    return tuple(_nested(result.evaluators, "", has_score=result.score is not None))


def _nested(
    evaluators: Sequence[EvaluatorResult], path: str, *, has_score: bool
) -> Iterator[tuple[EvaluatorResult, Fraction | None]]:
    graded = iter(with_shares(part for part in evaluators if part.score is not None and has_score))
    for part in evaluators:
        name = f"{path}{part.name}"
        shown = replace(part, name=name) if path else part
        # The findings of a set are those of its members, which list them.
        shown = replace(shown, hits=(), misses=()) if part.members else shown
        yield shown, next(graded)[1] if part.score is not None and has_score else None
        yield from _nested(part.members, f"{name} / ", has_score=part.score is not None)


def shortfall_words(result: CaseResult) -> str:
    """Return the evaluators below their minimum, which make the score 0, or else the mark that the score misses."""
    names = [evaluator.name for evaluator in result.evaluators if evaluator.gate == "failed"]
    if names:
        return f"below its minimum: {', '.join(names)}"
    if result.score is None or result.threshold is None or result.partial or result.score >= exact(result.threshold):
        return ""
    return f"needs {describe(result.threshold)}"


def upstream_words(result: CaseResult) -> str:
    """Return the result of the tool of the dialect, if it differs, behind the name of the tool: `0.79, fail`."""
    if result.upstream is None:
        return ""
    score, verdict = result.upstream
    # A file of results may name a dialect of a later version.
    tool = BY_NAME.get(result.dialect, DEFAULT_DIALECT).tool
    return f"{tool}: {score_words(exact(score))}, {verdict.value}"


def error_beside(result: CaseResult, evaluator: EvaluatorResult) -> str:
    """Return the error of an evaluator unless the error of the case includes it already."""
    error = evaluator.error or ""
    return "" if error and error in (result.error or "") else error


def share_words(weight: Decimal, share: Fraction | None) -> str:
    """Return a weight with its share."""
    return f"weight {describe(weight)}" + ("" if share is None else f" ({percent(share)})")


def judged_words(criterion: CriterionScore) -> str:
    """Return the judgement of a criterion in words."""
    if criterion.mode == "checklist":
        return "met" if criterion.satisfied else "not met"
    return f"{criterion.score} of 10"


def gate_words(criterion: CriterionScore) -> str:
    """Return the state of a criterion's gate; nothing without a gate."""
    if criterion.gate is None:
        return ""
    needed = "" if criterion.required_min_score is None else f", needs {criterion.required_min_score}"
    return f"gate {criterion.gate}{needed}"


def failed_gate_words(result: CaseResult) -> str:
    """Return a short list of the gates that failed; nothing if all hold."""
    names = [criterion.id for criterion in result.failed_gates]
    if not names:
        return ""
    return f"gate{'s' if len(names) > 1 else ''} failed: {', '.join(names)}"


def partial_words(result: CaseResult) -> str:
    """Return which criteria of a partial result were graded and which are not met; nothing for a whole result."""
    if not result.partial:
        return ""
    unmet = f", not met: {', '.join(criterion.id for criterion in result.unmet)}" if result.unmet else ""
    return f"partial: only {', '.join(criterion.id for criterion in result.criteria) or 'some criteria'}{unmet}"


def scorecard_name(scorecard: ScorecardResult) -> str:
    """Return the name of a scorecard, with its skill if it has one."""
    return f"scorecard {scorecard.skill}" if scorecard.skill else "scorecard"


def judge_words(judge: JudgeIdentity | None) -> str:
    """Return the judge: the name, and the kind and model if the name does not contain them."""
    if judge is None:
        return ""
    beside = [word for word in (judge.kind, judge.model) if word and word not in judge.name]
    return f"{judge.name} ({', '.join(beside)})" if beside else judge.name


def provenance_words(part: EvaluatorResult | ScorecardResult) -> tuple[str, ...]:
    """Return what an evaluator needs, who judged, how often, how far the samples agree, and the hash of the prompt."""
    details: list[str] = []
    if isinstance(part, EvaluatorResult):
        details += ["negated"] if part.negated else []
        if part.gate is not None and part.minimum is not None:
            details.append(f"gate {part.gate}, needs {describe(part.minimum)}")
    if part.judge is not None:
        details.append(f"judge {judge_words(part.judge)}")
    if part.samples > 1:
        details.append(f"{part.samples} samples{agreement_words(part.agreement)}")
    if part.prompt_hash:
        details.append(f"prompt {part.prompt_hash[:_HASH_LENGTH]}")
    return tuple(details)


def agreement_words(agreement: Mapping[str, Fraction]) -> str:
    """Return the average agreement of samples, and where it is lowest unless it is full."""
    if not agreement:
        return ""
    mean = sum(agreement.values(), Fraction(0)) / len(agreement)
    least = min(agreement, key=lambda name: agreement[name])
    if agreement[least] == 1:
        return " in full agreement"
    return f", {percent(mean)} agreement, least on {least} ({percent(agreement[least])})"


def evaluator_state(evaluator: EvaluatorResult) -> str:
    """Return the verdict of an evaluator, or its status without one."""
    return evaluator.status if evaluator.verdict is None else evaluator.verdict.value


class PipelineStep(NamedTuple):
    """One step from the composite to the final score: `start` and `end` are where a chart draws it.

    `kind` is `total` for an intermediate score, `deduction`, `bonus`, or `cap` for a limit that was applied.
    """

    kind: str
    label: str
    amount: str
    explanation: str
    start: Decimal
    end: Decimal


def pipeline(score: ScorecardScore) -> tuple[PipelineStep, ...]:
    """Return the steps from the composite to the final score: each flag and bonus with its amount, and every limit."""
    composite = score.composite
    steps = [_total("composite", composite), *_adjusted(score.deductions, composite, score.adjusted, "deduction")]
    if score.deductions:
        if _sum(score.deductions) > score.deduction_total:
            steps.append(_limit(f"all red flags together take {score.deduction_total} at most", score.adjusted))
        if composite - score.deduction_total < LOWEST_FINAL:
            steps.append(_limit(f"no score falls below {LOWEST_FINAL}", score.adjusted))
        steps.append(_total("after deductions", score.adjusted))
    steps += _adjusted(score.bonuses, score.adjusted, score.final_score, "bonus")
    if score.bonuses:
        if _sum(score.bonuses) > score.bonus_total:
            steps.append(_limit(f"all bonuses together give {score.bonus_total} at most", score.final_score))
        if score.adjusted + score.bonus_total > HIGHEST_FINAL:
            steps.append(_limit(f"no score rises above {HIGHEST_FINAL}", score.final_score))
    return (*steps, _total("final score", score.final_score))


def _adjusted(adjustments: Iterable[Adjustment], start: Decimal, end: Decimal, kind: str) -> Iterable[PipelineStep]:
    """Yield the steps of flags or bonuses; none is drawn beyond the score at which they end."""
    sign = -1 if kind == "deduction" else 1
    at = start
    for adjustment in adjustments:
        reached = at + sign * adjustment.amount
        reached = max(reached, end) if sign < 0 else min(reached, end)
        explanation = adjustment.explanation or _unexplained(adjustment, kind)
        yield PipelineStep(kind, adjustment.id, _signed(sign * adjustment.amount), explanation, at, reached)
        at = reached


def _unexplained(adjustment: Adjustment, kind: str) -> str:
    """Return that the judge gave no explanation, with the text of the flag or the bonus."""
    text = f" ({'red flag' if kind == 'deduction' else 'bonus'}: {adjustment.outcome})" if adjustment.outcome else ""
    return f"The judge gave no explanation{text}."


def _signed(amount: Decimal) -> str:
    """Return an amount with its sign and two places, more where it has more."""
    places = max(PLACES, -int(amount.as_tuple().exponent))
    return f"{amount:+.{places}f}"


def _sum(adjustments: Iterable[Adjustment]) -> Decimal:
    return sum((adjustment.amount for adjustment in adjustments), Decimal(0))


def _total(label: str, score: Decimal) -> PipelineStep:
    return PipelineStep("total", label, str(score), "", Decimal(0), score)


def _limit(label: str, score: Decimal) -> PipelineStep:
    return PipelineStep("cap", label, "", "", score, score)


def history_words(history: HistoryReport | None) -> tuple[str, ...]:
    """Return a sentence about each dimension that needs a review, or one that none does."""
    if history is None:
        return ()
    if not history.dimensions:
        return (f"History of {history.skill}: {_evaluations(history)}, too few to compare with.",)
    flagged = tuple(
        f"Review {dimension.name}: {dimension.score} is {dimension.deviation} away from the mean {dimension.mean} "
        f"of {_evaluations(history)}, with a standard deviation of {dimension.standard_deviation}."
        for dimension in history.dimensions
        if dimension.flagged
    )
    return flagged or (f"In line with {_evaluations(history)} of {history.skill}.",)


def _evaluations(history: HistoryReport) -> str:
    number = history.evaluations
    return f"{number or 'no'} earlier evaluation{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of cases by state, of scorecards, the mean score of the `scored` cases, and the usage.

    A partial result has no score of its case, so the mean does not include it.
    """

    counts: Mapping[State, int]
    scorecard_errors: int
    low_grades: int
    scored: int
    mean_score: Fraction | None
    usage: Usage

    @property
    def cases(self) -> int:
        """Return the number of cases."""
        return sum(self.counts.values())


def state_of(result: CaseResult) -> State:
    """Return the state of a case in one word. A case with a scorecard alone has no verdict."""
    if result.error is not None:
        return "error"
    if result.partial:
        return "partial"
    return "no verdict" if result.verdict is None else result.verdict.value


class LowGrade(NamedTuple):
    """The grade of a scorecard, and the lowest one that is allowed."""

    grade: str
    minimum: str

    @property
    def words(self) -> str:
        """Return both in a sentence."""
        return f"the grade {self.grade} is below the minimum grade {self.minimum}"


def low_grade(result: CaseResult, minimums: Mapping[str, str]) -> LowGrade | None:
    """Return the grade of a scorecard that is below the minimum of its file, else None."""
    minimum = minimums.get(result.file)
    if minimum is None or result.card is None or not is_below(result.card.grade, minimum):
        return None
    return LowGrade(result.card.grade, minimum)


def summarize(results: Sequence[CaseResult], minimums: Mapping[str, str] = NO_MINIMUMS) -> Summary:
    """Return the summary of all results. `minimums` has the lowest grade that is allowed in a file."""
    states = [state_of(result) for result in results]
    scores = [result.score for result in results if result.score is not None and not result.partial]
    return Summary(
        counts={state: states.count(state) for state in STATES},
        scorecard_errors=sum(scorecard_error(result) is not None for result in results),
        low_grades=sum(low_grade(result, minimums) is not None for result in results),
        scored=len(scores),
        mean_score=sum(scores, Fraction(0)) / len(scores) if scores else None,
        usage=sum((result.usage for result in results), NOTHING_SPENT),
    )


def scorecard_error(result: CaseResult) -> str | None:
    """Return why a scorecard has no grade, which does not change the verdict of its case."""
    return None if result.scorecard is None else result.scorecard.error


def needs_attention(result: CaseResult, minimums: Mapping[str, str] = NO_MINIMUMS) -> bool:
    """Return whether a case did not pass, or its scorecard is in error or below the minimum grade."""
    is_low = low_grade(result, minimums) is not None
    return state_of(result) != "pass" or scorecard_error(result) is not None or is_low


def count_words(summary: Summary) -> tuple[tuple[State, str], ...]:
    """Return the counts that are not zero in words, each with its state."""
    return tuple((state, f"{number:,} {state}") for state, number in summary.counts.items() if number)


def mean_name(summary: Summary) -> str:
    """Return the name of the mean score, which says so if some cases have no score."""
    return "mean score" if summary.scored == summary.cases else f"mean of {summary.scored:,} graded"


def side_words(summary: Summary) -> tuple[str, ...]:
    """Return what is shown beside the counts: scorecards in error or too low, the mean score, calls, tokens."""
    usage, mean = summary.usage, summary.mean_score
    colon = "" if summary.scored == summary.cases else ":"
    mean_words = "" if mean is None else f"{mean_name(summary)}{colon} {short_score(mean)}"
    details = [
        (summary.scorecard_errors, f"{plural(summary.scorecard_errors, 'scorecard')} in error"),
        (summary.low_grades, f"{plural(summary.low_grades, 'scorecard')} below the minimum grade"),
        (mean_words and summary.cases > 1, mean_words),
        (usage.calls, plural(usage.calls, "call")),
        (usage.remembered, f"{usage.remembered:,} cached"),
        (usage.input_tokens or usage.output_tokens, f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"),
    ]
    return tuple(words for is_worth_saying, words in details if is_worth_saying)

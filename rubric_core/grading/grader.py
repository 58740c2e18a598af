"""The default grader, which is the base of those of the dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from rubric_core.dialects.parts import GRADER
from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.checks import ungraded
from rubric_core.grading.evaluators.sets import SetRule
from rubric_core.grading.prompts.parts import OwnPrompt
from rubric_core.grading.results import EvaluatorResult, Upstream
from rubric_core.model.evaluators import CodeJudge, Evaluator, LlmJudge, OtherEvaluator
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scales import PASS_MARK_DECIMAL, VerdictMarks
from rubric_core.scoring.exact import exact
from rubric_core.scoring.grades import EvaluatorScore, Verdict, combine

_ROUNDING = 1e-9
"""Scores that are closer to each other are the same number, which one of two ways of counting has rounded."""


def same_names(*names: str) -> Mapping[str, str]:
    """Return a mapping from each name to itself."""
    return {name: name for name in names}


@dataclass(frozen=True, slots=True)
class ReplyFormat:
    """The keys of a command's output beside `score`.

    `lists` are the keys of lists of checks, each with the boolean key of a check; `verdict` is such a key for the
    whole. `reasons` are the keys of its reasoning; the first with a text counts.
    """

    lists: Mapping[str, str] = field(default_factory=dict)
    verdict: str | None = None
    reasons: tuple[str, ...] = ("reasoning",)


SCORE_ALONE = ReplyFormat()


class CaseScore(NamedTuple):
    """The score and verdict of a case, and those of the dialect's own tool if they differ."""

    score: Fraction
    verdict: Verdict
    upstream: Upstream | None = None


@dataclass(frozen=True, eq=False)
class DefaultGrader:
    """Grades by a weighted mean with gates, and runs models and commands only.

    `default_judge` is the type of the evaluator of a case that names none. `unrun_types` need what this grader does not
    have, `offline_types` are run without a judge. `ungraded_keys` are keys of a case, or of a mapping in it behind a
    dot, with which a case cannot be graded, each with the reason. `default_threshold` is that of a case without one, in
    a dialect that has thresholds. `variables` are the names that a judge's own prompt may use, and `payload` those of
    what a command reads, each with the name of its value in `prompts/llm_judge.py` or `evaluators/code_judge.py`.
    """

    default_judge: str = "llm_judge"
    unrun_types: frozenset[str] = frozenset()
    offline_types: frozenset[str] = frozenset()
    ungraded_keys: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, SetRule] = field(default_factory=dict)
    default_threshold: Decimal | None = PASS_MARK_DECIMAL
    variables: Mapping[str, str] = field(
        default_factory=lambda: same_names(
            *("candidate_answer", "output_messages", "question", "input_messages", "reference_answer"),
            *("expected_messages", "expected_outcome", "criteria"),
        )
    )
    payload: Mapping[str, str] = field(
        default_factory=lambda: same_names(
            *("question", "expected_outcome", "expected_messages", "reference_answer", "candidate_answer"),
            *("output_messages", "guideline_files", "input_files", "input_messages", "trace_summary", "config"),
        )
    )
    reply: ReplyFormat = SCORE_ALONE

    def reasons_not_gradable(self, case: EvalCase, /) -> list[str]:
        """Return why a case without errors cannot be graded."""
        return [reason for key, reason in self.ungraded_keys.items() if _has(case, key)]

    def evaluators_of(self, case: EvalCase, /) -> tuple[Evaluator, ...]:
        """Return the evaluators of a case: those that it names, or one judgement of the whole answer."""
        if case.evaluators or case.scorecard is not None:
            return case.evaluators
        return (LlmJudge(name=self.default_judge, type=self.default_judge),)

    def reason_not_run(self, evaluator: Evaluator, /) -> str | None:
        """Return why an evaluator that is not a set is not run; None if it is."""
        is_judge = isinstance(evaluator, LlmJudge | CodeJudge) and evaluator.type not in self.unrun_types
        if not is_judge and evaluator.type not in self.offline_types:
            return f"Evaluators of the type {evaluator.type} are not run by this grader."
        if evaluator.transform is not None:
            return "It has a `transform` of the answer, which this grader does not apply."
        return None

    def own_prompt(self, text: str, _evaluator: LlmJudge, _case: EvalCase, /) -> OwnPrompt:
        """Return an evaluator's own prompt for its judge from its text."""
        return OwnPrompt(text, self.variables)

    def marks_of(self, _evaluator: LlmJudge, marks: VerdictMarks, /) -> VerdictMarks:
        """Return the lowest passing scores of a judgement; `marks` are the defaults of the dialect."""
        return marks

    def judged(self, _evaluator: LlmJudge, result: EvaluatorResult, /) -> EvaluatorResult:
        """Return the result of an evaluator that asked a judge."""
        return result

    async def check(self, evaluator: OtherEvaluator, _case: EvalCase, _answer: Answer, /) -> EvaluatorResult:
        """Return the result of an evaluator that needs no judge."""
        return ungraded(evaluator)

    def case_score(
        self,
        _written: Sequence[Evaluator],
        results: Sequence[EvaluatorResult],
        threshold: Decimal | None,
        marks: VerdictMarks,
        /,
    ) -> CaseScore:
        """Return score and verdict of a case of which some evaluators were run. Raises ValueError without weights."""
        scores = [_part(result, result.score) for result in results if result.score is not None]
        return CaseScore(*combine(scores, marks if threshold is None else marks._replace(passing=exact(threshold))))


DEFAULT_GRADER = DefaultGrader()


def grader_of(case: EvalCase) -> DefaultGrader:
    """Return the grader of the dialect that a case is written in."""
    return GRADER.of(BY_NAME[case.dialect])


def verdict_marks(case: EvalCase) -> VerdictMarks:
    """Return the marks of verdicts in the dialect of a case."""
    return BY_NAME[case.dialect].table.marks


def unless_same(upstream: tuple[float, Verdict] | None, score: Fraction, verdict: Verdict) -> Upstream | None:
    """Return the score and verdict of another tool if they differ from these, else None."""
    if upstream is None or (upstream[1] is verdict and abs(upstream[0] - float(score)) <= _ROUNDING):
        return None
    return Upstream(Decimal(repr(upstream[0])), upstream[1])


def _has(case: EvalCase, key: str) -> bool:
    """Return whether a case has a value under a key or a path with a dot."""
    owner, _, inner = key.partition(".")
    value = case.other_fields.get(owner)
    return bool(value.get(inner) if inner and isinstance(value, dict) else None if inner else value)


def _part(result: EvaluatorResult, score: Fraction) -> EvaluatorScore:
    minimum = None if result.minimum is None else exact(result.minimum)
    holds = all(gate.gate != "failed" for gate in result.gates)
    return EvaluatorScore(result.name, result.weight, score, holds, minimum)

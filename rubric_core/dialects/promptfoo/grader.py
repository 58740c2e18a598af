"""How configurations of promptfoo are graded, and what promptfoo itself computes from the same checks.

promptfoo counts in binary floats, and a rubric without a threshold passes where the judge gives a score alone. Its
result is computed for a test in which everything was run; the result of an assertion that was not run is unknown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from rubric_core.dialects.promptfoo.assertions import NOT
from rubric_core.dialects.promptfoo.checks import ASSERTIONS, WAITING, run_assertion
from rubric_core.dialects.promptfoo.types import ASSERTION_TYPES
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.checks import number_in
from rubric_core.grading.evaluators.sets import AllMembersRule, negated, own_threshold
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.grader import CaseScore, DefaultGrader, unless_same
from rubric_core.grading.prompts.parts import PLACEHOLDER, OwnPrompt, plain_texts, prompt_text
from rubric_core.grading.results import EvaluatorResult
from rubric_core.model.evaluators import CompositeEvaluator, Evaluator, LlmJudge, OtherEvaluator
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scales import PASS_MARK_DECIMAL, VerdictMarks
from rubric_core.scoring.exact import exact
from rubric_core.scoring.grades import Verdict, verdict_of

_JUDGE_PROMPT = "rubricPrompt"
_LLM_RUBRIC = "llm-rubric"
_RUBRIC_THRESHOLDS: Mapping[str, Decimal] = {_LLM_RUBRIC: PASS_MARK_DECIMAL, "g-eval": Decimal("0.7")}
"""The types whose text a judge scores from 0 to 1, each with the score from which it passes without a `threshold`."""
_UNRUN = ("agent-rubric", "search-rubric", "model-graded-closedqa")
_TRANSFORMED = "is done to the output before it is judged, which this grader does not do"
_UNGRADED_KEYS: Mapping[str, str] = {
    "assertScoringFunction": "A function puts the scores together (`assertScoringFunction`), which is not run.",
    "options.transform": f"`options.transform` {_TRANSFORMED}.",
    "options.postprocess": f"`options.postprocess` {_TRANSFORMED}.",
    "options.transformVars": "`options.transformVars` changes the variables, which this grader does not do.",
}


class AssertSetRule(AllMembersRule):
    """The score is 0 if the weights sum to 0, and sets cannot be nested."""

    def problem(self, evaluator: CompositeEvaluator, /) -> str | None:
        """Return an error if the set contains a set."""
        if any(isinstance(member, CompositeEvaluator) for member in evaluator.evaluators):
            return "A set cannot contain another set; move its assertions out of it."
        return None

    def mean(self, members: Sequence[EvaluatorResult], /) -> Fraction:
        """Return the weighted mean of the results that were run."""
        has_weights = any(member.weight for member in members if member.score is not None)
        return super().mean(members) if has_weights else Fraction(0)


_RULE = AssertSetRule()


@dataclass(frozen=True, eq=False)
class PromptfooGrader(DefaultGrader):
    """Grades tests of promptfoo: a test passes by its threshold, or else if no assertion with a weight fails."""

    def reasons_not_gradable(self, case: EvalCase, /) -> list[str]:
        """Return why a case without errors cannot be graded."""
        reasons = super().reasons_not_gradable(case)
        if not case.evaluators and case.scorecard is None:
            reasons.append("Nothing judges this test, and promptfoo passes it whatever the output is; add assertions.")
        return reasons

    def evaluators_of(self, case: EvalCase, /) -> tuple[Evaluator, ...]:
        """Return the evaluators that a case names."""
        return case.evaluators

    def reason_not_run(self, evaluator: Evaluator, /) -> str | None:
        """Return why an assertion that is not a set is not run; None if it is."""
        reason = super().reason_not_run(evaluator)
        if reason is not None or isinstance(evaluator, CompositeEvaluator):
            return reason
        if not isinstance(evaluator.config.get(_JUDGE_PROMPT), str | None):
            return f"Its `{_JUDGE_PROMPT}` is not a text, which this grader does not apply."
        if isinstance(evaluator, LlmJudge) and evaluator.prompt is None and _type(evaluator) in _RUBRIC_THRESHOLDS:
            return "Its `value` is not a text, so that this grader has no rubric to judge by."
        return None

    def own_prompt(self, text: str, evaluator: LlmJudge, case: EvalCase, /) -> OwnPrompt:
        """Return the prompt of the judge with the rubric in its place.

        Without such a prompt the rubric is not a template: its variables are rendered already.
        """
        around = _prompt_around(evaluator, case)
        if around is None:
            return OwnPrompt(text)
        values = {**plain_texts(case.call[1]["vars"] if case.call else {}), "rubric": text}
        return OwnPrompt(around, self.variables, values=values)

    def marks_of(self, evaluator: LlmJudge, marks: VerdictMarks, /) -> VerdictMarks:
        """Return the lowest passing score of a rubric: its own threshold, or that of its type."""
        default = _RUBRIC_THRESHOLDS.get(_type(evaluator))
        if default is None:
            return marks
        own = number_in(evaluator.config, "threshold")
        return VerdictMarks(exact(default if own is None else own))

    def judged(self, evaluator: LlmJudge, result: EvaluatorResult, /) -> EvaluatorResult:
        """Return the result of a rubric, negated if its type begins with `not-`."""
        is_negated = evaluator.type.startswith(NOT) and result.score is not None
        return _unless_weightless(negated(result) if is_negated else result)

    async def check(self, evaluator: OtherEvaluator, case: EvalCase, answer: Answer, /) -> EvaluatorResult:
        """Return the result of an assertion that needs no judge."""
        return _unless_weightless(await run_assertion(evaluator, case, answer))

    def case_score(
        self,
        written: Sequence[Evaluator],
        results: Sequence[EvaluatorResult],
        threshold: Decimal | None,
        _marks: VerdictMarks,
        /,
    ) -> CaseScore:
        """Return score and verdict of a test, beside those of promptfoo if they differ."""
        score = _RULE.mean(results)
        if threshold is not None:
            verdict = verdict_of(score, gates_hold=True, marks=VerdictMarks(exact(threshold)))
        else:
            has_failed = any(result.verdict is Verdict.FAIL for result in results)
            verdict = Verdict.FAIL if has_failed else Verdict.PASS
        return CaseScore(score, verdict, unless_same(_upstream(written, results, threshold), score, verdict))


def _type(evaluator: LlmJudge) -> str:
    """Return the type of a rubric without `not-`."""
    return evaluator.type.removeprefix(NOT)


def _prompt_around(evaluator: LlmJudge, case: EvalCase) -> str | None:
    """Return the prompt of the judge into which a rubric is inserted: the assertion's, or that of the test's options.

    Raises CannotGrade if it is more than a text with names.
    """
    options = case.other_fields.get("options")
    written = evaluator.config.get(_JUDGE_PROMPT) or (options.get(_JUDGE_PROMPT) if isinstance(options, dict) else None)
    if not written:
        return None
    if not isinstance(written, str):
        raise CannotGrade(f"The `{_JUDGE_PROMPT}` is not a text, which this grader does not apply.")
    text = prompt_text(written, case)
    if "{%" in text or "{{" in PLACEHOLDER.sub("", text):
        raise CannotGrade(
            f"The `{_JUDGE_PROMPT}` has more than names between braces, which this grader does not fill in."
        )
    return text


def _unless_weightless(result: EvaluatorResult) -> EvaluatorResult:
    """Return a result that passes if its weight is 0, since a failure would fail the test."""
    return result if result.weight or result.verdict is None else replace(result, verdict=Verdict.PASS)


def _upstream(
    written: Sequence[Evaluator], results: Sequence[EvaluatorResult], threshold: Decimal | None
) -> tuple[float, Verdict] | None:
    """Return the score and verdict of promptfoo for assertions and their results; None if one was not run."""
    if any(part.score is None for result in results for part in (result, *result.parts)):
        return None
    total = sum_of_weights = 0.0
    has_failed = False
    for evaluator, result in zip(written, results, strict=True):
        score, passes = _assertion(evaluator, result)
        total += score * float(result.weight)
        sum_of_weights += float(result.weight)
        has_failed = has_failed or not passes
    score = total / sum_of_weights if sum_of_weights > 0 else 0.0
    passes = not has_failed if threshold is None else score >= float(threshold)
    return score, Verdict.PASS if passes else Verdict.FAIL


def _assertion(evaluator: Evaluator, result: EvaluatorResult) -> tuple[float, bool]:
    """Return the score of an assertion in promptfoo's arithmetic, and whether it passes."""
    if isinstance(evaluator, CompositeEvaluator):
        joined = _upstream(evaluator.evaluators, result.members, own_threshold(evaluator))
        return (0.0, False) if joined is None else (joined[0], joined[1] is Verdict.PASS)
    ours = result.score or Fraction(0)
    score = 1 - float(1 - ours) if result.negated else float(ours)
    is_llm_rubric = isinstance(evaluator, LlmJudge) and _type(evaluator) == _LLM_RUBRIC
    if is_llm_rubric and result.weight:
        own = evaluator.config.get("threshold")
        passes = own is None or float(1 - ours if result.negated else ours) >= float(str(own))
        return score, passes is not result.negated
    return score, result.verdict is Verdict.PASS


def _with_negated(types: frozenset[str]) -> frozenset[str]:
    """Return types of promptfoo with the `not-` forms that have an effect."""
    return types | {f"{NOT}{kind.name}" for kind in ASSERTION_TYPES if kind.name in types and kind.is_negatable}


GRADER = PromptfooGrader(
    default_threshold=None,
    sets={"assert-set": _RULE},
    offline_types=_with_negated(frozenset({*ASSERTIONS, *WAITING})),
    unrun_types=frozenset(f"{negation}{kind}" for negation in ("", NOT) for kind in _UNRUN),
    ungraded_keys=_UNGRADED_KEYS,
    variables={"output": "candidate_answer"},
    payload={},
)

"""What judges are asked about an answer: which cases can be graded, who evaluates them, which criteria count.

Grading asks these questions; the plan, the preview and the fingerprint know them before anything is spent.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rubric_core.grading.judges.judge import Question
from rubric_core.grading.options import Options
from rubric_core.grading.prompts.llm_judge import free_form_question, rubric_question
from rubric_core.grading.prompts.scorecard import scorecard_question
from rubric_core.model.criteria import Criterion
from rubric_core.model.evaluators import CodeJudge, Evaluator, LlmJudge, PromptScript
from rubric_core.model.scorecards import Scorecard
from rubric_core.model.suite import EvalCase
from rubric_core.rules.placeholder_text import RULE as PLACEHOLDER_TEXT
from rubric_core.rules.problem import Problem, Severity

DEFAULT_EVALUATOR = LlmJudge(name="llm_judge")
"""Judges a case that names no evaluator: one score for the answer as a whole."""

_MOST_REASONS = 10
"""How many problems of one case are told."""


@dataclass(frozen=True, slots=True)
class EvaluatorQuestions:
    """The questions of one evaluator for one sample; the evaluator is None for the scorecard."""

    evaluator: LlmJudge | None
    questions: tuple[Question, ...]


def reason_not_gradable(case: EvalCase) -> str | None:
    """Return why a case cannot be graded as it is written: each problem with its place, on a line of its own.

    The words are right on the command line and in an editor, which shows the same result.
    """
    # A case that was made in Python stands in no file.
    places = case.places or [""] * len(case.problems)
    placed = zip(case.problems, places, strict=True)
    errors = [(f"{each.message} ({each.code})", place) for each, place in placed if prevents_grading(each)]
    found = errors or [(each.reason, each.place) for each in case.left_out]
    reasons = [f"{place}: {reason}" if place else reason for reason, place in found]
    more = len(reasons) - _MOST_REASONS
    if more > 0:
        reasons[_MOST_REASONS:] = [f"{more:,} more; a check of the file shows all of them."]
    return "\n".join(reasons) or None


def prevents_grading(problem: Problem) -> bool:
    """Return whether a case with this problem is not graded: an error, or a placeholder."""
    return problem.severity is Severity.ERROR or problem.code == PLACEHOLDER_TEXT.code


def evaluators_of(case: EvalCase) -> tuple[Evaluator, ...]:
    """Return the evaluators of a case: those that it names, or one judgement of the whole answer."""
    if case.evaluators or case.scorecard is not None:
        return case.evaluators
    return (DEFAULT_EVALUATOR,)


def scorecard_of(case: EvalCase, options: Options) -> Scorecard | None:
    """Return the scorecard that is graded: none where only some criteria are."""
    return case.scorecard if options.criteria is None else None


def reason_not_run(evaluator: Evaluator, options: Options) -> str | None:
    """Return why an evaluator is not run; None where it is."""
    if options.criteria is not None and not (isinstance(evaluator, LlmJudge) and chosen_criteria(evaluator, options)):
        return "None of its criteria was asked for."
    if not isinstance(evaluator, LlmJudge | CodeJudge):
        return f"Evaluators of the type {evaluator.type} are not run by this grader."
    return None


def chosen_criteria(evaluator: LlmJudge, options: Options) -> tuple[Criterion, ...]:
    """Return the criteria of an evaluator that are judged."""
    if options.evaluator not in (None, evaluator.name):
        return ()
    return tuple(each for each in evaluator.criteria if options.criteria is None or each.id in options.criteria)


def criterion_ids(case: EvalCase) -> frozenset[str]:
    """Return the ids of the criteria of all evaluators of a case."""
    judges = (each for each in case.evaluators if isinstance(each, LlmJudge))
    return frozenset(criterion.id for judge in judges for criterion in judge.criteria)


def evaluator_questions(
    evaluator: LlmJudge, case: EvalCase, answer: str, options: Options, printed: str | None = None
) -> list[Question]:
    """Return what an evaluator asks in each sample: one question, or one for each criterion.

    `printed` is what the evaluator's own command printed as its prompt.
    """
    if not evaluator.criteria:
        return [free_form_question(case, evaluator, answer, prompt_text=printed)]
    criteria = chosen_criteria(evaluator, options)
    groups = [(each,) for each in criteria] if options.per_criterion else [criteria]
    return [rubric_question(case, evaluator, group, answer, prompt_text=printed) for group in groups]


def questions(case: EvalCase, answer: str, options: Options) -> Iterator[EvaluatorQuestions]:
    """Yield what judges will be asked about an answer, evaluator by evaluator, for the first sample.

    All samples have the same prompts. A prompt that a command prints is not known before it runs, so its evaluator's
    questions have the usual prompt. Raises CannotGrade where a file that the case names cannot be read.
    """
    for evaluator in evaluators_of(case):
        if isinstance(evaluator, LlmJudge) and reason_not_run(evaluator, options) is None:
            has_script = isinstance(evaluator.prompt, PromptScript)
            known = evaluator.model_copy(update={"prompt": None}) if has_script else evaluator
            yield EvaluatorQuestions(evaluator, tuple(evaluator_questions(known, case, answer, options)))
    scorecard = scorecard_of(case, options)
    if scorecard is not None:
        yield EvaluatorQuestions(None, (scorecard_question(case, scorecard, answer),))

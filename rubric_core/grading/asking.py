"""What grading a case will ask, known before anything is spent: for the plan, the preview and the fingerprint."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rubric_core.grading.evaluators import free_form, rubrics, scorecard
from rubric_core.grading.grade import evaluators_of, not_run
from rubric_core.model.evaluators import LlmJudge, PromptScript

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.grading.judges.judge import Question
    from rubric_core.grading.options import Options
    from rubric_core.model.suite import EvalCase


@dataclass(frozen=True, slots=True)
class Asking:
    """The questions of one evaluator for one sample; None stands for the scorecard."""

    evaluator: LlmJudge | None
    questions: tuple[Question, ...]


def askings(case: EvalCase, answer: str, options: Options) -> Iterator[Asking]:
    """Give what judges will be asked about an answer, evaluator by evaluator, for the first sample.

    All samples have the same prompts, so that nobody needs the others to count them. A prompt that a command prints is
    not known before it runs, so its evaluator's questions have the usual prompt.
    Raises CannotGrade where a file that the case names cannot be read.
    """
    options = replace(options, samples=1)
    for evaluator in evaluators_of(case):
        if not isinstance(evaluator, LlmJudge) or not_run(evaluator, options) is not None:
            continue
        known = evaluator
        if isinstance(evaluator.prompt, PromptScript):
            known = evaluator.model_copy(update={"prompt": None})
        if evaluator.criteria:
            asked = [each for sample in rubrics.questions(known, case, answer, options) for each in sample]
        else:
            asked = free_form.questions(known, case, answer, options)
        yield Asking(evaluator, tuple(asked))
    if case.scorecard is not None and options.criteria is None:
        yield Asking(None, tuple(scorecard.questions(case.scorecard, case, answer, options)))

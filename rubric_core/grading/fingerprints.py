"""What a result depends on, as one name: equal fingerprints mean that grading again would ask the same."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from rubric_core.grading.asking import askings
from rubric_core.grading.failures import GradingFailed

if TYPE_CHECKING:
    from rubric_core.grading.grade import JudgeOf
    from rubric_core.grading.options import Options
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase


def fingerprint(case: EvalCase, answer: str, judge_of: JudgeOf, options: Options) -> str:
    """Name a grading by its case, its answer or the target that will give one, its judges and the choices made.

    The prompts are part of it, and through them the files that the case names. `answer` is any text that decides the
    answer. A case that cannot be asked about gets the empty name, which equals no other.
    """
    try:
        asked = [
            [each.evaluator.name if each.evaluator else None, _judge(case, each.evaluator, judge_of)]
            + [question.prompt.hash for question in each.questions]
            for each in askings(case, "", options)
        ]
    except GradingFailed:
        return ""
    wanted = sorted(options.criteria) if options.criteria is not None else None
    parts = [case.model_dump(), answer, asked, options.samples, options.per_criterion, wanted]
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _judge(case: EvalCase, evaluator: LlmJudge | None, judge_of: JudgeOf) -> list[str | None]:
    judge = judge_of(case, evaluator)
    return [judge.identity.name, judge.identity.kind, judge.identity.model, judge.memory_key]

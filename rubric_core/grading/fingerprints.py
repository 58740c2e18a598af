"""What a result depends on, as one name: equal fingerprints mean that grading again would ask the same."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.asking import Asking
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.options import Options
    from rubric_core.model.suite import EvalCase


def fingerprint(case: EvalCase, answer_key: str, asked: Sequence[tuple[Asking, Judge]], options: Options) -> str:
    """Name a grading by its case, by what decides its answer, by what is asked of whom, and by the choices made.

    The prompts are part of it, and through them the files that the case names; the case's own file is too, because
    what a code judge runs starts from there. What a recording judges gets no name: it is replayed at no cost, and it
    may have been recorded anew under the same name.
    """
    if any(judge.is_recorded for _, judge in asked):
        return ""
    questions = [
        [
            asking.evaluator.name if asking.evaluator else None,
            [judge.identity.name, judge.identity.kind, judge.identity.model, judge.memory_key],
            [question.prompt.hash for question in asking.questions],
        ]
        for asking, judge in asked
    ]
    wanted = sorted(options.criteria) if options.criteria is not None else None
    place = os.path.abspath(case.source) if case.source else ""  # noqa: PTH100 - links are kept as they are.
    parts = [place, case.model_dump(), answer_key, questions, options.samples, options.per_criterion, wanted]
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()

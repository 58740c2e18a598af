"""What a result depends on, as one name: equal fingerprints mean that grading again would ask the same."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING

from rubric_core.files.look import workspace_root
from rubric_core.grading.evaluators.code_judge import payload_of
from rubric_core.grading.evaluators.prompt_script import as_code_judge
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.script_inputs import known_script
from rubric_core.grading.workspace import config_of, folder_of
from rubric_core.model.evaluators import CodeJudge, LlmJudge, PromptScript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.asking import Asking
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.options import Options
    from rubric_core.model.suite import EvalCase


def fingerprint(case: EvalCase, answer_key: str, asked: Sequence[tuple[Asking, Judge]], options: Options) -> str:
    """Name a grading by its case, by what decides its answer, by what is asked of whom, and by the choices made.

    The prompts are part of it, and through them the files that the case names; so are the scripts of code judges, and
    what they read. The case's own file is too, because what a code judge runs starts from there.

    A grading gets no name, which is an empty one, where a recording judges: it is replayed at no cost, and it may have
    been recorded anew under the same name. It gets none either where not all inputs of a script are known.
    """
    scripts = scripts_of(case)
    if scripts is None or any(judge.is_recorded for _, judge in asked):
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
    choices = [options.samples, options.per_criterion, wanted, *([options.evaluator] if options.evaluator else [])]
    parts = [place, case.model_dump(), answer_key, questions, scripts, choices]
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def scripts_of(case: EvalCase) -> list[str] | None:
    """Return a hash for each command of a case, of the script and what it reads; None where that is not known."""
    hashes: list[str] = []
    config = config_of(case)
    root = workspace_root(folder_of(case.source), config)
    for evaluator in case.evaluators:
        if isinstance(evaluator, CodeJudge):
            command, folder = evaluator, folder_of(case.source) / (evaluator.cwd or "")
        elif isinstance(evaluator, LlmJudge) and isinstance(evaluator.prompt, PromptScript):
            command, folder = as_code_judge(evaluator.name, evaluator.prompt), folder_of(case.source)
        else:
            continue
        script = known_script(command.script, folder, root)
        if script is None:
            return None
        try:
            payload = json.dumps(payload_of(command, case, "", config), default=str)
        except CannotGrade:
            return None
        hashes.append(sha256(script + payload.encode()).hexdigest())
    return hashes

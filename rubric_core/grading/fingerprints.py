"""What a result depends on, as one name: equal fingerprints mean that grading again would ask the same."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from rubric_core.grading.workspace import folder_of
from rubric_core.model.evaluators import CodeJudge, LlmJudge, PromptScript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rubric_core.grading.asking import Asking
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.options import Options
    from rubric_core.model.evaluators import Command
    from rubric_core.model.suite import EvalCase


def fingerprint(case: EvalCase, answer_key: str, asked: Sequence[tuple[Asking, Judge]], options: Options) -> str:
    """Name a grading by its case, by what decides its answer, by what is asked of whom, and by the choices made.

    The prompts are part of it, and through them the files that the case names; so are the scripts of code judges. The
    case's own file is too, because what a code judge runs starts from there. What a recording judges gets no name: it
    is replayed at no cost, and it may have been recorded anew under the same name.
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
    choices = [options.samples, options.per_criterion, wanted, *([options.evaluator] if options.evaluator else [])]
    parts = [place, case.model_dump(), answer_key, questions, scripts_of(case), choices]
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def scripts_of(case: EvalCase) -> list[str]:
    """Return the hashes of the files that the commands of a case name, so that a changed script is another grading."""
    hashes: list[str] = []
    for evaluator in case.evaluators:
        if isinstance(evaluator, CodeJudge):
            hashes += _files_in(evaluator.script, folder_of(case.source) / (evaluator.cwd or ""))
        elif isinstance(evaluator, LlmJudge) and isinstance(evaluator.prompt, PromptScript):
            hashes += _files_in(evaluator.prompt.script, folder_of(case.source))
    return hashes


def _files_in(command: Command, folder: Path) -> Iterator[str]:
    """Give the hash of each file among the words of a command; most of them are none."""
    for word in command.split() if isinstance(command, str) else command:
        with suppress(OSError, ValueError):
            yield sha256((folder / word).read_bytes()).hexdigest()

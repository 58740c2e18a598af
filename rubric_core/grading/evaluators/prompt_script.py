"""A prompt that a command prints: it reads what a code judge reads."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from rubric_core.grading.evaluators.code_judge import payload_of
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.processes import CommandFailed, run_command, split_command
from rubric_core.grading.targets.environment import environment_for
from rubric_core.grading.workspace import config_of, refuse_outside, working_folder
from rubric_core.model.evaluators import CodeJudge, PromptScript

if TYPE_CHECKING:
    from rubric_core.grading.options import Options
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase


async def printed_prompt(evaluator: LlmJudge, case: EvalCase, answer: str, options: Options) -> str | None:
    """Return what the evaluator's own command prints as its prompt; None where it has no command.

    Raises CannotGrade where the command does not end well, or prints nothing.
    """
    if not isinstance(evaluator.prompt, PromptScript):
        return None
    command = as_code_judge(evaluator.name, evaluator.prompt)
    config = config_of(case)
    folder = working_folder(None, case.source, config)
    try:
        arguments = split_command(command.script)
        refuse_outside(arguments, folder, case.source, config)
        finished = await run_command(
            arguments,
            folder=folder,
            time_limit=options.time_limit,
            stdin=json.dumps(payload_of(command, case, answer, config)),
            environment=environment_for(case.source, config, os.environ),
        )
    except CommandFailed as failure:
        raise CannotGrade(f"The prompt of the evaluator {evaluator.name} could not be made. {failure}") from None
    if finished.status != 0:
        raise CannotGrade(
            f"The command that prints the prompt of the evaluator {evaluator.name} {finished.ending}: "
            f"{finished.last_words}"
        )
    if not finished.output.strip():
        raise CannotGrade(f"The command that prints the prompt of the evaluator {evaluator.name} printed nothing.")
    return finished.output


def as_code_judge(name: str, prompt: PromptScript) -> CodeJudge:
    """Return a script that prints a prompt as a code judge: both are run with the same payload."""
    return CodeJudge(name=name, script=prompt.script, config=prompt.config)

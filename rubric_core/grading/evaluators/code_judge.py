"""`code_judge`: a command judges the answer.

The command gets the case and the answer as JSON on standard input; the answer is also in a file, which the variable
RUBRIC_ANSWER_FILE names and `{{ answer_file }}` in the script stands for. `code_judge_output.py` reads what it says.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from rubric_core.grading.evaluators.code_judge_output import NoResult, result_of, without_score
from rubric_core.grading.failures import GradingFailed
from rubric_core.grading.messages import conversation_of, files_of, text_of_message
from rubric_core.grading.processes import CommandFailed, run_command, split_command, temporary_file
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.targets.environment import environment_for
from rubric_core.grading.workspace import config_of, refuse_outside, working_folder
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.config.config import Config
    from rubric_core.grading.results import EvaluatorResult
    from rubric_core.model.evaluators import CodeJudge, Command
    from rubric_core.model.messages import Message
    from rubric_core.model.suite import EvalCase

ANSWER_FILE_VARIABLE = "RUBRIC_ANSWER_FILE"
_ANSWER_FILE = lazily(r"\{\{[ \t]*answer_file[ \t]*\}\}")
_PLACE = "{{answer_file}}"


async def run_code_judge(  # noqa: PLR0913 - a case and its answer, and what a command is run with.
    evaluator: CodeJudge,
    case: EvalCase,
    answer: str,
    *,
    time_limit: float,
    environment: Mapping[str, str] | None = None,
    config: Config | None = None,
    redactor: Redactor = NO_SECRETS,
) -> EvaluatorResult:
    """Let a command judge an answer. Whatever goes wrong makes the result an error; only being cancelled is raised.

    `environment` is what the command finds there; by default it is our own, with the variables of `.env` files. Without
    `config` the one that the case was loaded with counts. The texts of the result hold none of the redactor's
    secrets.
    """
    try:
        known = config_of(case) if config is None else config
        arguments = command_words(evaluator.script)
        folder = working_folder(evaluator.cwd, case.source, known)
        refuse_outside(arguments, folder, case.source, known)
        payload = _payload_text(evaluator, case, answer, known)
        with temporary_file("answer.txt", answer) as path:
            found = environment_for(case.source, known, os.environ) if environment is None else environment
            variables = {**found, ANSWER_FILE_VARIABLE: str(path)}
            command = [_ANSWER_FILE.sub(lambda _: str(path), word) for word in arguments]
            finished = await run_command(
                command, folder=folder, time_limit=time_limit, stdin=payload, environment=variables
            )
        return result_of(evaluator, finished, redactor)
    except (GradingFailed, CommandFailed, NoResult) as failure:
        return without_score(evaluator, redactor.redact(str(failure)))


def command_words(script: Command) -> tuple[str, ...]:
    """Return the words of a script, in which `{{ answer_file }}` is one word, or a part of one. Raises CannotStart."""
    return split_command(_ANSWER_FILE.sub(_PLACE, script) if isinstance(script, str) else script)


def _payload_text(evaluator: CodeJudge, case: EvalCase, answer: str, config: Config) -> str:
    if evaluator.target:
        raise NoResult(
            "The command wants to call a target, which this grader does not offer to commands; remove `target`, and "
            "let the command call the model itself."
        )
    try:
        return json.dumps(payload_of(evaluator, case, answer, config), allow_nan=False)
    except ValueError:
        raise NoResult("The case holds a number that JSON does not know: infinite, or not a number.") from None


def payload_of(evaluator: CodeJudge, case: EvalCase, answer: str, config: Config) -> dict[str, Any]:
    """Return what the command reads on standard input: all names that AgentV has, null for what we do not know.

    Raises CannotGrade where a file that the case names cannot be read.
    """
    source = case.source
    turns = conversation_of(case.input_messages, source, config)
    return {
        "question": case.question or "\n\n".join(turn.text for turn in turns),
        "expected_outcome": case.expected_outcome,
        "expected_messages": [_plain(message) for message in case.expected_messages],
        "reference_answer": _reference(case, config),
        "candidate_answer": answer,
        "output_messages": None,
        "guideline_files": [],
        "input_files": list(files_of(case.input_messages, source, config)),
        "input_messages": [_plain(message) for message in case.input_messages],
        "trace_summary": None,
        "config": evaluator.config or None,
    }


def _plain(message: Message) -> dict[str, Any]:
    return message.model_dump(mode="json", exclude_defaults=True)


def _reference(case: EvalCase, config: Config) -> Any:
    """Return the answer that the case holds up as an example: its own words for it, or the last expected message."""
    if case.reference_answer is not None or not case.expected_messages:
        return case.reference_answer
    return text_of_message(case.expected_messages[-1], case.source, config)

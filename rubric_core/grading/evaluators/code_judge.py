"""`code_judge`: a command judges the answer.

The command gets the case and the answer as JSON on standard input; the answer is also in a file, which the variable
RUBRIC_ANSWER_FILE and `{{ answer_file }}` in the script name. `code_judge_output.py` reads its output. The
command that prints the prompt of an `llm_judge` is run here too.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.code_judge_output import result_of, without_score
from rubric_core.grading.failures import CannotGrade, GradingFailed, JudgeFailed
from rubric_core.grading.grader import grader_of, verdict_marks
from rubric_core.grading.processes import CommandFailed, Finished, run_command, split_command, temporary_file
from rubric_core.grading.prompts.parts import conversation_of, files_of, text_of_message
from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.workspace import config_of, environment_for, refuse_outside, working_folder
from rubric_core.model.evaluators import CodeJudge, Command, PromptScript
from rubric_core.model.suite import EvalCase, Message
from rubric_core.text.patterns import lazily

ANSWER_FILE_VARIABLE = "RUBRIC_ANSWER_FILE"
_ANSWER_FILE = lazily(r"\{\{[ \t]*answer_file[ \t]*\}\}")
_PLACE = "{{answer_file}}"


async def run_code_judge(
    evaluator: CodeJudge, case: EvalCase, answer: Answer, *, time_limit: float, redactor: Redactor = NO_SECRETS
) -> EvaluatorResult:
    """Let a command judge an answer. A failure is an error in the result, without secrets; only cancelling raises."""
    try:
        payload = _payload_text(evaluator, case, answer)
        with temporary_file("answer.txt", answer.text) as path:
            words = [_ANSWER_FILE.sub(lambda _: str(path), word) for word in command_words(evaluator.script)]
            variables = {ANSWER_FILE_VARIABLE: str(path)}
            finished = await _run(words, case, payload, time_limit, cwd=evaluator.cwd, variables=variables)
        return result_of(evaluator, finished, verdict_marks(case), grader_of(case).reply, redactor)
    except (GradingFailed, CommandFailed) as failure:
        return without_score(evaluator, redactor.redact(str(failure)))


async def printed_prompt(name: str, prompt: PromptScript, case: EvalCase, answer: Answer, time_limit: float) -> str:
    """Return the prompt that an evaluator's command prints. Raises CannotGrade if it fails or prints nothing."""
    payload = json.dumps(payload_of(as_code_judge(name, prompt), case, answer), default=_json_number)
    try:
        finished = await _run(split_command(prompt.script), case, payload, time_limit)
    except CommandFailed as failure:
        raise CannotGrade(f"The prompt of the evaluator {name} could not be made. {failure}") from None
    prints = f"The command that prints the prompt of the evaluator {name}"
    if finished.status != 0:
        raise CannotGrade(f"{prints} {finished.ending}: {finished.last_words}")
    if not finished.output.strip():
        raise CannotGrade(f"{prints} printed nothing.")
    return finished.output


async def _run(  # noqa: PLR0913 - everything that a command is run with.
    words: Sequence[str],
    case: EvalCase,
    payload: str,
    time_limit: float,
    *,
    cwd: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command of a case. Raises CannotGrade if its folder or a path of it is not allowed, or CommandFailed."""
    config = config_of(case)
    folder = working_folder(cwd, case.source, config)
    refuse_outside(words, folder, case.source, config)
    environment = {**environment_for(case.source, config, os.environ), **(variables or {})}
    return await run_command(words, folder=folder, time_limit=time_limit, stdin=payload, environment=environment)


def as_code_judge(name: str, prompt: PromptScript) -> CodeJudge:
    """Return a script that prints a prompt as a code judge: both are run with the same payload."""
    return CodeJudge(name=name, script=prompt.script, config=prompt.config)


def command_words(script: Command) -> tuple[str, ...]:
    """Return the words of a script, in which `{{ answer_file }}` is one word, or a part of one. Raises CannotStart."""
    return split_command(_ANSWER_FILE.sub(_PLACE, script) if isinstance(script, str) else script)


def _payload_text(evaluator: CodeJudge, case: EvalCase, answer: Answer) -> str:
    if evaluator.target:
        key = "provider" if "provider" in BY_NAME[case.dialect].evaluator(evaluator.type).by_key else "target"
        raise JudgeFailed(
            f"The command wants to call a {key}, which this grader does not offer to commands; remove `{key}`, and "
            "let the command call the model itself."
        )
    try:
        return json.dumps(payload_of(evaluator, case, answer), allow_nan=False, default=_json_number)
    except ValueError:
        raise JudgeFailed("The case has a number that JSON cannot represent: infinity or NaN.") from None


def payload_of(evaluator: CodeJudge, case: EvalCase, answer: Answer) -> dict[str, Any]:
    """Return the input of the command: all names of the dialect, null if unknown. Raises CannotGrade."""
    return {name: _VALUES[value](evaluator, case, answer) for name, value in grader_of(case).payload.items()}


def _question(case: EvalCase) -> str:
    turns = conversation_of(case.input_messages, case)
    return case.question or "\n\n".join(turn.text for turn in turns)


_VALUES: dict[str, Callable[[CodeJudge, EvalCase, Answer], Any]] = {
    "question": lambda _evaluator, case, _answer: _question(case),
    "expected_outcome": lambda _evaluator, case, _answer: case.expected_outcome,
    "expected_messages": lambda _evaluator, case, _answer: [_plain(message) for message in case.expected_messages],
    "reference_answer": lambda _evaluator, case, _answer: _reference(case),
    "candidate_answer": lambda _evaluator, _case, answer: answer.text,
    "output_messages": lambda *_: None,
    "answer_messages": lambda _evaluator, _case, answer: [{"role": "assistant", "content": answer.text}],
    "guideline_files": lambda *_: [],
    "input_files": lambda _evaluator, case, _answer: list(files_of(case.input_messages, case)),
    "input_messages": lambda _evaluator, case, _answer: [_plain(message) for message in case.input_messages],
    "metadata": lambda _evaluator, case, _answer: case.metadata,
    "trace": lambda _evaluator, _case, answer: answer.facts.trace,
    "trace_summary": lambda _evaluator, _case, answer: answer.facts.trace,
    "token_usage": lambda _evaluator, _case, answer: answer.facts.token_usage,
    "cost_usd": lambda _evaluator, _case, answer: answer.facts.cost_usd,
    "duration_ms": lambda _evaluator, _case, answer: answer.facts.duration_ms,
    "config": lambda evaluator, _case, _answer: evaluator.config or None,
    "unknown": lambda *_: None,
}
"""The values that a payload may have, by the names that graders have for them."""


def _json_number(value: object) -> int | float:
    """Return a decimal as a number of JSON, which a command reads as a binary float anyway."""
    if not isinstance(value, Decimal):
        raise TypeError(f"{value!r} is no number.")
    return int(value) if value == value.to_integral_value() else float(value)


def _plain(message: Message) -> dict[str, Any]:
    return message.model_dump(mode="json", exclude_defaults=True)


def _reference(case: EvalCase) -> Any:
    """Return the reference answer of the case: its own text, or the last expected message."""
    if case.reference_answer is not None or not case.expected_messages:
        return case.reference_answer
    return text_of_message(case.expected_messages[-1], case)

"""`rubric prompt`: show the prompts of judges without sending them."""

import json
from pathlib import Path
from typing import Any

import click

from rubric_core.cli import options
from rubric_core.cli.inputs import ConfigRequest, Configurations
from rubric_core.cli.output import CouldNotRun, print_data, print_text, say, stdout_is_terminal
from rubric_core.cli.suites import cases_of, chosen_cases, load_files, some_ids
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.grader import grader_of
from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts.scorecard import SCORECARD_NAME
from rubric_core.grading.questions import reason_not_gradable
from rubric_core.grading.service import preview
from rubric_core.grading.sources import read_answer
from rubric_core.model.evaluators import PromptScript
from rubric_core.model.suite import EvalCase
from rubric_core.rules.duplicate_case_id import RULE as DUPLICATE_CASE_ID
from rubric_core.terminal.display import harmless_lines


@click.command("prompt")
@click.argument("file", type=options.EXISTING_FILE)
@click.option("--case", "case_id", metavar="ID", help="Case to show (optional if the file has only one).")
@click.option("--answer", "answer_file", type=options.EXISTING_FILE, help="Read the answer to judge from FILE.")
@click.option("--evaluator", metavar="NAME", help="Show only this evaluator (`scorecard` for the scorecard).")
@click.option("--schema", "with_schema", is_flag=True, help="Also show the JSON Schema of the reply.")
@options.format_option(("text", "json"))
def command(  # noqa: PLR0913 - one parameter an option; click gives them by name.
    *,
    file: Path,
    case_id: str | None,
    answer_file: Path | None,
    evaluator: str | None,
    with_schema: bool,
    format_: str,
) -> None:
    """Show the prompts that a judge would receive.

    FILE is an eval file. Nothing is sent. Without `--answer` the prompt has the answer recorded beside the file,
    or else a placeholder.
    """
    case = _find_case(file, case_id)
    questions = _questions(case, answer_file, evaluator)
    if format_ == "json":
        value = {"eval_id": case.id, "prompts": [_plain(question) for question in questions]}
        print_data(f"{json.dumps(value, indent=2)}\n")
        return
    text = "\n".join(_shown(question, with_schema=with_schema) for question in questions)
    if stdout_is_terminal():
        print_text(f"{harmless_lines(text)}\n")
    else:
        print_data(text)


def _find_case(file: Path, case_id: str | None) -> EvalCase:
    """Return the requested case. Raise CouldNotRun if it cannot be graded as it is written."""
    files = load_files([str(file)], Configurations(ConfigRequest()))
    cases = chosen_cases(cases_of(files), [] if case_id is None else [case_id])
    if case_id is not None and len(cases) > 1 and {case.id for case in cases} == {case_id}:
        messages = (
            problem.message for case in cases for problem in case.problems if problem.code == DUPLICATE_CASE_ID.code
        )
        raise CouldNotRun(
            f"{file}: {next(messages, f'{len(cases)} cases are called {case_id}; give each its own id.')}"
        )
    if len(cases) != 1:
        raise click.UsageError(f"{file} holds {len(cases)} cases; name one with `--case`: {some_ids(cases)}.")
    reason = reason_not_gradable(cases[0])
    if reason is not None:
        raise CouldNotRun(f"{file}: The case {cases[0].id} cannot be graded. {reason}")
    return cases[0]


def _questions(case: EvalCase, answer_file: Path | None, evaluator: str | None) -> list[Question]:
    """Return the questions of the evaluators that ask a judge, or of the one that is named."""
    try:
        asked, is_answered = preview(case, None if answer_file is None else read_answer(answer_file))
    except CannotGrade as failure:
        raise CouldNotRun(f"The case {case.id} cannot be graded. {failure.reason}") from None
    if not is_answered:
        say("No answer found, so the prompt has a placeholder. Pass one with `--answer FILE`.")
    questions = [question for part in asked for question in part.questions if evaluator in (None, question.evaluator)]
    if not questions:
        raise CouldNotRun(_no_question(case, evaluator))
    names = {question.evaluator for question in questions}
    for part in asked:
        if part.evaluator and isinstance(part.evaluator.prompt, PromptScript) and part.evaluator.name in names:
            say(f"The prompt of the evaluator {part.evaluator.name} is printed by a command, which is not run here.")
    return questions


def _no_question(case: EvalCase, evaluator: str | None) -> str:
    kinds = {evaluator.name: evaluator.type for evaluator in grader_of(case).evaluators_of(case)}
    if evaluator is None:
        return f"No evaluator of the case {case.id} asks a judge."
    if evaluator in kinds:
        return f"The evaluator {evaluator} is a {kinds[evaluator]}, which asks no judge."
    names = [*kinds, *([SCORECARD_NAME] if case.scorecard is not None else [])]
    return f"The case {case.id} has no evaluator {evaluator}. It has: {', '.join(names)}."


def _shown(question: Question, *, with_schema: bool) -> str:
    parts = [("system", question.prompt.system), ("user", question.prompt.user)]
    if with_schema:
        parts.append(("schema", json.dumps(question.schema, indent=2)))
    return "\n".join(f"=== {question.evaluator}: {name} ===\n{text}\n" for name, text in parts)


def _plain(question: Question) -> dict[str, Any]:
    return {
        "evaluator": question.evaluator,
        "kind": question.kind,
        "system": question.prompt.system,
        "user": question.prompt.user,
        "schema": question.schema,
        "prompt_hash": question.prompt.hash,
    }

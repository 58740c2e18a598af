"""`rubric.previewPrompt`: the prompts that a judge would get for a case."""

from __future__ import annotations

from typing import Any

from rubric_core.grading.judges.judge import Question
from rubric_core.grading.questions import reason_not_gradable
from rubric_core.grading.service import preview
from rubric_core.model.suite import EvalCase
from rubric_core.text.writing import code_block
from rubric_server.app import RubricServer
from rubric_server.grading.chosen_cases import cases_of_target
from rubric_server.grading.client_run import file_of
from rubric_server.grading.command_target import NO_EVAL_FILE, CaseCommand
from rubric_server.progress import Token
from rubric_server.protocol.converter import RequestError, members


async def preview_prompt(server: RubricServer, command: CaseCommand, _token: Token | None) -> dict[str, Any]:
    """Return the prompts of a case in an open file; for a test that is several cases, `tests` has them by case."""
    params, target = command
    open_file = server.documents.analysed(params.uri)
    if open_file is None:
        raise RequestError(NO_EVAL_FILE)
    source = await cases_of_target(server, file_of(params.uri), open_file, target)
    cases = source.load()
    tests = [_previewed(case, params.answer, titled=len(cases) > 1) for case in cases]
    return {
        "caseId": target.case_id,
        "prompts": [prompt for test in tests for prompt in test["prompts"]],
        "markdown": "\n".join(test["markdown"] for test in tests),
        "tests": tests,
    }


def _previewed(case: EvalCase, answer: str | None, *, titled: bool) -> dict[str, Any]:
    """Return the prompts of one case. Raise RequestError where it cannot be graded."""
    reason = reason_not_gradable(case)
    if reason is not None:
        raise RequestError(f"The case {case.id} cannot be graded. {reason}")
    previewed, _ = preview(case, answer)
    questions = [question for asking in previewed for question in asking.questions]
    title = f"{case.id}: " if titled else ""
    return {
        "caseId": case.id,
        "prompts": [_prompt(question) for question in questions],
        "markdown": "\n".join(_markdown(question, title) for question in questions),
    }


def _prompt(question: Question) -> dict[str, Any]:
    return {
        **members(question, "evaluator", "kind"),
        **members(question.prompt, "system", "user"),
        "schema": dict(question.schema),
        "promptHash": question.prompt.hash,
    }


def _markdown(question: Question, title: str) -> str:
    system, user = code_block(question.prompt.system), code_block(question.prompt.user)
    return f"# {title}{question.evaluator}\n\n## System\n\n{system}\n\n## User\n\n{user}\n"

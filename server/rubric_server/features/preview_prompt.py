"""`rubric.previewPrompt`: what a judge would be asked about a case. Nothing is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.assist.commands import PREVIEW_PROMPT
from rubric_server.asked import NO_EVAL_FILE, asked_case, checked, place_now
from rubric_server.endpoint import Refused

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Question
    from rubric_server.app import RubricServer, Work
    from rubric_server.asked import AskedCase
    from rubric_server.protocol import GradeParams, Json
    from rubric_server.stops import Token

PLACEHOLDER = "(The answer to judge stands here.)"


def preview_prompt(server: RubricServer, argument: Json, _token: Token | None = None) -> Work:
    """Return the prompts of the case at a position, or of an id, in an open file."""
    params = checked(server, argument, PREVIEW_PROMPT)
    return _preview(server, params, asked_case(server, params))


def _preview(server: RubricServer, params: GradeParams, asked: AskedCase) -> Work:
    yield from server.desk.made_ready()
    from rubric_core.grading.answers import known_answer  # noqa: PLC0415 - imported at the desk.
    from rubric_core.grading.asking import askings  # noqa: PLC0415 - the same.
    from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - the same.
    from rubric_core.grading.grade import unfit  # noqa: PLC0415 - the same.
    from rubric_core.grading.options import DEFAULT_OPTIONS  # noqa: PLC0415 - the same.
    from rubric_server.grading_orders import case_from, file_of  # noqa: PLC0415 - the same.

    open_file = server.documents.analysed(params["uri"])
    if open_file is None:
        raise Refused(NO_EVAL_FILE)
    place = yield from place_now(open_file.analysis, asked)
    case = case_from(open_file, place, file_of(params["uri"]))
    reason = unfit(case)
    if reason is not None:
        raise Refused(f"The case {case.id} cannot be graded. {reason}")
    try:
        given = params.get("answer")
        known = known_answer(case, given=None if given is None else {case.id: given})
        answer = PLACEHOLDER if known is None else known.text
        questions = [each for asked in askings(case, answer, DEFAULT_OPTIONS) for each in asked.questions]
    except CannotGrade as failure:
        raise Refused(failure.reason) from None
    return {
        "caseId": case.id,
        "prompts": [_prompt(question) for question in questions],
        "markdown": "\n".join(_markdown(question) for question in questions),
    }


def _prompt(question: Question) -> dict[str, Any]:
    return {
        "evaluator": question.evaluator,
        "kind": question.kind,
        "system": question.prompt.system,
        "user": question.prompt.user,
        "schema": dict(question.schema),
        "promptHash": question.prompt.hash,
    }


def _markdown(question: Question) -> str:
    return "\n".join(
        [
            f"# {question.evaluator}",
            "",
            "## System",
            "",
            _fenced(question.prompt.system),
            "",
            "## User",
            "",
            _fenced(question.prompt.user),
            "",
        ]
    )


def _fenced(text: str) -> str:
    """Return a text as a block that shows it as it is, whatever fences it holds itself."""
    longest = max((len(run) for run in text.split() if set(run) == {"`"}), default=0)
    longest = max([longest, *(len(part) - len(part.lstrip("`")) for part in text.splitlines())])
    fence = "`" * max(longest + 1, 3)
    return f"{fence}text\n{text}\n{fence}"

"""The question for new criteria: what shows whether an answer achieves what the case expects?"""

from collections.abc import Sequence

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts import parts
from rubric_core.grading.workspace import read_attachment
from rubric_core.model.suite import ContentPart, EvalCase, Message
from rubric_core.schema.scales import HIGHEST, LOWEST

FEWEST_CRITERIA = 3
MOST_CRITERIA = 7
"""How many criteria are asked for. Fewer leave too much open, and more are judged with less care."""


def proposal_question(case: EvalCase, *, ranges: bool = False) -> Question:
    """Ask for criteria for a case: checklist ones, or with score ranges. A file that is not there is only named."""
    material, schema = parts.Material(_with_what_is_there(case), ""), _schema(ranges=ranges)
    values = {"fewest": FEWEST_CRITERIA, "most": MOST_CRITERIA, "ranges": ranges}
    return parts.make_question("proposal", case, "", material, values, schema=schema)


def _schema(*, ranges: bool) -> parts.JsonSchema:
    """Return the schema for new criteria. Their number is checked on reading: few providers support limits of it."""
    criterion = {
        "id": parts.TEXT,
        "expected_outcome": parts.TEXT,
        "weight": {"type": "number"},
        "required": {"type": "boolean"},
    }
    if ranges:
        bounds = parts.list_schema(parts.integer_schema(LOWEST, HIGHEST))
        criterion["score_ranges"] = parts.list_schema(
            parts.object_schema({"score_range": bounds, "expected_outcome": parts.TEXT})
        )
    return parts.object_schema({"reasoning": parts.TEXT, "criteria": parts.list_schema(parts.object_schema(criterion))})


def _with_what_is_there(case: EvalCase) -> EvalCase:
    """Return the case with names instead of unreadable files, which may not exist yet."""
    messages = {name: _messages(getattr(case, name), case) for name in ("input_messages", "expected_messages")}
    return case.model_copy(update=messages)


def _messages(messages: Sequence[Message], case: EvalCase) -> tuple[Message, ...]:
    return tuple(
        message.model_copy(update={"content": tuple(_part(part, case) for part in message.content)})
        if isinstance(message.content, tuple)
        else message
        for message in messages
    )


def _part(part: ContentPart, case: EvalCase) -> ContentPart:
    if part.type == "file":
        try:
            read_attachment(part.value, case)
        except CannotGrade:
            return ContentPart(type="text", value=f"(The file {part.value} stands here.)")
    return part

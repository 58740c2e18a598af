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

_ROLE = (
    "You write the rubric by which others will judge answers to a task. They see the task and one answer, and nothing "
    "of what you think; each of your criteria must be clear to them by itself."
)
_WHAT_TO_WRITE = f"""\
Write {FEWEST_CRITERIA} to {MOST_CRITERIA} criteria that together tell whether an answer achieves what is expected.
- Each tests one thing that can be seen in the answer. Where it tests two, write two criteria.
- Be specific: name the fact, the value, the case or the behaviour. "Good quality" and "appropriate" tell nobody
  anything.
- Ask for nothing that neither the task nor the expected outcome asks for. The reference is one good answer of many; do
  not ask for its wording.
- Say what the answer does, in one short sentence without "the answer", such as "Names the port 8080".
- Write in the language of the expected outcome. Each id is of lower-case English words with hyphens, such as
  names-the-port, and stands for one criterion only.
- A criterion is required if an answer without it is a failure, whatever else it does; require few of them.
- Weights say how much a criterion matters beside the others: 1 is usual, 2 is for the heart of the matter, 0.5 for what
  is merely nice to have. One that is not required has at most a fifth of the weight of all together."""
_RANGES = """\
- Each criterion gets a score from 0 to 10. Give it three or four score ranges, the lowest from 0, the highest to 10,
  each starting one above the end of the range below. The text of a range says what an answer in it does; no two texts
  of a criterion are alike. A required criterion is one that must not be scored in the lower half."""
_CRITERION = '"id": "...", "expected_outcome": "...", "weight": <a number>, "required": <true or false>'
_BANDS = '"score_ranges": [{"score_range": [0, <an integer>], "expected_outcome": "..."}, ...]'


def proposal_question(case: EvalCase, *, ranges: bool = False) -> Question:
    """Ask for criteria for a case: checklist ones, or with score ranges. A file that is not there is only named."""
    material, schema = parts.Material(_with_what_is_there(case), ""), _schema(ranges=ranges)
    return parts.make_question(
        "proposal", case, "", material, lambda: _sections(material, ranges=ranges), role=_ROLE, schema=schema
    )


def _schema(*, ranges: bool) -> parts.JsonSchema:
    """Return the schema for new criteria. How many there are is checked on reading: few providers can keep to it."""
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


def _sections(material: parts.Material, *, ranges: bool) -> list[str]:
    shown = [parts.section("Task", material.fence("TASK", material.task))] if material.task else []
    shown.append(
        parts.section("What a good answer achieves", material.fence("EXPECTED OUTCOME", material.expected_outcome))
    )
    if material.reference:
        shown.append(parts.section("Reference", material.fence("REFERENCE", material.reference)))
    instructions = [_WHAT_TO_WRITE, _RANGES] if ranges else [_WHAT_TO_WRITE]
    return [*shown, parts.section("What to write", *instructions), parts.section("Reply", _shape(ranges=ranges))]


def _shape(*, ranges: bool) -> str:
    criterion = f"{_CRITERION}, {_BANDS}" if ranges else _CRITERION
    return (
        f'{{\n  "reasoning": "what an answer must do, and what may go wrong",\n  "criteria": [{{{criterion}}}, ...]\n}}'
    )


def _with_what_is_there(case: EvalCase) -> EvalCase:
    """Return the case with names in place of files that cannot be read: its author may not have these yet."""
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

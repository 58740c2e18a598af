"""What a prompt is made from: the task, what is expected, the reference and the answer, as texts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rubric_core.grading.messages import read_attachment, text_of_message
from rubric_core.model.evaluators import LlmJudge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.prompts.fences import Fence
    from rubric_core.model.messages import ContentPart, Message
    from rubric_core.model.suite import EvalCase


@dataclass(frozen=True, slots=True)
class Material:
    """The texts of one case, with the files that its messages name read from the disk."""

    task: str
    expected_outcome: str
    reference: str
    answer: str


def material_of(case: EvalCase, answer: str) -> Material:
    """Collect the texts of a case. Raises CannotGrade where a file that a message names cannot be read."""
    return Material(
        task=_conversation(case.input_messages, case),
        expected_outcome=case.expected_outcome,
        reference=_reference(case),
        answer=answer,
    )


def siblings(case: EvalCase, evaluator: LlmJudge) -> tuple[str, ...]:
    """Return the names of the other evaluators of a case that ask for the same: for checks, or for one score."""
    asks_for_checks = bool(evaluator.criteria)
    judges = [each for each in case.evaluators if isinstance(each, LlmJudge) and each is not evaluator]
    return tuple(each.name for each in judges if bool(each.criteria) is asks_for_checks)


def messages_json(messages: Sequence[Message], case: EvalCase) -> str:
    """Return messages of a case as JSON, with the text of the files that they name."""
    return _json([_plain(message, case) for message in messages])


def sections(material: Material, fence: Fence) -> list[str]:
    """Return what every prompt shows, each part under its heading. What is not there has no heading."""
    shown = [section("Task", "The answer was given to this task:", fence.around("TASK", material.task))]
    if material.expected_outcome:
        shown.append(section("What a good answer achieves", material.expected_outcome))
    if material.reference:
        words = "This is one good answer. Another answer may be as good without resembling it."
        shown.append(section("Reference", words, fence.around("REFERENCE", material.reference)))
    return [*shown, section("Answer to judge", fence.around("ANSWER", material.answer))]


def section(heading: str, *parts: str) -> str:
    """Return parts under a heading."""
    return "\n".join([f"# {heading}", *parts])


def _conversation(messages: Sequence[Message], case: EvalCase) -> str:
    """Return what was said. One message of a user needs no name beside it."""
    if len(messages) == 1 and messages[0].role == "user":
        return _text(messages[0], case)
    return "\n\n".join(f"{_speaker(message)}:\n{_text(message, case)}" for message in messages)


def _text(message: Message, case: EvalCase) -> str:
    return text_of_message(message, case.source, case.config)


def _speaker(message: Message) -> str:
    return f"{message.role} {message.name}" if message.name else message.role


def _reference(case: EvalCase) -> str:
    given = case.reference_answer
    if given is not None:
        return given if isinstance(given, str) else _json(given)
    expected = case.expected_messages
    if len(expected) == 1:
        return _text(expected[0], case)
    return _conversation(expected, case)


def _plain(message: Message, case: EvalCase) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": message.role}
    if message.name:
        plain["name"] = message.name
    if isinstance(message.content, tuple):
        plain["content"] = [_plain_part(part, case) for part in message.content]
    elif message.content is not None:
        plain["content"] = message.content
    if message.tool_calls:
        plain["tool_calls"] = list(message.tool_calls)
    return plain


def _plain_part(part: ContentPart, case: EvalCase) -> dict[str, str]:
    plain = {"type": part.type, "value": part.value}
    if part.type == "text":
        return plain
    return {**plain, "text": read_attachment(part.value, case.source, case.config)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)

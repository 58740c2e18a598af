"""What a prompt is made from: the texts of a case, and an evaluator's own prompt with AgentV's placeholders.

An own prompt is a text, a file with one, or what a command printed.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.messages import read_attachment, text_of_message
from rubric_core.grading.prompts.fences import Fence
from rubric_core.model.evaluators import LlmJudge, PromptScript
from rubric_core.model.messages import ContentPart, Message
from rubric_core.model.suite import EvalCase
from rubric_core.text.patterns import lazily
from rubric_core.views.references import is_prompt_file

_PLACEHOLDER = lazily(r"\{\{[ \t\r\n]*([A-Za-z0-9_]+)[ \t\r\n]*\}\}")
_OF_THE_ANSWER = frozenset({"candidate_answer", "output_messages"})


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


@dataclass(frozen=True, slots=True)
class OwnPrompt:
    """The text of a prompt. What a command printed is no template: it may hold an answer with placeholders in it."""

    text: str
    is_template: bool = True

    @property
    def shows_answer(self) -> bool:
        """Return whether the answer has a place of its own in the text."""
        return self.is_template and any(name in _OF_THE_ANSWER for name in _PLACEHOLDER.findall(self.text))


def own_prompt(evaluator: LlmJudge, case: EvalCase, printed: str | None = None) -> OwnPrompt | None:
    """Return an evaluator's own prompt; None where it has none. `printed` is what its command printed.

    Raises CannotGrade where the prompt's file cannot be read, or where a command must print it first.
    """
    if printed is not None:
        return OwnPrompt(printed, is_template=False)
    prompt = evaluator.prompt
    if isinstance(prompt, PromptScript):
        raise CannotGrade(f"The prompt of the evaluator {evaluator.name} is printed by a command, which was not run.")
    if prompt is None or not prompt.strip():
        return None
    is_file = is_prompt_file(prompt)
    return OwnPrompt(read_attachment(prompt.strip(), case.source, case.config) if is_file else prompt)


def filled(own: OwnPrompt, evaluator: LlmJudge, case: EvalCase, material: Material, fence: Fence) -> str:
    """Return the text of a prompt with its placeholders replaced, in one pass: what is put in is not looked at again.

    What the author of the case wrote for the judge is put in as it is; what others wrote is fenced. A placeholder
    that nobody knows stays as it is.
    """
    if not own.is_template:
        return own.text
    outcome = material.expected_outcome
    plain = {**_settings(evaluator), "expected_outcome": outcome, "criteria": outcome}
    fenced = _fenced_values(case, material)

    def replacement(found: re.Match[str]) -> str:
        name = found[1]
        if name in fenced:
            title, text = fenced[name]
            return _on_own_lines(found, fence.around(title, text()))
        return plain.get(name, found[0])

    return _PLACEHOLDER.sub(replacement, own.text)


def _fenced_values(case: EvalCase, material: Material) -> Mapping[str, tuple[str, Callable[[], str]]]:
    reply = Message(role="assistant", content=material.answer)
    return {
        "candidate_answer": ("ANSWER", lambda: material.answer),
        "output_messages": ("ANSWER", partial(messages_json, [reply], case)),
        "question": ("TASK", lambda: material.task),
        "input_messages": ("TASK", partial(messages_json, case.input_messages, case)),
        "reference_answer": ("REFERENCE", lambda: material.reference),
        "expected_messages": ("REFERENCE", partial(messages_json, case.expected_messages, case)),
    }


def _settings(evaluator: LlmJudge) -> dict[str, str]:
    """Return the values under the evaluator's `config`, which its prompt can use by their names."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in evaluator.config.items()
    }


def _on_own_lines(found: re.Match[str], block: str) -> str:
    template, start, end = found.string, found.start(), found.end()
    before = "" if start == 0 or template[start - 1] == "\n" else "\n"
    after = "" if end == len(template) or template[end] in "\r\n" else "\n"
    return f"{before}{block}{after}"

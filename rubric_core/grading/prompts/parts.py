"""The parts of all prompts: the texts of a case and its messages, fences, templates, schemas of replies.

Untrusted text is between two lines with a random boundary.

The JSON Schemas use only what all providers accept: every object closed, every property required, ranges of integers as
`enum`. The order of the properties is the order in which a model writes, so the reasoning comes before the verdict.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rubric_core.dialects.parts import PATHS
from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.judges.judge import Prompt, Question, QuestionKind
from rubric_core.grading.providers.provider import Role, Turn
from rubric_core.grading.workspace import path_of_attachment, read_attachment
from rubric_core.model.suite import ContentPart, EvalCase, Message
from rubric_core.text.patterns import lazily
from rubric_core.text.writing import without_surrogates

if TYPE_CHECKING:
    from jinja2 import Environment

JsonSchema = dict[str, Any]

TEXT: JsonSchema = {"type": "string"}
_BOUNDARY_BYTES = 16
_CONSTANT = "0" * (2 * _BOUNDARY_BYTES)
"""In place of the boundary where a prompt is hashed, so that the same content has the same hash."""

_SPEAKERS: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "user"}
"""The roles of turns. A provider has no tools here, so the user reports what a tool answered."""


class Material:
    """The texts of one case, with the files that its messages name read from the disk, and the boundary around them."""

    def __init__(self, case: EvalCase, answer: str) -> None:
        """Collect the texts. Raises CannotGrade where a file that a message names cannot be read."""
        self.task = _conversation(case.input_messages, case)
        self.expected_outcome = case.expected_outcome
        self.reference = _reference(case)
        self.answer = answer
        self.boundary = ""
        self.fenced: list[str] = []

    def fence(self, name: str, text: str) -> str:
        """Return a text, unchanged, between its two lines."""
        self.fenced.append(text)
        return f"BEGIN {name} {self.boundary}\n{text}\nEND {name} {self.boundary}"

    def prompt(self, kind: QuestionKind, values: Mapping[str, Any]) -> Prompt:
        """Return the prompt: the template of a kind of question, rendered with the texts and further values."""
        texts = {"task": self.task, "answer": self.answer, "reference": self.reference}
        values = {**texts, "expected_outcome": self.expected_outcome, "fence": self.fence, "quoted": quoted, **values}
        while True:
            self.boundary, self.fenced = secrets.token_hex(_BOUNDARY_BYTES), []
            user = _rendered(kind, values)
            if not any(self.boundary in text for text in self.fenced):
                break
        system = _rendered("system", {"kind": kind, "boundary": self.boundary})
        plain = [text.replace(self.boundary, _CONSTANT) for text in (system, user)]
        # The texts are hashed separately too: a text that imitates a fence must not make two prompts equal.
        name = sha256(json.dumps([*plain, self.fenced]).encode()).hexdigest()
        return Prompt(without_surrogates(system), without_surrogates(user), name)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415 - most files are not graded.

    return Environment(  # noqa: S701 - prompts are no HTML.
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        auto_reload=False,
        loader=FunctionLoader(lambda name: files(__package__).joinpath(name).read_text("utf-8")),
    )


def _rendered(name: str, values: Mapping[str, Any]) -> str:
    return _environment().get_template(f"{name}.jinja").render(values).removesuffix("\n")


def make_question(
    kind: QuestionKind, case: EvalCase, evaluator: str, material: Material, values: Mapping[str, Any], **others: Any
) -> Question:
    """Return a question about a case: its prompt of a template and values, and what a person is shown of it.

    `others` are further fields of it.
    """
    return Question(
        kind,
        case.id,
        evaluator,
        material.prompt(kind, values),
        task=material.task,
        answer=material.answer,
        expected_outcome=material.expected_outcome,
        reference=material.reference,
        **others,
    )


def quoted(name: str) -> str:
    """Return a name as a JSON string, which a judge can copy."""
    return json.dumps(name, ensure_ascii=False)


def _conversation(messages: Sequence[Message], case: EvalCase) -> str:
    """Return messages as a text. One message of a user needs no name beside it."""
    if len(messages) == 1 and messages[0].role == "user":
        return text_of_message(messages[0], case)
    speakers = (f"{message.role} {message.name}" if message.name else message.role for message in messages)
    named = zip(speakers, messages, strict=True)
    return "\n\n".join(f"{speaker}:\n{text_of_message(message, case)}" for speaker, message in named)


def _reference(case: EvalCase) -> str:
    given, expected = case.reference_answer, case.expected_messages
    if given is not None:
        return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, indent=2)
    return text_of_message(expected[0], case) if len(expected) == 1 else _conversation(expected, case)


def conversation_of(messages: Sequence[Message], case: EvalCase) -> tuple[Turn, ...]:
    """Return a turn for each message that is not empty. Raises CannotGrade where a file cannot be read."""
    turns = (Turn(_SPEAKERS[message.role], _spoken(message, case)) for message in messages)
    return tuple(turn for turn in turns if turn.text.strip())


def files_of(messages: Sequence[Message], case: EvalCase) -> tuple[str, ...]:
    """Return the paths of the files that messages name, each once. Raises CannotGrade as `conversation_of` does."""
    named = (part.value for message in messages for part in message.parts if part.type == "file")
    return tuple(dict.fromkeys(path_of_attachment(reference, case) for reference in named))


def text_of_message(message: Message, case: EvalCase) -> str:
    """Return the content of a message and its tool calls, structured data as JSON. Raises CannotGrade."""
    if isinstance(message.content, dict):
        texts = [json.dumps(message.content, ensure_ascii=False, indent=2)]
    else:
        texts = [_text_of_part(part, case) for part in message.parts]
    texts += [f"Tool call: {json.dumps(call, ensure_ascii=False)}" for call in message.tool_calls]
    return "\n\n".join(texts)


def _spoken(message: Message, case: EvalCase) -> str:
    text = text_of_message(message, case)
    if message.role != "tool":
        return text
    speaker = f"The tool {message.name}" if message.name else "A tool"
    return f"{speaker} answered:\n{text}"


def _text_of_part(part: ContentPart, case: EvalCase) -> str:
    if part.type == "text":
        return part.value
    return f'<file path="{part.value}">\n{read_attachment(part.value, case)}\n</file>'


def list_schema(items: JsonSchema) -> JsonSchema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def integer_schema(lowest: int, highest: int) -> JsonSchema:
    """Return the schema of an integer between two bounds."""
    return {"type": "integer", "enum": list(range(lowest, highest + 1))}


def id_schema(ids: Iterable[str]) -> JsonSchema:
    """Return the schema of one of some ids."""
    return {"type": "string", "enum": list(ids)}


def object_schema(properties: JsonSchema) -> JsonSchema:
    """Return the schema of an object with all of these properties and no other."""
    # Some providers write the required properties in the order of this list.
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


# The own prompt of an evaluator: a text with places for what is judged, in the file of the suite or in its own

PLACEHOLDER = lazily(r"\{\{[ \t\r\n]*([A-Za-z0-9_]+)[ \t\r\n]*\}\}")
_OF_THE_ANSWER = frozenset({"candidate_answer", "output_messages"})


@dataclass(frozen=True, slots=True)
class OwnPrompt:
    """The text of a prompt. Output of a command is not a template: it may contain an answer with placeholders.

    `variables` are the names that it may use, each with the name of its value; `values` are those of the test.
    """

    text: str
    variables: Mapping[str, str] = field(default_factory=dict)
    is_template: bool = True
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def shows_answer(self) -> bool:
        """Return whether the text has a placeholder for the answer."""
        used = map(self.variables.get, PLACEHOLDER.findall(self.text))
        return self.is_template and any(name in _OF_THE_ANSWER for name in used)


def prompt_text(prompt: str, case: EvalCase) -> str:
    """Return the text of a prompt, which may be in a file. Raises CannotGrade if the file cannot be read."""
    path = PATHS.of(BY_NAME[case.dialect]).prompt_file(prompt.strip())
    return prompt if path is None else read_attachment(path, case)


def plain_texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Return values that a prompt can use by their names, such as those under the evaluator's `config`, as texts."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in values.items()
    }

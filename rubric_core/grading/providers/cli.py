"""The `cli` provider: a command whose arguments have places for the prompt and for the file of the reply.

It is split before its places are filled, so that no shell interprets a text of a case; one that needs a shell is
refused.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.files.read import ReadText, read_text
from rubric_core.grading.json_text import NotJson, elements, members
from rubric_core.grading.processes import OUTPUT_LIMIT, temporary_file
from rubric_core.grading.providers.command import CommandProvider, prompt_text
from rubric_core.grading.providers.dialect import FAILED_STATUSES, ReplyWithoutAnswer
from rubric_core.grading.providers.provider import Call, Completion
from rubric_core.grading.providers.settings import ProviderDefinition
from rubric_core.grading.secrets import quote_for_message
from rubric_core.grading.usage import Usage
from rubric_core.syntax.limits import Limits
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    Members = list[tuple[str, str]]

_PLACE = lazily(r"\{([A-Z_]+)\}")
_FILES = "{FILES}"
_NO_ERROR = frozenset({'""', "false", "{}", "[]"})
_COUNT = lazily(r"[0-9]{1,15}")
_LIMITS = Limits(file_bytes=OUTPUT_LIMIT, line_length=OUTPUT_LIMIT)


class CliProvider(CommandProvider):
    """A command that gets the prompt in an argument or a file, and writes its reply to a file or prints it."""

    command_setting = "command_template"

    def __init__(self, definition: ProviderDefinition) -> None:
        """Raise CannotGrade if the template cannot be split, or needs a shell."""
        super().__init__(definition)
        self._file_arguments = self._split(definition["files_format"])

    async def complete(self, call: Call) -> Completion:
        """Run the command once. Raises ProviderFailed."""
        prompt = prompt_text(call)
        with temporary_file("prompt.txt", prompt) as prompt_file:
            output_file = prompt_file.with_name("output.json")
            values = {
                "PROMPT": prompt,
                "PROMPT_FILE": str(prompt_file),
                "OUTPUT_FILE": str(output_file),
                "FILES": " ".join(self._files(call.files)),
                "EVAL_ID": call.case_id,
                "ATTEMPT": "0",
                "GUIDELINES": "",
            }
            stdin = "" if self._uses("PROMPT", "PROMPT_FILE") else prompt
            finished = await self._run(tuple(self._filled(values, call.files)), stdin)
            written = self._written(output_file) if self._uses("OUTPUT_FILE") else finished.output
        content = self._of_case(written, call.case_id) if self._definition["provider_batching"] else written
        if not content.strip():
            raise self._failed("gave no reply.")
        try:
            return read_reply(content, (call.schema or {}).get("properties", ()))
        except ReplyWithoutAnswer as nothing:
            raise self._failed(f"{nothing.reason}: {quote_for_message(nothing.said, self._redactor)}") from None

    def _uses(self, *names: str) -> bool:
        return any(f"{{{name}}}" in argument for argument in self._arguments for name in names)

    def _filled(self, values: Mapping[str, str], files: tuple[str, ...]) -> Iterator[str]:
        for argument in self._arguments:
            if argument == _FILES:
                yield from self._files(files)
            else:
                yield _PLACE.sub(lambda place: values.get(place[1], place[0]), argument)

    def _files(self, files: tuple[str, ...]) -> Iterator[str]:
        for path, word in product(files, self._file_arguments):
            yield word.replace("{path}", path).replace("{basename}", Path(path).name)

    def _written(self, path: Path) -> str:
        read = read_text(path, _LIMITS)
        if isinstance(read, ReadText):
            return read.text.removeprefix("\ufeff")
        raise self._failed(f"wrote no reply to its output file. {read.message}")

    def _of_case(self, content: str, case_id: str) -> str:
        """Return the line for a case among those that a command writes for all cases."""
        own = [line for line in content.splitlines() if case_id in map(_as_text, _values(_members(line), "id"))]
        if len(own) != 1:
            raise self._failed(f"wrote {len(own) or 'no'} line{'s' * (len(own) > 1)} for the case {case_id}.")
        return own[0]


def read_reply(content: str, asked: Container[str] = ()) -> Completion:
    """Return the reply in an output: an object with `output_messages` or `text`, or else the text as it is.

    Whatever is JSON in it stays as it is written, so that nothing is lost before it is checked. An object that also has
    fields that were `asked` for is kept whole, above the text in it: two judgements are then found and refused.
    Raises ReplyWithoutAnswer if there is an error beside the reply.
    """
    reply_members = _members(content)
    reply = _last_message(reply_members) or _values(reply_members, "text")
    if not reply:
        return Completion(content)
    errors = [error for name in ("error", "errors") for error in _values(reply_members, name) if error not in _NO_ERROR]
    errors += [word for word in _values(reply_members, "status") if _as_text(word).lower() in FAILED_STATUSES]
    if errors:
        raise ReplyWithoutAnswer("wrote a reply and an error", _as_text(errors[0]))
    is_judgement = any(name in asked for name, _ in reply_members)
    text = "\n".join([*([content] if is_judgement else []), *map(_as_text, reply)])
    counts = [count for usage in _values(reply_members, "token_usage") for count in _members(usage)]
    return Completion(text, usage=Usage(1, 0, _count(counts, "input"), _count(counts, "output")))


def _last_message(reply_members: Members) -> list[str]:
    lists = [written for written in _values(reply_members, "output_messages") if written.startswith("[")]
    for written in reversed([message for messages in lists for message in elements(messages)]):
        message = _members(written)
        if '"assistant"' in _values(message, "role") and (content := _values(message, "content")):
            return content
    return []


def _members(text: str) -> Members:
    try:
        return members(text)
    except NotJson:
        return []


def _values(pairs: Members, key: str) -> list[str]:
    """Return the values of a name as written: all of them if it is repeated."""
    return [value for name, value in pairs if name == key and value != "null"]


def _count(pairs: Members, name: str) -> int:
    return sum(int(value) for value in _values(pairs, name) if _COUNT.fullmatch(value))


def _as_text(written: str) -> str:
    return str(json.loads(written, strict=False)) if written.startswith('"') else written

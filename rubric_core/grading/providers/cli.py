"""AgentV's `cli` provider: a command whose arguments have places for the prompt and for the file of the reply.

AgentV hands the command to a shell. Here it is split first and the places are filled then, so that no text of a case
is ever read by a shell; a command that needs one is refused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_core.files.read import ReadText, read_text
from rubric_core.grading.processes import OUTPUT_LIMIT, temporary_file
from rubric_core.grading.providers.command import Runner, parameters_of, prompt_text
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import Usage
from rubric_core.syntax.limits import Limits
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rubric_core.grading.providers.provider import Call
    from rubric_core.grading.providers.settings import Definition

_PLACE = lazily(r"\{([A-Z_]+)\}")
_FILES = "{FILES}"
_LIMITS = Limits(file_bytes=OUTPUT_LIMIT, line_length=OUTPUT_LIMIT)


@dataclass(frozen=True, slots=True)
class CliProvider:
    """A command that is told the prompt in an argument or a file, and writes its reply to a file or prints it."""

    runner: Runner
    template: tuple[str, ...]
    file_words: tuple[str, ...]
    answers_all_cases: bool
    kind: str = "cli"
    model: str | None = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return the command before its places are filled, and its folder."""
        return parameters_of(self.runner, self.template)

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
            finished = await self.runner.run(tuple(self._filled(values, call.files)), stdin)
            written = self._written(output_file) if self._uses("OUTPUT_FILE") else finished.output
        content = self._of_case(written, call.case_id) if self.answers_all_cases else written
        if not content.strip():
            raise self.runner.failed("gave no reply.")
        return read_reply(content)

    async def close(self) -> None:
        """Do nothing: every command has ended with its call."""

    def _uses(self, *names: str) -> bool:
        return any(f"{{{name}}}" in argument for argument in self.template for name in names)

    def _filled(self, values: Mapping[str, str], files: tuple[str, ...]) -> Iterator[str]:
        for argument in self.template:
            if argument == _FILES:
                yield from self._files(files)
            else:
                yield _PLACE.sub(lambda place: values.get(place[1], place[0]), argument)

    def _files(self, files: tuple[str, ...]) -> Iterator[str]:
        for path in files:
            for word in self.file_words:
                yield word.replace("{path}", path).replace("{basename}", Path(path).name)

    def _written(self, path: Path) -> str:
        read = read_text(path, _LIMITS)
        if isinstance(read, ReadText):
            return read.text.removeprefix("\ufeff")
        raise self.runner.failed(f"wrote no reply to its output file. {read.message}")

    def _of_case(self, content: str, case_id: str) -> str:
        """Return the line for a case among those that a command writes for all cases."""
        for line in content.splitlines():
            record = _object(line)
            if record.get("id") == case_id:
                return line
        raise self.runner.failed(f"wrote no line for the case {case_id}.")


def make_cli_provider(definition: Definition) -> CliProvider:
    """Make a provider. Raises CannotGrade where the template cannot be split, or needs a shell."""
    runner = Runner.of(definition)
    template = runner.arguments(definition["command_template"])
    file_words = runner.arguments(definition["files_format"])
    return CliProvider(runner, template, file_words, definition["provider_batching"])


def read_reply(content: str) -> Completion:
    """Return the reply in an output: AgentV's object with `output_messages` or `text`, or else the text as it is."""
    said = _object(content)
    usage = said.get("token_usage")
    counts = usage if isinstance(usage, dict) else {}
    spent = Usage(calls=1, input_tokens=_count(counts.get("input")), output_tokens=_count(counts.get("output")))
    messages = said.get("output_messages")
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("role") == "assistant" and message.get("content") is not None:
            return Completion(_as_text(message["content"]), usage=spent)
    if said.get("text") is not None:
        return Completion(_as_text(said["text"]), usage=spent)
    return Completion(content)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

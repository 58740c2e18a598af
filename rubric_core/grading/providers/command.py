"""Commands as providers: they get the prompt on standard input or as an argument, and print the reply."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.processes import CannotStart, CommandFailed, Finished, run_command, split_command
from rubric_core.grading.providers.dialect import without_none
from rubric_core.grading.providers.provider import Call, Completion, Provider
from rubric_core.grading.providers.settings import ProviderDefinition, hash_of
from rubric_core.grading.secrets import Redactor, named_secrets, quote_for_message
from rubric_core.grading.usage import Usage
from rubric_core.javascript_regex import SPACES
from rubric_core.text.patterns import lazily

_PART = lazily(r"""[^\s"']+|"([^"]*)"|'([^']*)'""")
_COLOUR = lazily("\x1b(?:[@-Z\\\\-_]|\\[[0-?]*[ -/]*[@-~])")


class CommandProvider(Provider):
    """A command that reads a prompt and prints a reply. It has no state between two calls."""

    command_setting = "command"

    def __init__(self, definition: ProviderDefinition) -> None:
        """Raise CannotGrade if the command cannot be split into arguments."""
        self.kind = definition.kind.name
        self.model: str | None = definition["model"]
        self._definition = definition
        self._environment = {**definition.environment, **definition["env"]}
        self._redactor = Redactor(named_secrets(self._environment))
        self._arguments = self._split(definition[self.command_setting])

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return the command and its folder without secrets; of its own variables only a hash."""
        command = [self._redactor.redact(argument) for argument in self._arguments]
        return without_none(command=command, cwd=self._definition["cwd"], env_hash=hash_of(self._definition["env"]))

    async def complete(self, call: Call) -> Completion:
        """Run the command once. Raises ProviderFailed."""
        finished = await self._run(self._arguments, prompt_text(call))
        if not finished.output.strip():
            raise self._failed("printed no reply.")
        return Completion(finished.output, self.model)

    async def _run(self, arguments: Sequence[str], stdin: str) -> Finished:
        """Run a command that must succeed. Raises ProviderFailed; cancelling ends it with all its children."""
        try:
            finished = await run_command(
                arguments,
                folder=self._definition["cwd"],
                time_limit=self._definition["timeout"],
                stdin=stdin,
                environment=self._environment,
            )
        except CommandFailed as failure:
            raise self._failed(f"gave no reply. {failure}") from None
        if finished.status != 0:
            words = quote_for_message(finished.last_words, self._redactor)
            raise self._failed(f"{finished.ending}{f': {words}' if words else ' without an error message.'}")
        return finished

    def _failed(self, reason: str) -> ProviderFailed:
        """Return a failure that begins with the provider's name, without secrets."""
        reason = self._redactor.redact(f"The command of {self._definition.name} {reason}")
        return ProviderFailed(reason, Usage(calls=1))

    def _split(self, command: str | Sequence[str]) -> tuple[str, ...]:
        try:
            return split_command(command)
        except CannotStart as failure:
            raise CannotGrade(self._redactor.redact(f"{self._definition.name} cannot be used. {failure}")) from None


class ExecProvider(CommandProvider):
    """A command that gets the prompt as an argument and prints its reply. It reads nothing from standard input."""

    command_setting = "script"

    async def complete(self, call: Call) -> Completion:
        """Run the command once, in the folder of the configuration. Raises ProviderFailed."""
        options, context = call.context or ({}, {})
        config = {**(options.get("config") or {}), "basePath": self._definition["cwd"]}
        messages = [{"role": turn.role, "content": turn.text} for turn in call.turns]
        prompt = call.turns[0].text if len(messages) == 1 else _written(messages)
        arguments = map(_written, ({"env": {}, **options, "config": config}, context))
        finished = await self._run((*self._arguments, prompt, *arguments), "")
        text = _COLOUR.sub("", finished.output.strip(SPACES))
        if not text:
            raise self._failed("printed no reply.")
        return Completion(text, self.model)

    def _split(self, command: str) -> tuple[str, ...]:  # type: ignore[override]
        """Split a command at blanks, with quotes around whole words and without escapes."""
        return tuple(word[1] or word[2] or word[0] for word in _PART.finditer(command))


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


_HEADINGS = {"system": "# Instructions", "user": "# User", "assistant": "# Assistant"}


def prompt_text(call: Call) -> str:
    """Return a call as one text. A single turn without a schema is its own text."""
    if len(call.turns) == 1 and call.schema is None:
        return call.turns[0].text
    parts = [f"{_HEADINGS[turn.role]}\n{turn.text}" for turn in call.turns]
    if call.schema is not None:
        schema = json.dumps(dict(call.schema), ensure_ascii=False, indent=2)
        parts.append(f"# Reply\nReply with one JSON object that follows this JSON Schema, and nothing else:\n{schema}")
    return "\n\n".join(parts) + "\n"

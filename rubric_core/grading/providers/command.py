"""A command as provider: the prompt on standard input, the reply on standard output."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.processes import CannotStart, CommandFailed, run_command, split_command
from rubric_core.grading.providers.dialect import given
from rubric_core.grading.providers.hashes import hash_of
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.quotes import quoted
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubric_core.grading.processes import Finished
    from rubric_core.grading.providers.provider import Call
    from rubric_core.grading.providers.settings import ProviderDefinition

_ASKED = Usage(calls=1)


@dataclass(frozen=True, slots=True)
class Runner:
    """How the command of a provider is run, and how it is spoken of when it fails."""

    name: str
    folder: str
    time_limit: float
    env_hash: str | None
    environment: Mapping[str, str] = field(repr=False)
    redactor: Redactor = field(repr=False)

    @classmethod
    def of(cls, definition: ProviderDefinition) -> Runner:
        """Take what all commands have in common from a definition."""
        environment = {**definition.environment, **definition["env"]}
        redactor = Redactor.of_named(environment)
        env_hash = hash_of(definition["env"])
        return cls(definition.name, definition["cwd"], definition["timeout"], env_hash, environment, redactor)

    async def run(self, arguments: Sequence[str], stdin: str) -> Finished:
        """Run a command that must succeed. Raises ProviderFailed; cancelling ends it with all its children."""
        try:
            finished = await run_command(
                arguments, folder=self.folder, time_limit=self.time_limit, stdin=stdin, environment=self.environment
            )
        except CommandFailed as failure:
            raise self.failed(f"gave no reply. {failure}") from None
        if finished.status != 0:
            words = quoted(finished.last_words, self.redactor)
            said = f": {words}" if words else ", and said nothing about it."
            raise self.failed(f"{finished.ending}{said}")
        return finished

    def failed(self, reason: str) -> ProviderFailed:
        """Return a failure that begins with the provider's name and holds no secret."""
        return ProviderFailed(self.redactor.redact(f"The command of {self.name} {reason}"), _ASKED)

    def arguments(self, command: str | Sequence[str]) -> tuple[str, ...]:
        """Return the arguments of a command as it is written in settings. Raises CannotGrade."""
        try:
            return split_command(command)
        except CannotStart as failure:
            raise CannotGrade(self.redactor.redact(f"{self.name} cannot be used. {failure}")) from None


class CommandProvider:
    """A command that reads a prompt and prints a reply. Nothing is held between two calls."""

    kind = "command"

    def __init__(self, runner: Runner, arguments: tuple[str, ...], model: str | None = None) -> None:
        self._runner = runner
        self._arguments = arguments
        self.model = model

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return the command and its folder."""
        return parameters_of(self._runner, self._arguments)

    async def complete(self, call: Call) -> Completion:
        """Run the command once. Raises ProviderFailed."""
        finished = await self._runner.run(self._arguments, prompt_text(call))
        if not finished.output.strip():
            raise self._runner.failed("printed no reply.")
        return Completion(finished.output, self.model, _ASKED)

    async def close(self) -> None:
        """Do nothing: every command has ended with its call."""


def make_command_provider(definition: ProviderDefinition) -> CommandProvider:
    """Make a provider. Raises CannotGrade where the command cannot be split into arguments."""
    runner = Runner.of(definition)
    return CommandProvider(runner, runner.arguments(definition["command"]), definition["model"])


def parameters_of(runner: Runner, arguments: Sequence[str]) -> dict[str, Any]:
    """Return what decides the reply of a command, without secrets; of its own variables only a hash is told."""
    command = [runner.redactor.redact(each) for each in arguments]
    return given(command=command, cwd=runner.folder, env_hash=runner.env_hash)


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

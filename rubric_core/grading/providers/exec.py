"""The `exec` provider: a command whose last arguments are the prompt, its options and the context as JSON."""

import json

from rubric_core.grading.providers.command import CommandProvider
from rubric_core.grading.providers.provider import Call, Completion
from rubric_core.javascript_regex import SPACES
from rubric_core.text.patterns import lazily

_PART = lazily(r"""[^\s"']+|"([^"]*)"|'([^']*)'""")
_COLOUR = lazily("\x1b(?:[@-Z\\\\-_]|\\[[0-?]*[ -/]*[@-~])")


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
        """Split a command at blanks, with quotes around whole words and nothing to escape them."""
        return tuple(word[1] or word[2] or word[0] for word in _PART.finditer(command))


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)

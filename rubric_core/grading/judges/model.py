"""A model as judge, behind any provider."""

import json
from functools import cached_property

from rubric_core.grading.judges.judge import Exchange, Judge, JudgeIdentity, Question
from rubric_core.grading.providers.provider import Call, Completion, Provider, Turn


class ModelJudge(Judge):
    """A model that reads the prompt and replies with JSON. Messages about invalid replies are further turns."""

    can_repair = True

    def __init__(self, name: str, provider: Provider) -> None:
        self.identity = JudgeIdentity(name, provider.kind, provider.model)
        self._provider = provider

    @cached_property
    def memory_key(self) -> str | None:
        """Return everything besides the prompt that determines a reply, without the judge's name."""
        provider = self._provider
        return json.dumps([provider.kind, provider.model, dict(provider.parameters)], sort_keys=True, default=str)

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Ask the model. Raises ProviderFailed."""
        turns = [Turn("system", question.prompt.system), Turn("user", question.prompt.user)]
        for exchange in earlier:
            turns += [Turn("assistant", exchange.reply), Turn("user", exchange.complaint)]
        return await self._provider.complete(Call(tuple(turns), question.schema))

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()

"""A real model behind the server of llama.cpp. It is far too small to judge, and right for this: it can only obey.

Held to the schema of a case, whatever it writes is a judgement. Left alone, it writes what is none, and that must never
become a score.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from llama import running_llama
from model_calls import provider_at

from rubric_core.grading.judges.model import ModelJudge
from rubric_core.grading.run import grade
from rubric_core.model.load import load_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rubric_core.grading.providers.provider import Call, Completion, Provider

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

LONGEST_REASONING = 40
SUITE = """\
evalcases:
  - id: port
    expected_outcome: Names the port and says why
    input: Which port does HTTPS use?
    rubrics:
      - {id: names-port, expected_outcome: Names port 443, required: false}
      - id: clarity
        weight: 2
        score_ranges: {0: Cannot be understood, 4: Can be understood, 8: Clear at once}
"""
CASE = load_text(SUITE, "port.eval.yaml")[0].cases[0]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Return where the model is, which runs as long as these tests do."""
    with running_llama() as url:
        yield url


class ChangedCalls:
    """A provider that is asked with another schema than the judge wanted."""

    def __init__(self, provider: Provider, schema: Any) -> None:
        self.kind, self.model, self.parameters = provider.kind, provider.model, provider.parameters
        self.replies: list[Completion] = []
        self._provider = provider
        self._schema = schema

    async def complete(self, call: Call) -> Completion:
        """Ask, and keep the reply."""
        assert call.schema is not None
        self.replies.append(await self._provider.complete(replace(call, schema=self._schema(call.schema))))
        return self.replies[-1]

    async def close(self) -> None:
        """Leave closing to who made the provider."""


def brief(schema: Mapping[str, Any]) -> Any:
    """Return a schema with short texts, for this model goes on and on where it may."""
    if schema.get("type") == "string" and "enum" not in schema:
        return {**schema, "maxLength": LONGEST_REASONING}
    return {name: brief(each) if isinstance(each, dict) else each for name, each in schema.items()}


async def test_a_model_that_is_held_to_the_schema_gives_a_judgement(address: str) -> None:
    """Each criterion in its own mode, the score a whole number from 0 to 10: the server sees to it."""
    async with provider_at(address, model="smollm2-135m", api_key="", max_tokens=600) as provider:
        judge = ChangedCalls(provider, brief)
        result = await grade(CASE, "Port 443.", ModelJudge("smol", judge))
    assert result.error is None
    assert len(judge.replies) == 1
    assert result.verdict in ("pass", "borderline", "fail")
    assert [criterion.id for criterion in result.criteria] == ["names-port", "clarity"]
    assert result.usage.output_tokens > 0
    assert judge.replies[0].model == "smollm2-135m"


async def test_a_model_that_is_left_alone_gives_an_error(address: str) -> None:
    """Asked three times, and no score in the end: neither a pass nor a 0."""
    async with provider_at(address, model="smollm2-135m", api_key="", max_tokens=40) as provider:
        judge = ChangedCalls(provider, lambda _schema: None)
        result = await grade(CASE, "Port 443.", ModelJudge("smol", judge))
    assert result.error is not None
    assert (result.score, result.verdict) == (None, None)
    assert len(judge.replies) == result.usage.calls == 3

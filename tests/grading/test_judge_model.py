"""A model as judge, and the editor: what they are sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from judging import a_question

from rubric_core.grading.judges.judge import Exchange, JudgeIdentity
from rubric_core.grading.judges.model import ModelJudge
from rubric_core.grading.providers.provider import Call, Completion, Turn

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Judge

EARLIER = (Exchange("{}", "Wrong."), Exchange("[]", "Wrong again."))


@dataclass
class Recorder:
    """A provider that keeps what it is asked."""

    kind: str = "openai"
    model: str | None = "small"
    parameters: dict[str, Any] = field(default_factory=lambda: {"temperature": 0, "endpoint": "here"})
    calls: list[Call] = field(default_factory=list)
    closed: bool = False

    async def complete(self, call: Call) -> Completion:
        """Keep the call."""
        self.calls.append(call)
        return Completion("{}", "small-2024")

    async def close(self) -> None:
        """Remember it."""
        self.closed = True


@pytest.mark.asyncio
async def test_a_model_reads_the_prompt_and_what_was_said_about_its_replies() -> None:
    """Each earlier reply is its own turn, with the complaint as the user's answer; the schema goes along."""
    provider = Recorder()
    judge: Judge = ModelJudge("my-judge", provider)
    assert (await judge.judge(a_question(), EARLIER)).model == "small-2024"
    turns = (
        Turn("system", "You judge."),
        Turn("user", "Judge this."),
        Turn("assistant", "{}"),
        Turn("user", "Wrong."),
        Turn("assistant", "[]"),
        Turn("user", "Wrong again."),
    )
    assert provider.calls == [Call(turns, {"type": "object"})]
    assert judge.identity == JudgeIdentity("my-judge", "openai", "small")
    assert (judge.can_repair, judge.is_recorded) == (True, False)
    await judge.close()
    assert provider.closed


def test_replies_are_shared_between_judges_that_ask_the_same_model_in_the_same_way() -> None:
    """The name does not matter, nor does the order of the parameters."""
    usual = ModelJudge("a", Recorder()).memory_key
    assert usual == ModelJudge("b", Recorder(parameters={"endpoint": "here", "temperature": 0})).memory_key
    others = [Recorder(kind="azure"), Recorder(model="large"), Recorder(parameters={"temperature": 1})]
    assert usual not in [ModelJudge("a", other).memory_key for other in others]

"""Judges and cases for tests of grading."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import Usage
from rubric_core.model.load import load_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.grading.judges.judge import Exchange, Question
    from rubric_core.model.suite import EvalCase, Suite


class AnsweringJudge:
    """Replies with what a function says of a question, and remembers what it was asked.

    `waits` is awaited before each reply, so that a test decides when it comes.
    """

    can_repair = True
    is_recorded = False

    def __init__(
        self,
        reply: Callable[[Question], str],
        *,
        name: str = "scripted",
        memory_key: str | None = None,
        waits: Callable[[], object] | None = None,
    ) -> None:
        self.reply = reply
        self.identity = JudgeIdentity(name, "scripted", "model-1")
        self.memory_key = memory_key
        self.asked: list[Question] = []
        self.active = 0
        self.most_active = 0
        self.closed = False
        self._began = asyncio.Condition()
        self._waits = waits

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Reply after the wait."""
        del earlier
        self.asked.append(question)
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        try:
            async with self._began:
                self._began.notify_all()
            if self._waits is not None:
                await self._waits()  # type: ignore[misc]
            return Completion(self.reply(question), "model-1", Usage(calls=1, input_tokens=10, output_tokens=2))
        finally:
            self.active -= 1

    async def reached(self, number: int) -> None:
        """Wait until so many questions are being thought about."""
        async with self._began:
            await self._began.wait_for(lambda: self.active >= number)

    async def close(self) -> None:
        """Remember that nobody asks any more."""
        self.closed = True


def checks(**values: bool | int) -> str:
    """Return the text of a judgement: `checks(correct=True, style=7)`; an underscore means a hyphen."""
    entries = [
        {"id": name.replace("_", "-"), "satisfied" if isinstance(value, bool) else "score": value}
        for name, value in values.items()
    ]
    return json.dumps({"checks": entries})


def all_met(question: Question) -> str:
    """Return the best judgement that a question about criteria can have."""
    return checks(**{each.id: True if each.mode == "checklist" else 10 for each in question.criteria})


def suite_of(text: str, path: str = "some.eval.yaml") -> Suite:
    """Return the suite of a text, with its problems."""
    from rubric_core.analysis.check import check_text  # noqa: PLC0415 - most tests of grading check nothing.

    return load_text(text, path, problems=check_text(text, path=path).problems)[0]


def case_of(body: str, case_id: str = "a") -> EvalCase:
    """Return one case from the lines that follow its usual fields."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"evalcases:\n  - id: {case_id}\n    expected_outcome: It works\n    input: Do it\n{lines}"
    return suite_of(text).cases[0]

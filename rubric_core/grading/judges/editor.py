"""The editor as judge: the language client answers, with its own model or by showing a form to a person."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.providers.provider import Completion

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rubric_core.grading.judges.judge import Exchange, Prompt, Question


class EditorJudge:
    """Sends a question to the language client and takes the text that comes back.

    `model` names the client's model where it is known. A person who fills in a form cannot repair a reply.
    """

    is_recorded = False
    # Which model the client really asks is its own affair, so no reply stands for another.
    memory_key = None

    def __init__(
        self,
        send: Callable[[Question], Awaitable[str]],
        *,
        name: str = "editor",
        model: str | None = None,
        can_repair: bool = True,
    ) -> None:
        self._send = send
        self.identity = JudgeIdentity(name, "editor", model)
        self.can_repair = can_repair

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Ask the client. What was said about earlier replies stands at the end of the prompt."""
        return Completion(await self._send(replace(question, prompt=_with(question.prompt, earlier))))

    async def close(self) -> None:
        """Do nothing: the connection to the client is not the judge's."""


def _with(prompt: Prompt, earlier: tuple[Exchange, ...]) -> Prompt:
    said = [f"# Your earlier reply\n{exchange.reply}\n\n{exchange.complaint}" for exchange in earlier]
    return replace(prompt, user="\n\n".join([prompt.user, *said]))

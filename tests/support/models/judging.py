"""What tests about judges share: a case, a judge that says what it is told to, and a memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring_values import only_case

from rubric_core.grading.judges.judge import Exchange, JudgeIdentity, Prompt, Question
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.judges.judge import Judgement
    from rubric_core.model.suite import EvalCase

CASE = """\
evalcases:
  - id: port
    expected_outcome: Names the port and why
    input_messages:
      - role: user
        content: Which port does HTTPS use?
    expected_messages:
      - role: assistant
        content: Port 443.
    rubrics:
      - id: names-port
        expected_outcome: Names port 443
      - id: depth
        required_min_score: 5
        score_ranges: {0: Says nothing of why, 5: Says why, 10: Says why in one sentence}
    scorecard:
      skill: ports
      red_flags: [Names a wrong port]
      bonuses: [Links the standard]
"""


def port_case() -> EvalCase:
    """Return a case with both kinds of criteria, a reference and a scorecard."""
    return only_case(CASE)


def a_question(**changes: object) -> Question:
    """Return a question; what is asked does not matter to whoever uses it."""
    values: dict[str, object] = {
        "kind": "rubric",
        "case_id": "port",
        "evaluator": "rubric",
        "prompt": Prompt("You judge.", "Judge this.", "0123"),
        "schema": {"type": "object"},
        "answer": "443",
    }
    return Question(**{**values, **changes})  # type: ignore[arg-type]


@dataclass
class ScriptedJudge:
    """Says one reply after the other; an exception among them is raised. Keeps what it was asked."""

    script: Sequence[Completion | BaseException | str]
    memory_key: str | None = "scripted"
    can_repair: bool = True
    is_recorded: bool = False
    identity: JudgeIdentity = field(default_factory=lambda: JudgeIdentity("scripted", "test", "asked-for"))
    heard: list[tuple[Exchange, ...]] = field(default_factory=list)

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:  # noqa: ARG002 - the reply is set.
        """Return the next reply."""
        said = self.script[len(self.heard)]
        self.heard.append(earlier)
        if isinstance(said, BaseException):
            raise said
        return Completion(said, "answered", Usage(1, 0, 10, 2)) if isinstance(said, str) else said

    async def close(self) -> None:
        """Do nothing."""


class DictMemory:
    """A memory that lasts as long as the test."""

    def __init__(self) -> None:
        self.kept: list[Judgement] = []

    def get(self, key: str) -> Judgement | None:
        """Return the latest judgement under a key."""
        return next((each for each in reversed(self.kept) if each.key == key), None)

    def put(self, judgement: Judgement) -> None:
        """Keep a judgement."""
        self.kept.append(judgement)

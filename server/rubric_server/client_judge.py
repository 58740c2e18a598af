"""The client as judge: its model, or the person in front of it, answers what a judge is asked."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from rubric_core.grading.failures import JudgeFailed, PersonStopped
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.memory import PERSON
from rubric_core.grading.prompts.scorecard import DEFINITIONS
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import NOTHING_SPENT, Usage
from rubric_server.addresses import uri_of
from rubric_server.talk import Refusal

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from rubric_core.grading.judges.judge import Exchange, Question
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.scorecards import Scorecard
    from rubric_server.talk import Talk

METHOD = "rubric/judge"


class ClientJudge:
    """Asks the client by `rubric/judge`. `kind` is `manual` for a person and `editor` for a model of the client.

    A person is asked one question at a time, however many cases are graded at once.
    """

    is_recorded = False

    def __init__(self, kind: str, talk: Talk, path: str) -> None:
        self.identity = JudgeIdentity(kind, kind)
        # Which model the client asks is its own affair, so no reply of one stands for another.
        self.memory_key = PERSON if kind == PERSON else None
        self.can_repair = kind != PERSON
        self._talk = talk
        self._uri = uri_of(path)
        self._turn: AbstractAsyncContextManager[None] = asyncio.Lock() if kind == PERSON else nullcontext()
        self._has_stopped = False

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Ask the client. Raises JudgeFailed, and PersonStopped where the person wants to judge no more."""
        params = {
            "judge": self.identity.name,
            "grading": self._talk.grading,
            "uri": self._uri,
            **question_to_json(question),
            "earlier": [{"reply": each.reply, "complaint": each.complaint} for each in earlier],
        }
        async with self._turn:
            if self._has_stopped:
                raise PersonStopped
            try:
                answer = await self._talk.ask(METHOD, params)
            except Refusal as refusal:
                raise JudgeFailed(f"The editor gave no judgement. {refusal}") from None
            return self._completion(answer)

    async def close(self) -> None:
        """Do nothing: the connection to the client is the server's."""

    def _completion(self, answer: Any) -> Completion:
        said = answer if isinstance(answer, dict) else {}
        if said.get("stopped") is True:
            self._has_stopped = True
            raise PersonStopped
        if said.get("skipped") is True:
            raise JudgeFailed(f"The case was skipped. {said.get('reason') or ''}".strip())
        usage = NOTHING_SPENT if self.identity.kind == PERSON else Usage(calls=1)
        model = said.get("model") if isinstance(said.get("model"), str) else None
        if isinstance(said.get("text"), str):
            return Completion(said["text"], model, usage)
        if isinstance(said.get("judgement"), dict):
            return Completion(json.dumps(said["judgement"]), model, usage)
        raise JudgeFailed("The editor gave no judgement; it answered with neither `text` nor `judgement`.")


def question_to_json(question: Question) -> dict[str, Any]:
    """Return what a client is told of a question."""
    return {
        "caseId": question.case_id,
        "evaluator": question.evaluator,
        "kind": question.kind,
        "sample": question.sample,
        "system": question.prompt.system,
        "user": question.prompt.user,
        "schema": dict(question.schema),
        "task": question.task,
        "answer": question.answer,
        "expectedOutcome": question.expected_outcome,
        "reference": question.reference,
        "criteria": [_criterion(criterion) for criterion in question.criteria],
        "scorecard": None if question.scorecard is None else _scorecard(question.scorecard),
    }


def _criterion(criterion: Criterion) -> dict[str, Any]:
    ranges: list[Any] = []
    gate = None
    if criterion.mode == "score-range":
        ranges = list(criterion.score_ranges)
        gate = criterion.required_min_score
    elif criterion.required:
        gate = True
    return {
        "id": criterion.id,
        "mode": criterion.mode,
        "expectedOutcome": criterion.expected_outcome,
        "scoreRanges": [
            {"minimum": each.minimum, "maximum": each.maximum, "expectedOutcome": each.expected_outcome}
            for each in ranges
        ],
        "gate": gate,
    }


def _scorecard(scorecard: Scorecard) -> dict[str, Any]:
    return {
        "dimensions": [{"name": name, "definition": text} for name, text in DEFINITIONS.items()],
        "redFlags": [{"id": each.id, "expectedOutcome": each.expected_outcome} for each in scorecard.red_flags],
        "bonuses": [{"id": each.id, "expectedOutcome": each.expected_outcome} for each in scorecard.bonuses],
    }

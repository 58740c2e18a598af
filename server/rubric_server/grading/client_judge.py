"""Requests to the client from the worker thread, and the client as judge: its model or its user answers."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from decimal import Decimal
from math import isfinite
from typing import Any

from pygls.exceptions import JsonRpcException

from rubric_core.config.config import Config
from rubric_core.grading.failures import JudgeFailed, PersonStopped
from rubric_core.grading.judges.form import DECIMAL_PLACES, Decision, Item, items_of, judgement_text, sections_of
from rubric_core.grading.judges.judge import PERSON, Exchange, Judge, JudgeIdentity, Question
from rubric_core.grading.judges.manual import SKIPPED
from rubric_core.grading.prompts.scorecard import DEFINITIONS
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.targets.targets import Targets
from rubric_core.grading.usage import NOTHING_SPENT, Usage
from rubric_core.model.criteria import Criterion, ScoreRange
from rubric_core.model.suite import Scorecard
from rubric_server.app import RubricServer
from rubric_server.convert import uri_of
from rubric_server.progress import Token
from rubric_server.protocol.converter import members


class ClientRequests:
    """Sends requests to the client, on the server's loop. Created there, used on the worker's loop.

    `grading` is the progress token of the work, by which the client assigns a question to a grading.
    """

    def __init__(self, server: RubricServer, grading: Token | None) -> None:
        self.grading = grading
        self.judges = server.client.judges
        self._keeps_secrets = server.client.secrets
        self._protocol = server.protocol
        self._loop = asyncio.get_running_loop()

    async def environment(self, path: str, config: Config) -> dict[str, str]:
        """Return the environment, with those of the variables that a file's targets lack and the client keeps."""
        missing = Targets(path, config).missing_variables
        answer: Any = None
        if self._keeps_secrets and missing:
            with suppress(JsonRpcException):
                answer = await self.ask("rubric/secrets", {"names": list(missing)})
        secrets = answer if isinstance(answer, dict) else {}
        return {**os.environ, **{name: secrets[name] for name in missing if isinstance(secrets.get(name), str)}}

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Return the client's answer; being cancelled cancels the request. Raise JsonRpcException."""
        return await asyncio.wrap_future(
            asyncio.run_coroutine_threadsafe(self._protocol.ask(method, params), self._loop)
        )


class ClientJudge(Judge):
    """Asks the client by `rubric/judge`. `kind` is `manual` for a person and `editor` for a model of the client.

    A person is asked one question at a time, however many cases are graded at once.
    """

    def __init__(self, kind: str, client: ClientRequests, path: str) -> None:
        self.identity = JudgeIdentity(kind, kind)
        self.can_repair = kind != PERSON
        self._client = client
        self._uri = uri_of(path)
        self._turn: AbstractAsyncContextManager[None] = asyncio.Lock() if kind == PERSON else nullcontext()
        self._has_stopped = False

    @property
    def memory_key(self) -> str | None:
        """Return the key of a person; which model the client asks is unknown, so that its replies are not reused."""
        return PERSON if self.identity.kind == PERSON else None

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Ask the client. Raises JudgeFailed, and PersonStopped where the person wants to judge no more."""
        params = {
            "judge": self.identity.name,
            "grading": self._client.grading,
            "uri": self._uri,
            **_question_to_json(question),
            "form": _form(question) if self.identity.kind == PERSON else None,
            "earlier": [members(exchange, "reply", "complaint") for exchange in earlier],
        }
        async with self._turn:
            if self._has_stopped:
                raise PersonStopped
            try:
                answer = await self._client.ask("rubric/judge", params)
            except JsonRpcException as error:
                raise JudgeFailed(f"The editor gave no judgement. {error.message}") from None
            return self._completion(answer, question)

    def _completion(self, answer: Any, question: Question) -> Completion:
        reply = answer if isinstance(answer, dict) else {}
        if reply.get("stopped") is True:
            self._has_stopped = True
            raise PersonStopped
        if reply.get("skipped") is True:
            raise JudgeFailed(f"The case was skipped. {reply['reason']}" if reply.get("reason") else SKIPPED)
        usage = NOTHING_SPENT if self.identity.kind == PERSON else Usage(calls=1)
        model = reply.get("model") if isinstance(reply.get("model"), str) else None
        if isinstance(reply.get("text"), str):
            return Completion(reply["text"], model, usage)
        if isinstance(reply.get("judgement"), dict):
            return Completion(json.dumps(reply["judgement"]), model, usage)
        if isinstance(reply.get("decisions"), list):
            return Completion(_judgement_of(question, reply["decisions"]), model, usage)
        raise JudgeFailed("The editor gave no judgement. Its reply has no `text`, `judgement` or `decisions`.")


def _question_to_json(question: Question) -> dict[str, Any]:
    texts = ("case_id", "evaluator", "kind", "sample", "task", "answer", "expected_outcome", "reference")
    return {
        **members(question, *texts),
        **members(question.prompt, "system", "user"),
        "schema": dict(question.schema),
        "criteria": [_criterion(criterion) for criterion in question.criteria],
        "scorecard": None if question.scorecard is None else _scorecard(question.scorecard),
    }


def _criterion(criterion: Criterion) -> dict[str, Any]:
    ranges: Iterable[ScoreRange] = ()
    if criterion.mode == "score-range":
        ranges, gate = criterion.score_ranges, criterion.required_min_score
    else:
        gate = criterion.required or None
    return {
        **members(criterion, "id", "mode", "expected_outcome"),
        "scoreRanges": [members(band, "minimum", "maximum", "expected_outcome") for band in ranges],
        "gate": gate,
    }


def _scorecard(scorecard: Scorecard) -> dict[str, Any]:
    return {
        "dimensions": [{"name": name, "definition": text} for name, text in DEFINITIONS.items()],
        "redFlags": [members(red_flag, "id", "expected_outcome") for red_flag in scorecard.red_flags],
        "bonuses": [members(bonus, "id", "expected_outcome") for bonus in scorecard.bonuses],
    }


def _form(question: Question) -> dict[str, Any]:
    *sections, answer = sections_of(question)
    return {
        "title": f"{question.case_id} · {question.evaluator}",
        # In an editor the start of the page is seen first, at a terminal its end.
        "sections": [{"title": title, "text": text} for title, text in (answer, *sections)],
        "items": [_item(item) for item in items_of(question)],
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        **members(item, "kind", "id", "text", "gate"),
        "choices": [
            {
                **members(choice, "label", "score_range", "meaning"),
                "value": float(choice.value) if isinstance(choice.value, Decimal) else choice.value,
            }
            for choice in item.choices
        ],
        "number": {
            "minimum": item.lowest,
            "maximum": item.highest,
            "decimalPlaces": DECIMAL_PLACES[item.answer],
            "description": item.legal_number,
        }
        if item.answer == "number"
        else None,
    }


def _judgement_of(question: Question, decisions: list[Any]) -> str:
    """Return the judgement for a form that was filled in. Its values are validated like those of any judgement."""
    items = items_of(question)
    if len(decisions) != len(items) or not all(isinstance(decision, dict) for decision in decisions):
        raise JudgeFailed(f"The editor gave no judgement. `decisions` needs an object for each of {len(items)} items.")
    return judgement_text(question, items, [_decision(*pair) for pair in zip(items, decisions, strict=True)])


def _decision(item: Item, given: dict[str, Any]) -> Decision:
    value: Any = given.get("value")
    reasoning = given.get("reasoning")
    is_legal = isinstance(value, bool) == (item.answer == "yes or no") and isinstance(value, (int, float))
    if not (is_legal and isfinite(value)):
        legal = "true or false" if item.answer == "yes or no" else item.legal_number
        raise JudgeFailed(f"The editor gave no judgement. The value of {item.id} must be {legal}.")
    # A number that JSON wrote as 0.8 is 0.8, not the nearest binary fraction.
    exact = Decimal(repr(value)) if isinstance(value, float) else value
    return Decision(exact, reasoning if isinstance(reasoning, str) else "")

"""What differs between the providers that are spoken to over HTTP, as values and pure functions.

A `Dialect` says where a request goes, what stands in it and how a reply is read. `http.py` does the rest, the same for
all of them.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rubric_core.grading.usage import Usage
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Mapping

    from rubric_core.grading.providers.provider import Call, Completion, Turn


_PLAIN_NAME = lazily(r"[A-Za-z_]{1,40}")


class ReplyWithoutAnswer(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A reply that holds no answer. `reason` goes on after the name of the provider; `said` is in the model's words."""

    def __init__(self, reason: str, usage: Usage, said: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.usage = usage
        self.said = said


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What a request is made of, apart from the conversation.

    `may_drop_temperature` tells that nobody has asked for this temperature, so that a model which takes none is asked
    without it. `is_own_server` tells that requests go to the company behind the protocol, not to a compatible server.
    """

    model: str
    base_url: str
    api_key: str | None = field(default=None, repr=False)
    temperature: float | None = None
    may_drop_temperature: bool = False
    max_tokens: int | None = None
    seed: int | None = None
    version: str = ""
    thinking_budget: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    is_own_server: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """How much is asked of a server. It is lowered where the server refuses a part of it.

    `structure` is the way in which the reply is held to its schema, one of the dialect's ladder. `given_up` names what
    else is done without.
    """

    structure: str
    given_up: frozenset[str] = frozenset()

    def giving_up(self, name: str) -> Manner | None:
        """Return the same without one thing more, or None where that is given up already."""
        return None if name in self.given_up else replace(self, given_up=self.given_up | {name})


@dataclass(frozen=True, slots=True)
class Concession:
    """What is given up when a server's complaint matches.

    Where nothing is left to give up, `lowered` returns None.
    """

    complaint: re.Pattern[str]
    lowered: Callable[[ModelSettings, Manner], Manner | None]


@dataclass(frozen=True, slots=True)
class HttpDialect:
    """How one provider wants to be spoken to. The first of `ladder` holds a reply to its schema most strongly.

    `parse` makes data of the body of a reply, and `read` finds the answer in that; it is told the names of the tools
    that were offered. Both raise ReplyWithoutAnswer for a reply that contradicts itself. Every answer must come out of
    both as the text that was written, so that nothing is lost before it is checked.
    """

    kind: str
    ladder: tuple[str, ...]
    url: Callable[[ModelSettings], str]
    headers: Callable[[ModelSettings], dict[str, str]]
    body: Callable[[ModelSettings, Call, Manner], dict[str, Any]]
    read: Callable[[Any, Collection[str]], Completion]
    concessions: tuple[Concession, ...] = ()
    parse: Callable[[bytes], Any] = field(default_factory=lambda: parse_reply)


PROMPT_ALONE = "prompt"
"""The last of every ladder: nothing but the prompt says what the reply must look like."""


def stepping_down(complaint: re.Pattern[str], ladder: tuple[str, ...]) -> Concession:
    """Give up a way of holding the reply to its schema for the next weaker one."""

    def lowered(_settings: ModelSettings, manner: Manner) -> Manner | None:
        place = ladder.index(manner.structure)
        return replace(manner, structure=ladder[place + 1]) if place + 1 < len(ladder) else None

    return Concession(complaint, lowered)


def dropping_temperature(complaint: re.Pattern[str]) -> Concession:
    """Give up the temperature, unless somebody has asked for it."""

    def lowered(settings: ModelSettings, manner: Manner) -> Manner | None:
        return manner.giving_up("temperature") if settings.may_drop_temperature else None

    return Concession(complaint, lowered)


def temperature_of(settings: ModelSettings, manner: Manner) -> float | None:
    """Return the temperature to ask for, or None for the model's own."""
    return None if "temperature" in manner.given_up else settings.temperature


def given(**parameters: Any) -> dict[str, Any]:
    """Return the parameters that have a value."""
    return {name: value for name, value in parameters.items() if value is not None}


def at(value: Any, *path: str | int) -> Any:
    """Return what stands at a path in JSON, or None where the path leads nowhere."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def text_at(value: Any, *path: str | int) -> str:
    """Return the text at a path in JSON, or an empty one."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def count_at(value: Any, *path: str | int) -> int:
    """Return the count at a path in JSON, or 0."""
    found = at(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def parse_reply(body: bytes, *, own_text: str | None = None) -> Any:
    """Return the data of a reply. What stands under the key `own_text` may be anything, and is checked elsewhere.

    Raises:
        ReplyWithoutAnswer: A key is repeated in an object, so that nobody can tell which of its values is meant.
        ValueError: It is not JSON.
    """
    repeated: dict[int, str] = {}
    kept: list[dict[str, Any]] = []

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        built = dict(pairs)
        if len(built) < len(pairs):
            counts = Counter(name for name, _ in pairs if name != own_text)
            key, count = counts.most_common(1)[0] if counts else ("", 0)
            if count > 1:
                repeated[id(built)] = key
                kept.append(built)  # As long as it is held, no other object has its identity.
        return built

    reply = json.loads(body, object_pairs_hook=build)
    key = _repeated_key(reply, repeated, own_text) if repeated else None
    if key is not None:
        named = f"more than one `{key}`" if _PLAIN_NAME.fullmatch(key) else "a repeated key"
        raise ReplyWithoutAnswer(f"sent a reply with {named} in the same object", one_call(0, 0))
    return reply


def _repeated_key(value: Any, repeated: Mapping[int, str], own_text: str | None) -> str | None:
    """Return a key that is repeated in a reply, outside of what stands under the key `own_text`."""
    if isinstance(value, dict):
        if id(value) in repeated:
            return repeated[id(value)]
        members = [member for name, member in value.items() if name != own_text]
    else:
        members = value if isinstance(value, list) else []
    found = (_repeated_key(member, repeated, own_text) for member in members)
    return next((key for key in found if key is not None), None)


FAILED_STATUSES = frozenset({"failed", "incomplete", "cancelled", "canceled", "error"})
"""What a server says of an answer that did not come to its end."""


def check_for_error(reply: Any, usage: Usage) -> None:
    """Raise ReplyWithoutAnswer for a reply that is an error, whatever answer stands beside it.

    Some servers send an empty `error` (null, false, a text, an object or a list with nothing in it) with each answer.
    """
    if at(reply, "error") or at(reply, "errors") or "error" in (at(reply, "type"), at(reply, "object")):
        raise ReplyWithoutAnswer("answered with an error", usage)
    status = text_at(reply, "status").lower()
    if status in FAILED_STATUSES:
        raise ReplyWithoutAnswer(f"ended with the status {status}", usage)


def ending_at(value: Any, name: str, usage: Usage) -> str:
    """Return why an answer ended, empty where nothing is said. Raises ReplyWithoutAnswer where it is not a text."""
    ending = at(value, name)
    if ending is None or isinstance(ending, str):
        return ending or ""
    raise ReplyWithoutAnswer(f"sent a `{name}` that is not a text", usage)


def unoffered_tool(usage: Usage) -> ReplyWithoutAnswer:
    """Return what is wrong with a reply that calls a tool which the request does not offer."""
    return ReplyWithoutAnswer("called a tool that was not offered to it", usage)


def only_one(found: Any, usage: Usage) -> None:
    """Raise ReplyWithoutAnswer where there are several answers: nobody can tell which of them is meant."""
    if isinstance(found, list) and len(found) > 1:
        raise ReplyWithoutAnswer(f"sent {len(found)} answers where one was asked for", usage)


def one_call(input_tokens: int, output_tokens: int) -> Usage:
    """Return what one call has cost."""
    return Usage(calls=1, input_tokens=input_tokens, output_tokens=output_tokens)


class Conversation(NamedTuple):
    """A conversation for a protocol that wants the system's words apart from the others'."""

    system: str
    turns: tuple[Turn, ...]


def parted(turns: tuple[Turn, ...]) -> Conversation:
    """Part the system's words from the others'. Where nobody else speaks, they are said by the user."""
    system = "\n\n".join(turn.text for turn in turns if turn.role == "system")
    others = tuple(turn for turn in turns if turn.role != "system")
    return Conversation(system, others) if others else Conversation("", tuple(replace(t, role="user") for t in turns))

"""The differences between the model APIs over HTTP, as values and pure functions for `http.py`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rubric_core.grading.providers.provider import Call, Completion, Turn
from rubric_core.grading.usage import Usage
from rubric_core.text.patterns import lazily

PROMPT_ONLY = "prompt"
"""The last of the structures of every dialect: the form of the reply is in the prompt only."""

SCHEMA_NAME = "judgement"
"""What the schema of a reply is called, or the tool that takes one."""

FAILED_STATUSES = frozenset({"failed", "incomplete", "cancelled", "canceled", "error"})
"""The statuses of an answer that did not come to its end."""

_TEMPERATURE = lazily(r"temperature", re.IGNORECASE)
_LIMIT = lazily(r"max_(completion_)?tokens", re.IGNORECASE)
_PLAIN_NAME = lazily(r"[A-Za-z_]{1,40}")
_REPEATED = object()
"""The key under which an object of a reply has the name of a key that is repeated in it."""


class ReplyWithoutAnswer(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A reply that holds no answer. `reason` continues after the name of the provider; `said` quotes the model."""

    def __init__(self, reason: str, said: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.said = said


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The settings of a request, without the conversation.

    `structure` is the way of enforcing the schema of the reply. `may_drop_temperature`: the user did not set this
    temperature, so it is omitted for a model that accepts none. `is_own_server`: requests go to the company behind
    the protocol, not to a compatible server. `has_other_limit`: the server refused the usual name of `max_tokens`.
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
    has_other_limit: bool = False
    structure: str = "json_schema"


@dataclass(frozen=True, slots=True)
class HttpDialect:
    """How one model API is called. The first of `structures` enforces a schema most strongly.

    `headers` have places for settings. `parse` makes data of the body of a reply, and `read` finds the answer in that,
    given the names of the tools that were offered; both raise ReplyWithoutAnswer for a reply that contradicts itself.
    Both must return an answer exactly as written, so that nothing is lost before it is checked.
    `usage` is the key of the counts of tokens, with the names of those that were read and written. `structure_error`
    matches the errors of servers that do not support a structure. `own_hosts` are the servers of the company behind the
    protocol; one that begins with a dot includes all below it.
    """

    url: Callable[[ModelSettings], str]
    headers: Mapping[str, str]
    body: Callable[[ModelSettings, Call], dict[str, Any]]
    read: Callable[[Any, Collection[str]], Completion]
    usage: tuple[str, tuple[str, ...], tuple[str, ...]]
    structure_error: re.Pattern[str]
    own_hosts: tuple[str, ...]
    structures: tuple[str, ...] = ("json_schema", "json_object", PROMPT_ONLY)
    parse: Callable[[bytes], Any] = field(default_factory=lambda: parse_reply)
    has_two_limit_names: bool = False
    needs_key_everywhere: bool = True
    address_setting: str = "base_url"

    def fallback(self, settings: ModelSettings, error: str) -> ModelSettings | None:
        """Return settings without the parameter that a server's error is about, or None."""
        if settings.may_drop_temperature and settings.temperature is not None and _TEMPERATURE.search(error):
            return replace(settings, temperature=None)
        may_rename = self.has_two_limit_names and settings.max_tokens is not None and not settings.has_other_limit
        if may_rename and _LIMIT.search(error):
            return replace(settings, has_other_limit=True)
        weaker = self.structures[self.structures.index(settings.structure) + 1 :]
        return replace(settings, structure=weaker[0]) if weaker and self.structure_error.search(error) else None

    def headers_of(self, settings: ModelSettings) -> dict[str, str]:
        """Return the headers of a request; a local server needs no key."""
        values = {"key": settings.api_key, "version": settings.version}
        return {name: value.format(**values) for name, value in self.headers.items()} if settings.api_key else {}

    def usage_of(self, reply: Any) -> Usage:
        """Return the token usage that a reply reports."""
        key, *names = self.usage
        return Usage(1, 0, *(sum(count_at(reply, key, name) for name in counted) for counted in names))


def without_none(**parameters: Any) -> dict[str, Any]:
    """Return the parameters that have a value."""
    return {name: value for name, value in parameters.items() if value is not None}


def at(value: Any, *path: str | int) -> Any:
    """Return the value at a path in JSON, or None."""
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
    value_at = at(value, *path)
    return value_at if isinstance(value_at, str) else ""


def list_at(value: Any, *path: str | int) -> list[Any]:
    """Return the list at a path in JSON, or an empty one."""
    value_at = at(value, *path)
    return value_at if isinstance(value_at, list) else []


def count_at(value: Any, *path: str | int) -> int:
    """Return the count at a path in JSON, or 0."""
    value_at = at(value, *path)
    return value_at if isinstance(value_at, int) and not isinstance(value_at, bool) and value_at > 0 else 0


def parse_reply(body: bytes, *, own_text: str | None = None) -> Any:
    """Return the data of a reply. The value of the key `own_text` may be anything, and is checked later.

    Raises ReplyWithoutAnswer if a key is repeated in an object, so that its value is ambiguous, and ValueError if it is
    not JSON.
    """
    repeated: list[str] = []

    def build(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        built = dict(pairs)
        counts = Counter(name for name, _ in pairs if name != own_text) if len(built) < len(pairs) else Counter()
        for name, count in counts.most_common(1):
            if count > 1:
                repeated.append(name)
                built[_REPEATED] = name
        return built

    reply = json.loads(body, object_pairs_hook=build)
    key = _repeated_key(reply, own_text) if repeated else None
    if key is not None:
        named = f"more than one `{key}`" if _PLAIN_NAME.fullmatch(key) else "a repeated key"
        raise ReplyWithoutAnswer(f"sent a reply with {named} in the same object")
    return reply


def _repeated_key(value: Any, own_text: str | None) -> str | None:
    """Return a key that is repeated in a reply, except below the key `own_text`."""
    if isinstance(value, dict):
        if _REPEATED in value:
            return str(value[_REPEATED])
        value = [member for name, member in value.items() if name != own_text]
    keys = (_repeated_key(member, own_text) for member in value) if isinstance(value, list) else ()
    return next((key for key in keys if key is not None), None)


def check_for_errors(*levels: Any) -> None:
    """Raise ReplyWithoutAnswer for a reply with an error at any level, even beside an answer.

    Some servers send an empty `error` with each answer.
    """
    for level in levels:
        if at(level, "error") or at(level, "errors") or "error" in (at(level, "type"), at(level, "object")):
            raise ReplyWithoutAnswer("answered with an error")
        status = text_at(level, "status").lower()
        if status in FAILED_STATUSES:
            raise ReplyWithoutAnswer(f"ended with the status {status}")


def only_answer(reply: Any, name: str) -> Any:
    """Return the only answer in a list. Raises ReplyWithoutAnswer if there are several."""
    answers = list_at(reply, name)
    if len(answers) > 1:
        raise ReplyWithoutAnswer(f"sent {len(answers)} answers where one was asked for")
    return at(answers, 0)


def ending_at(value: Any, name: str) -> str:
    """Return why an answer ended, empty if that is missing. Raises ReplyWithoutAnswer if it is not a text."""
    ending = at(value, name)
    if ending is None or isinstance(ending, str):
        return ending or ""
    raise ReplyWithoutAnswer(f"sent a `{name}` that is not a text")


def check_ending(ending: str, accepted: Collection[str]) -> None:
    """Raise ReplyWithoutAnswer for an ending without an answer."""
    if ending not in accepted:
        raise ReplyWithoutAnswer(f"stopped the answer ({ending})")


def check_tools(*, is_unoffered: bool) -> None:
    """Raise ReplyWithoutAnswer for a reply that calls a tool which the request does not offer."""
    if is_unoffered:
        raise ReplyWithoutAnswer("called a tool that was not offered to it")


def completion(text: str, model: str, *, cut_short: bool) -> Completion:
    """Return the answer. Raises ReplyWithoutAnswer if it is empty."""
    if text.strip():
        return Completion(text, model or None, cut_short=cut_short)
    if cut_short:
        raise ReplyWithoutAnswer("reached its limit of tokens before the answer began; raise the setting max_tokens")
    raise ReplyWithoutAnswer("sent an empty answer")


def split_system(turns: tuple[Turn, ...]) -> tuple[str, tuple[Turn, ...]]:
    """Return the system prompt and the other turns; without others, the system prompt becomes the user's turn."""
    system = "\n\n".join(turn.text for turn in turns if turn.role == "system")
    others = tuple(turn for turn in turns if turn.role != "system")
    return (system, others) if others else ("", tuple(replace(turn, role="user") for turn in turns))

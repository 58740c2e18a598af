"""A model behind HTTP: sends a call in the provider's dialect, is patient, and says in a sentence what went wrong."""

from __future__ import annotations

import json
import random
import re
from asyncio import sleep
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.providers.connections import Bounds, Connections, NoReply, Reply, read_address
from rubric_core.grading.providers.dialect import Manner, ReplyWithoutAnswer, at, given
from rubric_core.grading.providers.hashes import hash_of
from rubric_core.grading.providers.retries import NO_CREDIT, Patience, complaint_in, is_retried, wait_asked_for
from rubric_core.grading.usage import Usage
from rubric_core.terminal.fitting import fitted
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from rubric_core.grading.providers.dialect import HttpDialect, ModelSettings
    from rubric_core.grading.providers.provider import Call, Completion
    from rubric_core.grading.providers.retries import ServerError

_LONGEST_QUOTE = 300
_GOOD, _MOVED, _BAD, _NO_ACCESS, _NO_CREDIT = 200, 300, 400, 401, 402
_REFUSING_STATUSES = frozenset({400, 404, 422, 501})
_TOO_LONG = lazily(r"context[_ ](length|window)|too long|too many tokens|prompt is too", re.IGNORECASE)
_ABOUT_THE_KEY = lazily(r"api[_ -]?key", re.IGNORECASE)
_ASKED = Usage(calls=1)


@dataclass(frozen=True, slots=True)
class Access:
    """How a provider is reached. `key_source` says in words where its key comes from; errors pass through `redact`."""

    name: str
    key_source: str
    redact: Callable[[str], str]
    patience: Patience = field(default_factory=Patience)
    bounds: Bounds = field(default_factory=Bounds)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)


class HttpProvider:
    """A model that answers over HTTP.

    A server that refuses a way of structured output, or a parameter that nobody has asked for, is asked for less; what
    worked is remembered, so that only the first calls are sent twice.
    """

    def __init__(self, dialect: HttpDialect, settings: ModelSettings, access: Access) -> None:
        self._dialect = dialect
        self._settings = settings
        self._access = access
        try:
            address = read_address(dialect.url(settings))
        except ValueError:
            raise CannotGrade(
                f"The address of {access.name} is none that can be used; write it as https://HOST/PATH, without a "
                f"user name or a password."
            ) from None
        self._host = address.host_port_subcomponent
        headers = {
            "content-type": "application/json",
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": "rubric-lsp",
            **dialect.headers(settings),
            **settings.headers,
        }
        self._connections = Connections(address, headers, access.bounds, access.environment)
        self._manner = Manner(dialect.ladder[0])

    @property
    def kind(self) -> str:
        """Return the provider's name in settings."""
        return self._dialect.kind

    @property
    def model(self) -> str | None:
        """Return the model that is asked for."""
        return self._settings.model

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return what else decides the reply; of headers and the query of the address, which may be secret, a hash."""
        settings = self._settings
        address = urlsplit(self._dialect.url(settings))
        return given(
            address=address._replace(query="").geturl(),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            seed=settings.seed,
            version=settings.version or None,
            thinking_budget=settings.thinking_budget,
            headers_hash=hash_of(settings.headers),
            query_hash=hash_of(address.query),
        )

    async def complete(self, call: Call) -> Completion:
        """Answer one call, or raise ProviderFailed. Cancelling closes the connection."""
        manner = self._manner
        body = self._dialect.body(self._settings, call, manner)
        tried = {manner}
        while True:
            reply = await self._send(body)
            if _GOOD <= reply.status < _MOVED:
                if len(tried) > 1:
                    # Only what worked is remembered: a complaint may have been about something else after all.
                    self._manner = manner
                return self._read(reply, [tool["name"] for tool in body.get("tools", ())])
            complaint = complaint_in(reply.body)
            lowered = self._lowered(manner, reply.status, complaint, tried)
            refused, body = body, self._dialect.body(self._settings, call, lowered or manner)
            if lowered is None or body == refused:
                raise self._failed(self._told(reply, complaint))
            manner = lowered
            tried.add(manner)

    async def close(self) -> None:
        """Close the connections."""
        await self._connections.close()

    async def _send(self, body: dict[str, Any]) -> Reply:
        """Send a request until there is an answer that the same request would get again."""
        patience, content = self._access.patience, json.dumps(body).encode()
        retry = 0
        while True:
            wait = patience.wait(retry, random.random())  # noqa: S311 - spreads retries, hides nothing.
            try:
                reply = await self._connections.post(content)
            except NoReply as failure:
                if not failure.again or retry >= patience.retries:
                    raise self._failed(failure.reason + _times(retry)) from None
            else:
                if not is_retried(reply, patience):
                    return reply
                if retry >= patience.retries:
                    raise self._failed(self._told(reply, complaint_in(reply.body), _times(retry)))
                asked = wait_asked_for(reply, datetime.now(timezone.utc))
                if asked is not None and asked > patience.longest_wait:
                    raise self._failed(
                        f"answered with status {reply.status} and asks to wait {asked:,.0f} s, which is more than "
                        f"{patience.longest_wait:g} s; grade again later"
                    )
                # Whoever names a time names it to all that wait, so they come back spread over a little more.
                wait = asked * (1 + random.random() / 4) if asked else wait  # noqa: S311 - the same.
            await sleep(wait)
            retry += 1

    def _lowered(self, manner: Manner, status: int, complaint: ServerError, tried: set[Manner]) -> Manner | None:
        """Return what to ask for in place of what was refused, or None where there is nothing less to ask for."""
        if status not in _REFUSING_STATUSES or _TOO_LONG.search(complaint.whole):
            return None
        if self._manner not in tried:
            # Another call has found out meanwhile what works.
            return self._manner
        concessions = (each for each in self._dialect.concessions if each.complaint.search(complaint.whole))
        lowered = (concession.lowered(self._settings, manner) for concession in concessions)
        return next((each for each in lowered if each is not None), None)

    def _read(self, reply: Reply, tools: Collection[str]) -> Completion:
        told = None
        try:
            told = self._dialect.parse(reply.body)
            return self._dialect.read(told, tools)
        except (ValueError, RecursionError):
            raise self._failed(
                "answered with something that is not JSON; check that its address is that of the programming interface"
            ) from None
        except ReplyWithoutAnswer as nothing:
            if at(told, "error") or at(told, "object") == "error":
                complaint = complaint_in(reply.body)
                raise self._failed(f"answered with an error{self._quoted(complaint.message)}", nothing.usage) from None
            raise self._failed(nothing.reason + self._quoted(nothing.said), nothing.usage) from None

    def _told(self, reply: Reply, complaint: ServerError, times: str = "") -> str:
        said = self._quoted(complaint.message)
        return f"answered with status {reply.status}{times}{said}; {self._advice(reply.status, complaint)}"

    def _quoted(self, message: str) -> str:
        # A key that is cut in two would not be recognised, so it is taken out first.
        line = fitted(self._access.redact(message[: 2 * _LONGEST_QUOTE]), _LONGEST_QUOTE).rstrip(".")
        return f': "{line}"' if line.strip() else ""

    def _advice(self, status: int, complaint: ServerError) -> str:
        if complaint.code in NO_CREDIT:
            status = _NO_CREDIT
        elif status == _BAD and _ABOUT_THE_KEY.search(complaint.whole):
            status = _NO_ACCESS
        advice = _ADVICE.get(status) or _ADVICE.get(status // 100 * 100, _LATER)
        return advice.format(key=self._access.key_source)

    def _failed(self, reason: str, usage: Usage = _ASKED) -> ProviderFailed:
        access = self._access
        return ProviderFailed(access.redact(f"{access.name} ({self.kind} at {self._host}) {reason}."), usage)


_LATER = "grade again later"
_ADVICE = {
    300: "requests are not sent on to another address, so give the one that it has moved to",
    400: "check the settings of this provider",
    401: "check {key}",
    402: "its account has no credit left",
    403: "check what {key} may do",
    404: "check the model and the address in its settings",
    413: "the prompt is too large for it",
    429: "grade fewer cases at once, or later",
}


def _times(retry: int) -> str:
    return f" ({retry + 1} times)" if retry else ""

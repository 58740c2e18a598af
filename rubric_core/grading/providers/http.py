"""A model behind HTTP: sends a call in the provider's dialect, retries, and describes failures."""

import json
import random
import re
from asyncio import sleep
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from http import HTTPStatus
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientTimeout

from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.providers import replies
from rubric_core.grading.providers.connections import Connections, NoReply, read_address
from rubric_core.grading.providers.dialect import HttpDialect, ModelSettings, ReplyWithoutAnswer, at, without_none
from rubric_core.grading.providers.provider import Call, Completion
from rubric_core.grading.providers.settings import ProviderDefinition, hash_of
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.usage import Usage
from rubric_core.terminal.display import fitted
from rubric_core.text.patterns import lazily

_JUDGES_TEMPERATURE = 0.0
"""What a judge is asked with. An answer under test is asked for with the model's own, as its users would get it."""

_LONGEST_QUOTE = 300
_REFUSING_STATUSES = frozenset({400, 404, 422, 501})
_TOO_LONG = lazily(r"context[_ ](length|window)|too long|too many tokens|prompt is too", re.IGNORECASE)
_ABOUT_THE_KEY = lazily(r"api[_ -]?key", re.IGNORECASE)
_MASKED_KEY = lazily(r"\S*\*{3,}\S*")
"""How providers repeat a wrong key: some of its characters, and stars."""


class HttpProvider:
    """A model that answers over HTTP.

    If a server refuses a kind of structured output or a default parameter, later requests omit it.
    """

    def __init__(self, definition: ProviderDefinition) -> None:
        """Raise CannotGrade if the key or the address cannot be used."""
        self.kind = definition.kind.name
        self._name = definition.name
        self._dialect: HttpDialect = import_module(f"rubric_core.grading.providers.{self.kind}").DIALECT
        keys = next(setting.variables for setting in definition.kind.settings if setting.name == "api_key")
        self._key_variables = " or ".join(keys)
        without_key = _model_settings(definition, self._dialect)
        self.model: str | None = without_key.model
        try:
            address = read_address(self._dialect.url(without_key))
        except ValueError:
            raise CannotGrade(
                f"The address of {self._name} is none that can be used; write it as https://HOST/PATH, without a "
                f"user name or a password."
            ) from None
        self._host = address.host_port_subcomponent
        host, own_hosts = address.raw_host or "", self._dialect.own_hosts
        is_own = any(host.endswith(own) if own.startswith(".") else host == own for own in own_hosts)
        key = self._key(definition, is_own=is_own)
        self._settings = self._accepted = settings = replace(without_key, api_key=key, is_own_server=is_own)
        secrets = {f"header {name}": value for name, value in settings.headers.items()}
        self._redactor = Redactor({"api_key": settings.api_key or "", **secrets})
        self._retries = replies.RetryPolicy(
            count=definition["max_retries"],
            first_wait=definition["retry_initial_delay_ms"] / 1000,
            longest_wait=definition["retry_max_delay_ms"] / 1000,
            growth=definition["retry_backoff_factor"],
            statuses=definition["retry_status_codes"] or replies.RETRIED_STATUSES,
        )
        headers = {
            "content-type": "application/json",
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": "rubric-lsp",
            **self._dialect.headers_of(settings),
            **settings.headers,
        }
        timeout = ClientTimeout(total=definition["timeout"], connect=definition["connect_timeout"])
        self._connections = Connections(address, headers, timeout, definition.environment)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return all else that determines the reply; headers and the query, which may be secret, as a hash."""
        settings = self._settings
        address = urlsplit(self._dialect.url(settings))
        return without_none(
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
        tried = [self._accepted]
        body = self._dialect.body(tried[-1], call)
        while True:
            reply = await self._send(body)
            if HTTPStatus.OK <= reply.status < HTTPStatus.MULTIPLE_CHOICES:
                # Only settings that worked are kept: an error may have had another reason.
                self._accepted = tried[-1] if len(tried) > 1 else self._accepted
                return self._read(reply, [tool["name"] for tool in body.get("tools", ())])
            following = self._next_settings(reply, tried)
            refused, body = body, self._dialect.body(following or tried[-1], call)
            if following is None or body == refused:
                raise self._failed(self._described(reply))
            tried.append(following)

    async def close(self) -> None:
        """Close the connections."""
        await self._connections.close()

    def _key(self, definition: ProviderDefinition, *, is_own: bool) -> str | None:
        """Return the key. That of the environment is only sent to the provider itself and the environment's address."""
        key: str | None = definition["api_key"]
        may_go_elsewhere = "api_key" in definition.given or self._dialect.address_setting not in definition.given
        if key is not None and (is_own or may_go_elsewhere):
            return key
        if not is_own and not self._dialect.needs_key_everywhere:
            return None
        if key is None:
            raise CannotGrade(
                f"{self._name} has no key; give the setting api_key or the variable {self._key_variables}."
            )
        raise CannotGrade(
            f"{self._name} has an address of its own, where the key of the environment is not sent; "
            f"give the setting api_key."
        )

    async def _send(self, body: dict[str, Any]) -> replies.Reply:
        """Send a request until its reply is final: an answer, or an error that a retry would not change."""
        policy, content = self._retries, json.dumps(body).encode()
        retry = 0
        while True:
            wait = policy.wait(retry, random.random())  # noqa: S311 - spreads retries, hides nothing.
            try:
                reply = await self._connections.post(content)
            except NoReply as failure:
                if not failure.again or retry >= policy.count:
                    raise self._failed(failure.reason + _attempts_text(retry)) from None
            else:
                if not replies.is_retried(reply, policy):
                    return reply
                if retry >= policy.count:
                    raise self._failed(self._described(reply, _attempts_text(retry)))
                asked = replies.requested_wait(reply, datetime.now(timezone.utc))
                if asked is not None and asked > policy.longest_wait:
                    raise self._failed(
                        f"answered with status {reply.status} and asks to wait {asked:,.0f} s, which is more than "
                        f"{policy.longest_wait:g} s; grade again later"
                    )
                # The server names the same time to all waiting calls, so their retries are spread.
                wait = asked * (1 + random.random() / 4) if asked else wait  # noqa: S311 - the same.
            await sleep(wait)
            retry += 1

    def _next_settings(self, reply: replies.Reply, tried: list[ModelSettings]) -> ModelSettings | None:
        """Return the settings to try after a refused request, or None if nothing can be omitted."""
        error = reply.error.whole
        if reply.status not in _REFUSING_STATUSES or _TOO_LONG.search(error):
            return None
        if self._accepted not in tried:
            # Another call has found working settings meanwhile.
            return self._accepted
        return self._dialect.fallback(tried[-1], error)

    def _read(self, reply: replies.Reply, tools: Collection[str]) -> Completion:
        data = None
        try:
            data = self._dialect.parse(reply.body)
            return replace(self._dialect.read(data, tools), usage=self._dialect.usage_of(data))
        except (ValueError, RecursionError):
            raise self._failed(
                "answered with something that is not JSON; check that its address is that of the programming interface"
            ) from None
        except ReplyWithoutAnswer as nothing:
            reason, details = nothing.reason, nothing.said
            if at(data, "error") or at(data, "object") == "error":
                reason, details = "answered with an error", reply.error.message
            raise self._failed(reason + self._quoted(details), self._dialect.usage_of(data)) from None

    def _described(self, reply: replies.Reply, times: str = "") -> str:
        """Return the error of a server, with advice."""
        status, error = reply.status, reply.error
        if error.code in replies.NO_CREDIT:
            status = HTTPStatus.PAYMENT_REQUIRED
        elif status == HTTPStatus.BAD_REQUEST and _ABOUT_THE_KEY.search(error.whole):
            status = HTTPStatus.UNAUTHORIZED
        advice = _ADVICE.get(status) or _ADVICE.get(status // 100 * 100, "grade again later")
        advice = advice.format(key=f"the key in the setting api_key or the variable {self._key_variables}")
        return f"answered with status {reply.status}{times}{self._quoted(error.message)}; {advice}"

    def _quoted(self, message: str) -> str:
        # A key that is cut would not be recognised, so it is redacted first.
        line = fitted(self._redact(message[: 2 * _LONGEST_QUOTE]), _LONGEST_QUOTE).rstrip(".")
        return f': "{line}"' if line.strip() else ""

    def _failed(self, reason: str, usage: Usage | None = None) -> ProviderFailed:
        message = f"{self._name} ({self.kind} at {self._host}) {reason}."
        return ProviderFailed(self._redact(message), usage or Usage(calls=1))

    def _redact(self, text: str) -> str:
        return _MASKED_KEY.sub("[secret api_key]", self._redactor.redact(text))


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


def _attempts_text(retry: int) -> str:
    return f" ({retry + 1} times)" if retry else ""


def _model_settings(definition: ProviderDefinition, dialect: HttpDialect) -> ModelSettings:
    temperature = definition["temperature"]
    if temperature is None and definition.purpose == "judge":
        temperature = _JUDGES_TEMPERATURE
    return ModelSettings(
        model=definition["model"],
        base_url=definition[dialect.address_setting],
        temperature=temperature,
        may_drop_temperature="temperature" not in definition.given,
        max_tokens=definition["max_tokens"],
        seed=definition["seed"],
        version=definition["version"] or "",
        thinking_budget=definition["thinking_budget"],
        headers=definition["headers"],
    )

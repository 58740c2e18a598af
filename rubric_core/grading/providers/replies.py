"""The reply of a server: its error, whether the request is sent again, and how long to wait before that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from rubric_core.grading.providers.dialect import at, list_at, text_at
from rubric_core.text.patterns import lazily

RETRIED_STATUSES = frozenset({408, 409, 425, 429, *range(500, 600)} - {501, 505})
"""Time-outs, locks, limits on the rate, and servers in trouble. What is not implemented will not be a second later."""

NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
"""Codes of a limit that no waiting lifts."""

_LONGEST_ERROR = 20_000
_SECONDS = lazily(r"(\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is sent again, and the waits between, in seconds.

    Each wait is `growth` times the one before, up to `longest_wait`, which a server must not exceed either.
    """

    count: int = 4
    first_wait: float = 0.5
    longest_wait: float = 60.0
    growth: float = 2.0
    statuses: frozenset[int] = RETRIED_STATUSES

    def wait(self, retry: int, chance: float) -> float:
        """Return the wait before a retry, counted from 0. `chance` in 0-1 keeps many from coming back all at once."""
        grown: float = self.first_wait * self.growth ** min(retry, 64)
        return min(grown, self.longest_wait) * (0.75 + 0.25 * chance)


class ServerError(NamedTuple):
    """The error of a request that a server did not answer: its message, its code, and the whole text."""

    message: str
    code: str
    whole: str


def read_error(body: bytes) -> ServerError:
    """Read the error of a server, whatever form it has."""
    text = body[:_LONGEST_ERROR].decode("utf-8", "replace")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return ServerError("" if text.lstrip().startswith("<") else text, "", text)
    if isinstance(data, list):
        data = at(data, 0)
    error = at(data, "error")
    source = error if isinstance(error, dict) else data
    message = error if isinstance(error, str) else text_at(source, "message") or text_at(source, "detail")
    return ServerError(message[:_LONGEST_ERROR] or text, text_at(source, "code") or text_at(source, "type"), text)


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply. Headers are found by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def error(self) -> ServerError:
        """Return the error of a reply, if it is one."""
        return read_error(self.body)


def is_retried(reply: Reply, policy: RetryPolicy) -> bool:
    """Return whether the same request may get an answer later."""
    if (wish := reply.headers.get("x-should-retry")) in ("true", "false"):
        return wish == "true"
    return reply.status in policy.statuses and reply.error.code not in NO_CREDIT


def requested_wait(reply: Reply, now: datetime) -> float | None:
    """Return the seconds that a server asks to wait, or None where it names none."""
    milliseconds, after = (reply.headers.get(name, "") for name in ("retry-after-ms", "retry-after"))
    for text, units in ((milliseconds, 1000), (after, 1)):
        with suppress(ValueError):
            if 0 <= (number := float(text)) < float("inf"):
                return number / units
    if not after:
        return _google_retry_delay(reply.body)
    try:
        date = parsedate_to_datetime(after)
    except ValueError:
        return None
    date = date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)
    return max(0.0, (date - now).total_seconds())


def _google_retry_delay(body: bytes) -> float | None:
    """Return the delay of a `RetryInfo`, which Google puts into the body in place of a header."""
    if b"retryDelay" not in body:
        return None
    try:
        details = list_at(json.loads(body), "error", "details")
    except (ValueError, RecursionError):
        return None
    delays = (_SECONDS.fullmatch(text_at(detail, "retryDelay")) for detail in details)
    return next((float(delay[1]) for delay in delays if delay), None)

"""When a request is sent again, and after how long."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.grading.providers.replies import Reply, RetryPolicy, read_error, requested_wait

NOW = datetime(2026, 11, 16, 12, 0, 0, tzinfo=timezone.utc)


def reply(body: Any = b"", **headers: str) -> Reply:
    """Return a reply; an underscore in the name of a header means a dash."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(429, {name.replace("_", "-"): value for name, value in headers.items()}, content)


def google(delay: Any) -> dict[str, Any]:
    """Return the complaint in which Google tells how long to wait."""
    details = [{"@type": "type.googleapis.com/google.rpc.Help"}, {"@type": "RetryInfo", "retryDelay": delay}]
    return {"error": {"code": 429, "message": "Slow down.", "details": details}}


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        (reply(), None),
        (reply(retry_after="20"), 20.0),
        (reply(retry_after="0.5"), 0.5),
        (reply(retry_after_ms="1500", retry_after="2"), 1.5),
        (reply(retry_after_ms="soon", retry_after="2"), 2.0),
        (reply(retry_after="Mon, 16 Nov 2026 12:00:30 GMT"), 30.0),
        (reply(retry_after="Mon, 16 Nov 2026 12:00:30 -0000"), 30.0),
        (reply(retry_after="Mon, 16 Nov 2026 13:00:30 +0100"), 30.0),
        (reply(retry_after="Mon, 16 Nov 2026 11:00:00 GMT"), 0.0),
        (reply(retry_after="tomorrow"), None),
        (reply(retry_after="-5"), None),
        (reply(retry_after="nan"), None),
        (reply(retry_after="inf"), None),
        (reply(google("34s")), 34.0),
        (reply(google("34.074824224s")), 34.074824224),
        (reply(google("soon")), None),
        (reply(google(None)), None),
        (reply({"error": {"details": {"retryDelay": "3s"}}}), None),
        (reply(b'"retryDelay'), None),
        (reply(google("34s"), retry_after="3"), 3.0),
    ],
)
def test_the_wait_that_a_server_asks_for_is_understood(told: Reply, seconds: float | None) -> None:
    """In seconds, in milliseconds, as a date, or in Google's way."""
    assert requested_wait(told, NOW) == seconds


@given(retry=st.integers(0, 10_000), chance=st.floats(0, 1), growth=st.floats(1, 10))
def test_a_wait_stays_within_its_bounds(retry: int, chance: float, growth: float) -> None:
    """However often it has grown."""
    policy = RetryPolicy(first_wait=0.5, longest_wait=60, growth=growth)
    assert 0.75 * 0.5 <= policy.wait(retry, chance) <= 60


@given(retry=st.integers(0, 5))
def test_waits_grow(retry: int) -> None:
    """Each is as much longer as it was told to be, as long as chance is the same."""
    policy = RetryPolicy(longest_wait=10_000)
    assert policy.wait(retry + 1, 0.5) == 2 * policy.wait(retry, 0.5)


@given(
    body=st.binary()
    | st.recursive(
        st.none() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.sampled_from(["error", "message", "code"]), x)
    ).map(lambda x: json.dumps(x).encode())
)
def test_every_complaint_is_read(body: bytes) -> None:
    """Whatever a server sends with a bad status, reading it does not fail."""
    complaint = read_error(body)
    assert isinstance(complaint.message, str)
    assert isinstance(complaint.code, str)

"""What the tests of providers share."""

from __future__ import annotations

import pytest

from rubric_core.grading.providers import http


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the waits between retries, which take no time."""
    seconds: list[float] = []

    async def note(wait: float) -> None:
        seconds.append(wait)

    monkeypatch.setattr(http, "sleep", note)
    return seconds

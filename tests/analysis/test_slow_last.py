"""Work on many files in small steps."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from rubric_core.analysis import slow_last as module
from rubric_core.analysis.slow_last import slow_last

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


def test_slow_work_is_done_after_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins again, and then goes on to its end."""
    times = iter(range(1000))
    begun: list[str] = []

    def work(item: str) -> Iterator[str | None]:
        begun.append(item)
        for _ in range(1000 if item == "slow" else 1):
            yield None
        yield item

    monkeypatch.setattr(module, "PATIENCE", 3)
    monkeypatch.setattr(module, "perf_counter", lambda: next(times))
    assert [each for each in slow_last(["a", "slow", "b"], work) if each is not None] == ["a", "b", "slow"]
    assert begun == ["a", "slow", "b", "slow"]


def test_work_that_fails_costs_itself_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The others are done."""

    def work(item: str) -> Iterator[str | None]:
        if item == "broken":
            raise RuntimeError("no such luck")
        yield item

    with caplog.at_level(logging.ERROR, "rubric"):
        assert [each for each in slow_last(["a", "broken", "b"], work) if each is not None] == ["a", "b"]
    assert "broken could not be checked" in caplog.text

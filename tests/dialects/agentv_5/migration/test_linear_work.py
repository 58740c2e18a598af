"""Work grows with the size of a file and no faster: counted in calls, so that no clock is needed."""

from __future__ import annotations

import gc

import pytest
from counted_calls import counted_calls
from migrations import migrated

from rubric_core.migration import engine

CASE = """\
  - id: case-{number}
    expected_outcome: Names the port
    input_messages:
      - role: user
        content: Which port?
    rubrics:
      - id: a
        required_min_score: 7
        score_ranges: {{0: Bad, 7: Good}}
    execution:
      evaluators:
        - name: syntax
          type: code_judge
          script: python x.py
"""


def suite(cases: int) -> str:
    """Return a suite with a number of cases."""
    return "evalcases:\n" + "".join(CASE.format(number=number) for number in range(cases))


def calls_for(cases: int) -> int:
    """Return how many calls the way from 2 to 5 and back needs."""
    text = suite(cases)
    with counted_calls() as calls:
        there = migrated(text, "agentv-2", "agentv-5").text
        assert migrated(there, "agentv-5", "agentv-2").text == text
    return calls[0]


@pytest.mark.slow
def test_five_times_the_cases_need_five_times_the_calls() -> None:
    """What is done once for a file makes it less."""
    calls_for(1)  # What is made at the first use is not counted.
    assert calls_for(100) <= 5.05 * calls_for(20)


def test_a_text_is_read_once_a_round_and_the_collector_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many cases there are: it would look at all trees again for every few of them."""
    is_on: list[bool] = []
    read = engine._read  # noqa: SLF001 - there is no other place to look from.

    def recording(text: str, shape: engine.Shape) -> engine._Reading:
        is_on.append(gc.isenabled())
        return read(text, shape)

    monkeypatch.setattr(engine, "_read", recording)
    migrated(suite(1), "agentv-2", "agentv-5")
    few = len(is_on)
    migrated(suite(30), "agentv-2", "agentv-5")
    assert len(is_on) == 2 * few
    assert not any(is_on)
    assert gc.isenabled()

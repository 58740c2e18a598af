"""`rubric grade` on suites of each dialect, from the files to the report and the exit status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.dialects.registry import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Rubric = Callable[..., Result]

AGENTV = [name for name, dialect in BY_NAME.items() if dialect.marks.whole is None]


def results(ran: Result) -> list[dict[str, Any]]:
    """Return the results that were printed as lines of JSON."""
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("name", AGENTV)
def test_an_example_of_each_dialect_is_graded_from_its_recordings(rubric: Rubric, dialects: Path, name: str) -> None:
    """The same cases, answers and judgements give the same scores."""
    assert dialects.is_dir()
    ran = rubric("grade", f"{name}.eval.yaml", "--judge", "replay:judgements.json", "--quiet", "--format", "jsonl")
    assert ran.exit_code == 0, ran.output
    assert [(each["eval_id"], each["score_exact"], each["verdict"]) for each in results(ran)] == [
        ("quicksort", "9/10", "pass"),
        ("stability", "1", "pass"),
    ]


@pytest.mark.parametrize(("threshold", "status"), [("0.9", 0), ("0.91", 1)])
@pytest.mark.parametrize("name", ["agentv-4", "agentv-5"])
def test_a_threshold_of_the_command_line_decides(
    rubric: Rubric,
    dialects: Path,
    name: str,
    threshold: str,
    status: int,
) -> None:
    """0.9 is exactly what `quicksort` has."""
    assert dialects.is_dir()
    asked = ("--judge", "replay:judgements.json", "--threshold", threshold, "--quiet", "--format", "jsonl")
    ran = rubric("grade", f"{name}.eval.yaml", *asked)
    assert ran.exit_code == status
    assert [str(each["threshold"]) for each in results(ran)] == [threshold] * 2


@pytest.mark.needs("agentv-5")
def test_a_threshold_has_no_effect_on_agentv_2(rubric: Rubric, dialects: Path) -> None:
    """Among other suites that is said; alone it is an error."""
    assert dialects.is_dir()
    alone = rubric("grade", "agentv-2.eval.yaml", "--judge", "replay:judgements.json", "--threshold", "0.9")
    assert alone.exit_code == 2
    assert "`--threshold` has no effect on AgentV 2, which has fixed thresholds" in alone.output
    files = ("agentv-2.eval.yaml", "agentv-5.eval.yaml")
    among = rubric("grade", *files, "--judge", "replay:judgements.json", "--threshold", "1")
    assert "--threshold has no effect on 2 cases of AgentV 2, which has fixed thresholds" in among.output
    assert among.exit_code == 1

"""`rubric grade` on configurations of promptfoo."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pages import blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Rubric = Callable[..., Result]


def results(ran: Result) -> list[dict[str, Any]]:
    """Return the results that were printed as lines of JSON."""
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_example_of_promptfoo_is_graded_from_its_recordings(rubric: Rubric, dialects: Path) -> None:
    """Without a key and a network; a threshold of the command line decides in place of the assertions."""
    assert dialects.is_dir()
    asked = ("promptfooconfig.yaml", "--judge", "replay:judgements.json", "--quiet", "--format", "jsonl")
    ran = rubric("grade", *asked)
    assert ran.exit_code == 0, ran.output
    assert [(each["eval_id"], each["score_exact"], each["verdict"]) for each in results(ran)] == [
        ("Explains-how-quicksort-works", "37/40", "pass"),
        ("Tells-whether-quicksort-is-stable", "1", "pass"),
    ]
    assert rubric("grade", *asked, "--threshold", "0.925").exit_code == 0
    assert rubric("grade", *asked, "--threshold", "0.93").exit_code == 1


PROMPTFOO_FLOATS = """\
prompts: ["{{ topic }}"]
providers: [echo]
tests:
  - vars: {topic: Greet Bob}
    threshold: 0.8
    assert:
      - {type: contains, value: Hello, weight: 0.1}
      - {type: contains, value: Bob, weight: 0.7}
      - {type: is-json, weight: 0.2}
"""


def test_what_promptfoo_would_say_is_in_the_report_and_in_the_result(rubric: Rubric, folder: Path) -> None:
    """As the page about differences shows: the score is exactly 0.8, and promptfoo's floats are below it."""
    (folder / "promptfooconfig.yaml").write_text(PROMPTFOO_FLOATS, encoding="utf-8")
    (folder / "promptfooconfig.answers.json").write_text('{"test-1": "Hello Bob"}', encoding="utf-8")
    ran = rubric("grade", "promptfooconfig.yaml", "--quiet")
    assert ran.exit_code == 0, ran.output
    assert "promptfoo: 0.7999999999999999, fail" in ran.stdout
    assert PROMPTFOO_FLOATS in [block.text for block in blocks("differences.md", "yaml")]

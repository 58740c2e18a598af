"""The suite that runs inside of the editor, beside our extension; each of its tests is one here."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from uncovered_scores import REVIEW_GAP
from vscode import TESTS, ExtensionHost, copy_examples, require_host

if TYPE_CHECKING:
    from browser import Browser
    from vscode import CodeServer

pytestmark = pytest.mark.slow

NAMES = re.findall(r'^  async "(.*)"\(\)', (TESTS / "suite" / "index.js").read_text(encoding="utf-8"), re.MULTILINE)

SOUND = """\
evalcases:
  - id: lost-parcel
    expected_outcome: Says what happens next
    input_messages: [{role: user, content: Where is my parcel?}]
    rubrics:
      - id: next-step
        weight: 2.0
        required_min_score: 4
        score_ranges:
          0: Nothing about what happens next
          4: Says what happens next
          8: Says what happens next and when
  - id: thanks
    expected_outcome: Answers in kind
    input_messages: [{role: user, content: Thank you!}]
    rubrics:
      - id: polite
        expected_outcome: Answers politely
"""
BARE = """\
evalcases:
  - id: parcel
    expected_outcome: Says on which day the parcel comes
    input_messages:
      - role: user
        content: Where is it?
"""
NAMES_FILE = """\
scorecards:
  support: {red_flags: [Promises a refund]}
evalcases:
  - id: parcel
    expected_outcome: Says what happens next
    input_messages: [{role: user, content: Where is it?}]
    scorecard: support
"""

TWICE = """\
evalcases:
  - id: parcel
    expected_outcome: Says what happens next
    input_messages: [{role: user, content: Where is it?}]
    rubrics:
      - id: first-criterion
        expected_outcome: Says what happens next
  - id: parcel
    expected_outcome: Says what happens next
    input_messages: [{role: user, content: Where is it?}]
    rubrics:
      - id: second-criterion
        expected_outcome: Says what happens next
"""

PROPOSED = {
    "names-the-day": "Names the day on which the parcel comes",
    "stays-calm": "Stays calm",
    "says-what-to-do": "Says what to do if it does not come",
}


@pytest.fixture(scope="module")
def results(
    tmp_path_factory: pytest.TempPathFactory, code_server: CodeServer, one_browser: Browser
) -> dict[str, str | None]:
    """What became of each test of the suite."""
    require_host()
    work = tmp_path_factory.mktemp("suite")
    copy_examples(work, "broken.eval.yaml")
    (work / "sound.eval.yaml").write_text(SOUND)
    (work / "gap.eval.yaml").write_text(REVIEW_GAP)
    (work / "closed.eval.yaml").write_text(REVIEW_GAP)
    (work / "names.eval.yaml").write_text(NAMES_FILE)
    (work / "twice.eval.yaml").write_text(TWICE)
    (work / "sound.answers.json").write_text('{"lost-parcel": "It comes on Monday.", "thanks": "Whatever."}')
    judgements = {
        "lost-parcel": {"checks": [{"id": "next-step", "score": 10}]},
        "thanks": {"checks": [{"id": "polite", "satisfied": False}]},
    }
    (work / "judgements.json").write_text(json.dumps(judgements))
    (work / "bare.eval.yaml").write_text(BARE)
    proposed = [{"id": f"{name}", "expected_outcome": text} for name, text in PROPOSED.items()]
    (work / "proposal.json").write_text(json.dumps({"criteria": proposed}))
    (work / "not-met.json").write_text('{"checks": [{"id": "polite", "satisfied": false}]}')
    (work / "rubric.toml").write_text(
        "".join(
            f'[judges.command-{name}]\nprovider = "command"\ncommand = ["cat", "{work / name}.json"]\n'
            for name in ("proposal", "not-met")
        )
    )
    with ExtensionHost(tmp_path_factory.mktemp("host") / "server", code_server) as host:
        return host.run_suite(one_browser, TESTS / "suite", work)


@pytest.mark.parametrize("name", NAMES)
def test_inside_of_the_editor(name: str, results: dict[str, str | None]) -> None:
    """What went wrong is reported as the suite tells it."""
    assert name in results, "The suite ended before this test."
    assert results[name] is None, results[name]

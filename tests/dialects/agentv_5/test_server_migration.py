"""Migrations as code actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from offered_actions import actions_at, opened, titles_of
from workspace_edits import edited

if TYPE_CHECKING:
    from loopback import Loopback

pytestmark = pytest.mark.needs("agentv-4")
OLD = """\
evalcases:
  - id: port
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - Names port 8080
"""


def _after_resolving(client: Loopback, text: str, action: Any) -> str:
    resolved = action if "edit" in action else client.request("codeAction/resolve", action)
    (change,) = resolved["edit"]["documentChanges"]
    return edited(text, change["edits"])


def test_a_file_can_be_migrated_where_its_cases_are_listed() -> None:
    """To each other dialect; elsewhere only where the client asks for such actions."""
    client = opened(OLD)
    titles = ["Migrate this file to AgentV 4", "Migrate this file to AgentV 5"]
    assert [title for title in titles_of(actions_at(client, OLD, "evalcases")) if "Migrate" in title] == titles
    assert titles_of(actions_at(client, OLD, "Which port", ["source.migrate"])) == titles
    assert not [title for title in titles_of(actions_at(client, OLD, "Which port")) if "Migrate" in title]


def test_migrating_a_file_changes_it_and_shows_what_to_look_at() -> None:
    """The message has the lines and the reasons."""
    client = opened(OLD)
    to_four, to_five = actions_at(client, OLD, "evalcases", ["source.migrate"])
    assert _after_resolving(client, OLD, to_four).startswith("tests:\n  - id: port\n    criteria: Names the port\n")
    after = _after_resolving(client, OLD, to_five)
    assert after.startswith('prompts: ["{{ input }}"]\ntests:\n  - id: port\n    description: Names the port\n')
    (shown,) = client.of("window/showMessage")
    assert shown["message"].startswith(
        "Migrated to AgentV 5. Review line 3: AgentV 5 has no `criteria` beside `assert`;"
    )


def test_a_key_of_an_earlier_dialect_can_be_migrated_alone() -> None:
    """Where that is safe and a new name is not enough."""
    text = 'prompts: ["{{ input }}"]\ntests:\n  - id: a\n    vars: {input: b}\n    rubrics:\n      - Names it\n'
    client = opened(text)
    found = next(each for each in actions_at(client, text, "rubrics") if each["title"].startswith("Migrate"))
    assert (found["title"], found["isPreferred"]) == ("Migrate `rubrics` to AgentV 5", True)
    assert _after_resolving(client, text, found) == text.replace(
        "    rubrics:\n      - Names it\n",
        "    assert:\n      - type: llm-rubric\n        value:\n          - Names it\n",
    )

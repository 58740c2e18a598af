"""An editor in which answers are graded: a server of this process, a file, and what its judges say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from loopback import Loopback

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
evalcases:
  - id: short
    expected_outcome: It is short
    input: Say hi
    rubrics:
      - {id: greets, expected_outcome: It greets}
      - {id: tone, required_min_score: 6, score_ranges: {0: Rude, 6: Fine}}
  - id: plain
    expected_outcome: It is plain
    input: Say hi
    rubrics: [It greets]
"""
CLIENT = {
    "experimental": {"rubric": {"judges": ["manual", "editor"], "graded": True, "report": True}},
    "workspace": {"applyEdit": True},
    "window": {"workDoneProgress": True},
}
GOOD = {"checks": [{"id": "greets", "satisfied": True}, {"id": "tone", "score": 8}]}
BAD = {"checks": [{"id": "greets", "satisfied": True}, {"id": "tone", "score": 2, "reasoning": "It is rude."}]}

PLAIN = {"checks": [{"id": "rubric-1", "satisfied": False}]}


class Session:
    """An editor with one file open, in a project of its own."""

    def __init__(
        self, folder: Path, capabilities: dict[str, Any] | None = None, *, text: str = TEXT, **options: Any
    ) -> None:
        self.file = folder / "a.eval.yaml"
        self.file.write_text(text, encoding="utf-8")
        (folder / "rubric.toml").write_text("", encoding="utf-8")
        self.uri = self.file.as_uri()
        self.client = Loopback(
            CLIENT if capabilities is None else capabilities,
            **{"workspaceFolders": [{"uri": folder.as_uri(), "name": "project"}], **options},
        )
        self.client.open(text, self.uri)
        self.client.work()

    def begin(self, command: str, **argument: Any) -> int:
        """Ask for a command and return the number of the request."""
        params = {"command": f"rubric.{command}", "arguments": [{"uri": self.uri, **argument}]}
        return self.client.ask("workspace/executeCommand", params)

    def run(self, command: str, **argument: Any) -> Any:
        """Ask for a command and return its answer."""
        return self.client.awaited(self.begin(command, **argument))

    def replay(self, judgements: dict[str, Any]) -> str:
        """Record judgements, and return the name of the judge that replays them."""
        path = self.file.with_name("judgements.json")
        path.write_text(json.dumps(judgements), encoding="utf-8")
        return f"replay:{path}"

    def found(self) -> list[dict[str, Any]]:
        """Return the diagnostics of the last publication that grading gave."""
        self.client.work()
        last = [each for each in self.client.published() if each["uri"] == self.uri][-1]
        return [each for each in last["diagnostics"] if each["severity"] == 3]

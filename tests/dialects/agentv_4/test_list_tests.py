"""`rubric.listTests` with tests in another file of AgentV 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grading_session import Session

if TYPE_CHECKING:
    from pathlib import Path


def _listed(session: Session) -> list[tuple[str, str, int]]:
    tests = session.run("listTests")["tests"]
    return [(each["caseId"], each["testId"], each["selectionRange"]["start"]["line"]) for each in tests]


def test_tests_of_another_file_are_at_its_name(tmp_path: Path) -> None:
    """Their own ids are not in this text."""
    (tmp_path / "more.yaml").write_text("- {id: far, input: x, assertions: [It is far]}\n", encoding="utf-8")
    text = "tests:\n  - {id: near, input: x, assertions: [It is near]}\n  - file://more.yaml\n"
    assert _listed(Session(tmp_path, text=text)) == [("near", "near", 1), ("far", "far", 2)]

"""`rubric migrate`: what it writes, what it lists and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dialect_suites import PORT

if TYPE_CHECKING:
    from pathlib import Path

FOUR = """\
tests:
  - id: port
    criteria: Names the port
    input: Which port?
    rubrics:
      - Names port 8080  # the default
"""
WITH_SCORECARD = f"{PORT}    scorecard: quality\n"


def test_a_file_is_written_in_the_other_dialect(rubric: Any, folder: Path) -> None:
    """Everything outside of the keys stays."""
    path = folder / "a.eval.yaml"
    path.write_text(PORT)
    result = rubric("migrate", "--to", "agentv-4", "a.eval.yaml")
    assert path.read_text() == FOUR
    assert (result.exit_code, result.stdout) == (0, "a.eval.yaml: agentv-2 to agentv-4.\n")
    assert result.stderr == "Migrated 1 file to agentv-4.\n"


def test_a_key_without_a_counterpart_needs_unsafe_and_stays(rubric: Any, folder: Path) -> None:
    """It is listed both times."""
    path = folder / "a.eval.yaml"
    path.write_text(WITH_SCORECARD)
    line = "a.eval.yaml:7: no: `scorecard`: AgentV has no scorecards; `rubric grade` still reads them.\n"
    assert rubric("migrate", "--to", "agentv-4", "-q").stdout == line
    assert path.read_text() == WITH_SCORECARD
    result = rubric("migrate", "--to", "agentv-4", "-q", "--unsafe")
    assert (result.exit_code, result.stdout, path.read_text()) == (1, line, f"{FOUR}    scorecard: quality\n")


def test_a_file_of_the_dialect_is_left_alone_and_named(rubric: Any, folder: Path) -> None:
    """Nothing has to be done, so all is well."""
    (folder / "a.eval.yaml").write_text(FOUR)
    (folder / "b.eval.yaml").write_text(PORT)
    (folder / "other.yaml").write_text("services: {}\n")
    result = rubric("migrate", "--to", "agentv-4")
    assert (result.exit_code, result.stdout) == (
        0,
        "a.eval.yaml: already agentv-4, unchanged.\nb.eval.yaml: agentv-2 to agentv-4.\n",
    )
    assert result.stderr == "Migrated 1 file to agentv-4; 1 already had it.\n"


def test_nothing_is_written_if_one_file_cannot_be_parsed(rubric: Any, folder: Path) -> None:
    """Half a folder in another dialect helps nobody."""
    (folder / "a.eval.yaml").write_text(PORT)
    (folder / "b.eval.yaml").write_text(f"{PORT}  - [\n")
    result = rubric("migrate", "--to", "agentv-4", "--unsafe")
    assert (folder / "a.eval.yaml").read_text() == PORT
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("rubric: b.eval.yaml: Line 7: ")
    assert result.stderr.endswith("Nothing was written: 1 file could not be migrated.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "agentv-4", "nowhere.yaml"], "nowhere.yaml does not exist."),
        (["--to", "agentv-4", "other.yaml"], "This is not an eval file"),
        (["--to", "agentv-4"], "No eval files found."),
        (["--to", "agentv-3"], "'agentv-3' is not one of"),
        ([], "Missing option '--to'"),
    ],
)
def test_where_nothing_can_be_done_a_message_says_why(
    rubric: Any, folder: Path, arguments: list[str], message: str
) -> None:
    """The status is 2."""
    (folder / "other.yaml").write_text("services: {}\n")
    result = rubric("migrate", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_file_that_cannot_be_written_is_a_failure(rubric: Any, folder: Path) -> None:
    """The old file is untouched."""
    path = folder / "a.eval.yaml"
    target = folder / "b.eval.yaml"
    target.write_text(PORT)
    path.symlink_to(target)
    target.chmod(0o444)
    result = rubric("migrate", "--to", "agentv-4", "a.eval.yaml")
    # Whoever may write everything, as the root user may, is not stopped.
    expected = (0, FOUR) if target.read_text() == FOUR else (2, PORT)
    assert (result.exit_code, target.read_text()) == expected

"""`rubric migrate` to and from AgentV 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dialect_suites import PORT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.needs("agentv-4")
FIVE = """\
prompts: ["{{ input }}"]
tests:
  - id: port
    description: Names the port
    vars:
      input: Which port?
    assert:
      - type: llm-rubric
        value:
          - Names port 8080  # the default
"""
ASKS = "a.eval.yaml:3: ask: AgentV 5 has no `criteria` beside `assert`; as a `description` the judge does not see it.\n"


def test_a_file_that_needs_a_look_is_left_as_it_is(rubric: Any, folder: Path) -> None:
    """The reasons are listed with their lines, and `--unsafe` is named."""
    path = folder / "a.eval.yaml"
    path.write_text(PORT)
    result = rubric("migrate", "--to", "agentv-5")
    assert path.read_text() == PORT
    assert (result.exit_code, result.stdout) == (1, ASKS)
    assert result.stderr == (
        "Migrated 0 files to agentv-5; 1 file left as before (`--unsafe` writes what can be migrated).\n"
    )


def test_unsafe_writes_it_and_lists_the_same(rubric: Any, folder: Path) -> None:
    """The status says that somebody has to look."""
    path = folder / "a.eval.yaml"
    path.write_text(PORT)
    result = rubric("migrate", "--to", "agentv-5", "--unsafe")
    assert path.read_text() == FIVE
    assert (result.exit_code, result.stdout) == (1, f"{ASKS}a.eval.yaml: agentv-2 to agentv-5.\n")


def test_there_and_back_gives_the_same_bytes(rubric: Any, folder: Path) -> None:
    """Also with other line breaks and a byte order mark."""
    path = folder / "a.eval.yaml"
    before = b"\xef\xbb\xbf" + PORT.replace("\n", "\r\n").encode()
    path.write_bytes(before)
    for target in ("agentv-5", "agentv-2"):
        assert rubric("migrate", "--to", target, "--unsafe", "-q").exit_code == 1
    assert path.read_bytes() == before


def test_diff_shows_the_changes_and_writes_nothing(rubric: Any, folder: Path) -> None:
    """What is listed goes to standard error, so that the difference can be applied."""
    path = folder / "a.eval.yaml"
    path.write_text(PORT)
    result = rubric("migrate", "--to", "agentv-5", "--diff", "--unsafe")
    assert path.read_text() == PORT
    assert result.stdout.startswith(
        '--- a/a.eval.yaml\n+++ b/a.eval.yaml\n@@ -1,6 +1,10 @@\n-evalcases:\n+prompts: ["{{'
    )
    assert (result.exit_code, result.stderr) == (1, f"{ASKS}Would migrate 1 file to agentv-5.\n")
    safe = rubric("migrate", "--to", "agentv-4", "--diff")
    assert (safe.exit_code, safe.stderr) == (0, "Would migrate 1 file to agentv-4.\n")


def test_json_lines_are_migrated_line_by_line(rubric: Any, folder: Path) -> None:
    """They keep `input`: there are no prompts beside them."""
    path = folder / "a.eval.jsonl"
    path.write_text('{"id": "a", "expected_outcome": "b", "input": "c", "rubrics": ["d"]}\n')
    assert rubric("migrate", "--to", "agentv-5", "--unsafe").exit_code == 1
    assert path.read_text() == (
        '{"id": "a", "description": "b", "input": "c", "assert": [{"type": "llm-rubric", "value": ["d"]}]}\n'
    )


TARGETS = """\
targets:
  # The one that answers.
  - name: fast
    provider: openai
    model: ${{ MODEL }}
"""
PROVIDERS = """\
providers:
  # The one that answers.
  - label: fast
    id: openai
    model: "{{ env.MODEL }}"
"""


def test_a_targets_file_becomes_a_providers_file_and_back(rubric: Any, folder: Path) -> None:
    """It gets the name that the other dialect reads."""
    agentv = folder / ".agentv"
    agentv.mkdir()
    (agentv / "targets.yaml").write_text(TARGETS)
    result = rubric("migrate", "--to", "agentv-5")
    assert (result.exit_code, result.stdout) == (0, ".agentv/targets.yaml: now providers.yaml.\n")
    assert [path.name for path in agentv.iterdir()] == ["providers.yaml"]
    assert (agentv / "providers.yaml").read_text() == PROVIDERS
    again = rubric("migrate", "--to", "agentv-5")
    assert again.stdout == ".agentv/providers.yaml: already agentv-5, unchanged.\n"
    assert rubric("migrate", "--to", "agentv-4", "-q").exit_code == 0
    assert (agentv / "targets.yaml").read_text() == TARGETS.replace("${{ MODEL }}", '"${{ MODEL }}"')


def test_the_judge_of_a_target_needs_a_look(rubric: Any, folder: Path) -> None:
    """It belongs into the configuration of the project; another target cannot be named any more."""
    path = folder / "targets.yaml"
    path.write_text(f"{TARGETS}    judge_target: judge\n  - name: slow\n    use_target: fast\n")
    result = rubric("migrate", "--to", "agentv-5")
    assert result.stdout == (
        "targets.yaml:6: ask: `judge_target: judge`: write it as `defaults.grader` in `.agentv/config.yaml`.\n"
        "targets.yaml:8: no: `use_target`: AgentV 5 has no references to other targets; copy the settings.\n"
    )
    assert rubric("migrate", "--to", "agentv-5", "--unsafe").exit_code == 1
    assert (folder / "providers.yaml").read_text() == f"{PROVIDERS}  - label: slow\n    use_target: fast\n"


def test_a_providers_file_that_is_there_is_not_replaced(rubric: Any, folder: Path) -> None:
    """Somebody has to put the two together."""
    (folder / "targets.yaml").write_text(TARGETS)
    (folder / "providers.yaml").write_text(PROVIDERS)
    result = rubric("migrate", "--to", "agentv-5")
    assert result.exit_code == 2
    assert "targets.yaml: providers.yaml already exists; merge the two files." in result.stderr

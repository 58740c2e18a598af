"""`rubric migrate`: what it writes, what it lists and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

TWO = """\
evalcases:
  - id: port
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - Names port 8080  # the default
"""
FOUR = """\
tests:
  - id: port
    criteria: Names the port
    input: Which port?
    rubrics:
      - Names port 8080  # the default
"""
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
WITH_SCORECARD = f"{TWO}    scorecard: quality\n"


def test_a_file_is_written_in_the_other_dialect(rubric: Any, folder: Path) -> None:
    """Everything outside of the keys stays."""
    path = folder / "a.eval.yaml"
    path.write_text(TWO)
    result = rubric("migrate", "--to", "agentv-4", "a.eval.yaml")
    assert path.read_text() == FOUR
    assert (result.exit_code, result.stdout) == (0, "a.eval.yaml: agentv-2 to agentv-4.\n")
    assert result.stderr == "Migrated 1 file to agentv-4.\n"


def test_a_file_that_needs_a_look_is_left_as_it_is(rubric: Any, folder: Path) -> None:
    """The reasons are listed with their lines, and `--unsafe` is told."""
    path = folder / "a.eval.yaml"
    path.write_text(TWO)
    result = rubric("migrate", "--to", "agentv-5")
    assert path.read_text() == TWO
    assert (result.exit_code, result.stdout) == (1, ASKS)
    assert result.stderr == (
        "Migrated 0 files to agentv-5; 1 file left as before (`--unsafe` writes what can be migrated).\n"
    )


def test_unsafe_writes_it_and_lists_the_same(rubric: Any, folder: Path) -> None:
    """The status says that somebody has to look."""
    path = folder / "a.eval.yaml"
    path.write_text(TWO)
    result = rubric("migrate", "--to", "agentv-5", "--unsafe")
    assert path.read_text() == FIVE
    assert (result.exit_code, result.stdout) == (1, f"{ASKS}a.eval.yaml: agentv-2 to agentv-5.\n")


def test_there_and_back_gives_the_same_bytes(rubric: Any, folder: Path) -> None:
    """Also with other line breaks and a byte order mark."""
    path = folder / "a.eval.yaml"
    before = b"\xef\xbb\xbf" + TWO.replace("\n", "\r\n").encode()
    path.write_bytes(before)
    for target in ("agentv-5", "agentv-2"):
        assert rubric("migrate", "--to", target, "--unsafe", "-q").exit_code == 1
    assert path.read_bytes() == before


def test_a_key_without_a_counterpart_needs_unsafe_and_stays(rubric: Any, folder: Path) -> None:
    """It is listed both times."""
    path = folder / "a.eval.yaml"
    path.write_text(WITH_SCORECARD)
    line = "a.eval.yaml:7: no: `scorecard`: AgentV has no scorecards; `rubric grade` still reads them.\n"
    assert rubric("migrate", "--to", "agentv-4", "-q").stdout == line
    assert path.read_text() == WITH_SCORECARD
    result = rubric("migrate", "--to", "agentv-4", "-q", "--unsafe")
    assert (result.exit_code, result.stdout, path.read_text()) == (1, line, f"{FOUR}    scorecard: quality\n")


def test_diff_shows_the_changes_and_writes_nothing(rubric: Any, folder: Path) -> None:
    """What is listed goes to standard error, so that the difference can be applied."""
    path = folder / "a.eval.yaml"
    path.write_text(TWO)
    result = rubric("migrate", "--to", "agentv-5", "--diff", "--unsafe")
    assert path.read_text() == TWO
    assert result.stdout.startswith(
        '--- a/a.eval.yaml\n+++ b/a.eval.yaml\n@@ -1,6 +1,10 @@\n-evalcases:\n+prompts: ["{{'
    )
    assert (result.exit_code, result.stderr) == (1, f"{ASKS}Would migrate 1 file to agentv-5.\n")
    safe = rubric("migrate", "--to", "agentv-4", "--diff")
    assert (safe.exit_code, safe.stderr) == (0, "Would migrate 1 file to agentv-4.\n")


def test_a_file_of_the_dialect_is_left_alone_and_named(rubric: Any, folder: Path) -> None:
    """Nothing has to be done, so all is well."""
    (folder / "a.eval.yaml").write_text(FOUR)
    (folder / "b.eval.yaml").write_text(TWO)
    (folder / "other.yaml").write_text("services: {}\n")
    result = rubric("migrate", "--to", "agentv-4")
    assert (result.exit_code, result.stdout) == (
        0,
        "a.eval.yaml: already agentv-4, unchanged.\nb.eval.yaml: agentv-2 to agentv-4.\n",
    )
    assert result.stderr == "Migrated 1 file to agentv-4; 1 already had it.\n"


def test_nothing_is_written_if_one_file_cannot_be_parsed(rubric: Any, folder: Path) -> None:
    """Half a folder in another dialect helps nobody."""
    (folder / "a.eval.yaml").write_text(TWO)
    (folder / "b.eval.yaml").write_text(f"{TWO}  - [\n")
    result = rubric("migrate", "--to", "agentv-4", "--unsafe")
    assert (folder / "a.eval.yaml").read_text() == TWO
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("rubric: b.eval.yaml: Line 7: ")
    assert result.stderr.endswith("Nothing was written: 1 file could not be migrated.\n")


def test_json_lines_are_migrated_line_by_line(rubric: Any, folder: Path) -> None:
    """They keep `input`: there are no prompts beside them."""
    path = folder / "a.eval.jsonl"
    path.write_text('{"id": "a", "expected_outcome": "b", "input": "c", "rubrics": ["d"]}\n')
    assert rubric("migrate", "--to", "agentv-5", "--unsafe").exit_code == 1
    assert path.read_text() == (
        '{"id": "a", "description": "b", "input": "c", "assert": [{"type": "llm-rubric", "value": ["d"]}]}\n'
    )


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
    target.write_text(TWO)
    path.symlink_to(target)
    target.chmod(0o444)
    result = rubric("migrate", "--to", "agentv-4", "a.eval.yaml")
    # Whoever may write everything, as the root user may, is not stopped.
    expected = (0, FOUR) if target.read_text() == FOUR else (2, TWO)
    assert (result.exit_code, target.read_text()) == expected


def test_a_file_of_another_tool_does_not_keep_the_others_from_being_written(rubric: Any, folder: Path) -> None:
    """No table leads from its dialect, which is told."""
    (folder / "a.eval.yaml").write_text(TWO)
    (folder / "promptfooconfig.yaml").write_text("prompts: [hello]\nproviders: [echo]\ntests: [{vars: {a: b}}]\n")
    result = rubric("migrate", "--to", "agentv-4")
    assert (result.exit_code, result.stdout) == (0, "a.eval.yaml: agentv-2 to agentv-4.\n")
    assert "promptfooconfig.yaml" in result.stderr


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


PROMPTFOO = """\
# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
prompts: ["Which port has {{ service }}?"]
providers: [openai:gpt-5]
tests:
  - vars: {service: web} # the first
    assert: [{type: not-contains, value: "8081"}]
"""
FIVE_OF_PROMPTFOO = """\
# rubric: dialect=agentv-5
prompts: ["Which port has {{ service }}?"]
providers: [openai:gpt-5]
threshold: 1
tests:
  - id: test-1
    vars: {service: web} # the first
    assert: [{type: contains, negate: true, value: "8081"}]
"""


def test_a_promptfoo_configuration_becomes_a_suite_and_back(rubric: Any, folder: Path) -> None:
    """It is recognised by its first line; the providers of the project have no table to promptfoo and stay."""
    path, providers = folder / "promptfooconfig.yaml", folder / ".agentv" / "providers.yaml"
    path.write_text(PROMPTFOO)
    providers.parent.mkdir()
    providers.write_text(PROVIDERS)
    result = rubric("migrate", "--to", "agentv-5", "promptfooconfig.yaml")
    assert (result.exit_code, result.stdout) == (0, "promptfooconfig.yaml: promptfoo to agentv-5.\n")
    assert path.read_text() == FIVE_OF_PROMPTFOO
    assert rubric("migrate", "--to", "promptfoo").exit_code == 0
    assert (path.read_text(), providers.read_text()) == (PROMPTFOO, PROVIDERS)


def test_what_has_no_counterpart_keeps_a_configuration_as_it_is(rubric: Any, folder: Path) -> None:
    """Each with its line and a reason."""
    text = PROMPTFOO.replace("not-contains", "factuality")
    (folder / "promptfooconfig.yaml").write_text(text)
    result = rubric("migrate", "--to", "agentv-5")
    assert result.exit_code == 1
    assert "promptfooconfig.yaml:6: no: AgentV 5 has no type `factuality`" in result.stdout
    assert (folder / "promptfooconfig.yaml").read_text() == text

"""Files that the command line names: checked, refused with the reason, or passed over with one line."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
HOOKS = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")

TESTS = "name: greeting\ntests:\n  - file://cases.jsonl\n"
COMPOSE = "services:\n  web:\n    image: nginx\n"
WORKFLOW = "on: push\njobs:\n  tests:\n    steps: [{run: rubric check}]\n"
TARGETS = "targets:\n  - name: default\n    provider: mock\n"
RESULTS = '{"test_id": "a", "score": 1, "assertions": [{"text": "x", "passed": true}]}\n'
BROKEN = "tests:\n  - id: a\n    input: [\n"


def write(path: Path, text: str) -> str:
    """Write a file, with its folders, and return its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["check", "fix"])
class TestNamedFiles:
    """A file that is named is never passed over in silence."""

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("suite.yaml", TESTS),
            ("EVAL.yaml", TESTS),
            ("greeting.EVAL.yaml", TESTS),
            ("anything.yaml", TESTS),
            ("anything.yaml", "scenarios: [{config: [], tests: []}]\n"),
            ("anything.yaml", "evalcases: []\n"),
            ("suite.yaml", "name: greeting\n"),
            ("suite.yaml", "test: []\n"),
            ("suite.yaml", ""),
        ],
    )
    def test_what_has_the_name_or_the_keys_of_a_suite_is_checked(
        self, rubric: Any, folder: Path, command: str, name: str, text: str
    ) -> None:
        """Whatever else is in it."""
        write(folder / name, text)
        result = rubric(command, name)
        assert result.exit_code in (0, 1)
        assert "No eval files found" not in result.stderr
        assert "not an eval file" not in result.stderr

    @pytest.mark.parametrize("name", ["suite.yaml", "anything.yaml"])
    def test_broken_text_is_reported(self, rubric: Any, folder: Path, command: str, name: str) -> None:
        """The key of the list of tests is enough."""
        write(folder / name, BROKEN)
        assert rubric(command, name).exit_code == 1

    @pytest.mark.parametrize(
        ("name", "text", "reason"),
        [
            ("suite.yaml", COMPOSE, "a Compose file (it has the key `services`)"),
            ("ci.yaml", f"tests: []\n{WORKFLOW}", "a CI workflow (it has the key `jobs`)"),
        ],
    )
    def test_a_file_of_another_tool_is_refused_with_the_reason(  # noqa: PLR0913, PLR0917 - a file and what is said of it.
        self, rubric: Any, folder: Path, command: str, name: str, text: str, reason: str
    ) -> None:
        """Status 2, and the file stays as it is."""
        write(folder / name, text)
        result = rubric(command, name)
        said = f"rubric: {name}: This is not an eval file but {reason}, so it was not checked.\n"
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", said)
        assert (folder / name).read_text() == text

    @pytest.mark.parametrize(
        ("name", "text"),
        [("compose.yaml", COMPOSE), ("ci.yaml", WORKFLOW), ("t.yaml", TARGETS), ("x.baseline.jsonl", RESULTS)],
    )
    def test_any_other_file_gets_one_line(self, rubric: Any, folder: Path, command: str, name: str, text: str) -> None:
        """And does not fail."""
        write(folder / name, text)
        result = rubric(command, name)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith(f"rubric: {name}: This is not an eval file")
        assert result.stderr.count("\n") == 1
        assert rubric(command, name, "--skip-unknown").stderr == ""
        assert rubric(command, name, "--quiet").stderr == ""

    def test_a_suite_is_checked_beside_other_files(self, rubric: Any, texts: Any, folder: Path, command: str) -> None:
        """Each file counts by itself."""
        write(folder / "suite.yaml", texts.out_of_bounds)
        write(folder / "compose.yaml", COMPOSE)
        result = rubric(command, "suite.yaml", "compose.yaml")
        assert result.exit_code == 1
        assert "rubric: compose.yaml: This is not an eval file" in result.stderr


def test_a_named_suite_is_loaded_and_another_tools_file_refused(rubric: Any, folder: Path) -> None:
    """Grading needs an eval file."""
    write(folder / "suite.yaml", COMPOSE)
    result = rubric("grade", "suite.yaml", "--judge", "replay:none.json")
    assert result.exit_code == 2
    assert "suite.yaml: This is not an eval file but a Compose file" in result.stderr


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_is_silent_on_other_yaml(rubric: Any, texts: Any, folder: Path, hook: dict[str, str]) -> None:
    """Pre-commit names every YAML file of a repository."""
    _, *entry = shlex.split(hook["entry"])
    others = {
        "compose.yaml": COMPOSE,
        ".github/workflows/ci.yaml": WORKFLOW,
        ".agentv/targets.yaml": TARGETS,
        "runs/x.baseline.jsonl": RESULTS,
        "ctest.yaml": "tests:\n  - name: a\n    run: make\n",
        "empty.yaml": "",
        "broken.yaml": "a: [\n",
        "latin.yaml": "",
    }
    for name, text in others.items():
        write(folder / name, text)
    (folder / "latin.yaml").write_bytes(b"name: caf\xe9\n")
    result = rubric(*entry, *others)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    write(folder / "evals" / "suite.yaml", texts.out_of_bounds)
    result = rubric(*entry, *others, "evals/suite.yaml")
    assert result.exit_code == 1
    assert "compose" not in result.stdout + result.stderr


def test_the_dialect_of_each_file_is_explained(rubric: Any, folder: Path) -> None:
    """One line each; what is not an eval file is named as in a check."""
    write(folder / "a" / "suite.yaml", "name: x\nevalcases: []\n")
    write(folder / "b.eval.yaml", "# rubric: dialect=agentv-2\ntests: []\n")
    write(folder / "compose.yaml", COMPOSE)
    result = rubric("check", "--explain-dialect")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.replace("\\", "/") == (
        "b.eval.yaml: agentv-2 because of the comment `# rubric: dialect=agentv-2`, line 1\n"
        "a/suite.yaml: agentv-2 because of the key `evalcases`, line 2\n"
    )
    refused = rubric("check", "--explain-dialect", "b.eval.yaml", "compose.yaml", "missing.yaml")
    assert (refused.exit_code, refused.stdout.count("\n"), refused.stderr.count("\n")) == (2, 1, 2)
    assert rubric("check", "--explain-dialect", "-").exit_code == 2

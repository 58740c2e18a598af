"""`rubric prompt`: what a judge would be sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from judging import CASE

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SEVERAL = """\
evalcases:
  - id: one
    expected_outcome: Greets
    input: Hello
    rubrics: [Greets]
    execution:
      evaluators:
        - {name: parses, type: code_judge, script: [cat]}
        - {name: tone, type: llm_judge, prompt: "Is {{candidate_answer}} polite?"}
        - {name: printed, type: llm_judge, prompt: {script: [cat]}}
  - {id: two, expected_outcome: Greets, input: Hello}
  - id: code-only
    expected_outcome: Greets
    input: Hello
    evaluators: [{name: parses, type: code_judge, script: [cat]}]
"""


@pytest.fixture
def port(folder: Path) -> Path:
    """Return an eval file with one case, which has criteria and a scorecard."""
    path = folder / "port.eval.yaml"
    path.write_text(CASE, encoding="utf-8")
    return path


@pytest.fixture
def several(folder: Path) -> Path:
    """Return an eval file with several cases and kinds of evaluators."""
    path = folder / "several.eval.yaml"
    path.write_text(SEVERAL, encoding="utf-8")
    return path


def test_the_prompts_of_all_evaluators_are_shown(rubric: Any, port: Path, folder: Path) -> None:
    """With the answer from a file, nothing on standard error, and the schema only on request."""
    (folder / "answer.txt").write_text("It is 443.\n", encoding="utf-8")
    result = rubric("prompt", port, "--case", "port", "--answer", "answer.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    headings = re.findall("^=== .* ===$", result.stdout, re.MULTILINE)
    assert headings == [
        f"=== {name} ===" for name in ("rubric: system", "rubric: user", "scorecard: system", "scorecard: user")
    ]
    assert re.search(r"BEGIN ANSWER (\w{32})\nIt is 443\.\n\nEND ANSWER \1\n", result.stdout)
    shown = rubric("prompt", port, "--answer", "answer.txt", "--schema").stdout
    (schema,) = re.findall(r"=== rubric: schema ===\n(.*?\n\})\n", shown, re.DOTALL)
    assert json.loads(schema)["properties"]["checks"]["required"] == ["names-port", "depth"]


def test_without_an_answer_a_placeholder_is_in_its_place(rubric: Any, port: Path) -> None:
    """And standard error says so."""
    result = rubric("prompt", port, "--evaluator", "scorecard")
    assert "\n(The answer to judge stands here.)\nEND ANSWER" in result.stdout
    assert "=== rubric" not in result.stdout
    assert result.stderr == ("No answer found, so the prompt has a placeholder. Pass one with `--answer FILE`.\n")


def test_an_answer_that_is_recorded_beside_the_file_is_used(rubric: Any, port: Path, folder: Path) -> None:
    """As grading does; one that is given goes before it, and a recording that cannot be used is reported."""
    (folder / "port.answers.json").write_text('{"port": "Recorded."}', encoding="utf-8")
    result = rubric("prompt", port)
    assert "\nRecorded.\nEND ANSWER" in result.stdout
    assert result.stderr == ""
    (folder / "answer.txt").write_text("Given.", encoding="utf-8")
    assert "\nGiven.\nEND ANSWER" in rubric("prompt", port, "--answer", "answer.txt").stdout
    (folder / "port.answers.json").write_text("[]", encoding="utf-8")
    assert "port.answers.json" in rubric("prompt", port).stderr


def test_as_json_everything_is_there(rubric: Any, several: Path) -> None:
    """For whoever sends it themselves: the texts, the schema and the hash that results show."""
    told = json.loads(rubric("prompt", several, "--case", "one", "--format", "json").stdout)
    assert told["eval_id"] == "one"
    assert [(each["evaluator"], each["kind"]) for each in told["prompts"]] == [
        ("rubric", "rubric"),
        ("tone", "free-form"),
        ("printed", "free-form"),
    ]
    for each in told["prompts"]:
        assert set(each) == {"evaluator", "kind", "system", "user", "schema", "prompt_hash"}
        assert len(each["prompt_hash"]) == 64
    assert told["prompts"][1]["user"].startswith("Is \nBEGIN ANSWER")


def test_a_case_without_evaluators_is_judged_as_a_whole(rubric: Any, several: Path) -> None:
    """By one question."""
    told = json.loads(rubric("prompt", several, "--case", "two", "--format", "json").stdout)
    assert [each["evaluator"] for each in told["prompts"]] == ["llm_judge"]


def test_a_prompt_that_a_command_prints_is_not_known(rubric: Any, several: Path) -> None:
    """Nothing is run, and standard error says so, where it matters."""
    said = "The prompt of the evaluator printed is printed by a command, which is not run here."
    assert said in rubric("prompt", several, "--case", "one", "--evaluator", "printed").stderr
    assert said not in rubric("prompt", several, "--case", "one", "--evaluator", "tone").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["several.eval.yaml"], "several.eval.yaml holds 3 cases; name one with `--case`: one, two, code-only."),
        (["several.eval.yaml", "--case", "t*o*"], None),
        (["several.eval.yaml", "--case", "oen"], "There is no case oen."),
        (
            ["several.eval.yaml", "--case", "one", "--evaluator", "parses"],
            "The evaluator parses is a code_judge, which asks no judge.",
        ),
        (
            ["several.eval.yaml", "--case", "one", "--evaluator", "style"],
            "The case one has no evaluator style. It has: rubric, parses, tone, printed.",
        ),
        (["several.eval.yaml", "--case", "code-only"], "No evaluator of the case code-only asks a judge."),
        (
            ["port.eval.yaml", "--evaluator", "style"],
            "The case port has no evaluator style. It has: rubric, scorecard.",
        ),
        (["missing.eval.yaml"], "does not exist"),
        (["port.eval.yaml", "--answer", "missing.txt"], "does not exist"),
        (["port.eval.yaml", "--answer", "binary.txt"], "The answer in binary.txt cannot be read. The file is not text"),
        (["broken.eval.yaml"], "The case port cannot be graded. "),
        (["attached.eval.yaml"], "The case port cannot be graded. The file gone.txt is neither"),
    ],
)
@pytest.mark.usefixtures("port", "several")
def test_what_cannot_be_shown_is_said_in_one_sentence(
    rubric: Any, folder: Path, arguments: list[str], message: str | None
) -> None:
    """With status 2 and nothing on standard output."""
    (folder / "binary.txt").write_bytes(b"a\x00b")
    (folder / "broken.eval.yaml").write_text(CASE.replace("{0: Says", "{1: Says"), encoding="utf-8")
    attached = CASE.replace("content: Which port does HTTPS use?", "content: [{type: file, value: gone.txt}]")
    (folder / "attached.eval.yaml").write_text(attached, encoding="utf-8")
    result = rubric("prompt", *arguments)
    if message is None:
        assert result.exit_code == 0
        return
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_many_cases_are_not_all_named(rubric: Any, folder: Path) -> None:
    """Five show how ids look here."""
    cases = "".join(f"  - {{id: c{number}, expected_outcome: x, input: y}}\n" for number in range(9))
    (folder / "many.eval.yaml").write_text(f"evalcases:\n{cases}", encoding="utf-8")
    assert "name one with `--case`: c0, c1, c2, c3, c4 and 4 more." in rubric("prompt", "many.eval.yaml").stderr


def test_an_answer_cannot_command_the_terminal(
    rubric: Any, port: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a terminal would obey is made visible there; a file gets the bytes that are sent."""
    (folder / "answer.txt").write_bytes(b"\x1b[2J443\r\n")
    arguments = ("prompt", port, "--evaluator", "rubric", "--answer", "answer.txt")
    assert "\x1b[2J443\r\n" in rubric(*arguments).stdout_bytes.decode()
    monkeypatch.setattr("rubric_core.cli.commands.prompt.stdout_is_terminal", lambda: True)
    shown = rubric(*arguments).stdout
    assert "␛[2J443\n" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("checklist.eval.yaml", "quicksort-for-beginners"),
        ("checklist.eval.yaml", "stable-or-not"),
        ("mixed.eval.yaml", "monthly-revenue"),
        ("score-ranges.eval.yaml", "review-of-a-retry-loop"),
        ("scorecard.eval.yaml", "lost-parcel"),
        ("cases.jsonl", "capital-of-france"),
    ],
)
def test_every_example_has_its_prompt(rubric: Any, name: str, case: str) -> None:
    """A newcomer can look at each."""
    result = rubric("prompt", EXAMPLES / name, "--case", case)
    assert result.exit_code == 0, result.stderr
    assert "# Criteria\n" in result.stdout


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("", "dup.eval.yaml: Two cases are called c1 (lines 2 and 3); give one of them another id."),
        ("# rubric: ignore-file[RB203]\n", "dup.eval.yaml: 2 cases are called c1; give each its own id."),
    ],
)
def test_two_cases_of_one_id_are_reported_with_their_lines(rubric: Any, folder: Path, head: str, told: str) -> None:
    """Naming the id again would not help."""
    case = "  - {id: c1, expected_outcome: Is right, input: Which port?, rubrics: [Is right]}\n"
    (folder / "dup.eval.yaml").write_text(f"{head}evalcases:\n{case}{case}", encoding="utf-8")
    result = rubric("prompt", "dup.eval.yaml", "--case", "c1")
    assert (result.exit_code, result.stderr) == (2, f"rubric: {told}\n")

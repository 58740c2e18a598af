"""`rubric report`: results that were graded before, in any format."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sample_results import ALL, GATE_FAILED, PASSED, SCORECARD_ALONE, scorecard_of
from stored_results import keep_run

from rubric_core.grading.result_json import json_line
from rubric_core.report.formats import RESULT_FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

LINE = json_line(PASSED)
NO_RESULT = "This is no result of `rubric grade`: "


def test_the_page_of_the_latest_run_is_written_to_a_file(rubric: Callable[..., Result], folder: Path) -> None:
    """Without any argument, and it says where."""
    keep_run([GATE_FAILED])
    keep_run([PASSED, replace(PASSED, eval_id="second")])
    result = rubric("report")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Wrote rubric-report.html with 2 cases of run 2.\n"
    page = (folder / "rubric-report.html").read_text(encoding="utf-8")
    assert "second" in page
    assert "port-unknown" not in page


def test_quiet_says_nothing(rubric: Callable[..., Result], folder: Path) -> None:
    """The file is there all the same."""
    keep_run([PASSED])
    assert rubric("report", "--quiet").stderr == ""
    assert (folder / "rubric-report.html").exists()


@pytest.mark.parametrize("word", ["1", "previous"])
def test_a_run_can_be_named(rubric: Callable[..., Result], word: str) -> None:
    """By its number, or as the one before the latest; as an argument too."""
    keep_run([GATE_FAILED])
    keep_run([PASSED])
    for arguments in (["--run", word], [word]):
        assert rubric("report", *arguments, "--format", "text").stdout.startswith("fail  port-unknown")


def test_a_run_without_results_is_not_the_latest(rubric: Callable[..., Result]) -> None:
    """It was stopped before anything was judged."""
    keep_run([PASSED])
    keep_run([], total=3)
    assert rubric("report", "--format", "text").stdout.startswith("pass  port")


def test_a_run_that_was_stopped_says_so(rubric: Callable[..., Result]) -> None:
    """Nobody takes a part for the whole."""
    keep_run([PASSED], total=3)
    assert "of run 1, stopped after 1 of 3 cases." in rubric("report").stderr


@pytest.mark.parametrize("name", list(RESULT_FORMATS))
def test_files_of_results_can_be_reported_in_every_format(
    rubric: Callable[..., Result], folder: Path, name: str
) -> None:
    """What one command wrote, another reads, without loss."""
    (folder / "results.jsonl").write_text(RESULT_FORMATS["jsonl"].render(ALL), encoding="utf-8")
    result = rubric("report", "results.jsonl", "--format", name, "--output", "-")
    assert result.exit_code == 0
    assert result.stdout == RESULT_FORMATS[name].render(ALL)


@pytest.mark.parametrize(
    "text",
    [RESULT_FORMATS["json"].render(ALL), RESULT_FORMATS["jsonl"].render(ALL), f"[{', '.join(map(json_line, ALL))}]"],
)
def test_every_way_to_write_results_is_read(rubric: Callable[..., Result], folder: Path, text: str) -> None:
    """JSON lines, the JSON of several cases, a plain list; with a byte order mark too."""
    (folder / "results").write_text(f"\ufeff{text}", encoding="utf-8")
    assert rubric("report", "results", "--format", "jsonl").stdout == RESULT_FORMATS["jsonl"].render(ALL)


def test_the_json_of_one_case_is_read(rubric: Callable[..., Result], folder: Path) -> None:
    """An object by itself."""
    (folder / "one.json").write_text(RESULT_FORMATS["json"].render([PASSED]), encoding="utf-8")
    assert rubric("report", "one.json", "--format", "jsonl").stdout == RESULT_FORMATS["jsonl"].render([PASSED])


def test_several_files_make_one_report(rubric: Callable[..., Result], folder: Path) -> None:
    """In the order in which they are named."""
    (folder / "a.jsonl").write_text(RESULT_FORMATS["jsonl"].render([PASSED]), encoding="utf-8")
    (folder / "b.jsonl").write_text(RESULT_FORMATS["jsonl"].render([GATE_FAILED]), encoding="utf-8")
    assert rubric("report", "b.jsonl", "a.jsonl", "--format", "jsonl").stdout == RESULT_FORMATS["jsonl"].render(
        [GATE_FAILED, PASSED]
    )


def test_results_can_come_through_a_pipe(rubric: Callable[..., Result]) -> None:
    """`-` is standard input."""
    result = rubric("report", "-", "--format", "text", stdin=RESULT_FORMATS["jsonl"].render([PASSED]))
    assert result.stdout.startswith("pass  port")
    assert rubric("report", "-", stdin="{").stderr.startswith("rubric: <stdin>:1: This is not JSON:")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("report.html", "<!DOCTYPE html>"),
        ("report.MD", "## Rubric results"),
        ("report.xml", "<?xml"),
        ("report.json", "{"),
        ("report.jsonl", '{"eval_id"'),
        ("report.txt", "pass  port"),
        ("report", "<!DOCTYPE html>"),
    ],
)
def test_the_name_of_the_output_decides_the_format(
    rubric: Callable[..., Result], folder: Path, name: str, start: str
) -> None:
    """A page where nothing else is said; `--format` wins."""
    (folder / "a.jsonl").write_text(RESULT_FORMATS["jsonl"].render([PASSED]), encoding="utf-8")
    assert rubric("report", "a.jsonl", "--output", name).exit_code == 0
    assert (folder / name).read_text(encoding="utf-8").startswith(start)
    rubric("report", "a.jsonl", "--output", name, "--format", "junit")
    assert (folder / name).read_text(encoding="utf-8").startswith("<?xml")


def test_the_page_has_the_history_of_the_store(rubric: Callable[..., Result], folder: Path) -> None:
    """Each evaluation of the skill is a point."""
    for number in range(3):
        card = replace(scorecard_of((8, 8, 8, 7, 7, 9, 8)), evaluation_id=f"evaluation-{number}")
        keep_run([replace(SCORECARD_ALONE, scorecard=card)])
    rubric("report")
    assert "The last 3 evaluations, oldest first." in (folder / "rubric-report.html").read_text(encoding="utf-8")


def test_a_file_with_a_scorecard_needs_no_store(rubric: Callable[..., Result], folder: Path) -> None:
    """There is no history then, and no store is made."""
    (folder / "a.jsonl").write_text(RESULT_FORMATS["jsonl"].render([SCORECARD_ALONE]), encoding="utf-8")
    assert rubric("report", "a.jsonl").exit_code == 0
    assert not (folder / ".rubric").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: There are no results in this file."),
        ("\n\n", "1: There are no results in this file."),
        ("[]", "1: There are no results in this file."),
        ('{"results": [], "summary": {}}', "1: There are no results in this file."),
        ('{"eval_id": 3}', f"1: {NO_RESULT}`eval_id` must be a string, not a number."),
        ('{\n "eval_id": }', "2: This is not JSON: Expecting value at column 13."),
        ("[NaN]", "1: This is not JSON: NaN is not a number that JSON has."),
        (
            f"{json_line(PASSED)}\n\n{{",
            "3: This is not JSON: Expecting property name enclosed in double quotes at column 2.",
        ),
        (
            f"{json_line(PASSED)}\n[]",
            f"2: {NO_RESULT}The whole value must be an object, not a list.",
        ),
        (
            f'{{"results": [{LINE}, 7]}}',
            f"1: Result 2: {NO_RESULT}The whole value must be an object, not a number.",
        ),
        (
            '{"eval_id": "a\\u001b"}',
            f"1: {NO_RESULT}`evaluator_results` is missing; it must be a list.",
        ),
    ],
)
def test_a_file_that_is_wrong_is_reported_with_its_line(
    rubric: Callable[..., Result], folder: Path, text: str, message: str
) -> None:
    """Path, line, and what to look at."""
    (folder / "bad.jsonl").write_text(text, encoding="utf-8")
    result = rubric("report", "bad.jsonl")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"rubric: bad.jsonl:{message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.jsonl"], "rubric: missing.jsonl: The file does not exist.\n"),
        (["."], "rubric: .: This is a folder; only files are read.\n"),
        ([], "rubric: No results found. Run `rubric grade` first, or pass a file of results.\n"),
        (
            ["--run", "latest"],
            "rubric: No results found. Run `rubric grade` first, or pass a file of results.\n",
        ),
    ],
)
def test_what_is_not_there_is_reported(rubric: Callable[..., Result], arguments: list[str], message: str) -> None:
    """A sentence, and status 2; nothing is made by looking."""
    result = rubric("report", *arguments)
    assert (result.exit_code, result.stderr) == (2, message)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("7", "rubric: There is no run 7 with results in the store; the newest is 1.\n"),
        ("previous", "rubric: There is no previous run: the store has 1 run with results.\n"),
    ],
)
def test_a_run_that_is_not_there_is_reported(rubric: Callable[..., Result], word: str, message: str) -> None:
    """With the newest that is."""
    keep_run([PASSED])
    result = rubric("report", "--run", word)
    assert (result.exit_code, result.stderr) == (2, message)


def test_a_store_without_results_has_no_run(rubric: Callable[..., Result]) -> None:
    """Nor a newest one."""
    keep_run([], total=1)
    assert rubric("report", "1").stderr == "rubric: There is no run 1 with results in the store.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.jsonl", "--run", "1"], "`--run` cannot be combined with RESULTS."),
        (["--run", "yesterday"], "Invalid run `yesterday`: expected a number, `latest` or `previous`."),
    ],
)
def test_contradictions_are_refused(rubric: Callable[..., Result], arguments: list[str], message: str) -> None:
    """Before anything is read."""
    result = rubric("report", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_damaged_store_ends_the_command_with_a_sentence(rubric: Callable[..., Result], folder: Path) -> None:
    """Not with a traceback."""
    (folder / ".rubric").mkdir()
    (folder / ".rubric" / "rubric.db").write_text("This is no database. " * 100, encoding="utf-8")
    result = rubric("report")
    assert result.exit_code == 2
    assert result.stderr.startswith("rubric: ")
    assert "Traceback" not in result.stderr


def test_an_exact_score_survives_from_file_to_file(rubric: Callable[..., Result], folder: Path) -> None:
    """One third stays one third."""
    (folder / "a.json").write_text(RESULT_FORMATS["json"].render([GATE_FAILED]), encoding="utf-8")
    rubric("report", "a.json", "--output", "b.json")
    assert json.loads((folder / "b.json").read_text(encoding="utf-8"))["score_exact"] == "1/3"

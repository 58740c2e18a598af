"""`rubric generate`: whom it asks, what it writes, what it says and how it ends."""

from __future__ import annotations

import json
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.cli import generated_files
from rubric_core.files.write import Unwritable

if TYPE_CHECKING:
    from pathlib import Path

CRITERIA = [
    {"id": "names-the-port", "expected_outcome": "Names port 8080", "weight": 2, "required": True},
    {"id": "says-why", "expected_outcome": "Says why: the proxy", "weight": 1, "required": True},
    {"id": "one-line", "expected_outcome": "Needs one line", "weight": 0.5, "required": False},
]
WRITTEN = """\
    rubrics:
      - id: names-the-port
        expected_outcome: Names port 8080
        weight: 2
      - id: says-why
        expected_outcome: "Says why: the proxy"
      - id: one-line
        expected_outcome: Needs one line
        weight: 0.5
        required: false
"""
CASE = """\
  - id: {id}
    expected_outcome: Names the port
    input: Which port?  # asked often
"""


def _suite(*ids: str, rubrics: str = "") -> str:
    return "evalcases:\n" + "".join(CASE.format(id=each) + rubrics for each in ids)


def _record(folder: Path, **proposals: object) -> str:
    """Record proposals by case id, and return the name of the judge that gives them."""
    given = {name: entry if isinstance(entry, str) else {"criteria": entry} for name, entry in proposals.items()}
    (folder / "proposals.json").write_text(json.dumps(given))
    return "replay:proposals.json"


def _command_judge(folder: Path, script: str, table: str = "judges.local") -> None:
    """Configure a command as judge: a script that reads the prompt as `prompt` and counts itself in asked.txt."""
    count = "import sys, json, time; prompt = sys.stdin.read(); open('asked.txt', 'a').write('x')\n"
    (folder / "judge.py").write_text(count + script)
    command = json.dumps([sys.executable, "judge.py"])
    (folder / "rubric.toml").write_text(f'[{table}]\nprovider = "command"\ncommand = {command}\n')


def test_criteria_are_written_into_every_case_without_some(rubric: Any, folder: Path) -> None:
    """Nothing else changes, down to the byte order mark, the line breaks and the comments."""
    (folder / "a.eval.yaml").write_bytes(("\ufeff" + _suite("first", "second")).replace("\n", "\r\n").encode())
    (folder / "b.jsonl").write_text('{"id": "third", "expected_outcome": "x", "input": "y", "rubrics": []}\n')
    judge = _record(folder, first=CRITERIA, second=CRITERIA, third=CRITERIA)
    result = rubric("generate", "--judge", judge)
    assert result.exit_code == 0
    after = "\ufeff" + _suite("first", "second", rubrics=WRITTEN)
    assert (folder / "a.eval.yaml").read_bytes() == after.replace("\n", "\r\n").encode()
    assert json.loads((folder / "b.jsonl").read_text())["rubrics"][0]["id"] == "names-the-port"
    assert result.stdout == "a.eval.yaml\n  first: 3 criteria\n  second: 3 criteria\nb.jsonl\n  third: 3 criteria\n"
    plan, summary = result.stderr.splitlines()
    assert plan.startswith("Plan: 3 cases without rubrics; 3 questions for replay:proposals.json, ")
    assert summary == "Wrote 9 criteria for 3 cases in 2 files."
    assert not (folder / ".rubric").exists()
    assert rubric("check").exit_code == 0


def test_score_ranges_are_written_on_request(rubric: Any, folder: Path) -> None:
    """They cover 0 to 10, and a required criterion gets its gate."""
    ranges = {"0": "Names no port", "4": "Names a port", "8": "Names port 8080"}
    (folder / "a.eval.yaml").write_text(_suite("first"))
    judge = _record(folder, first=[{**each, "score_ranges": ranges} for each in CRITERIA])
    assert rubric("generate", "--judge", judge, "--ranges").exit_code == 0
    assert (
        (folder / "a.eval.yaml")
        .read_text()
        .startswith(
            _suite("first")
            + """\
    rubrics:
      - id: names-the-port
        expected_outcome: Names port 8080
        weight: 2
        required_min_score: 4
        score_ranges:
          0: Names no port
          4: Names a port
          8: Names port 8080
"""
        )
    )


def test_a_diff_writes_nothing(rubric: Any, folder: Path) -> None:
    """It shows what would be inserted."""
    (folder / "a.eval.yaml").write_text(_suite("first"))
    result = rubric("generate", "--judge", _record(folder, first=CRITERIA), "--diff")
    assert result.exit_code == 1
    assert (folder / "a.eval.yaml").read_text() == _suite("first")
    assert result.stdout.startswith("--- a/a.eval.yaml\n+++ b/a.eval.yaml\n")
    added = "".join(line[1:] for line in result.stdout.splitlines(keepends=True)[2:] if line.startswith("+"))
    assert added == WRITTEN
    assert result.stderr.endswith("Would write 3 criteria for 1 case in 1 file.\n")
    (folder / "a.eval.yaml").write_text(_suite("first", rubrics=WRITTEN))
    assert rubric("generate", "--judge", "replay:proposals.json", "--diff").exit_code == 0


def test_a_dry_run_asks_nobody(rubric: Any, folder: Path) -> None:
    """It names the cases and the size of what would be asked, and leaves nothing behind."""
    _command_judge(folder, "")
    (folder / "a.eval.yaml").write_text(_suite("first") + "  - id: bare\n    input: y\n")
    result = rubric("generate", "--judge", "local", "--dry-run")
    assert result.exit_code == 0
    assert result.stdout == "a.eval.yaml\n  first: would be asked about\n"
    assert "Plan: 1 case without rubrics; 1 question for local, " in result.stderr
    assert "rubric: a.eval.yaml:5: bare: Skipped. It has no expected_outcome" in result.stderr
    assert not (folder / "asked.txt").exists()
    assert not (folder / ".rubric").exists()


def test_only_the_named_cases_get_criteria(rubric: Any, folder: Path) -> None:
    """By id or by pattern; a name that fits no case is an error."""
    (folder / "a.eval.yaml").write_text(_suite("sql-1", "sql-2", "port") + "  - id: bare\n    input: y\n")
    judge = _record(folder, **{"sql-1": CRITERIA, "sql-2": CRITERIA})
    result = rubric("generate", "--judge", judge, "--case", "sql-*")
    assert result.exit_code == 0
    assert result.stdout == "a.eval.yaml\n  sql-1: 3 criteria\n  sql-2: 3 criteria\n"
    result = rubric("generate", "--judge", judge, "--case", "prt")
    assert result.exit_code == 2
    assert result.stderr == "rubric: There is no case prt. Did you mean port?\n"


def test_a_case_whose_proposal_is_wrong_stays_as_it_is(rubric: Any, folder: Path) -> None:
    """The other cases are still written, and the status tells."""
    (folder / "a.eval.yaml").write_text(_suite("first", "second", "third"))
    judge = _record(folder, first=CRITERIA[:2], second=CRITERIA)
    result = rubric("generate", "--judge", judge)
    assert result.exit_code == 2
    assert (folder / "a.eval.yaml").read_text() == _suite("first") + CASE.format(id="second") + WRITTEN + CASE.format(
        id="third"
    )
    assert "rubric: a.eval.yaml:2: first: The judge replay:proposals.json gave no valid judgement" in result.stderr
    assert "There are 2 criteria; propose 3 to 7." in result.stderr
    assert "rubric: a.eval.yaml:8: third: proposals.json holds no judgement for the case third." in result.stderr
    assert result.stderr.endswith("Wrote 3 criteria for 1 case in 1 file; 2 cases failed.\n")


def test_a_case_that_cannot_get_criteria_is_skipped_with_a_sentence(rubric: Any, folder: Path) -> None:
    """A case is then left without rubrics, which the status tells."""
    (folder / "a.eval.yaml").write_text(_suite("first") + "  - id: bare\n    input: y\n")
    result = rubric("generate", "--judge", _record(folder, first=CRITERIA))
    assert result.exit_code == 1
    assert "rubric: a.eval.yaml:5: bare: Skipped. It has no expected_outcome" in result.stderr
    assert result.stderr.endswith("Wrote 3 criteria for 1 case in 1 file; 1 case skipped.\n")
    again = rubric("generate", "--judge", "replay:proposals.json")
    assert again.exit_code == 1
    assert again.stderr.endswith("No criteria in 1 file; 1 case skipped.\n")


def test_text_that_cannot_be_read_is_named_by_its_line(rubric: Any, folder: Path) -> None:
    """Nobody knows which cases it holds."""
    (folder / "a.eval.yaml").write_text(_suite("first") + '  - id: "broken\n    input: y\n')
    result = rubric("generate", "--judge", _record(folder, first=CRITERIA))
    assert result.exit_code == 1
    assert "rubric: a.eval.yaml:5: Skipped. The quote opened here is never closed.\n" in result.stderr


def test_hints_are_reported(rubric: Any, folder: Path) -> None:
    """They do not keep criteria out, and `rubric check` shows them."""
    (folder / "a.eval.yaml").write_text(_suite("first"))
    judge = _record(folder, first=[{**each, "weight": 1} for each in CRITERIA])
    result = rubric("generate", "--judge", judge)
    assert result.exit_code == 0
    assert result.stdout == "a.eval.yaml\n  first: 3 criteria, 1 hint\n"
    assert result.stderr.endswith("The criteria give 1 hint, which `rubric check` shows.\n")


def test_quiet_shows_the_result_and_what_failed(rubric: Any, folder: Path) -> None:
    """No plan, no summary, no sentence about what was skipped."""
    (folder / "a.eval.yaml").write_text(_suite("first", "second") + "  - id: bare\n    input: y\n")
    result = rubric("generate", "--quiet", "--judge", _record(folder, first=CRITERIA))
    assert result.stdout == "a.eval.yaml\n  first: 3 criteria\n"
    assert result.stderr == "rubric: a.eval.yaml:5: second: proposals.json holds no judgement for the case second.\n"


def test_where_all_cases_have_rubrics_there_is_nothing_to_do(rubric: Any, folder: Path) -> None:
    """Nobody is asked, so it does not matter that nobody could be."""
    (folder / "a.eval.yaml").write_text(_suite("first", rubrics=WRITTEN))
    result = rubric("generate")
    assert result.exit_code == 0
    assert result.stderr == (
        "Plan: 0 cases without rubrics; nothing to ask.\nNothing to write: every selected case in 1 file has rubrics.\n"
    )


def test_the_default_target_proposes_without_options(rubric: Any, folder: Path) -> None:
    """It is in a targets file above the eval file, and nothing else tells where the project begins."""
    (folder / ".git").rmdir()
    (folder / "judge.py").write_text(f"print({json.dumps({'criteria': CRITERIA})!r})")
    evals = folder / "project" / "deep" / "evals"
    evals.mkdir(parents=True)
    (evals / "a.eval.yaml").write_text(_suite("first"))
    targets = folder / "project" / ".agentv" / "targets.yaml"
    targets.parent.mkdir()
    command = json.dumps([sys.executable, str(folder / "judge.py")])
    targets.write_text(f"targets:\n  - name: default\n    provider: command\n    command: {command}\n")
    result = rubric("generate", evals / "a.eval.yaml")
    assert result.exit_code == 0, result.stderr
    assert "1 question for default" in result.stderr
    assert (evals / "a.eval.yaml").read_text() == _suite("first", rubrics=WRITTEN)


def test_a_person_cannot_propose(rubric: Any, folder: Path) -> None:
    """The default judge is a person, so a model has to be named."""
    (folder / "a.eval.yaml").write_text(_suite("first"))
    for arguments in ((), ("--judge", "manual")):
        result = rubric("generate", *arguments)
        assert result.exit_code == 2
        assert result.stderr == (
            "rubric: No model is configured to propose criteria. Pass --judge or --target, set `judge` in rubric.toml, "
            "or define a target called default.\n"
        )
    assert (folder / "a.eval.yaml").read_text() == _suite("first")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judge", "nobody"), "There is no judge nobody."),
        (("--target", "nobody"), "There is no target nobody"),
        (("--judge", "replay:away.json"), "away.json; correct the path."),
        (("--target", "x", "--judge", "y"), "cannot be combined"),
        (("--concurrency", "0"), "--concurrency"),
    ],
)
def test_who_is_asked_must_be_known(rubric: Any, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    """Otherwise nothing is done at all."""
    (folder / "a.eval.yaml").write_text(_suite("first"))
    result = rubric("generate", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert (folder / "a.eval.yaml").read_text() == _suite("first")


def test_files_that_are_no_eval_files(rubric: Any, folder: Path) -> None:
    """In a folder they are passed over; one that is named is an error, and the others are still written."""
    (folder / "compose.yaml").write_text("services: {}\n")
    (folder / "words.yaml").write_text("about: how a rubric is written\n")
    result = rubric("generate")
    assert (result.exit_code, result.stderr) == (2, "rubric: No eval files found in the current folder.\n")
    (folder / "a.eval.yaml").write_text(_suite("first"))
    (folder / "binary.eval.yaml").write_bytes(b"\xff\xfe\xff")
    judge = _record(folder, first=CRITERIA)
    result = rubric("generate", "--judge", judge, "compose.yaml", "a.eval.yaml", "away.yaml", "binary.eval.yaml")
    assert result.exit_code == 2
    assert result.stdout == "a.eval.yaml\n  first: 3 criteria\n"
    assert "rubric: compose.yaml: This is not an eval file" in result.stderr
    assert "away.yaml does not exist." in result.stderr
    assert "rubric: binary.eval.yaml: The file is not text" in result.stderr
    result = rubric("generate", "--judge", judge, "--dry-run", "compose.yaml")
    assert result.exit_code == 2


def test_what_a_diff_showed_is_what_is_written(rubric: Any, folder: Path) -> None:
    """A judge that never says the same twice is asked once, until somebody wants something new."""
    script = "criteria = json.loads(open('criteria.json').read())\n"
    script += "criteria[0]['expected_outcome'] += f' at {time.time_ns()}'\nprint(json.dumps({'criteria': criteria}))\n"
    _command_judge(folder, script)
    (folder / "criteria.json").write_text(json.dumps(CRITERIA))
    (folder / "a.eval.yaml").write_text(_suite("first"))
    shown = rubric("generate", "--judge", "local", "--diff").stdout
    result = rubric("generate", "--judge", "local")
    assert result.stderr.startswith("Plan: 1 case without rubrics; 1 proposal cached.\n")
    written = (folder / "a.eval.yaml").read_text().removeprefix(_suite("first"))
    assert "".join(f"+{line}\n" for line in written.splitlines()) in shown
    assert (folder / "asked.txt").read_text() == "x"
    (folder / "a.eval.yaml").write_text(_suite("first"))
    assert rubric("generate", "--judge", "local", "--no-cache").exit_code == 0
    assert (folder / "asked.txt").read_text() == "xx"
    assert not (folder / "a.eval.yaml").read_text().endswith(written)


def test_a_target_can_write_the_criteria(rubric: Any, folder: Path) -> None:
    """It is asked as a judge would be."""
    _command_judge(folder, f"print({json.dumps(json.dumps({'criteria': CRITERIA}))})\n", "targets.writer")
    (folder / "a.eval.yaml").write_text(_suite("first"))
    assert rubric("generate", "--target", "writer").exit_code == 0
    assert (folder / "a.eval.yaml").read_text() == _suite("first", rubrics=WRITTEN)


def test_a_file_that_was_changed_meanwhile_is_left_alone(rubric: Any, folder: Path) -> None:
    """What somebody else wrote is not lost."""
    script = "open('a.eval.yaml', 'a').write('# mine\\n')\n"
    _command_judge(folder, f"{script}print({json.dumps(json.dumps({'criteria': CRITERIA}))})\n")
    (folder / "a.eval.yaml").write_text(_suite("first"))
    result = rubric("generate", "--judge", "local")
    assert result.exit_code == 2
    assert "rubric: a.eval.yaml: The file was changed while criteria were proposed" in result.stderr
    assert result.stdout == ""
    assert (folder / "a.eval.yaml").read_text() == _suite("first") + "# mine\n"


def test_a_file_that_cannot_be_written_is_reported(rubric: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The criteria are not counted as written."""
    (folder / "a.eval.yaml").write_text(_suite("first"))
    monkeypatch.setattr(generated_files, "write_text", lambda *_, **__: Unwritable("The file is read-only."))
    result = rubric("generate", "--judge", _record(folder, first=CRITERIA))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "rubric: a.eval.yaml: The file is read-only.\n" in result.stderr


def test_a_terminal_shows_how_far_it_is(rubric: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, which is gone at the end."""
    (folder / "a.eval.yaml").write_text(_suite("first", "second"))
    monkeypatch.setattr("rubric_core.cli.output.stderr_is_terminal", lambda: True)
    result = rubric("generate", "--judge", _record(folder, first=CRITERIA, second=CRITERIA))
    shown, _, rest = result.stderr.rpartition("\r\x1b[1A\x1b[2K")
    assert 0 < shown.index("1 of 2 cases proposed") < shown.index("2 of 2 cases proposed")
    assert "proposed" not in rest


@pytest.mark.slow
def test_an_interrupted_run_leaves_whole_files(process: Any, folder: Path) -> None:
    """What is complete is written, what is not stays as it was, and what was proposed is asked for once only."""
    script = f"if 'Slowly' in prompt: time.sleep(600)\nprint({json.dumps(json.dumps({'criteria': CRITERIA}))})\n"
    _command_judge(folder, script)
    (folder / "a.eval.yaml").write_text(_suite("first"))
    slow = _suite("second") + CASE.format(id="third").replace("Names", "Slowly names")
    (folder / "b.eval.yaml").write_text(slow)
    running = process("generate", "--judge", "local", "--concurrency", "1")
    # The first two cases ask the same, so that the judge is asked once for both.
    deadline = time.monotonic() + 60
    while not (folder / "asked.txt").exists() or (folder / "asked.txt").read_text() != "xx":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert out == "a.eval.yaml\n  first: 3 criteria\n"
    assert err.endswith("Stopped with 2 of 3 cases proposed; run the command again to continue.\n")
    assert (folder / "a.eval.yaml").read_text() == _suite("first", rubrics=WRITTEN)
    assert (folder / "b.eval.yaml").read_text() == slow
    (folder / "judge.py").write_text((folder / "judge.py").read_text().replace("600", "0"))
    again = process("generate", "--judge", "local")
    out, err = again.communicate(timeout=60)
    assert again.returncode == 0, err
    assert "1 question for local" in err
    assert "1 proposal cached" in err

"""The baseline: only new problems count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sample_problems import problem_at

from rubric_core.cli.baseline import Baseline
from rubric_core.cli.output import CouldNotRun
from rubric_core.report.reports import FileReport

TEXT = "a: 1\nb: 2\na: 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def recorded(*reports: FileReport, path: str = "known.json") -> Baseline:
    """Return a baseline after it was written and read again."""
    Baseline.load(Path(path), must_exist=False).write(reports, quiet=True)
    return Baseline.load(Path(path), must_exist=True)


@pytest.mark.usefixtures("folder")
def test_what_was_recorded_is_known_even_after_its_line_moved(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the line's number nor its indentation nor the message matters."""
    old = FileReport("x.yaml", TEXT, (problem_at(TEXT, "b"),))
    moved_text = f"# comment\n\n   {TEXT.splitlines()[1]}\n"
    moved = FileReport("x.yaml", moved_text, (problem_at(moved_text, "b", message="Other words."),))
    (report,) = recorded(old).compare([moved], quiet=False)
    assert report.problems == ()
    assert report.baselined == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("path", "line", "code"),
    [("y.yaml", "b: 2", "RB101"), ("x.yaml", "b: 3", "RB101"), ("x.yaml", "b: 2", "RB102")],
)
@pytest.mark.usefixtures("folder")
def test_another_file_another_line_or_another_rule_is_new(path: str, line: str, code: str) -> None:
    """Each part of the key tells problems apart."""
    old = FileReport("x.yaml", TEXT, (problem_at(TEXT, "b"),))
    new = FileReport(path, line, (problem_at(line, "b", code=code),))
    assert recorded(old).compare([new], quiet=True) == (new,)


@pytest.mark.usefixtures("folder")
def test_one_more_of_the_same_is_new() -> None:
    """Equal lines are counted, and the last ones are the new ones."""
    first, again = problem_at(TEXT, "a: 1"), problem_at(TEXT, "a: 1\n")
    known = recorded(FileReport("x.yaml", TEXT, (first,)))
    (report,) = known.compare([FileReport("x.yaml", TEXT, (first, again))], quiet=True)
    assert report.problems == (again,)
    assert report.baselined == 1


@pytest.mark.usefixtures("folder")
def test_known_problems_that_are_gone_are_counted_for_checked_files_only(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that this run did not look at may still have its problems."""
    reports = [FileReport(name, TEXT, (problem_at(TEXT, "a"), problem_at(TEXT, "b"))) for name in ("x.yaml", "y.yaml")]
    recorded(*reports).compare([FileReport("x.yaml", TEXT, (problem_at(TEXT, "b"),))], quiet=False)
    assert capsys.readouterr().err == "1 known problem is gone. Update the baseline with `--write-baseline`.\n"


def test_files_that_were_not_checked_keep_their_entries(folder: Path) -> None:
    """A checked file has a new entry, a deleted one has none any more."""
    for name in ("x", "y", "z"):
        (folder / name).write_text(TEXT)
    recorded(
        *(FileReport(name, TEXT, (problem_at(TEXT, "a"), problem_at(TEXT, "b"))) for name in ("x", "y", "z", "deleted"))
    )
    kept = recorded(FileReport("x", TEXT, (problem_at(TEXT, "a"),)), FileReport("y", TEXT)).known
    assert {path: sum(counts.values()) for path, counts in kept.items()} == {"x": 1, "z": 2}


def test_paths_are_relative_to_the_folder_of_the_baseline(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A baseline made in one folder is read in another."""
    (folder / "sub").mkdir()
    problems = (problem_at(TEXT, "b"),)
    baseline = recorded(FileReport("sub/x.yaml", TEXT, problems), path="sub/known.json")
    assert set(baseline.known) == {"x.yaml"}
    monkeypatch.chdir(folder / "sub")
    known = Baseline.load(Path("known.json"), must_exist=True)
    assert known.compare([FileReport("x.yaml", TEXT, problems)], quiet=True)[0].baselined == 1


def test_the_file_is_versioned_and_written_in_a_stable_order(folder: Path) -> None:
    """Two runs over the same files give the same bytes."""
    reports = [FileReport(name, TEXT, (problem_at(TEXT, "b"), problem_at(TEXT, "a"))) for name in ("y.yaml", "x.yaml")]
    recorded(*reports)
    recorded(*reports[::-1], path="again.json")
    written = (folder / "known.json").read_bytes()
    assert written == (folder / "again.json").read_bytes()
    assert json.loads(written)["version"] == 1
    assert list(json.loads(written)["problems"]) == ["x.yaml", "y.yaml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 200_000, "not JSON"),
        ("[]", "no version"),
        ("{}", "no version"),
        ('{"version": 2, "problems": {}}', "has version 2, and only version 1"),
        ('{"version": 1}', "not counts"),
        ('{"version": 1, "problems": []}', "not counts"),
        ('{"version": 1, "problems": {"a": 1}}', "not counts"),
        ('{"version": 1, "problems": {"a": {"RB101:0": 0}}}', "not counts"),
        ('{"version": 1, "problems": {"a": {"RB101:0": true}}}', "not counts"),
    ],
)
def test_a_broken_baseline_says_what_is_wrong(folder: Path, text: str, message: str) -> None:
    """It is never taken for an empty one."""
    (folder / "known.json").write_text(text)
    with pytest.raises(CouldNotRun, match=message):
        Baseline.load(folder / "known.json", must_exist=True)

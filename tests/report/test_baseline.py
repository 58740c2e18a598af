"""The baseline: only new problems count."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rubric_core.report.baseline import (
    Baseline,
    BaselineError,
    compare,
    keep_others,
    read_baseline,
    record,
    write_baseline,
)
from rubric_core.report.reports import FileReport

TEXT = "a: 1\nb: 2\na: 1\n"


def same(report: FileReport) -> Baseline:
    """Return a file's baseline after it was written and read again."""
    return read_baseline(write_baseline(record([report])))


def test_what_was_recorded_is_known_even_after_its_line_moved(found: Any) -> None:
    """Neither the line's number nor its indentation nor the message matters."""
    old = FileReport("x.yaml", TEXT, (found(TEXT, "b"),))
    moved_text = f"# comment\n\n   {TEXT.splitlines()[1]}\n"
    moved = FileReport("x.yaml", moved_text, (found(moved_text, "b", message="Other words."),))
    (report,), gone = compare([moved], same(old))
    assert report.problems == ()
    assert report.baselined == 1
    assert gone == 0


@pytest.mark.parametrize(
    ("path", "line", "code"),
    [("y.yaml", "b: 2", "RB101"), ("x.yaml", "b: 3", "RB101"), ("x.yaml", "b: 2", "RB102")],
)
def test_another_file_another_line_or_another_rule_is_new(found: Any, path: str, line: str, code: str) -> None:
    """Each part of the key tells problems apart."""
    old = FileReport("x.yaml", TEXT, (found(TEXT, "b"),))
    new = FileReport(path, line, (found(line, "b", code=code),))
    assert compare([new], same(old))[0] == (new,)


def test_one_more_of_the_same_is_new(found: Any) -> None:
    """Equal lines are counted, and the last ones are the new ones."""
    first, again = found(TEXT, "a: 1"), found(TEXT, "a: 1\n")
    known = same(FileReport("x.yaml", TEXT, (first,)))
    (report,), _ = compare([FileReport("x.yaml", TEXT, (first, again))], known)
    assert report.problems == (again,)
    assert report.baselined == 1


def test_known_problems_that_are_gone_are_counted_for_checked_files_only(found: Any) -> None:
    """A file that this run did not look at may still have its problems."""
    reports = [FileReport(name, TEXT, (found(TEXT, "a"), found(TEXT, "b"))) for name in ("x.yaml", "y.yaml")]
    assert compare([FileReport("x.yaml", TEXT, (found(TEXT, "b"),))], record(reports))[1] == 1


def test_files_that_were_not_checked_keep_their_entries(found: Any) -> None:
    """Writing a baseline for one folder does not forget the others; a checked file's entry is replaced."""
    old = record([FileReport(name, TEXT, (found(TEXT, "a"), found(TEXT, "b"))) for name in ("x", "y", "z")])
    fresh = record([FileReport("x", TEXT, (found(TEXT, "a"),)), FileReport("y", TEXT)])
    kept = keep_others(fresh, old, frozenset({"x", "y"}))
    assert {path: sum(counts.values()) for path, counts in kept.items()} == {"x": 1, "z": 2}


def test_paths_are_kept_as_the_naming_says(found: Any) -> None:
    """A baseline made in one folder is read in another."""
    report = FileReport("sub/x.yaml", TEXT, (found(TEXT, "b"),))
    baseline = record([report], naming=lambda path: path.removeprefix("sub/"))
    assert set(baseline) == {"x.yaml"}
    assert compare([report], baseline, naming=lambda _path: "x.yaml")[0][0].baselined == 1


def test_the_file_is_versioned_and_written_in_a_stable_order(found: Any) -> None:
    """Two runs over the same files give the same bytes."""
    reports = [FileReport(name, TEXT, (found(TEXT, "b"), found(TEXT, "a"))) for name in ("y.yaml", "x.yaml")]
    written = write_baseline(record(reports))
    assert written == write_baseline(record(reports[::-1]))
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
def test_a_broken_baseline_says_what_is_wrong(text: str, message: str) -> None:
    """It is never taken for an empty one."""
    with pytest.raises(BaselineError, match=message):
        read_baseline(text)

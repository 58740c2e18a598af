"""The formats that machines read."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_problems import problem_at

from rubric_core.report.formats import CHECK_FORMATS
from rubric_core.report.reports import FileReport
from rubric_core.rules.problem import Fix, Problem, Related, Severity
from rubric_core.text.spans import Edit, Span

TEXT = "évalcases:\r\n  - id: 😀 one\r\n    rubrics: []\r\n"


@pytest.fixture
def report() -> FileReport:
    """Return a file with an error on two lines that has all there is, and a hint that has nothing."""
    start = TEXT.index("one")
    fix = Fix("Replace it", (Edit(start, start + 3, "two"), Edit(0, 0, "# new\r\n")), safe=True)
    return FileReport(
        "evals/a b.eval.yaml",
        TEXT,
        (
            problem_at(
                TEXT,
                "one\r\n    rubrics",
                message="Too: many, 100%\nof it.",
                related=[("évalcases", "because of this")],
                fixes=[fix],
            ),
            problem_at(
                TEXT, "[]", code="RB209", name="no-criteria", severity="hint", message="Nothing <here> & 'there'."
            ),
        ),
    )


FIRST = {
    "path": "evals/a b.eval.yaml",
    "code": "RB101",
    "name": "overlapping-score-ranges",
    "severity": "error",
    "message": "Too: many, 100%\nof it.",
    "line": 2,
    "column": 11,
    "end_line": 3,
    "end_column": 12,
    "related": [
        {
            "path": "evals/a b.eval.yaml",
            "line": 1,
            "column": 1,
            "end_line": 1,
            "end_column": 10,
            "message": "because of this",
        }
    ],
    "fixes": [
        {
            "title": "Replace it",
            "safe": True,
            "edits": [
                {"line": 2, "column": 11, "end_line": 2, "end_column": 14, "text": "two"},
                {"line": 1, "column": 1, "end_line": 1, "end_column": 1, "text": "# new\r\n"},
            ],
        }
    ],
}


def test_json_is_a_list_with_places_counted_from_one(report: FileReport) -> None:
    """Columns count code points: an emoji is one."""
    first, second = json.loads(CHECK_FORMATS["json"].render([report]))
    assert first == FIRST
    assert (second["line"], second["column"], second["end_column"]) == (3, 14, 16)
    assert second["related"] == second["fixes"] == []


def test_json_without_problems_is_an_empty_list() -> None:
    """A reader always gets a list."""
    assert json.loads(CHECK_FORMATS["json"].render([FileReport("a", "")])) == []


def test_jsonl_has_one_object_a_line(report: FileReport) -> None:
    """The objects are those of the list."""
    lines = CHECK_FORMATS["jsonl"].render([report, report]).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(CHECK_FORMATS["json"].render([report, report]))


def test_github_commands_escape_what_would_end_them(report: FileReport) -> None:
    """Percent signs and line breaks everywhere, colons and commas in properties; no columns over several lines."""
    assert CHECK_FORMATS["github"].render([report]).splitlines() == [
        (
            "::error title=RB101 overlapping-score-ranges,file=evals/a b.eval.yaml,line=2,endLine=3"
            "::Too: many, 100%25%0Aof it."
        ),
        (
            "::notice title=RB209 no-criteria,file=evals/a b.eval.yaml,line=3,endLine=3,col=14,endColumn=16"
            "::Nothing <here> & 'there'."
        ),
    ]


def test_github_properties_escape_colons_and_commas() -> None:
    """A path may hold both."""
    text = "a: 1\n"
    report = FileReport("c:,d%.yaml", text, (problem_at(text, "a", severity="warning", message="m\r"),))
    written = CHECK_FORMATS["github"].render([report])
    assert written.startswith("::warning ")
    assert "file=c%3A%2Cd%25.yaml," in written
    assert written.endswith("::m%0D\n")


def test_junit_has_a_failure_for_each_problem_and_none_for_a_hint(report: FileReport) -> None:
    """A file without problems is a case that passes."""
    root = ET.fromstring(CHECK_FORMATS["junit"].render([report, FileReport("good.yaml", "")]).encode())  # noqa: S314 - our own output.
    assert root.attrib == {"name": "rubric", "tests": "3", "failures": "1", "errors": "0"}
    bad, good = root
    assert (bad.get("name"), bad.get("tests"), bad.get("failures")) == ("evals/a b.eval.yaml", "2", "1")
    failure = bad[0][0]
    assert (failure.tag, failure.get("type"), failure.get("message")) == ("failure", "error", FIRST["message"])
    assert failure.text == "evals/a b.eval.yaml:2:11: error: Too: many, 100%\nof it."
    assert bad[0].get("line") == "2"
    remark = bad[1][0]
    assert (remark.tag, remark.text) == ("system-out", "evals/a b.eval.yaml:3:14: hint: Nothing <here> & 'there'.")
    assert [case.get("name") for case in good] == ["no problems"]
    assert not list(good[0])


def test_gitlab_gives_path_line_severity_and_a_fingerprint(report: FileReport) -> None:
    """Paths have forward slashes and every fingerprint is its own."""
    twice = FileReport("evals\\b.yaml", TEXT, report.problems + report.problems)
    found = json.loads(CHECK_FORMATS["gitlab"].render([report, twice]))
    assert found[0]["check_name"] == "RB101 overlapping-score-ranges"
    assert found[0]["location"] == {"path": "evals/a b.eval.yaml", "lines": {"begin": 2, "end": 3}}
    assert [one["severity"] for one in found[:2]] == ["major", "info"]
    assert found[2]["location"]["path"] == "evals/b.yaml"
    assert len({one["fingerprint"] for one in found}) == len(found) == 6


def test_fingerprints_do_not_change_when_lines_move_or_a_message_is_worded_anew() -> None:
    """GitLab and code scanning then know the problem again."""
    before = FileReport("a", "a: 1\n", (problem_at("a: 1\n", "1"),))
    moved = FileReport("a", "# new\n\n  a: 1\n", (problem_at("# new\n\n  a: 1\n", "1", message="Other words."),))
    changed = FileReport("a", "a: 12\n", (problem_at("a: 12\n", "1"),))
    prints = [json.loads(CHECK_FORMATS["gitlab"].render([one]))[0]["fingerprint"] for one in (before, moved, changed)]
    assert prints[0] == prints[1] != prints[2]


def test_sarif_has_what_the_standard_requires(report: FileReport) -> None:
    """Version, tool, rules, results whose index points at their rule, regions in code points."""
    log = json.loads(CHECK_FORMATS["sarif"].render([report]))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "rubric"
    first, second = run["results"]
    assert [driver["rules"][one["ruleIndex"]]["id"] for one in (first, second)] == ["RB101", "RB209"]
    assert [one["ruleId"] for one in (first, second)] == ["RB101", "RB209"]
    assert [one["level"] for one in (first, second)] == ["error", "note"]
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
    (location,) = first["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "evals/a%20b.eval.yaml", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 2, "startColumn": 11, "endLine": 3, "endColumn": 12},
    }
    assert first["relatedLocations"][0]["message"] == {"text": "because of this"}
    (change,) = first["fixes"][0]["artifactChanges"]
    assert change["replacements"][0] == {
        "deletedRegion": {"startLine": 2, "startColumn": 11, "endLine": 2, "endColumn": 14},
        "insertedContent": {"text": "two"},
    }
    assert "fixes" not in second
    assert first["partialFingerprints"] != second["partialFingerprints"]


def test_sarif_writes_an_absolute_path_as_a_file_address() -> None:
    """Such a file lies outside the sources."""
    report = FileReport("/x/ü.yaml", "a", (problem_at("a", "a"),))
    (result,) = json.loads(CHECK_FORMATS["sarif"].render([report]))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///x/%C3%BC.yaml"}


def test_sarif_knows_a_code_that_is_no_rule() -> None:
    """A problem of the configuration has a code of its own, and the log stays valid."""
    report = FileReport("rubric.toml", "a", (problem_at("a", "a", code="X1", name="odd"),))
    (rule,) = json.loads(CHECK_FORMATS["sarif"].render([report]))["runs"][0]["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("X1", "odd")
    assert rule["shortDescription"]["text"] == "odd"


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@pytest.mark.parametrize("name", CHECK_FORMATS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT, message=ANY_TEXT, places=st.lists(st.integers(-2, 50), min_size=4, max_size=4))
def test_no_text_and_no_span_breaks_a_format(name: str, text: str, message: str, places: list[int]) -> None:
    """Lone surrogates, control characters and spans outside the text are written somehow, and can be encoded."""
    start, end, near, far = places
    fix = Fix(message, (Edit(start, end, text),))
    problem = Problem(
        "RB101",
        "overlapping-score-ranges",
        Severity.WARNING,
        Span(start, end),
        message,
        (Related(Span(near, far), message),),
        lambda: (fix,),
    )
    written = CHECK_FORMATS[name].render([FileReport("a.yaml", text, (problem,))])
    if name in {"json", "jsonl", "sarif", "gitlab"}:
        assert written.isascii()
    if name == "junit":
        ET.fromstring(written.encode())  # noqa: S314 - our own output.
    if name == "github":
        assert len(written.replace("\r", "\n").split("\n")) == 2

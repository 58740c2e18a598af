"""Reports on files with odd names: bytes that are no UTF-8, escape bytes, line breaks."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from sample_problems import problem_at

from rubric_core.report.diff import render_diff
from rubric_core.report.formats import CHECK_FORMATS
from rubric_core.report.reports import FileReport

NAMES = [
    "caf\udce9.yaml",
    "a\x1b[31mred.yaml",
    "a\nb.yaml",
    "a\rb\x9b2J.yaml",
    "/root/\udcff\x1b.yaml",
    "a\ud800.yaml",
    "a\ufffeb\uffff.yaml",
    "a\u202elmay.b\u2066c.yaml",
]
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format_", CHECK_FORMATS)
def test_no_file_name_loses_the_report_or_reaches_a_terminal(format_: str, name: str) -> None:
    """The report can be encoded, tells of the other files, and holds no control character but line breaks.

    Nor does it hold a character that turns the direction of the text behind it.
    """
    text = "a: 1\n"
    problem = problem_at(text, "a")
    written = CHECK_FORMATS[format_].render(
        [FileReport(name, text, (problem,)), FileReport("other.yaml", text, (problem,))]
    )
    assert "other.yaml" in written
    data = written.encode()
    assert not set(written) & {*TURNING, *(chr(code) for code in (*range(10), *range(11, 32), *range(127, 160)))}
    if format_ == "junit":
        assert len(ET.fromstring(data).findall("testsuite")) == 2  # noqa: S314 - our own output.
    if format_ == "github":
        assert written.count("\n") == 2
    if format_ in {"json", "gitlab", "sarif", "jsonl"}:
        for document in written.splitlines() if format_ == "jsonl" else [written]:
            # A lone surrogate is refused by many readers of JSON.
            json.dumps(json.loads(document), ensure_ascii=False).encode()


@pytest.mark.parametrize("name", NAMES)
def test_no_file_name_reaches_a_terminal_by_a_diff(name: str) -> None:
    """The name is written as git does; the lines are those of the file, for `patch`."""
    written = render_diff(name, "a: 1\n", "a: 2\n")
    assert not set(written) & {*TURNING, "\x1b", "\x9b", "\r"}
    written.encode()


def test_the_address_in_sarif_has_the_bytes_of_the_name() -> None:
    """So that a tool finds the file."""
    text = "a: 1\n"
    reports = [
        FileReport(name, text, (problem_at(text, "a"),)) for name in ("caf\udce9.yaml", "/r/\udcff.yaml", "é.yaml")
    ]
    results = json.loads(CHECK_FORMATS["sarif"].render(reports))["runs"][0]["results"]
    locations = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    assert locations == ["caf%E9.yaml", "file:///r/%FF.yaml", "%C3%A9.yaml"]


def test_names_that_differ_in_one_byte_stay_different() -> None:
    """A byte that is no text is written as its number."""
    text = "a: 1\n"
    reports = [FileReport(name, text, (problem_at(text, "a"),)) for name in ("caf\udce9.yaml", "caf\udce8.yaml")]
    assert [each["path"] for each in json.loads(CHECK_FORMATS["json"].render(reports))] == [
        "caf\\xe9.yaml",
        "caf\\xe8.yaml",
    ]

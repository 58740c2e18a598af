"""Results in Markdown, for a comment on a pull request."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from result_strategies import TEXTS, case_results
from sample_results import (
    ALL,
    BORDERLINE,
    CODE_JUDGED,
    ERROR,
    GATE_FAILED,
    PASSED,
    SCORECARD_ALONE,
    SCORECARD_IN_ERROR,
)

from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.report.results.markdown import LONGEST_COMMENT
from rubric_core.report.results.markdown import render as render_markdown
from rubric_core.report.results.markdown_text import fenced, inline, readable

if TYPE_CHECKING:
    from rubric_core.grading.results import CaseResult

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {
    *("h2", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "b", "br", "span"),
    *("pre", "code", "ul", "li"),
}


class Seen(HTMLParser):
    """What a browser would make of a text: elements, attributes, comments, and the text of cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.comments: set[str] = set()
        self.text = ""
        self.rows: list[int] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += 1

    def handle_comment(self, data: str) -> None:
        """Keep a comment."""
        self.comments.add(data)

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.text += data


def seen(text: str) -> Seen:
    """Return what a host shows for Markdown."""
    return Seen(MARKDOWN.render(text))


def test_the_table_has_every_case_and_why_it_did_not_pass() -> None:
    """A reviewer sees all at a glance."""
    lines = RESULT_FORMATS["markdown"].render(ALL).splitlines()
    assert lines[2].startswith(
        "**7 cases: 2 pass, 1 borderline, 2 fail, 1 error, 1 no verdict** · 1 scorecard in error"
    )
    assert "| ✅ | port | pass | 1 |  |  |" in lines
    assert "| ❌ | port-unknown | fail | 0.3333… (1/3) |  | gate failed: names-port |" in lines
    assert "| ⚪ | advice | no verdict |  | C+ (6.80) |  |" in lines
    assert "| ✅ | advice-lost | pass | 1 |  | scorecard: The judge left out the dimension &#96;safety&#96;. |" in lines


def test_details_are_given_for_what_did_not_pass() -> None:
    """They are folded."""
    text = RESULT_FORMATS["markdown"].render(ALL)
    assert text.count("<details>") == text.count("</details>") == 6
    assert "<summary>❌ <b>port-unknown</b>: fail, 0.3333… (1/3)</summary>" in text
    assert "<b>port</b>" not in text


def test_a_case_alone_has_its_details() -> None:
    """Also if it passed."""
    text = RESULT_FORMATS["markdown"].render([PASSED])
    assert (
        "| names-port | met | 2 (66.7 %) | gate passed | Names the port 5432<br>The answer names port 5432. |" in text
    )


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (
            GATE_FAILED,
            "| names-port | not met | 2 (66.7 %) | **gate failed** | Names the port 5432<br>It says 3306, which ",
        ),
        (BORDERLINE, "| correctness | 7 of 10 | 2 (57.1 %) | gate passed, needs 7 | Functionally correct with minor "),
        (BORDERLINE, "Evaluators of type &#96;latency&#96; are not run."),
        (ERROR, "**Error:** rubric: The judge gave no valid judgement in 3 attempts: &#96;names-port&#96; is missing."),
        (CODE_JUDGED, "- ✖️ It does not compile."),
        (SCORECARD_ALONE, "| safety | 3 | 0.1 (10 %) | Why safety is 3. |"),
        (SCORECARD_ALONE, "| invented-flag | -0.50 | The answer shows invented-flag. |"),
        (SCORECARD_ALONE, "| **final score** | 6.80 |  |"),
        (SCORECARD_ALONE, "- Review safety: 3 is 6.00 away from the mean 9.00"),
        (SCORECARD_IN_ERROR, "**Scorecard database-advice**: error"),
        (replace(PASSED, partial=True), "partial: only names-port, says-how"),
    ],
)
def test_details_say_what_was_judged(result: CaseResult, line: str) -> None:
    """Criteria, hits and misses, dimensions, the pipeline of a scorecard, history."""
    assert line in RESULT_FORMATS["markdown"].render([result])


def test_a_long_answer_is_cut() -> None:
    """What is missing is counted."""
    text = RESULT_FORMATS["markdown"].render([replace(PASSED, candidate_answer="x" * 2_500)])
    assert "The answer, without its last 500 characters:" in text
    assert "x" * 2_000 in text
    assert "x" * 2_001 not in text


def test_an_empty_answer_is_not_shown() -> None:
    """Nor is there a block without content."""
    assert "The answer:" not in RESULT_FORMATS["markdown"].render([replace(PASSED, candidate_answer=" \n")])


def test_a_report_of_many_cases_fits_into_a_comment() -> None:
    """Hosts refuse comments of more than 65,536 characters; what is left out is counted."""
    failures = [replace(GATE_FAILED, eval_id=f"case-{number}") for number in range(500)]
    text = RESULT_FORMATS["markdown"].render(failures)
    assert len(text) < LONGEST_COMMENT + 200
    assert "| ❌ | case-499 |" not in text or "are left out, which would make this too long." in text
    assert "case-0" in text


def test_a_table_that_is_too_long_ends_early() -> None:
    """The counts stay, and the details of the first cases."""
    failures = [replace(PASSED, eval_id=f"case-{number}") for number in range(50)]
    text = render_markdown(failures, most_characters=1_000)
    assert "The table ends here: " in text
    assert len(text) < 1_000


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "a | b\n|---|---|\n# heading\n- item",
    "```\nfence\n```",
    "[link](https://evil.example) ![x](y) <https://evil.example> https://evil.example www.evil.example",
    "*bold* _em_ ~~gone~~ `code` **strong**",
    "1. one",
    "- item",
    "+ item",
    "> quote",
    "    code block",
    "---",
    "===",
    "&lt;b&gt; &amp;",
    "<!-- hidden",
    "</details></summary><h1>",
    "\\`escaped\\`",
    "$x$ and $y$",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_others_shows_as_it_is_written(text: str) -> None:
    """Nothing in an answer or a judgement acts as Markdown or as HTML."""
    shown = seen(inline(text))
    assert shown.elements <= {"p", "br", "span"}
    assert shown.comments <= {" "}
    assert "".join(shown.text.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Thanks @octocat", "Thanks @<!-- -->octocat"),
        ("Fixes #12", "Fixes &#35;<!-- -->12"),
        ("https://example.org", "http<!-- -->s://example.org"),
        ("0.8 of 1", "0.8 of 1"),
        ("-0.5", "-0.5"),
        ("$5", "<span>$</span>5"),
    ],
)
def test_nobody_is_called_and_nothing_is_linked(text: str, written: str) -> None:
    """A mention in an answer calls no person, a number links to no issue, and plain numbers stay readable."""
    assert inline(text) == written


def test_control_characters_become_visible() -> None:
    """They could hide text from a reviewer."""
    assert readable("a\x1b[31m\u202eb\r\nc\td") == "a␛[31m<U+202E>b\nc\td"


@pytest.mark.parametrize("text", ["plain", "```\ncode\n```", "````text\n```\n````", "`" * 10])
def test_a_fence_is_longer_than_any_in_the_text(text: str) -> None:
    """An answer cannot end the block that it is in."""
    shown = seen(fenced(text))
    assert shown.elements == {"pre", "code"}
    assert shown.text.strip() == text.strip()


@given(TEXTS)
def test_no_text_acts(text: str) -> None:
    """Whatever it is."""
    shown = seen(f"| {inline(text)} |\n|---|\n| {inline(text)} |")
    assert shown.elements <= OURS
    assert set(shown.rows) <= {1}


@given(st.lists(case_results(), max_size=3))
def test_no_result_brings_an_element_of_its_own(results: list[CaseResult]) -> None:
    """No link, no picture, no script, no heading; every row of a table has the cells of its table."""
    shown = seen(RESULT_FORMATS["markdown"].render(results))
    assert shown.elements <= OURS
    assert shown.attributes <= {"class"}
    assert set(shown.rows) <= {3, 4, 5, 6}

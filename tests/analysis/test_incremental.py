"""After any sequence of edits the problems are those of the final text, and no text makes a rule fail."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from yaml_texts import documents, edits, mangled

from rubric_core.analysis import rule_runner
from rubric_core.analysis.check import analyse, check_text
from rubric_core.analysis.project import KnownProject
from rubric_core.rules.suppressions import find_directives
from rubric_core.syntax.comments import ScalarSpans
from rubric_core.syntax.parse import parse
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.rules.problem import Problem

PATH = "suite.eval.yaml"
PROJECT = KnownProject(known=frozenset(), targets=frozenset({"default"}))

# A suite with something of everything: anchors across cases, suppressions, repeated ids, scorecards, both forms of
# ranges, evaluators of the suite and of a case, a list in brackets, and defects of many rules.
SUITE = """\
# rubric: ignore-file[RB401]
description: Ports 🎉
execution:
  target: defualt
  evaluators:
    - name: shared
      type: llm_judge
      rubrics: &criteria
        - id: names-port
          expected_outcome: Names port 8080
        - id: names-port  # rubric: ignore[RB202]
          expected_outcome: Shows the command
scorecards:
  network:
    weights: {correctness: 0.5, safety: 0.5}
bands: &bands
  0: Nothing
  5: Something
evalcases:
  - id: first
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - Names port 8080
      # rubric: ignore[RB103]
      - id: quality
        score_ranges:
          - score_range: [0, 3]
            expected_outcome: Nothing
          - score_range: [5, 10]  # rubric: ignore[RB103, RB101]
            expected_outcome: All of it
  - id: first
    expected_outcome: Names it
    input_messages:
      - {role: usr, content: [{type: file, value: missing.md}]}
    rubrics: *criteria
    scorecard: netwrok
  # Between the cases.
  - id: third
    outcome: |
      Names it
      - id: not-a-case
    input: Which?
    execution: {evaluators: [{name: a, type: code_judge}, {name: a, type: latency}]}
    rubrics:
      - {id: quality, weight: "2", required: no, score_ranges: *bands}
      - {id: clear, weigth: 2, expected_outcome: "Good"}
  - {id: fourth, expected_outcome: "", input: Which?, rubrics: []}
"""
# Pieces that matter to the rules: what they hold may be put anywhere.
PIECES = (
    "  # rubric: ignore[RB103]",
    "# rubric: ignore-file[RB203]\n",
    "# rubric: file\n",
    "    score_ranges: {2: a, 5: b}\n",
    "  - id: first\n    expected_outcome: Again\n    input: x\n",
    "      - Names port 8080\n",
    "    assert: []\n",
    "vars: {}\n",
    "*criteria",
    "*bands",
    "&bands ",
    "&criteria ",
    "[5, 3]",
    "-1",
    "scorecards:\n",
    "evalcases:\n",
    "tests:\n",
    "derivedMetrics: [{name: all, value: accuracy}]\n",
    "metric: clariti\n",
    'metric: "{{ team }}"\n',
    '{$ref: "#/assertionTemplates/short"}',
    "prompts: [brief]\n",
    "{{ question }}",
    "---\n",
    "%YAML 1.1\n---\n",
    "# rubric: dialect=agentv-4\n",
    "# rubric: dialect=agentv-5\n",
    "# rubric: ignore-file[RB102]\n",
    "first",
)

# Texts of other dialects: with defects of many kinds, and with parts that others depend on.
_OTHERS = sorted((Path(__file__).parents[1] / "dialects").glob("*/incremental/*.yaml"))
SUITES = (SUITE, *(path.read_text(encoding="utf-8") for path in _OTHERS))

# Lines that are content, and lines that are none.
TOP_LINES = (
    "# rubric: ignore-file[RB102]\n",
    "# A comment\n",
    "---\n",
    "--- # rubric: ignore-file\n",
    "--- 1\n",
    "...\n",
    "%YAML 1.2\n",
    "\n",
    "a: 1\n",
    "- 1\n",
)

Seen = tuple[object, ...]


def _seen(problems: Iterable[Problem]) -> list[Seen]:
    """Return all that a user sees of problems."""
    return [
        (
            problem.code,
            problem.severity.value,
            problem.span,
            problem.message,
            sorted((other.span, other.message) for other in problem.related),
        )
        for problem in problems
    ]


def _fixes(problems: Iterable[Problem]) -> list[Seen]:
    return [
        (problem.code, fix.title, fix.safe, fix.edits)
        for problem in problems
        if problem.fixes is not None
        for fix in problem.fixes()
    ]


@pytest.fixture(autouse=True)
def _no_rule_fails(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterable[None]:
    """The engine logs a rule that raises and goes on; nothing may be logged here, however often it was before."""
    monkeypatch.setattr(rule_runner, "_failed", set())
    yield
    assert [record for record in caplog.records if record.name == "rubric" and record.levelno >= logging.ERROR] == []


@st.composite
def typing(draw: st.DrawFn, text: str) -> Edit:
    """Draw an edit of a text: anything anywhere, a line taken away or repeated, or a piece put at a line's start."""
    kind = draw(st.sampled_from(("any", "any", "cut", "repeat", "piece", "piece")))
    if kind == "any":
        return draw(edits(len(text)))
    starts = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
    first = draw(st.integers(0, len(starts) - 1))
    last = min(first + draw(st.sampled_from((1, 1, 2, 6))), len(starts) - 1)
    start, end = starts[first], starts[last]
    if kind == "cut":
        return Edit(start, end, "")
    if kind == "repeat":
        return Edit(start, start, text[start:end])
    at = draw(st.sampled_from((start, max(start - 1, 0), draw(st.integers(0, len(text))))))
    return Edit(at, at, draw(st.sampled_from(PIECES)))


_FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(suppress_health_check=_FIXTURES)
@given(st.data())
def test_edits_lead_to_the_problems_of_the_final_text(data: st.DataObject) -> None:
    """Typing, cutting and pasting in a suite with defects gives what opening the final text gives."""
    text = data.draw(st.sampled_from((*SUITES, SUITE.replace("\n", "\r\n"))))
    _edit_and_compare(data, text)


@settings(suppress_health_check=_FIXTURES)
@given(st.data())
def test_edits_of_any_document_lead_to_the_problems_of_the_final_text(data: st.DataObject) -> None:
    """So it is for documents of every style."""
    _edit_and_compare(data, data.draw(documents()))


def _edit_and_compare(data: st.DataObject, text: str) -> None:
    # The name makes the file ours, before and after: what was ours stays ours while it is open.
    analysis = analyse(text, path=PATH, project=PROJECT)
    for _ in range(data.draw(st.integers(1, 6))):
        if data.draw(st.booleans()):
            analysis.problems()
        edit = data.draw(typing(text))
        analysis.edit([edit])
        text = text[: edit.start] + edit.text + text[edit.end :]
    fresh = check_text(text, path=PATH, project=PROJECT)
    kept = analysis.problems()
    assert analysis.document.text == text
    assert _seen(kept) == _seen(fresh.problems)
    assert _fixes(kept) == _fixes(fresh.problems)


@settings(suppress_health_check=_FIXTURES)
@given(st.data())
def test_json_lines_are_kept_up_to_date_as_well(data: st.DataObject) -> None:
    """A dataset of one case on each line is edited by lines."""
    case = '{"id": "a", "expected_outcome": "Names it 🎉", "input": "Which?", "rubrics": [{"id": "b", "weigth": 1}]}\n'
    text = case * 3
    analysis = analyse(text, path="suite.jsonl", project=PROJECT)
    analysis.problems()
    for _ in range(data.draw(st.integers(1, 4))):
        edit = data.draw(typing(text))
        analysis.edit([edit])
        text = text[: edit.start] + edit.text + text[edit.end :]
        # What was ours stays ours while it is open, so that the two can be compared only while it is.
        fresh = check_text(text, path="suite.jsonl", project=PROJECT)
        if fresh.ours:
            assert _seen(analysis.problems()) == _seen(fresh.problems)


@settings(suppress_health_check=_FIXTURES)
@given(st.data())
def test_the_top_of_a_file_is_where_the_whole_text_has_it(data: st.DataObject) -> None:
    """Chunk by chunk, the same comments count for the whole file as in the text that is not cut."""
    text = "".join(data.draw(st.lists(st.sampled_from(TOP_LINES), max_size=8)))
    analysis = analyse(text, path=PATH)
    analysis.problems()
    document, outlines = analysis.document, analysis.facts.by_chunk
    by_chunk = [
        (document.start_of(index) + each.span.start, each.at_top)
        for index, chunk in enumerate(document.chunks)
        for each in outlines[chunk].directives
    ]
    directives = find_directives(text, ScalarSpans(text, parse(text).root))
    assert by_chunk == [(each.span.start, each.at_top) for each in directives]


@pytest.mark.parametrize(("suite", "line"), [(suite, line) for suite in SUITES for line in range(suite.count("\n"))])
def test_each_line_can_be_taken_away_and_put_back(suite: str, line: int) -> None:
    """Cutting a line and undoing that leaves what was there, with everything right in between."""
    lines = suite.splitlines(keepends=True)
    start = sum(map(len, lines[:line]))
    analysis = analyse(suite, path=PATH, project=PROJECT)
    before = _seen(analysis.problems())
    analysis.edit([Edit(start, start + len(lines[line]), "")])
    shorter = "".join((*lines[:line], *lines[line + 1 :]))
    assert _seen(analysis.problems()) == _seen(check_text(shorter, path=PATH, project=PROJECT).problems)
    analysis.edit([Edit(start, start, lines[line])])
    assert _seen(analysis.problems()) == before


@pytest.mark.parametrize(("suite", "line"), [(suite, line) for suite in SUITES for line in range(suite.count("\n"))])
def test_an_item_can_begin_at_each_line(suite: str, line: int) -> None:
    """A dash before a key makes two items of one: a case more, with what is below it."""
    lines = suite.splitlines(keepends=True)
    start = sum(map(len, lines[:line]))
    indentation = len(lines[line]) - len(lines[line].lstrip(" "))
    for column in range(max(0, indentation - 4), indentation + 1, 2):
        analysis = analyse(suite, path=PATH, project=PROJECT)
        analysis.problems()
        analysis.edit([Edit(start + column, start + column + 1, "-")])
        text = suite[: start + column] + "-" + suite[start + column + 1 :]
        assert _seen(analysis.problems()) == _seen(check_text(text, path=PATH, project=PROJECT).problems)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("piece", ["*criteria", "&criteria ", "--- ", '"', "# rubric: dialect=agentv-5\n"])
def test_a_piece_can_come_first(suite: str, piece: str) -> None:
    """The first chunk may hold the comment that pins the dialect, and go with an edit of its first character."""
    analysis = analyse(suite, path=PATH, project=PROJECT)
    analysis.problems()
    analysis.edit([Edit(0, 0, piece)])
    assert _seen(analysis.problems()) == _seen(check_text(piece + suite, path=PATH, project=PROJECT).problems)


def test_the_suite_has_defects_of_many_rules() -> None:
    """A suite without problems would prove nothing."""
    assert len({problem.code for problem in check_text(SUITE, path=PATH, project=PROJECT).problems}) >= 15


@pytest.mark.parametrize("path", [path for path in _OTHERS if path.stem == "defects"], ids=lambda path: path.parts[-3])
def test_the_suites_of_other_dialects_have_some_too(path: Path) -> None:
    """With the mistakes of their own rules."""
    text = path.read_text(encoding="utf-8")
    assert len({problem.code for problem in check_text(text, path=PATH, project=PROJECT).problems}) >= 6


# Any text at all


def _assert_survives(text: str, path: str) -> None:
    checked = check_text(text, path=path, project=PROJECT)
    for problem in checked.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
        if problem.fixes is not None:
            problem.fixes()


@pytest.mark.slow
@settings(suppress_health_check=_FIXTURES)
@given(st.one_of(st.text(), st.binary().map(lambda data: data.decode("latin-1"))), st.sampled_from((PATH, "a.jsonl")))
@example("\ufeff", PATH)
@example("\x00", PATH)
@example("- " * 300, PATH)
@example("{" * 300, PATH)
@example("&a [*a]", PATH)
@example("? ? ? :", PATH)
def test_no_text_raises(text: str, path: str) -> None:
    """Whatever the text is: problems inside of it, or none."""
    _assert_survives(text, path)


@settings(suppress_health_check=_FIXTURES)
@given(mangled())
def test_no_mangled_document_raises(text: str) -> None:
    """Nor does what hasty typing makes of a document."""
    _assert_survives(text, PATH)


@settings(suppress_health_check=_FIXTURES)
@given(st.data())
def test_no_mangled_suite_raises(data: st.DataObject) -> None:
    """Nor what it makes of a suite, half of it cut away."""
    text = SUITE[data.draw(st.integers(0, 200)) : data.draw(st.integers(200, len(SUITE)))]
    for _ in range(data.draw(st.integers(0, 4))):
        edit = data.draw(typing(text))
        text = text[: edit.start] + edit.text + text[edit.end :]
    _assert_survives(text, PATH)

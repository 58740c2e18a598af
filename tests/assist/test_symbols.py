"""The outline of an eval file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from assistance import finished
from hypothesis import example, given
from hypothesis import strategies as st
from outlines import PATH, document_symbols, outline
from yaml_texts import documents, edits, mangled

from rubric_core.analysis.check import analyse
from rubric_core.terminal.display import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.assist.symbols import Symbol
    from rubric_core.text.spans import Edit

SUITE = """\
execution:
  evaluators:
    - name: length
      type: token_usage
scorecards:
  house:
    red_flags:
      - {id: leaks, expected_outcome: Prints a key, deduction: 1.50}
      - Shouts
    bonuses: [Shows an example]
evalcases:
  # About greetings.
  - id: greeting
    expected_outcome: Answers
    input: Hello
    rubrics:
      - Greets by name
      - id: tone
        weight: 2.50
        score_ranges:
          0: Rude
          3: Neutral
          7: Warm
      - id: length
        score_ranges:
          - {score_range: [0, 9], expected_outcome: Too long}
          - {score_range: [10, 10], expected_outcome: Short}
  - expected_outcome: No id here
    input: Hello
    scorecard: {bonuses: [{id: kind, expected_outcome: Is kind}]}
    execution:
      evaluators:
        - name: gate
          type: composite
          evaluators:
            - name: inner
              type: llm_judge
              rubrics: [Is safe]
        - type: latency
"""


def lines(symbols: tuple[Symbol, ...], depth: int = 0) -> Iterator[str]:
    """Give an outline as indented lines: kind, name and detail."""
    for symbol in symbols:
        detail = f" | {symbol.detail}" if symbol.detail else ""
        yield f"{'  ' * depth}{symbol.kind.name.lower()} {symbol.name}{detail}"
        yield from lines(symbol.children, depth + 1)


def every(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    """Give all symbols of an outline."""
    for symbol in symbols:
        yield symbol
        yield from every(symbol.children)


def test_an_outline_has_lists_cases_criteria_and_ranges() -> None:
    """Whatever has a name in results is there, with what matters of it beside the name."""
    assert list(lines(outline(SUITE))) == [
        "evaluators execution",
        "  evaluator length | token_usage",
        "scorecards scorecards",
        "  scorecard house",
        "    red_flag leaks | red flag, deduction 1.5",
        "    red_flag Shouts | red flag, deduction 0.5",
        "    bonus Shows an example | bonus",
        "cases evalcases | 2 cases",
        "  case greeting | Answers",
        "    criterion rubric-1 | checklist, weight 1",
        "    criterion tone | score-range, weight 2.5",
        "      range 0-2 | Rude",
        "      range 3-6 | Neutral",
        "      range 7-10 | Warm",
        "    criterion length | score-range, weight 1",
        "      range 0-9 | Too long",
        "      range 10 | Short",
        "  case case 2 | No id here",
        "    scorecard scorecard",
        "      bonus kind | bonus",
        "    evaluator gate | composite",
        "      evaluator inner | llm_judge",
        "        criterion rubric-1 | checklist, weight 1",
        "    evaluator evaluator 2 | latency",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "kinds"),
    [
        (1_000, {"CASES", "CASE", "CRITERION", "RANGE"}),
        (1_001, {"CASES", "CASE", "CRITERION"}),
        (2_001, {"CASES", "CASE"}),
    ],
)
def test_the_more_cases_the_less_of_each_is_shown(count: int, kinds: set[str]) -> None:
    """An outline that takes megabytes is of no use to anybody."""
    case = "  - {id: c%d, rubrics: [{id: a, score_ranges: {0: None, 5: All}}]}\n"
    text = "evalcases:\n" + "".join(case % number for number in range(count))
    found = outline(text)
    assert {symbol.kind.name for symbol in every(found)} == kinds
    assert len(found[0].children) == count


def test_a_name_points_at_the_name_and_a_case_at_all_of_itself() -> None:
    """A click on a symbol goes to its name, and what is highlighted is the whole of it, comments left out."""
    found = {symbol.name: symbol for symbol in every(outline(SUITE))}

    def text(name: str) -> tuple[str, str]:
        symbol = found[name]
        return SUITE[slice(*symbol.name_span)], SUITE[slice(*symbol.span)]

    assert text("greeting")[0] == "greeting"
    assert text("greeting")[1].startswith("- id: greeting")
    assert text("greeting")[1].endswith("expected_outcome: Short}")
    assert text("case 2")[0] == "expected_outcome"
    assert text("3-6") == ("3", "3: Neutral")
    assert text("10") == ("[10, 10]", "{score_range: [10, 10], expected_outcome: Short}")
    assert text("evalcases")[1] == SUITE[SUITE.index("evalcases:") :].rstrip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("evalcases: [{id: a, expected_outcome: x}, {expected_outcome: y}]\n", ["a", "case 2"]),
        ("{evalcases: [{id: a, expected_outcome: x}]}\n", ["a"]),
        ("tests:\n- id: a\n  input_messages: []\n- id: b\n", ["a", "b"]),
        ("evalcases:\r\n  - id: a\r\n    expected_outcome: x\r\n  - id: b\r\n", ["a", "b"]),
        ("\ufeffevalcases:\n  - id: a\n    expected_outcome: x\n", ["a"]),
        ("evalcases:\n  - id: a\n    rubrics: []\n---\nevalcases:\n  - id: b\n    rubrics: []\n", ["a", "b"]),
        ("evalcases:\n  - id: a\n    rubrics: []\n  - just text\n  -\n", ["a", "case 2", "case 3"]),
        ("evalcases:\n  - &a\n    id: a\n    rubrics: []\n  - *a\n", ["a", "a"]),
        ("evalcases:\n  - id: >\n      two\n      words\n    rubrics: []\n", ["two words"]),
        (
            "prompts: [a]\ndefaultTest: {}\ntests:\n  - description: Says hello\n    assert: []\n  - vars: {}\n",
            ["Says hello", "case 2"],
        ),
    ],
    ids=["flow", "braces", "flush", "crlf", "mark", "two documents", "no cases", "alias", "block", "descriptions"],
)
def test_cases_in_every_style(text: str, expected: list[str]) -> None:
    """How a case is written does not matter; without an id it has its description or its number."""
    assert [symbol.name for symbol in every(outline(text)) if symbol.kind.name == "CASE"] == expected


def test_json_lines_have_a_case_a_line() -> None:
    """There is no list around them; one that is broken keeps its name, one without an id its number."""
    text = '{"id": "a", "rubrics": ["Is short"]}\n{"id": "b", "rubrics": [\n{"rubrics": []}\n\n'
    assert list(lines(outline(text, "a.jsonl"))) == [
        "case a",
        "  criterion rubric-1 | checklist, weight 1",
        "case b",
        "case case 3",
    ]


@pytest.mark.parametrize(
    ("case", "name"),
    [
        ("  - id: half\n    rubrics: [a\n", "half"),
        ('  - id: "half"  # note\n    rubrics: [a\n', "half"),
        ("  - expected_outcome: 'x\n    id: half # note\n    rubrics:\n     - id: c\n", "half"),
        ("  - rubrics: [a\n    id: 'half\n", "half"),
        ("  - {id: half, rubrics: [\n", "half"),
        ("  - rubrics: [a\n", "case 2"),
        ("  -   id: half\n      rubrics: {{\n", "half"),
    ],
    ids=["plain", "double", "later", "open quote", "braces", "no id", "wide"],
)
def test_a_broken_case_keeps_its_name_and_the_others_keep_everything(case: str, name: str) -> None:
    """While somebody types, only the case under the cursor loses its inside."""
    text = f"evalcases:\n  - id: first\n    rubrics: [One]\n{case}  - id: last\n    rubrics: [Two]\n"
    assert list(lines(outline(text))) == [
        "cases evalcases | 3 cases",
        "  case first",
        "    criterion rubric-1 | checklist, weight 1",
        f"  case {name}",
        "  case last",
        "    criterion rubric-1 | checklist, weight 1",
    ]


def test_a_broken_suite_that_is_not_cut_still_names_its_cases() -> None:
    """A lone carriage return keeps a text in one piece."""
    text = "evalcases:\n  - id: a\n    rubrics: [\n  - id: b\nnote: x\r"
    assert list(lines(outline(text))) == ["case a", "case b"]


def test_what_an_alias_brings_is_listed_where_it_is_written() -> None:
    """The case that repeats criteria through an alias has no symbols for them."""
    text = (
        "evalcases:\n  - id: a\n    rubrics: &all\n      - &one {id: one, expected_outcome: x}\n"
        "  - id: b\n    rubrics: *all\n  - id: c\n    rubrics: [*one]\n"
    )
    assert list(lines(outline(text)))[1:] == [
        "  case a",
        "    criterion one | checklist, weight 1",
        "  case b",
        "  case c",
        "    criterion one | checklist, weight 1",
    ]


@pytest.mark.parametrize("text", ["services:\n  web: {image: x}\n", "", "- a\n- b\n", "tests:\n  - vars: {a: b}\n"])
def test_other_yaml_has_no_outline(text: str) -> None:
    """Only eval files are ours."""
    assert outline(text, "compose.yaml") == ()


def test_of_two_documents_only_the_one_that_is_ours_is_outlined() -> None:
    """Another YAML document in the same file is somebody else's."""
    text = "evalcases:\n  - id: a\n    rubrics: []\n---\ncases:\n  - id: b\n"
    assert [symbol.name for symbol in every(outline(text, "a.yaml"))] == ["evalcases", "a"]


def _check(symbols: tuple[Symbol, ...], start: int, end: int) -> None:
    for symbol in symbols:
        assert start <= symbol.span.start <= symbol.name_span.start <= symbol.name_span.end <= symbol.span.end <= end
        assert symbol.name
        _check(symbol.children, symbol.span.start, symbol.span.end)


@given(mangled())
@example(SUITE)
def test_any_text_has_an_outline_whose_parts_lie_inside_of_each_other(text: str) -> None:
    """Editors refuse an outline in which a name is outside of what it names."""
    _check(outline(text), 0, len(text))
    outline(text, "a.jsonl")


def _kept_trees(analysis: Analysis) -> int:
    return sum(chunk.tree is not None for chunk in analysis.document.chunks)


def test_the_trees_that_were_let_go_are_let_go_again() -> None:
    """An outline of thousands of cases must not leave their nodes in memory."""
    analysis = analyse("evalcases:\n" + "  - {id: a, expected_outcome: x, input: y}\n" * 3, path=PATH)
    analysis.refresh()
    for chunk in analysis.document.chunks:
        chunk.tree = None
    finished(document_symbols(analysis))
    assert _kept_trees(analysis) == 0


@given(st.data())
def test_an_outline_after_edits_is_that_of_the_final_text(data: st.DataObject) -> None:
    """Asking in between changes nothing."""
    text = data.draw(st.one_of(documents(), st.just(SUITE)))
    analysis = analyse(text, path=PATH)
    for _ in range(data.draw(st.integers(1, 3))):
        edit: Edit = data.draw(edits(len(analysis.document.text)))
        analysis.edit([edit])
        finished(document_symbols(analysis))
    assert finished(document_symbols(analysis)) == outline(analysis.document.text)


@pytest.mark.parametrize(
    ("text", "expected"), [("a  b\nc", "a b c"), ("x" * 73, "x" * 71 + "…"), (" " * 300, ""), ("x" * 72, "x" * 72)]
)
def test_texts_are_shortened_to_one_line(text: str, expected: str) -> None:
    """An outline has no room for more."""
    assert shortened(text) == expected

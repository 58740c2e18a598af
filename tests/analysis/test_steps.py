"""An analysis is done in steps, and edits may come between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.analysis.check import analyse, check_text
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.rules.problem import Problem

PATH = "a.eval.yaml"
CASE = """\
  - id: {id}
    expected_outcome: Answers the question of {id}
    input_messages: [{{role: user, content: "{id}?"}}]
    rubrics:
      - id: one
        expected_outcome: Answers {id} at once
        score_ranges: {{0: nothing, {bound}: something}}
"""
PIECES = (
    "", "x", "\n", '"', "'", "[", "---\n", "&a ", "*a", "# rubric: ignore\n", "# rubric: ignore[RB203]",
    "# rubric: ignore-file[RB106]\n", "scorecards: {s: {skill: x}}\n", "assert: []\n", "  - id: a\n", "  - id: ",
)  # fmt: skip
EDITS = st.lists(st.tuples(st.integers(0, 1200), st.integers(0, 30), st.sampled_from(PIECES), st.integers(0, 9)))


def suite(count: int = 6) -> str:
    """Return a file in which some ids are repeated and some bands are wrong."""
    cases = (CASE.format(id="abcd"[number % 4], bound=5 + 6 * (number % 2)) for number in range(count))
    return "evalcases:\n" + "".join(cases)


def shown(problems: list[Problem] | tuple[Problem, ...]) -> list[tuple[Span, str, str, tuple[Span, ...]]]:
    """Return what a user sees of problems."""
    return [(each.span, each.code, each.message, tuple(other.span for other in each.related)) for each in problems]


def fresh(analysis: Analysis) -> list[tuple[Span, str, str, tuple[Span, ...]]]:
    """Return what a first look at the same text gives."""
    return shown(check_text(analysis.document.text, path=PATH).problems)


@given(edits=EDITS)
def test_edits_between_any_steps_make_no_difference(edits: list[tuple[int, int, str, int]]) -> None:
    """However far the analysis has come when an edit arrives, in the end it is as if the text had always been so."""
    analysis = analyse(suite(), path=PATH)
    for start, length, new, steps in edits:
        for _ in range(steps):
            analysis.step()
        analysis.edit([Edit(start, start + length, new)])
        if steps % 3 == 0:
            # Whoever looks early sees places that are there, though not yet all that will be found.
            analysis.step()
            assert all(chunk is analysis.document.chunks[index] for index, chunk, _ in analysis.shown())
            analysis.problems_at(Span(start, start))
    assert shown(analysis.problems()) == fresh(analysis)
    assert analysis.is_complete
    assert not analysis.step()


@given(edits=EDITS, start=st.integers(0, 1400), length=st.integers(0, 300), steps=st.integers(0, 20))
def test_the_problems_around_a_place_are_those_of_the_whole_file_there(
    edits: list[tuple[int, int, str, int]], start: int, length: int, steps: int
) -> None:
    """Asking early disturbs nothing; asked when all is done, a stretch has what the whole list has in its chunks."""
    analysis = analyse(suite(), path=PATH)
    for at, gone, new, _ in edits:
        analysis.edit([Edit(at, at + gone, new)])
    for _ in range(steps):
        analysis.step()
    analysis.problems_at(Span(start, start + length))
    everything = shown(analysis.problems())
    assert everything == fresh(analysis)
    around = shown(analysis.problems_at(Span(start, start + length)))
    assert around == [each for each in everything if each in around]
    assert shown(analysis.problems_at(Span(0, len(analysis.document.text)))) == everything


def test_problems_that_name_a_case_that_is_gone_are_not_shown() -> None:
    """The second of two equal ids points at the first; when the first is replaced, nobody may look for it there."""
    text = suite(6)
    analysis = analyse(text, path=PATH)
    assert "RB203" in [problem.code for problem in analysis.problems()]
    analysis.edit([Edit(0, len(text), suite(5))])
    analysis.step()
    assert analysis.shown() is not None
    assert analysis.problems_at(Span(len(text) // 2, len(text))) is not None
    assert shown(analysis.problems()) == fresh(analysis)


def test_what_is_attended_to_is_looked_at_first() -> None:
    """The case under the cursor need not wait for the cases before it."""
    text = suite(400)
    analysis = analyse(text, path=PATH)
    at = text.rindex("11: something")
    assert "RB102" in [problem.code for problem in analysis.problems_at(Span(at, at))]
    assert not analysis.is_complete


@pytest.mark.parametrize("count", [3, 300])
def test_sound_cases_of_a_large_file_are_not_kept_in_memory(count: int) -> None:
    """Their trees are made again where they are wanted."""
    text = "evalcases:\n" + "".join(CASE.format(id=f"case-{number}", bound=5) for number in range(count))
    analysis = analyse(text, path=PATH)
    assert analysis.problems() == []
    kept = sum(chunk.tree is not None for chunk in analysis.document.chunks)
    assert kept == count + 1 if count < 10 else kept < 50

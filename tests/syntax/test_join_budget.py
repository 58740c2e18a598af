"""A text with very many open quotes is cut in the same way after edits as when it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from line_edits import edit_lines
from plain_trees import problems_of

from rubric_core.syntax import limits, parsed_chunks
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=[0, 40, 100])
def _small_budget(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a few open quotes be too many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "_BUDGET", request.param)
        patch.setattr(limits, "_BUDGET_PER_CODE_POINT", 0.5)
        patch.setattr(parsed_chunks, "_WHOLE_SIZE", 10)
        yield


PIECES = (
    *("a: 'x\nb: y'\n", "c: [x,\nd: y]\n", "  - 'x\n  - x'\n", "a: 'x\nb: y'\nc: [x,\nd: y]\n", "a: 'x\n", "b: y'\n"),
    *("c: [x,\n", "d: y]\n", "e: 1\n", "tests:\n", "  - 'x\n", "  - x'\n", "  - &a 1\n", "f: *a\n"),
)


@pytest.mark.parametrize("_small_budget", [0], indirect=True)
@pytest.mark.usefixtures("_small_budget")
def test_a_text_that_gets_shorter_joins_no_more_than_when_it_is_opened() -> None:
    """The work that a text allows grows with its size."""
    text, rest = "a: 'x\nb: y'\na: 'x\n  - 'x\n  - x'\n", "a: 'x\n"
    document, fresh = Document(text + rest), Document(text)
    document.settle()
    document.edit([Edit(len(text), len(text + rest), "")])
    document.settle()
    fresh.settle()
    assert [chunk.text for chunk in document.chunks] == [chunk.text for chunk in fresh.chunks]


@pytest.mark.usefixtures("_small_budget")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=2 * settings.default.max_examples)
@given(st.data())
def test_edits_leave_what_opening_the_text_gives(data: st.DataObject) -> None:
    """Whether the budget is spent follows from the text alone."""
    lines = data.draw(st.lists(st.sampled_from(PIECES), max_size=12))
    document = Document("".join(lines))
    for _ in range(data.draw(st.integers(1, 4))):
        document.settle()
        edit_lines(data, document, lines, PIECES)
    fresh = Document("".join(lines))
    fresh.settle()
    document.settle()
    assert [chunk.text for chunk in document.chunks] == [chunk.text for chunk in fresh.chunks]
    assert problems_of(document) == problems_of(fresh)

"""What the aliases of a text repeat is limited for the text as a whole, and in the same way after any edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from line_edits import edit_lines
from plain_trees import problems_of, shape

from rubric_core.model.outline import outlines
from rubric_core.syntax import limits
from rubric_core.syntax.document import Document
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits, allowed_repeats
from rubric_core.syntax.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST = f"[{', '.join(['x'] * 1000)}]"
MAPPING = f"{{{', '.join(f'k{number}: v' for number in range(1000))}}}"
CASE = "  - id: c{}\n    expected_outcome: Says it\n    input: Hi\n"


def repeated(pattern: str, count: int) -> str:
    """Repeat a pattern with a number in it."""
    return "".join(pattern.replace("{}", str(number)) for number in range(count))


def laughs(line: str) -> str:
    """Write anchors of which each repeats the one before ten times."""
    lines = [line.replace("{}", "0").replace("[]", f"[{', '.join('x' * 10)}]")]
    lines += [
        line.replace("{}", str(number)).replace("[]", f"[{', '.join([f'*a{number - 1}'] * 10)}]")
        for number in range(1, 14)
    ]
    return "".join(lines)


BOMBS = {
    "each list repeats the one before": laughs("a{}: &a{} []\n"),
    "the same in cases": "evalcases:\n" + laughs(CASE + "    metadata: &a{} []\n"),
    "many keys": f"a: &a {LIST}\n" + repeated("b{}: *a\n", 1000),
    "many cases": f"a: &a {LIST}\nevalcases:\n" + repeated(CASE + "    metadata: *a\n", 1000),
    "a list in brackets": f"a: &a {LIST}\nb: [{', '.join(['*a'] * 1000)}]\n",
    "a text that is not cut": f"- &a {LIST}\n" + "- *a\n" * 1000,
    "merge keys": f"a: &a {MAPPING}\nevalcases:\n" + repeated(CASE + "    <<: *a\n", 1000),
    "lists of merge keys": f"a: &a {MAPPING}\nevalcases:\n" + repeated(CASE + "    <<: [*a, *a]\n", 1000),
    "anchors in each case": "evalcases:\n"
    + repeated(f"{CASE}    a: &a [{', '.join('x' * 100)}]\n    b: [{', '.join(['*a'] * 100)}]\n", 200),
    "several documents": f"---\na: &a {LIST}\nb: [{', '.join(['*a'] * 10)}]\n" * 200,
    "a long text": f"a: &a {'x' * 1_000_000}\n" + repeated("b{}: *a\n", 3000),
    "a list of long texts": f"a: &a [{'x' * 100_000}, {'x' * 100_000}]\n" + repeated("b{}: *a\n", 1000),
    "brackets that never close": f"a: &a {LIST}\n" + repeated(f"b{{}}: [{', '.join(['*a'] * 10)}\n", 100),
}


def count_nodes(document: Document) -> int:
    """Count the nodes of all chunks."""
    roots = [chunk.tree.root for chunk in document.chunks if chunk.tree is not None]
    return sum(1 for root in roots if root is not None for _ in walk(root))


@pytest.mark.slow
@pytest.mark.parametrize("limits", [DEFAULT_LIMITS, Limits(alias_expansion=10**9)], ids=["default", "highest"])
@pytest.mark.parametrize("bomb", BOMBS)
def test_what_aliases_repeat_is_limited_for_the_whole_text(bomb: str, limits: Limits) -> None:
    """Each node costs memory and time, in whatever chunk it is."""
    text = BOMBS[bomb]
    document = Document(text, limits=limits)
    most = 0
    index = 0
    while index < len(document.chunks):
        index = document.read(index) + 1
        most = max(most, count_nodes(document)) if index % 100 == 0 else most
    document.settle()
    assert max(most, count_nodes(document)) <= len(text) + allowed_repeats(len(text), limits)
    codes = {problem.code for chunk in document.chunks if chunk.tree for problem in chunk.tree.problems}
    assert "RB008" in codes


@pytest.mark.slow
def test_a_short_list_may_be_repeated_by_thousands_of_cases() -> None:
    """Such a file is long, too."""
    criterion = "  - id: c{}\n    expected_outcome: Says it\n    weight: 1\n    required: true\n"
    document = Document(
        "a: &a\n" + repeated(criterion, 4) + "evalcases:\n" + repeated(CASE + "    rubrics: *a\n", 5000)
    )
    document.settle()
    assert all(not chunk.tree.problems for chunk in document.chunks if chunk.tree)
    (outline,) = outlines(document)
    assert outline.cases is not None
    assert len(outline.cases) == 5000


@pytest.mark.slow
def test_aliases_of_short_scalars_count_for_nothing() -> None:
    """They cost no more than other text."""
    document = Document("a: &a word\n" + repeated("b{}: *a\n", 20_000), limits=Limits(alias_expansion=0))
    document.settle()
    assert all(not chunk.tree.problems for chunk in document.chunks if chunk.tree)


@pytest.fixture
def _small_limits() -> Iterator[None]:
    """Let a few nodes be too many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "_SMALLEST", 12)
        patch.setattr(limits, "_LARGEST", 12)
        patch.setattr(limits, "_LARGEST_PER_CODE_POINT", 0.02)
        yield


PIECES = (
    *("a: &a [x, y, z]\n", "b: &b {k: *a, l: [*a]}\n", "c: *a\n", "d: [*b, *a]\n", "e: {<<: *b, x: y}\n", "f: *c\n"),
    *("evalcases:\n", "  - id: x\n    <<: *b\n", "  - &a [*a, *b]\n", "  - [*a, *a]\n", "---\n", "g: [*a,\n"),
    *("h: 1]\n", "x: '\n", "c: &c [*b, *b]\n", "# note\n", "text: plain *a\n", "a: &a x\n", "a: &a [*a]\n"),
)


@pytest.mark.usefixtures("_small_limits")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=2 * settings.default.max_examples)
@given(st.data())
def test_edits_leave_what_opening_the_text_gives(data: st.DataObject) -> None:
    """Where the limit is crossed back and forth, in whatever order the chunks are read."""
    lines = data.draw(st.lists(st.sampled_from(PIECES), max_size=12))
    document = Document("".join(lines))
    for _ in range(data.draw(st.integers(1, 5))):
        for index in data.draw(st.lists(st.integers(0, 20), max_size=3)):
            document.tree(min(index, len(document.chunks) - 1))
        if data.draw(st.booleans()):
            document.settle()
        edit_lines(data, document, lines, PIECES)
    fresh_document = Document("".join(lines))
    fresh_document.settle()
    document.settle()
    assert [chunk.text for chunk in document.chunks] == [chunk.text for chunk in fresh_document.chunks]
    assert [shape(document.tree(index).root) for index in range(len(document.chunks))] == [
        shape(fresh_document.tree(index).root) for index in range(len(fresh_document.chunks))
    ]
    assert problems_of(document) == problems_of(fresh_document)


def test_an_alias_before_its_anchor_does_not_undo_what_was_joined() -> None:
    """Reading the first line again would cut the quoted text in which its anchor is, for ever."""
    document = Document("g: [*a,\nc: *a\nx: '\na: &a [x, y, z]\nx: '\n")
    document.settle()
    assert all(chunk.tree is not None for chunk in document.chunks)

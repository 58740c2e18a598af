"""The parsers agree with each other, and an edited document is what it would be if it had been opened that way."""

from __future__ import annotations

from hypothesis import assume, event, example, given
from hypothesis import strategies as st
from plain_trees import problems_of, shape, top_level
from yaml_texts import documents, edits, mangled

from rubric_core.syntax.block_parser import parse_common
from rubric_core.syntax.complete_parser import parse_complete
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Sequence


@given(st.one_of(documents(), mangled()))
def test_the_fast_path_reads_exactly_what_the_complete_parser_reads(text: str) -> None:
    """Whatever the fast path accepts, the complete parser accepts with the same nodes, values and spans."""
    common = parse_common(text)
    event("fast" if common else "handed over")
    if common is None:
        return
    complete = parse_complete(text)
    assert complete.problems == ()
    assert shape(common.root) == shape(complete.root)


@given(st.one_of(documents(), mangled()))
def test_a_document_in_chunks_has_the_tree_of_the_whole_text(text: str) -> None:
    """Where a parser of the whole text accepts it, the chunks together give the same tree."""
    assume("---" not in text and "..." not in text and "%" not in text)
    whole = parse_complete(text)
    assume(not whole.problems)
    document = Document(text)
    assert document.text == text
    assert problems_of(document) == []
    if isinstance(whole.root, Mapping):
        assert top_level(document) == _flattened(whole.root, document)


def _flattened(root: Mapping, document: Document) -> list[object]:
    """Write the tree of a whole text the way the chunks are put together: list heads with the shapes of their items."""
    heads = {chunk.place.key for chunk in document.chunks if chunk.kind.name == "LIST_HEAD" and chunk.place}
    flat: list[object] = []
    for pair in root.pairs:
        if isinstance(pair.value, Sequence) and pair.name in heads and not pair.value.flow:
            flat.append((shape(pair.key), [shape(item) for item in pair.value.items]))
        else:
            flat.append((shape(pair.key), shape(pair.value)))
    return flat


@given(st.data())
def test_an_edited_document_equals_one_opened_with_the_final_text(data: st.DataObject) -> None:
    """Any sequence of edits leaves chunks, trees and problems as opening the final text does."""
    text = data.draw(documents())
    document = Document(text)
    for _ in range(data.draw(st.integers(1, 5))):
        edit = data.draw(edits(len(text)))
        if data.draw(st.booleans()):
            document.settle()
        document.edit([edit])
        text = text[: edit.start] + edit.text + text[edit.end :]
    fresh = Document(text)
    fresh.settle()
    document.settle()
    assert document.text == text
    assert [(chunk.kind, chunk.text, chunk.place) for chunk in document.chunks] == [
        (chunk.kind, chunk.text, chunk.place) for chunk in fresh.chunks
    ]
    assert [shape(document.tree(index).root) for index in range(len(document.chunks))] == [
        shape(fresh.tree(index).root) for index in range(len(fresh.chunks))
    ]
    assert problems_of(document) == problems_of(fresh)
    for index in range(len(fresh.chunks)):
        assert document.start_of(index) == fresh.start_of(index)
        assert document.line_of(index) == fresh.line_of(index)


@given(mangled())
@example("description:\n- id:\n    weight: # note\n      id: {\na: 1, b: [x, y]}\n\n\nevalcases:\n- Names the delay\n")
def test_a_chunk_is_found_again_when_it_was_read(text: str) -> None:
    """Reading may join it with the next ones, or with all of its document."""
    for index in range(len(Document(text).chunks)):
        document = Document(text)
        start = document.start_of(index)
        now = document.read(index)
        assert document.chunks[now].tree is not None
        assert document.start_of(now) <= start <= document.start_of(now) + len(document.chunks[now].text)


@given(mangled(), mangled())
@example("description:\n- id:\n    id: {\na: 1, b: [x, y]}\n\nevalcases:\n- Names the delay\n", "a: 1\nb: 2\n")
def test_a_document_that_is_settled_is_read_to_its_end(first: str, second: str) -> None:
    """Chunks that are joined with those before them leave none out behind them."""
    document = Document(f"{first}\n---\n{second}")
    document.settle()
    assert all(chunk.tree is not None for chunk in document.chunks)

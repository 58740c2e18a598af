"""A text is cut by its indentation alone, into pieces that make up the text again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yaml_texts import documents, mangled

from rubric_core.syntax.chunks import (
    Chunk,
    ChunkKind,
    ListPlace,
    Piece,
    can_be_cut,
    moves_documents,
    split_content,
    split_documents,
    split_region,
    split_sections,
    version_of,
)
from rubric_core.syntax.scalars import YamlVersion


@given(st.one_of(documents(), mangled()))
def test_the_pieces_make_up_the_text(text: str) -> None:
    """Nothing is lost and nothing is there twice, whatever somebody typed."""
    pieces = [piece for _, document in split_documents(text) for piece in document]
    assert "".join(piece.text for piece in pieces) == text
    assert "".join(prefix + content for prefix, content in split_sections(text)) == text
    assert all(piece.text for piece in pieces) or not text
    assert all((piece.kind in {ChunkKind.LIST_HEAD, ChunkKind.ITEM}) == (piece.place is not None) for piece in pieces)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("tests:\n  - a\n", [("tests", 2), ("tests", 2)]),
        ('"my tests":\n- a\n', [("my tests", 0), ("my tests", 0)]),
        ("'':\n    -\n", [("", 4), ("", 4)]),
        ("a.b-c$ :  # note\n - a\n", [("a.b-c$", 1), ("a.b-c$", 1)]),
        ("two words:\n  - a\n", [None]),
        ("tests: |\n  - a\n", [None]),
        ("tests:\n  a:\n  - b\n", [None]),
        ("# one\n# two\ntests:\n  - a\n", [("tests", 2), ("tests", 2)]),
    ],
)
def test_items_know_their_list(text: str, places: list[tuple[str, int] | None]) -> None:
    """By the key and the column of the dashes; keys that are unusual keep their list in one chunk."""
    assert [piece.place for piece in split_content(text)] == places


def test_a_stretch_inside_of_a_list_is_cut_like_the_list() -> None:
    """An edit cuts only around itself."""
    place = ListPlace("tests", 2)
    assert list(split_region("  - a\n    - b\n  # of c\n  - c\nd: 1\n", place)) == [
        Piece(ChunkKind.ITEM, "  - a\n    - b\n", place),
        Piece(ChunkKind.ITEM, "  # of c\n  - c\n", place),
        Piece(ChunkKind.ENTRY, "d: 1\n"),
    ]
    assert list(split_region("  - a\n", place)) == [Piece(ChunkKind.ITEM, "  - a\n", place)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n", True),
        ("\ufeff# note\n\na: 1\n", True),
        ("-a: 1\n", True),
        ("- a: 1\n", False),
        ("[a: 1]\n", False),
        ("{a: 1}\n", False),
        ("--- a: 1\n", False),
        ("word\n", False),
        ("a: 1\n? b\n", False),
        ("", False),
    ],
)
def test_only_entries_can_be_cut(text: str, expected: bool) -> None:  # noqa: FBT001 - a column.
    """Everything else is one value."""
    assert can_be_cut(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("a: 1\n", False), ("a: ---\n", False), ("  ---\n", False), ("a: 5%\r\n", False)),
        *(("---\n", True), ("a\n---", True), ("a\n... # x", True), ("%TAG", True), ("a\n%b", True)),
        *(("a\ufeffb", True), ("a\rb", True)),
    ],
)
def test_what_moves_the_borders_of_documents(text: str, expected: bool) -> None:  # noqa: FBT001 - a column.
    """An edit with any of it has the whole text cut again."""
    assert moves_documents(text) is expected


@pytest.mark.parametrize(
    ("prefix", "version"),
    [
        *(("", YamlVersion.V1_2), ("%YAML 1.1\n---\n", YamlVersion.V1_1), ("\ufeff%YAML  1.1", YamlVersion.V1_1)),
        *(("# x\n%YAML 1.1 # y\n---\n", YamlVersion.V1_1), ("%YAML 1.2\n", YamlVersion.V1_2)),
        *(("%YAML 1.10\n", YamlVersion.V1_2), ("# %YAML 1.1\n", YamlVersion.V1_2)),
    ],
)
def test_a_directive_asks_for_a_version(prefix: str, version: YamlVersion) -> None:
    """Without one it is YAML 1.2."""
    assert version_of(prefix) is version


def test_a_chunk_is_like_the_piece_it_was_made_of() -> None:
    """Text, kind and list have to be the same for a chunk to stay."""
    piece = Piece(ChunkKind.ITEM, "- a\n", ListPlace("tests", 0))
    chunk = Chunk(piece, 0, 1)
    assert chunk.is_like(piece)
    assert not chunk.is_like(piece._replace(text="- b\n"))
    assert not chunk.is_like(piece._replace(kind=ChunkKind.ENTRY))
    assert not chunk.is_like(piece._replace(place=ListPlace("tests", 2)))
    assert repr(chunk) == "Chunk(ITEM, '- a\\n')"

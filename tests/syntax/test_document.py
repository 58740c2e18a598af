"""A document keeps its chunks, places and trees right through edits, and does only the work that it must."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from plain_trees import data, problems_of, shape

from rubric_core.syntax.document import Document
from rubric_core.syntax.limits import Limits, over_limits
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from rubric_core.syntax.chunk_list import Changes
    from rubric_core.syntax.nodes import SyntaxProblem


def _chunks(document: Document) -> list[tuple[str, str]]:
    """Return the chunks of a settled document: kind and text."""
    document.settle()
    return [(chunk.kind.name, chunk.text) for chunk in document.chunks]


def _items(document: Document) -> list[Any]:
    """Return the data of all list items that are chunks of their own."""
    document.settle()
    roots = [document.tree(index).root for index in range(len(document.chunks))]
    return [item for root in roots if isinstance(root, Sequence) for item in data(root)]


def _same_as_new(document: Document) -> bool:
    """Return whether a document is what it would be if it had been opened with its text."""
    document.settle()
    fresh = Document(document.text, json_lines=document.json_lines, limits=document.limits)
    return _state(document) == _state(fresh)


def _state(document: Document) -> Any:
    chunks = _chunks(document)
    indexes = range(len(chunks))
    places = [(document.start_of(index), document.line_of(index)) for index in indexes]
    return chunks, places, [shape(document.tree(index).root) for index in indexes], problems_of(document)


def changes_of(document: Document) -> Changes:
    """Parse all that is new and return what became of the chunks."""
    document.settle()
    return document.take_changes()


class TestCutting:
    """The items of top-level lists and the other top-level entries are chunks of their own."""

    @pytest.mark.parametrize(
        ("text", "chunks"),
        [
            pytest.param("", [("WHOLE", "")], id="empty"),
            pytest.param("# only\n", [("WHOLE", "# only\n")], id="comment"),
            pytest.param(
                "a: 1\ntests:\n  - id: x\n    b: 2\n  - id: y\nz: 3\n",
                [
                    ("ENTRY", "a: 1\n"),
                    ("LIST_HEAD", "tests:\n"),
                    ("ITEM", "  - id: x\n    b: 2\n"),
                    ("ITEM", "  - id: y\n"),
                    ("ENTRY", "z: 3\n"),
                ],
                id="two-spaces",
            ),
            pytest.param(
                "tests:\n- id: x\n- id: y\nz: 1",
                [("LIST_HEAD", "tests:\n"), ("ITEM", "- id: x\n"), ("ITEM", "- id: y\n"), ("ENTRY", "z: 1")],
                id="flush-dashes",
            ),
            pytest.param(
                "tests:\n    -   id: x\n        b:\n          - 1\n    - y\n",
                [
                    ("LIST_HEAD", "tests:\n"),
                    ("ITEM", "    -   id: x\n        b:\n          - 1\n"),
                    ("ITEM", "    - y\n"),
                ],
                id="four-spaces",
            ),
            pytest.param(
                "tests:\r\n  - id: x\r\n  - id: y\r\n",
                [("LIST_HEAD", "tests:\r\n"), ("ITEM", "  - id: x\r\n"), ("ITEM", "  - id: y\r\n")],
                id="crlf",
            ),
            pytest.param("a: 1\rtests:\r  - x\r  - y\r", [("WHOLE", "a: 1\rtests:\r  - x\r  - y\r")], id="lone-cr"),
            pytest.param(
                "# top\n\n# of a\na: 1\n# of b\nb: 2\n\n# adrift\n\n# of tests\n'tests':  # note\n\n  # of x\n"
                "  - x\n    # below x\n  # of y\n  - y\n  # end\n",
                [
                    ("ENTRY", "# top\n\n# of a\na: 1\n"),
                    ("ENTRY", "# of b\nb: 2\n\n# adrift\n\n"),
                    ("LIST_HEAD", "# of tests\n'tests':  # note\n\n"),
                    ("ITEM", "  # of x\n  - x\n    # below x\n"),
                    ("ITEM", "  # of y\n  - y\n  # end\n"),
                ],
                id="comments-belong-to-what-follows",
            ),
            pytest.param(
                'tests: [{id: x}, {id: y}]\n"b": 1\n',
                [("ENTRY", "tests: [{id: x}, {id: y}]\n"), ("ENTRY", '"b": 1\n')],
                id="flow-list",
            ),
            pytest.param(
                "tests:\n  [\n  - no\n  ]\n", [("ENTRY", "tests:\n  [\n  - no\n  ]\n")], id="bracket-below-the-key"
            ),
            pytest.param("- id: x\n- y\n", [("WHOLE", "- id: x\n- y\n")], id="top-level-list"),
            pytest.param('[{"id": "x"}]\n', [("WHOLE", '[{"id": "x"}]\n')], id="top-level-array"),
            pytest.param('{"a": 1}\n', [("WHOLE", '{"a": 1}\n')], id="top-level-object"),
            pytest.param("? a\n: 1\nb: 2\n", [("WHOLE", "? a\n: 1\nb: 2\n")], id="explicit-key"),
            pytest.param("'a: b'\n", [("WHOLE", "'a: b'\n")], id="text-that-looks-like-a-key"),
            pytest.param("word\n", [("WHOLE", "word\n")], id="word"),
            pytest.param(
                "a: |\n  text\n\n  - no item\nb: >\n  c: d\n",
                [("ENTRY", "a: |\n  text\n\n  - no item\n"), ("ENTRY", "b: >\n  c: d\n")],
                id="block-scalars",
            ),
            pytest.param(
                "tests:\n  - a\u2028  - b\x85c: d\n  - e\n",
                [("LIST_HEAD", "tests:\n"), ("ITEM", "  - a\u2028  - b\x85c: d\n"), ("ITEM", "  - e\n")],
                id="separators-are-no-line-breaks",
            ),
            pytest.param(
                "\ufeff# top\ntests:\n  - a\n  - b\n",
                [("LIST_HEAD", "\ufeff# top\ntests:\n"), ("ITEM", "  - a\n"), ("ITEM", "  - b\n")],
                id="byte-order-mark",
            ),
            pytest.param(
                "a:\n  x: 1\n\ttab\ntests:\n  -\tx\n",
                [("ENTRY", "a:\n  x: 1\n\ttab\n"), ("ENTRY", "tests:\n  -\tx\n")],
                id="tabs",
            ),
        ],
    )
    def test_a_text_is_cut_at_its_entries_and_items(self, text: str, chunks: list[tuple[str, str]]) -> None:
        """Comments directly above a key or a dash go with it; what cannot be cut stays whole."""
        document = Document(text)
        assert _chunks(document) == chunks
        assert document.text == text

    @pytest.mark.parametrize(
        ("text", "sections"),
        [
            ("a: 1\n---\nb: 2\n", [("a: 1\n",), ("---\n", "b: 2\n")]),
            ("# top\n---\na: 1\n...\n# end\n", [("# top\n---\n", "a: 1\n...\n"), ("# end\n",)]),
            ("%YAML 1.1\n---\na: 1\n", [("%YAML 1.1\n---\n", "a: 1\n")]),
            ("\ufeff---\na: 1\n---\n", [("\ufeff---\n", "a: 1\n"), ("---\n",)]),
            ("--- {a: b}\n--- # note\nc: 1\n", [("--- {a: b}\n",), ("--- # note\n", "c: 1\n")]),
            ("%YAML 1.2\n--- {a: b}\n", [("%YAML 1.2\n--- {a: b}\n",)]),
            ("%TAG ! !x-\n---\na: 1\nb: 2\n", [("%TAG ! !x-\n---\na: 1\nb: 2\n",)]),
            ("a: 1\r---\rb: 2\r", [("a: 1\r",), ("---\r", "b: 2\r")]),
            ("---\r\na: 1\r\n...\r\n", [("---\r\n", "a: 1\r\n...\r\n")]),
            ("a: |\n  ---\n  ...\nb: ---x\n", [("a: |\n  ---\n  ...\n", "b: ---x\n")]),
            ("...\na: 1\n", [("...\n",), ("a: 1\n",)]),
            ("a: 1\n---", [("a: 1\n",), ("---",)]),
        ],
    )
    def test_several_yaml_documents_are_sections(self, text: str, sections: list[tuple[str, ...]]) -> None:
        """Directives and the marker are a chunk of their own, except where they cannot be parsed alone."""
        document = Document(text)
        assert problems_of(document) == []
        found: dict[int, list[str]] = {}
        for chunk in document.chunks:
            found.setdefault(chunk.section, []).append(chunk.text)
        assert [tuple(texts) for texts in found.values()] == sections

    def test_each_section_has_its_own_version(self) -> None:
        """`yes` is a boolean in the second one only."""
        document = Document("a: yes\n...\n%YAML 1.1\n---\na: yes\n---\na: yes\n")
        assert document.versions == [YamlVersion.V1_2, YamlVersion.V1_1, YamlVersion.V1_2]
        assert document.version(document.chunks[-1]) is YamlVersion.V1_2

    def test_a_line_that_is_no_entry_is_a_problem(self) -> None:
        """The entries around it are read."""
        document = Document("a: 1\n'b: c'\nd: 2\n")
        assert problems_of(document) == [
            (5, "This is not a `key: value` line; add the colon, or indent it under the key above.")
        ]
        assert [data(document.tree(index).root) for index in (0, 2)] == [[("a", "1")], [("d", "2")]]

    def test_what_is_alone_may_be_anything(self) -> None:
        """As soon as there are entries beside it, it is a problem, and no longer when they are gone."""
        document = Document("'b: c'\n")
        assert problems_of(document) == []
        document.edit([Edit(7, 7, "d: 2\n")])
        assert len(problems_of(document)) == 1
        document.edit([Edit(7, 12, "")])
        assert problems_of(document) == []
        assert _same_as_new(document)

    def test_what_is_alone_after_all_is_cut_again_may_be_anything(self) -> None:
        """An edit next to a document marker loads the whole text."""
        document = Document("'b: c'\nd: 2\n---\nz: 1\n")
        assert len(problems_of(document)) == 1
        document.edit([Edit(7, 12, "")])
        assert problems_of(document) == []
        assert _same_as_new(document)


class TestJoining:
    """A chunk that ends inside quotes or brackets is joined with what closes them."""

    @pytest.mark.parametrize(
        ("text", "items"),
        [
            ('tests:\n  - id: "a\n  - id: x"\n  - id: b\n', [[("id", "a - id: x")], [("id", "b")]]),
            ("tests:\n- id: 'a\n- id: x\n- y'\n- id: b\n", [[("id", "a - id: x - y")], [("id", "b")]]),
            ("tests:\n  - [a,\n  - b,\n  - c]\n  - d\n", None),
            ("tests:\n  - {a: 1,\n  'b: 2': c}\n  - d\n", [[("a", "1"), ("b: 2", "c")], "d"]),
        ],
    )
    def test_a_dash_inside_of_quotes_is_no_item(self, text: str, items: list[Any] | None) -> None:
        """Where the joined text is no YAML either, the chunks stay apart and the open bracket is the problem."""
        document = Document(text)
        if items is None:
            assert problems_of(document)[0][1].startswith("The `[` opened here")
            assert _items(document)[-1] == "d"
        else:
            assert problems_of(document) == []
            assert _items(document) == items
        assert _same_as_new(document)

    def test_entries_are_joined_as_well(self) -> None:
        """A quoted text may go on at the left margin."""
        document = Document('a: "x\nb: y\nc: z"\nd: 1\n')
        assert _chunks(document) == [("ENTRY", 'a: "x\nb: y\nc: z"\n'), ("ENTRY", "d: 1\n")]
        assert data(document.tree(0).root) == [("a", "x b: y c: z")]

    def test_what_crosses_the_border_of_a_list_makes_its_document_whole(self) -> None:
        """The last item of a list and the entry behind it are no chunks of the same kind."""
        text = 'x: 1\n---\ntests:\n  - id: "a\nb: c"\n'
        document = Document(text)
        assert problems_of(document) == []
        assert _chunks(document)[-1] == ("WHOLE", 'tests:\n  - id: "a\nb: c"\n')
        document.edit([Edit(len(text), len(text), "d: 2\n")])
        assert _same_as_new(document)

    def test_asking_for_a_later_chunk_of_a_document_that_is_made_whole_gives_the_whole(self) -> None:
        """The index that was asked for may be gone."""
        document = Document('tests:\n  - "a\nb: c"\n')
        assert data(document.tree(1).root) == [("tests", ["a b: c"])]
        assert len(document.chunks) == 1

    def test_a_large_document_is_not_made_whole(self) -> None:
        """The open quote is reported, and everything else is read."""
        document = Document('tests:\n  - "a\nb: ' + "x" * 70_000 + '"\nc: 1\n')
        assert problems_of(document)[0][1] == "The quote opened here is never closed."
        assert data(document.tree(len(document.chunks) - 1).root) == [("c", "1")]

    def test_a_quote_is_not_looked_for_through_a_whole_file(self) -> None:
        """After a few attempts the chunk is left alone."""
        text = "tests:\n  - 'open\n" + '  - "x"\n' * 12 + "  - ' : x\nz: 1\n"
        document = Document(text)
        document.settle()
        assert len(document.chunks) == 16

    def test_closing_the_quote_further_down_joins(self) -> None:
        """An edit in one chunk finishes another one."""
        document = Document('tests:\n  - "a\n  - b\n  - c\n')
        assert len(problems_of(document)) == 1
        document.edit([Edit(19, 19, '"')])
        assert document.text == 'tests:\n  - "a\n  - b"\n  - c\n'
        assert _items(document) == ["a - b", "c"]
        assert _same_as_new(document)

    def test_opening_a_quote_and_closing_it_again_leaves_the_chunks_as_they_were(self) -> None:
        """What was typed is gone, and so is its effect."""
        document = Document("tests:\n  - a: b\n  - c: d\n")
        before = _chunks(document)
        document.edit([Edit(14, 14, '"')])
        document.settle()
        document.edit([Edit(14, 15, "")])
        assert _chunks(document) == before


class TestAnchors:
    """Anchors reach from chunk to chunk within their YAML document."""

    TEXT = "x: &base\n  a: 1\n  b: 2\ntests:\n  - id: one\n    <<: *base\n    b: 3\n  - id: two\n    c: *base\n"

    def test_an_alias_and_a_merge_key_find_the_anchor_further_up(self) -> None:
        """The copies know the chunk that their text is in."""
        document = Document(self.TEXT)
        assert _items(document) == [
            [("id", "one"), ("b", "3"), ("a", "1")],
            [("id", "two"), ("c", [("a", "1"), ("b", "2")])],
        ]
        assert self._origin(document, "two", "c").chunk is document.chunks[0]

    def test_changing_the_anchor_changes_those_who_use_it(self) -> None:
        """They are read again and reported as fresh; others are not."""
        document = Document(self.TEXT + "  - id: three\n")
        changes_of(document)
        at = self.TEXT.index("2\n")
        document.edit([Edit(at, at + 1, "new")])
        changes = changes_of(document)
        assert [chunk.text.split("\n")[0] for chunk in changes.fresh] == ["x: &base", "  - id: one", "  - id: two"]
        assert _items(document)[1] == [("id", "two"), ("c", [("a", "1"), ("b", "new")])]
        assert _same_as_new(document)

    def test_aliases_are_read_again_when_all_is_cut_again(self) -> None:
        """The document marker puts their anchor out of reach."""
        document = Document("a: &x 1\nb: 2\nc: *x\n")
        assert problems_of(document) == []
        document.edit([Edit(8, 8, "---\n")])
        assert len(problems_of(document)) == 1
        document.edit([Edit(8, 12, "")])
        assert problems_of(document) == []
        document.edit([Edit(0, 0, "\ufeff")])
        assert problems_of(document) == []

    @pytest.mark.parametrize(
        "text",
        [
            "a: *x\nb: &x 1\n",
            "a: &x 1\n---\nb: *x\n",
            "a: 'R&D'\nb: *x\n",
        ],
    )
    def test_other_anchors_are_out_of_reach(self, text: str) -> None:
        """An anchor below, or in another YAML document, or no anchor at all."""
        assert [message for _, message in problems_of(Document(text))] == [
            "The alias `*x` has no anchor; write `&x` in front of a value above it."
        ]

    def test_the_last_definition_above_counts(self) -> None:
        """As in a text that is read from top to bottom."""
        document = Document("a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: &y 3\n")
        document.settle()
        assert [data(document.tree(index).root) for index in (1, 3)] == [[("b", "1")], [("d", "2")]]

    def test_an_anchor_in_joined_chunks_is_found_from_any_side(self) -> None:
        """Changes are taken from the last chunk to the first or not; the origin is a chunk of the document."""
        text = 'tests:\n  - id: a\n    x: &x "one\n  - id: no"\n  - id: b\n    y: *x\n    z: *x\n'
        for ask in (Document.settle, changes_of, lambda document: document.tree(document.chunk_at(len(text) - 1))):
            document = Document(text)
            ask(document)
            assert self._origin(document, "b", "y").chunk is document.chunks[1]
            assert _same_as_new(document)

    def test_an_open_quote_behind_an_alias_to_joined_chunks(self) -> None:
        """Joining further up moves the chunk that is being read."""
        document = Document('tests:\n  - &x "one\n  - no"\n  - [*x, "\n')
        changes_of(document)
        assert len(problems_of(document)) == 1
        assert _same_as_new(document)

    def test_a_chunk_may_be_swallowed_while_its_anchors_are_read(self) -> None:
        """What looked like an alias is text inside of quotes that opened further up."""
        document = Document('tests:\n  - &x "one\n  - *x"\n')
        assert data(document.tree(2).root) == ["one - *x"]
        assert problems_of(document) == []

    def test_an_open_quote_may_be_swallowed_while_its_anchors_are_read(self) -> None:
        """The same for a chunk that is unfinished itself."""
        document = Document("tests:\n  - &x 'one\n  - \"two\n  - three'\n")
        assert data(document.tree(2).root) == ['one - "two - three']
        assert problems_of(document) == []

    def test_a_long_chain_of_anchors_is_followed(self) -> None:
        """Whichever chunk is asked for first, it is no deeper than any other."""
        links = "".join(f"  - [&a{number} {number}, *a{number - 1}]\n" for number in range(1, 500))
        document = Document("tests:\n  - &a0 0\n" + links)
        assert data(document.tree(500).root) == [["499", "498"]]

    def test_a_chain_of_merge_keys_is_followed(self) -> None:
        """Each brings what all before it bring."""
        links = "".join(f"  - &a{number} {{n: {number}, <<: *a{number - 1}}}\n" for number in range(1, 100))
        document = Document("tests:\n  - &a0 {first: yes}\n" + links)
        (item,) = data(document.tree(100).root)
        assert item == [("n", "99"), ("first", "yes")]

    @staticmethod
    def _origin(document: Document, identifier: str, key: str) -> Any:
        document.settle()
        for chunk in document.chunks:
            root = chunk.tree.root if chunk.tree else None
            item = root.items[0] if isinstance(root, Sequence) else None
            if isinstance(item, Mapping) and data(item.get("id")) == identifier:
                node = item.get(key)
                assert isinstance(node, Node)
                return node.origin
        raise AssertionError(identifier)


class TestPlaces:
    """Offsets, lines and nodes are found in the whole text."""

    TEXT = "a: 1\r\ntests:\n  - id: x\n    b: [y, 'é🎉']\n  - id: z\n"

    @pytest.mark.parametrize("text", [TEXT, "\ufeffa: 1\rb: 2\r\n\rc", "", "a: 1\n---\nb: 2\n...\n"])
    def test_every_offset_has_a_position_and_back(self, text: str) -> None:
        """As in a text that is not cut at all."""
        document = Document(text)
        starts = [0, *(at + 1 for at, character in enumerate(text) if _ends_line(text, at, character))]
        for offset in range(len(text) + 1):
            line = max(number for number, start in enumerate(starts) if start <= offset)
            assert document.position(offset) == (line, offset - starts[line])
            if text[max(offset - 1, 0) : offset + 1] != "\r\n":
                assert document.offset(line, offset - starts[line]) == offset

    @pytest.mark.parametrize(
        ("line", "column", "offset"), [(-1, 3, 0), (0, 99, 4), (2, 99, 22), (5, 0, 50), (99, 99, 50), (1, -5, 6)]
    )
    def test_places_outside_are_moved_into_the_text(self, line: int, column: int, offset: int) -> None:
        """The column to the end of its line, the line to the end of the text."""
        assert Document(self.TEXT).offset(line, column) == offset


def _ends_line(text: str, at: int, character: str) -> bool:
    return character == "\n" or (character == "\r" and text[at + 1 : at + 2] != "\n")


class TestEditing:
    """An edit leaves the document as if it had been opened with the new text."""

    @pytest.mark.parametrize(
        ("text", "edits"),
        [
            ("a: 1\nb: 2\nc: 3\n", [Edit(0, 5, "")]),
            ("a: 1\nb: 2\nc: 3\n", [Edit(5, 10, ""), Edit(0, 5, "")]),
            ("a: 1\nb: 2\n", [Edit(0, 99, "")]),
            ("", [Edit(0, 0, "a: 1\n"), Edit(5, 5, "tests:\n  - x\n")]),
            ("a: 1\n", [Edit(-5, -3, "b: 2\n")]),
            ("a: 1\n", [Edit(99, 120, "b: 2\n")]),
            ("a: 1\n", [Edit(3, 1, "2")]),
            ("tests:\n  - a\n  - b\n", [Edit(9, 9, "  "), Edit(9, 11, "")]),
            ("tests:\n  - a\n  - b\n", [Edit(0, 7, "")]),
            ("tests:\n  - a\n  - b\n", [Edit(0, 5, "others")]),
            ("tests:\n  - a\n  - b\n", [Edit(7, 7, "    x: 1\n")]),
            ("tests:\n  - a\n  - b\n", [Edit(13, 13, "  - c\n"), Edit(7, 13, "")]),
            ("tests:\n  - a\n  # of b\n  - b\n", [Edit(13, 22, "")]),
            ("---\na: 1\n", [Edit(4, 4, "b: 2\n"), Edit(0, 4, "")]),
            ("---\na: 1\nb: 2\n", [Edit(9, 9, "---\n"), Edit(9, 13, "")]),
            ("a: 1\nb: 2\n", [Edit(4, 5, "\r"), Edit(5, 5, "\n")]),
            ("a: 1\nb: 2\n", [Edit(0, 0, "\ufeff"), Edit(0, 1, "")]),
            ("%TAG ! !x-\n---\na: 1\n", [Edit(19, 19, "b: 2\n")]),
            ("a: 1\n", [Edit(0, 0, "? ")]),
        ],
    )
    def test_the_outcome_is_that_of_opening_the_text(self, text: str, edits: list[Edit]) -> None:
        """Also where the first chunk goes, where borders move, and where an edit leaves the text."""
        document = Document(text)
        document.settle()
        document.edit(edits)
        assert _same_as_new(document)

    def test_only_what_changed_is_read_again(self) -> None:
        """The other chunks keep their trees, also where they were next to the edit."""
        document = Document("tests:\n" + "".join(f"  - id: case-{number}\n" for number in range(9)))
        changes_of(document)
        before = list(document.chunks)
        document.edit([Edit(document.text.index("case-4"), document.text.index("case-4"), "my-")])
        removed, fresh = changes_of(document)
        assert [chunk.text for chunk in removed] == ["  - id: case-4\n"]
        assert [chunk.text for chunk in fresh] == ["  - id: my-case-4\n"]
        assert [chunk for chunk in document.chunks if chunk not in fresh] == [*before[:5], *before[6:]]

    @pytest.mark.parametrize(
        ("limits", "typed", "is_over"),
        [
            (Limits(line_length=60), "x", False),
            (Limits(line_length=60), "x" * 70, True),
            (Limits(file_bytes=200), "x", False),
            (Limits(file_bytes=200), "🎉", False),
            (Limits(file_bytes=200), "🎉" * 3, True),
        ],
    )
    def test_a_text_near_a_limit_is_edited_as_any_other(
        self, monkeypatch: pytest.MonkeyPatch, limits: Limits, typed: str, *, is_over: bool
    ) -> None:
        """Only what goes over a limit makes the whole text be looked at again."""
        document = Document("tests:\n" + "".join(f"  - id: case-{number}\n" for number in range(12)), limits=limits)
        document.settle()
        at = document.text.index("case-4")
        loaded: list[str] = []

        def look(text: str, limits: Limits) -> tuple[SyntaxProblem, ...]:
            loaded.append(text)
            return over_limits(text, limits)

        monkeypatch.setattr("rubric_core.syntax.document.over_limits", look)
        for _ in range(2):
            document.edit([Edit(at, at, typed)])
        assert bool(document.problems) is bool(loaded) is is_over
        assert _same_as_new(document)

    def test_an_edit_above_a_list_leaves_the_list_alone(self) -> None:
        """Its key is known by the dash below it, so that is looked at and stays."""
        document = Document("a: 1\ntests:\n  - x\n  - y\n")
        changes_of(document)
        chunks = list(document.chunks)
        document.edit([Edit(4, 4, "2")])
        assert changes_of(document) == (chunks[:1], document.chunks[:1])
        assert document.chunks[1:] == chunks[1:]

    def test_loading_all_again_keeps_what_is_known(self) -> None:
        """A document marker moves the borders of documents, but most chunks are as before."""
        document = Document("a: 1\nb: 2\nb: 2\n")
        changes_of(document)
        document.edit([Edit(10, 10, "---\n")])
        removed, fresh = changes_of(document)
        assert [chunk.text for chunk in removed] == ["b: 2\n"]
        assert [chunk.text for chunk in fresh] == ["---\n", "b: 2\n"]

    def test_a_directive_gives_the_same_text_another_meaning(self) -> None:
        """Chunks that did not change are looked at again when their YAML version does."""
        document = Document("---\na: yes\n---\na: yes\n")
        changes_of(document)
        document.edit([Edit(0, 0, "%YAML 1.1\n")])
        assert [chunk.text for chunk in changes_of(document).fresh] == ["%YAML 1.1\n---\n", "a: yes\n"]

    def test_changes_of_a_new_document_are_all_its_chunks(self) -> None:
        """Those that were joined on the way are not among them."""
        for count in (3, 100):
            document = Document("tests:\n" + '  - "x\n  - y"\n' * count)
            changes = changes_of(document)
            assert changes.fresh[0] is document.chunks[0]
            assert set(changes.fresh) == set(document.chunks)
            assert len(document.chunks) == count + 1
            assert changes_of(document) == ([], [])

    def test_text_can_be_tried_in_the_place_of_a_chunk(self) -> None:
        """It sees the anchors above, and the document stays as it is."""
        document = Document("a: &x 1\nb: 2\n")
        document.settle()
        trial = Document("b: *x\n").chunks[0]
        assert data(document.parse_as(trial, document.chunks[1]).root) == [("b", "1")]
        assert document.text == "a: &x 1\nb: 2\n"


class TestLimits:
    """A text over a limit is kept but not looked at."""

    def test_nothing_of_it_is_parsed(self) -> None:
        """There is one chunk with the whole text and no tree."""
        document = Document("a: 1\nb: 2\n", limits=Limits(line_length=3))
        assert [problem.code for problem in document.problems] == ["RB008"]
        assert _chunks(document) == [("PREFIX", "a: 1\nb: 2\n")]
        assert document.tree(0).root is None

    def test_an_edit_may_cross_a_limit_both_ways(self) -> None:
        """The text is read as soon as it is small enough again."""
        document = Document("a: 1\n", limits=Limits(line_length=6))
        document.edit([Edit(4, 4, "234")])
        assert len(document.problems) == 1
        assert document.text == "a: 1234\n"
        document.edit([Edit(4, 7, "")])
        assert document.problems == ()
        assert _same_as_new(document)

    def test_json_lines_have_limits_too(self) -> None:
        """One chunk means all lines."""
        document = Document('{"a": 1}\n{}\n', json_lines=True, limits=Limits(line_length=5))
        assert len(document.problems) == len(document.chunks) == 1


class TestJsonLines:
    """Each line of a JSON Lines file is a chunk."""

    def test_lines_are_chunks(self) -> None:
        """Only line breaks cut, and a broken line does not hurt the others."""
        document = Document('{"a": "x\u2028y"}\r\n\n{"b": \n[1]', json_lines=True)
        assert [text for _, text in _chunks(document)] == ['{"a": "x\u2028y"}\r\n', "\n", '{"b": \n', "[1]"]
        assert [data(document.tree(index).root) for index in range(4)] == [[("a", "x\u2028y")], None, None, ["1"]]
        assert [offset for offset, _ in problems_of(document)] == [19]

    @pytest.mark.parametrize(
        ("text", "edit"),
        [
            ("", Edit(0, 0, "{}\n")),
            ("{}\n", Edit(0, 3, "")),
            ("{}\n[]\n1\n", Edit(2, 3, "")),
            ("{}\n[]\n1\n", Edit(3, 3, '{"a":\n')),
            ("{}\r[]\n", Edit(3, 3, "\n")),
            ("{}\n[]", Edit(5, 5, "\n\n")),
        ],
    )
    def test_edits_cut_lines_again(self, text: str, edit: Edit) -> None:
        """An empty file has one empty line to type into."""
        document = Document(text, json_lines=True)
        document.settle()
        document.edit([edit])
        assert document.text == text[: edit.start] + edit.text + text[edit.end :]
        assert _same_as_new(document)

    def test_stars_and_ampersands_are_text(self) -> None:
        """JSON has no anchors."""
        document = Document('{"a": "&x *y"}\n{"b": "*x"}\n', json_lines=True)
        assert problems_of(document) == []

    def test_an_open_quote_is_not_joined_with_the_next_line(self) -> None:
        """A line is a line."""
        document = Document('{"a": "x\n"}\n', json_lines=True)
        assert len(_chunks(document)) == 2
        assert [offset for offset, _ in problems_of(document)] == [6, 9]

"""The complete parser reads every YAML document with exact spans, and explains what is not YAML."""

from __future__ import annotations

import gc
import importlib
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from rubric_core.syntax import event_source
from rubric_core.syntax.complete_parser import parse_complete
from rubric_core.syntax.limits import Limits
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Scalar, ScalarStyle, Sequence, walk
from rubric_core.syntax.scalars import is_null

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.syntax.nodes import Tree


def _found(node: Node, chunk: object, _name: str) -> tuple[Node, object, int]:
    return node, chunk, 0


@pytest.fixture(params=["compiled", "pure"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the compiled parser and again as if its extension were not installed."""
    if request.param == "pure":
        monkeypatch.setattr(event_source, "compiled_parser", lambda: None)
    return str(request.param)


def root_of(text: str) -> Node:
    """Return the root of a text that must be free of problems."""
    tree = parse_complete(text)
    assert tree.problems == ()
    assert tree.root is not None
    return tree.root


def data(node: Node | None) -> Any:
    """Return what a tree says as plain lists, dictionaries and strings."""
    # An alias without its anchor is a plain scalar without text, too.
    if node is None or (isinstance(node, Scalar) and (is_null(node) or (node.is_plain and not node.value))):
        return None
    if isinstance(node, Mapping):
        return {pair.name: data(pair.value) for pair in reversed(node.pairs)}
    if isinstance(node, Sequence):
        return [data(item) for item in node.items]
    assert isinstance(node, Scalar)
    return node.value


def outline(node: Node, text: str) -> Any:
    """Return the text at each span of a tree."""
    own = text[node.start : node.end]
    if isinstance(node, Mapping):
        return own, [(outline(pair.key, text), outline(pair.value, text)) for pair in node.pairs]
    if isinstance(node, Sequence):
        return own, [outline(item, text) for item in node.items]
    return own


def scalar(text: str, *path: str | int) -> Scalar:
    """Return the scalar of a text at a path of keys and positions."""
    node: Node | None = root_of(text)
    for step in path:
        if isinstance(step, str):
            assert isinstance(node, Mapping)
            node = node.get(step)
        else:
            assert isinstance(node, Sequence)
            node = node.items[step]
    assert isinstance(node, Scalar)
    return node


def the_problem(text: str) -> tuple[str, str, str]:
    """Return code, marked text and message of the one problem of a text."""
    (problem,) = parse_complete(text).problems
    return problem.code, text[problem.span.start : problem.span.end], problem.message


@pytest.mark.usefixtures("parser")
class TestSpans:
    """Each span covers exactly what the user would point at."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: b  # note\n", ("a: b", [("a", "b")])),
            ("a: b c \n   d  \n\n", ("a: b c \n   d", [("a", "b c \n   d")])),
            ("a: 'it''s'\n", ("a: 'it''s'", [("a", "'it''s'")])),
            ('a: "b\n  c" # d', ('a: "b\n  c"', [("a", '"b\n  c"')])),
            ("a:\n  - b\n  - c\n", ("a:\n  - b\n  - c", [("a", ("- b\n  - c", ["b", "c"]))])),
            ("a:\n- b\n", ("a:\n- b", [("a", ("- b", ["b"]))])),
            ("- - a\n- b", ("- - a\n- b", [("- a", ["a"]), "b"])),
            ("[ a, {b: c} , [] ]", ("[ a, {b: c} , [] ]", ["a", ("{b: c}", [("b", "c")]), ("[]", [])])),
            ("[a: b, ? c]", ("[a: b, ? c]", [("a: b", [("a", "b")]), ("c", [("c", "")])])),
            ("[{a: b}: c]", ("[{a: b}: c]", [("{a: b}: c", [(("{a: b}", [("a", "b")]), "c")])])),
            ("? a\n: b\n", ("a\n: b", [("a", "b")])),
            ("\ufeffa: b\n", ("a: b", [("a", "b")])),
            ("\U0001f600: \U0001f600 # \U0001f600\nb: c", None),
            ("a: &x !!str b\n", ("a: &x !!str b", [("a", "b")])),
            ("&x a: !!map {b: c}", ("a: !!map {b: c}", [("a", ("{b: c}", [("b", "c")]))])),
            ("a: &x # note\n  b: c\n", ("a: &x # note\n  b: c", [("a", ("b: c", [("b", "c")]))])),
            ("a: &x\n- b\n", ("a: &x\n- b", [("a", ("- b", ["b"]))])),
            ("a: |\n  b\n\nc: d", ("a: |\n  b\n\nc: d", [("a", "|\n  b"), ("c", "d")])),
            ("a: >- # note\n  b  \n\n", ("a: >- # note\n  b", [("a", ">- # note\n  b")])),
            ("a: |+ # note\n\n\n", ("a: |+", [("a", "|+")])),
            ("a: |\r\n  b\r\n  c\r\n", ("a: |\r\n  b\r\n  c", [("a", "|\r\n  b\r\n  c")])),
        ],
    )
    def test_a_node_covers_its_text(self, text: str, expected: Any) -> None:
        """Quotes and brackets belong to a node; anchors, tags, comments and trailing space do not."""
        found = outline(root_of(text), text)
        if expected is not None:
            assert found == expected
        else:
            assert [pair[0] for pair in found[1]] == ["\U0001f600", "b"]

    @pytest.mark.parametrize(
        ("text", "path", "offset"),
        [
            ("a:\n", ("a",), 2),
            ("a:   # note\nb: c\n", ("a",), 2),
            ("-\n- b\n", (0,), 1),
            ("{a: , b: c}", ("a",), 3),
            ("{a , b: c}", ("a",), 2),
            ("? a\n", ("a",), 3),
            ("a: &x\n", ("a",), 5),
            ("a: !!str # note\nb: c", ("a",), 8),
        ],
    )
    def test_a_missing_value_is_behind_its_colon_or_dash(
        self, text: str, path: tuple[str | int, ...], offset: int
    ) -> None:
        """There is nothing to mark, but a completion belongs there."""
        found = scalar(text, *path)
        assert (found.start, found.end, found.value, found.style) == (offset, offset, "", ScalarStyle.PLAIN)

    def test_styles_are_kept(self) -> None:
        """Rules and fixes need to know how a scalar was written."""
        text = "- a\n- 'a'\n- \"a\"\n- |\n  a\n- >\n  a\n"
        styles = [scalar(text, position).style for position in range(5)]
        assert styles == list(ScalarStyle)

    @pytest.mark.parametrize("text", ["", "\n", "# note\n", "---\n", "\ufeff", "...\n", "# note\n...\n"])
    def test_a_text_without_content_has_no_root(self, text: str) -> None:
        """Emptiness is no problem."""
        tree = parse_complete(text)
        assert (tree.root, tree.problems) == (None, ())

    def test_many_document_ends_are_given_up_on(self) -> None:
        """Each is skipped with a new attempt, so there is a bound."""
        assert the_problem("...\n" * 50)[1] == "..."

    @pytest.mark.parametrize("text", ["%YAML 1.2\n---\na: b\n...\n", "--- {a: b}\n---\nnever read: [", "---\na: b\n"])
    def test_the_first_document_is_read(self, text: str) -> None:
        """Directives and document markers are no content, and a second document is not ours to read."""
        assert data(root_of(text)) == {"a": "b"}

    def test_the_first_of_two_equal_keys_counts(self) -> None:
        """The second one is kept for the rule that reports it."""
        root = root_of("a: 1\na: 2\n")
        assert isinstance(root, Mapping)
        assert data(root.get("a")) == "1"
        assert [data(pair.value) for pair in root.duplicates] == ["2"]


@pytest.mark.usefixtures("parser")
class TestYaml12:
    """Where the parsers follow YAML 1.1 or refuse valid text, we follow YAML 1.2."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: b\x85c\u2028d\u2029e\n", {"a": "b\x85c\u2028d\u2029e"}),
            ('a: "b\u2028 c"', {"a": "b\u2028 c"}),
            ("a: |\n  b\u2028c\n", {"a": "b\u2028c\n"}),
            ("a: b\ufeffc", {"a": "b\ufeffc"}),
            ("\ue000: \u2028", {"\ue000": "\u2028"}),
            ('a: "\\ue000\u2028"', {"a": "\ue000\u2028"}),
            ("[https://example.org, a:b]", ["https://example.org", "a:b"]),
            ("[0*:0, a&:b, {c: d!:e}]", ["0*:0", "a&:b", {"c": "d!:e"}]),
            ('[0":0, a**:b, c:d]', ['0":0', "a**:b", "c:d"]),
            ("{a: b:c, d: e::f}", {"a": "b:c", "d": "e::f"}),
            ('{"a":"b","c":1}', {"a": "b", "c": "1"}),
            ('"\\ud83d\\ude00 \\uD83D\\uDE01 \\\\ud83d"', "\U0001f600 \U0001f601 \\ud83d"),
            ('"\\/"', "/"),
            ("&a.b x", "x"),
            ("{smile: :-), cry: [:'(]}", {"smile": ":-)", "cry": [":'("]}),
            ("a: |\n  \tb\n", {"a": "\tb\n"}),
            ("%UNKNOWN thing\n---\na", "a"),
            ("%YAML 1.3\n---\na", "a"),
            ("%YAML 1.10\n---\na", "a"),
            ("\ufeff%YAML 1.2\n---\na", "a"),
        ],
    )
    def test_values_are_as_written(self, text: str, expected: Any) -> None:
        """What we hide from a parser comes back in the values."""
        assert data(root_of(text)) == expected

    def test_a_text_that_uses_all_private_characters_is_read_without_placeholders(self) -> None:
        """There is nothing left to hide behind, so it is read as the parser reads it."""
        every = "".join(map(chr, range(0xE000, 0xF900)))
        assert parse_complete(f'# {every}\n- "\\ud83d"').root is None
        assert len(parse_complete(f"# {every}\n- [a:b]\n- [").problems) == 1
        assert data(root_of(f"# {every}\n- a\ufeffb\n")) == ["a\ufeffb"]


@pytest.mark.usefixtures("parser")
class TestAliases:
    """An alias gives a copy that is at the alias and remembers where its text is."""

    def test_a_copy_is_at_its_alias(self) -> None:
        """A problem in it is shown where it is used, and the original place is known."""
        text = "a: &x {k: [v, |]}\nb: *x\n".replace("|", '"w"')
        root = root_of(text)
        assert isinstance(root, Mapping)
        copy = root.get("b")
        assert copy is not None
        assert copy.meta is not None
        assert copy.meta.alias == "x"
        assert data(copy) == {"k": ["v", "w"]}
        assert {text[node.start : node.end] for node in walk(copy)} == {"*x"}
        origins = [node.origin for node in walk(copy)]
        places = [text[slice(*origin.span)] for origin in origins if origin]
        assert places == ['{k: [v, "w"]}', "k", '[v, "w"]', "v", '"w"']
        assert {(origin.chunk, origin.anchor) for origin in origins if origin} == {(None, "x")}

    def test_a_block_scalar_is_copied_undecoded(self) -> None:
        """Its raw text is shared."""
        copy = scalar("a: &x |\n  b\nc: *x\n", "c")
        assert isinstance(copy, BlockScalar)
        assert copy.value == "b\n"

    def test_the_origin_is_the_text_behind_all_aliases(self) -> None:
        """A copy of a copy points at what the user has to change."""
        text = "a: &x 1\nb: &y [*x]\nc: *y\n"
        root = root_of(text)
        assert isinstance(root, Mapping)
        copy = root.get("c")
        assert isinstance(copy, Sequence)
        origin = copy.items[0].origin
        assert origin is not None
        assert (text[slice(*origin.span)], origin.anchor) == ("1", "x")
        assert [node.meta.alias for node in walk(copy) if node.meta] == ["y", None]

    def test_the_latest_anchor_of_a_name_counts(self) -> None:
        """An anchor may be defined again."""
        assert data(root_of("[&x a, *x, &x b, *x, &x [&x c], *x]")) == ["a", "a", "b", "b", ["c"], "c"]

    def test_an_anchor_of_an_earlier_chunk_is_looked_up(self) -> None:
        """Its name is recorded, also where it is not found since it may come, and its copies know the chunk."""
        earlier = root_of("&inner [&x {k: v}, *x]")
        assert isinstance(earlier, Sequence)
        asked: list[str] = []

        def lookup(name: str) -> tuple[Node, object, int] | None:
            asked.append(name)
            return (earlier, "chunk 1", 4) if name == "all" else None

        tree = parse_complete("- *all\n- *none\n", lookup=lookup)
        assert asked == ["all", "none"]
        assert tree.external == {"all", "none"}
        assert data(tree.root) == [[{"k": "v"}, {"k": "v"}], None]
        assert [problem.message for problem in tree.problems] == [
            "The alias `*none` has no anchor; write `&none` in front of a value above it."
        ]
        assert isinstance(tree.root, Sequence)
        origins = [node.origin for node in walk(tree.root.items[0])]
        assert {(origin.chunk, origin.anchor) for origin in origins if origin} == {("chunk 1", "all"), ("chunk 1", "x")}

    @pytest.mark.parametrize("text", ["&a [*a]", "&a {b: {c: *a}}", "&a\n- b\n- *a\n"])
    def test_an_alias_inside_its_own_anchor_is_a_problem(self, text: str) -> None:
        """It would never end."""
        message = "The alias `*a` refers to itself; move it out of the value of `&a`."
        assert the_problem(text) == ("RB001", "*a", message)

    def test_an_unknown_alias_does_not_stop_the_parser(self) -> None:
        """The rest of the file is still checked."""
        tree = parse_complete("a: *b\nc: d\n")
        assert data(tree.root) == {"a": None, "c": "d"}
        assert [problem.code for problem in tree.problems] == ["RB001"]

    def test_anchors_are_given_even_when_the_text_breaks(self) -> None:
        """Later chunks may need those that were complete."""
        tree = parse_complete("a: &x 1\nb: &y [1, &z 2, : :\n")
        assert tree.root is None
        assert set(tree.anchors) == {"x", "z"}


@pytest.mark.usefixtures("parser")
class TestMergeKeys:
    """`<<` brings the pairs of other mappings; what is written out wins."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("- &x {a: 1, b: 2}\n- {<<: *x, b: 3}", [{"a": "1", "b": "2"}, {"a": "1", "b": "3"}]),
            (
                "- &x {a: 1}\n- &y {a: 2, b: 2}\n- {<<: [*x, *y]}",
                [{"a": "1"}, {"a": "2", "b": "2"}, {"a": "1", "b": "2"}],
            ),
            ("{<<: {a: 1}, b: 2}", {"b": "2", "a": "1"}),
            ("- &x {a: 1}\n- &y {<<: *x, b: 2}\n- <<: *y", [{"a": "1"}, {"a": "1", "b": "2"}, {"a": "1", "b": "2"}]),
            ("!!merge <<: {a: 1}", {"a": "1"}),
            ("'<<': {a: 1}", {"<<": {"a": "1"}}),
            ("!!str <<: {a: 1}", {"<<": {"a": "1"}}),
        ],
    )
    def test_merged_pairs_join(self, text: str, expected: Any) -> None:
        """Earlier mappings win over later ones, and quotes make `<<` an ordinary key."""
        assert data(root_of(text)) == expected

    def test_merged_pairs_come_last_and_are_at_the_alias(self) -> None:
        """The written pair is kept aside."""
        text = "- &x {a: 1, b: 2}\n- <<: *x\n  b: 3\n"
        root = root_of(text)
        assert isinstance(root, Sequence)
        mapping = root.items[1]
        assert isinstance(mapping, Mapping)
        assert [(pair.name, text[slice(*pair.span)]) for pair in mapping.pairs] == [("b", "b: 3"), ("a", "*x")]
        assert mapping.duplicates == []
        assert text[slice(*mapping.span)] == "<<: *x\n  b: 3"
        assert mapping.meta is not None
        assert [pair.name for pair in mapping.meta.merges] == ["<<"]

    @pytest.mark.parametrize(("text", "marked"), [("<<: 5", "5"), ("<<: [{a: 1}, b]", "b"), ("<<:", "<<")])
    def test_only_mappings_can_be_merged(self, text: str, marked: str) -> None:
        """Everything else is a mistake."""
        assert the_problem(text) == ("RB001", marked, "`<<` can merge only a mapping or a list of mappings.")

    def test_an_unknown_alias_is_reported_once(self) -> None:
        """The merge adds no second problem."""
        assert the_problem("<<: *x")[1] == "*x"


@pytest.mark.usefixtures("parser")
class TestErrors:
    """A text that is not YAML gets one sentence at the right place."""

    @pytest.mark.parametrize(
        ("text", "marked", "part"),
        [
            ("a: b: c", ":", "is a quote or an indentation missing"),
            ("a: b\n  c: d\n", ":", "is a quote or an indentation missing"),
            ("a:\n\tb: c\n", "\t", "A tab cannot indent YAML"),
            ("a:\n  - b\n\t- c\n", "\t", "A tab cannot indent YAML"),
            ('a: "b\nc: d\n', '"', "The quote opened here is never closed."),
            ("a: 'b\nc: d\n", "'", "The quote opened here is never closed."),
            ('a: "b\\', '"', "The quote opened here is never closed."),
            ('"a\n---\nb"', '"', "The quote opened here is never closed."),
            ("a: [b, c", "[", "The `[` opened here is never closed"),
            ("a: {b: [c], ", "{", "The `{` opened here is never closed"),
            ("a: {b: c\nd: e\n", "{", "The `{` opened here is never closed"),
            ("a: [{b}, {c: [d: ", "[", "The `[` opened here is never closed"),
            ("[a, b} ", "}", "is missing before this."),
            ("a: @b", "@b", "A value cannot start with @ here"),
            ("a: - b", "-", "A list cannot start here"),
            ("a: 'b' c", "c", "Text cannot follow a closing quote"),
            ("a: b\nfoo bar\nc: d\n", "foo", "This line has no `:`"),
            ("- a\nb: c\n", "b", "indentation"),
            ("  a: b\nc: d\n", "c", "check its indentation"),
            ("a: [b,, c]", ",", "A value is missing here."),
            ('a: "\\xZZ"', "ZZ", "more hexadecimal digits"),
            ('a: "\\ud83d"', None, "This is not a valid escape sequence."),
            ("a: !x!y z", "!x!y", "The tag has no `%TAG` directive"),
            ("- *", "*", "A name of letters and digits is missing here."),
            ("a: b\x07", "\x07", "The character U+0007 is not allowed in YAML"),
            ("a: \ud800", "\ud800", "The character U+D800 is not allowed in YAML"),
            ("a: b\0", "\0", "The character U+0000 is not allowed in YAML"),
            ("\U0001f600: b\n\x85: c: d", ":", "is a quote or an indentation missing"),
        ],
    )
    def test_the_sentence_says_what_to_do(self, text: str, marked: str | None, part: str) -> None:
        """It marks one token and never says what the parser's grammar calls it."""
        code, found, message = the_problem(text)
        assert code == "RB001"
        assert part in message
        if marked is not None:
            assert found == marked
        assert parse_complete(text).root is None

    @pytest.mark.parametrize(
        ("text", "unfinished"),
        [
            ('a: "b', True),
            ("a: 'b\n\n", True),
            ("[a,\n b", True),
            ("{a: [", True),
            ('{a: "', True),
            ('"\\', True),
            ("a: b: c", False),
            ("a: [b}", False),
            ("a: [b]", False),
            ('"a\n---\nb"', False),
        ],
    )
    def test_an_open_quote_or_bracket_makes_a_text_unfinished(self, text: str, unfinished: bool) -> None:  # noqa: FBT001 - a column.
        """The next chunk may be its other half."""
        assert parse_complete(text).unfinished is unfinished

    def test_a_long_text_gets_no_second_opinion(self, parser: str) -> None:
        """The slow parser would take seconds for it, so the compiled one is believed."""
        text = "# " + "x" * 60_000 + "\n&a.b c\n"
        assert len(parse_complete(text).problems) == (parser == "compiled")

    def test_unknown_words_of_a_parser_are_passed_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever a parser raises, a user sees a problem and not a crash."""

        def explode(_text: str) -> Any:
            raise RuntimeError

        monkeypatch.setattr(event_source, "compiled_parser", lambda: explode)
        assert the_problem("a: b") == ("RB001", "a", "This is not YAML: RuntimeError.")


@pytest.mark.usefixtures("parser")
class TestLimits:
    """No text may hang an editor."""

    def test_a_billion_laughs_are_cut_short(self) -> None:
        """The alias that goes over the limit gets the one problem, and the rest of the file is read."""
        lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
        lines += [
            f"{name}: &{name} [{', '.join([f'*{above}'] * 10)}]"
            for above, name in zip("abcdefg", "bcdefgh", strict=True)
        ]
        tree = parse_complete("\n".join([*lines, "end: reached"]))
        assert [problem.code for problem in tree.problems] == ["RB008"]
        assert isinstance(tree.root, Mapping)
        assert data(tree.root.get("end")) == "reached"

    def test_few_aliases_are_free(self) -> None:
        """A file may repeat a fair amount."""
        text = f"- &a [{', '.join('x' * 100)}]\n" + "- *a\n" * 90
        assert parse_complete(text).problems == ()

    @pytest.mark.parametrize(
        "text",
        [
            *("[" * 300 + "]" * 300, "{a: " * 300 + "}" * 300, "- " * 300, "? " * 300),
            *("[" * 101 + "]" * 101, "- " * 100 + "&x !!seq [a]"),
        ],
        ids=lambda text: f"{text[:4]}-{len(text)}",
    )
    def test_deep_nesting_is_cut(self, text: str) -> None:
        """One problem marks the first collection that is too deep, and what is around it is kept."""
        tree = parse_complete(text)
        (problem,) = tree.problems
        assert problem.code == "RB008"
        assert "100 levels" in problem.message
        assert problem.span.end <= len(text)
        assert tree.root is not None
        assert sum(isinstance(node, (Mapping, Sequence)) for node in walk(tree.root)) == 100

    def test_what_follows_a_cut_is_read(self) -> None:
        """Only what is too deep is lost."""
        tree = parse_complete("{a: [[1], {b: 2}], c: 3}", limits=Limits(depth=2))
        assert data(tree.root) == {"a": [None, None], "c": "3"}
        assert [problem.code for problem in tree.problems] == ["RB008"]

    def test_aliases_cannot_nest_deeper_than_text(self) -> None:
        """Otherwise a chain of aliases would go around the limit."""
        tree = parse_complete("- &a [[1]]\n- &b [*a]\n- [[*b]]\n- [*a]", limits=Limits(depth=5))
        assert [(problem.code, "5 levels" in problem.message) for problem in tree.problems] == [("RB008", True)]
        assert data(tree.root) == [[["1"]], [[["1"]]], [[None]], [[["1"]]]]

    def test_a_tree_is_freed_without_the_garbage_collector(self) -> None:
        """The collector is off while a large file is read."""
        chunk = {"a chunk"}
        watcher = weakref.ref(chunk)
        anchored = Scalar(0, 1, "x", ScalarStyle.PLAIN)
        gc.disable()
        try:
            tree = parse_complete("- [*a, {b: c}]\n", lookup=partial(_found, anchored, chunk))
            assert tree.problems == ()
            del chunk, tree
            assert watcher() is None
        finally:
            gc.enable()


def test_the_pure_parser_replaces_a_missing_extension(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every Python has the compiled extension."""

    def missing(name: str) -> Any:
        if name == "_ruamel_yaml":
            raise ImportError(name)
        return importlib.__import__(name, fromlist=["x"])

    monkeypatch.setattr(event_source.importlib, "import_module", missing)
    assert event_source.compiled_parser.__wrapped__() is None


YAML_PIECES = st.sampled_from(
    [
        "a", "b", "key", ": ", ":", "- ", "-", "? ", "\n", "\n  ", "\n    ", "\r\n", "\t", " ", "[", "]", "{", "}",
        ", ", "'", '"', "\\", "|", ">", "|2-", ">+", "#", " # x", "&a ", "*a", "!!str ", "!x ", "<<: ", "---\n",
        "...\n", "%YAML 1.1\n", "\u2028", "\x85", "\ufeff", "\U0001f600", "\\ud83d", "\\ude00", "x:y", "0",
        "~", "%", "@",
    ]
)  # fmt: skip


def assert_sound(text: str, tree: Tree) -> None:
    """Hold a tree to what is true of every text."""
    for problem in tree.problems:
        assert 0 <= problem.span.start < problem.span.end <= len(text)
        assert problem.message.endswith((".", "?"))
    for node in walk(tree.root) if tree.root is not None else ():
        assert 0 <= node.start <= node.end <= len(text)
        if isinstance(node, Scalar):
            assert isinstance(node.value, str)


@given(st.text() | st.lists(YAML_PIECES, max_size=25).map("".join))
@example("[? : ,")
@example("\ufeff\ufeff[")
def test_any_text_gives_a_sound_tree(text: str) -> None:
    """The parser never raises, and every span lies in the text."""
    assert_sound(text, parse_complete(text))


@given(st.text() | st.lists(YAML_PIECES, max_size=25).map("".join))
def test_any_text_gives_a_sound_tree_without_the_extension(text: str) -> None:
    """The same holds for the parser in pure Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(event_source, "compiled_parser", lambda: None)
        assert_sound(text, parse_complete(text))


# Without the line breaks of YAML 1.1, which ruamel.yaml writes and reads in its own way.
WORDS = st.text(st.sampled_from("ab: #-'\"\\\n\t[]{},&*!|>%@`~\U0001f600\u00e9 019."), max_size=12)
VALUES = st.recursive(
    WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


def dumped(value: Any, draw_style: st.DataObject) -> str:
    """Write a value with ruamel.yaml in a drawn style."""
    from io import StringIO  # noqa: PLC0415 - needed here only.

    from ruamel.yaml import YAML  # noqa: PLC0415 - few tests need it.

    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = draw_style.draw(st.sampled_from([True, False, None]))
    yaml.default_style = draw_style.draw(st.sampled_from([None, '"', "'", "|", ">"]))
    yaml.width = draw_style.draw(st.sampled_from([20, 80]))
    yaml.allow_unicode = True
    stream = StringIO()
    # A mapping around it, since YAML lets a block scalar at the very top go without indentation.
    yaml.dump({"root": value}, stream)
    return stream.getvalue()


def loaded(text: str) -> Any:
    """Read a text with ruamel.yaml, all scalars as strings."""
    from ruamel.yaml import YAML, YAMLError  # noqa: PLC0415 - as above.

    try:
        return YAML(typ="base", pure=True).load(text)
    except YAMLError:
        # It cannot read all that it writes: a key that starts with a colon, for one.
        reject()


def strings(node: Node | None) -> Any:
    """Return what a tree says with every scalar as a string, as ruamel's base loader does."""
    if isinstance(node, Mapping):
        return {pair.name: strings(pair.value) for pair in node.pairs}
    if isinstance(node, Sequence):
        return [strings(item) for item in node.items]
    return node.value if isinstance(node, Scalar) else ""


def scalars_of(tree: Tree) -> Iterator[Scalar]:
    """Give the scalars of a tree."""
    for node in walk(tree.root) if tree.root is not None else ():
        if isinstance(node, Scalar):
            yield node


@given(VALUES, st.data())
def test_the_tree_says_what_ruamel_reads(value: Any, draw_style: st.DataObject) -> None:
    """Whatever is dumped in whatever style, the plain data is the same as that of a whole-file loader."""
    text = dumped(value, draw_style)
    expected = loaded(text)
    tree = parse_complete(text)
    assert tree.problems == ()
    assert strings(tree.root) == expected


@given(VALUES, st.data())
def test_the_text_at_a_span_reads_as_the_scalar(value: Any, draw_style: st.DataObject) -> None:
    """A span holds all of a scalar and nothing else, so its text alone has the same value."""
    text = dumped(value, draw_style)
    for found in scalars_of(parse_complete(text)):
        if found.start == found.end or isinstance(found, BlockScalar):
            continue
        (again,) = scalars_of(parse_complete("--- " + text[found.start : found.end]))
        assert (again.value, again.style) == (found.value, found.style)

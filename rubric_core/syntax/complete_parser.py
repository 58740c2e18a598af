"""The complete parser: any text of one YAML document to nodes with exact spans. It never raises.

The events come from ruamel.yaml's compiled parser, or from its pure Python one. They become nodes by an explicit
stack, since user text can nest deeper than Python recurses; aliases and merge keys are resolved on the way.
"""

import re
from collections.abc import Callable
from functools import cache

from rubric_core.syntax.aliases import UNFINISHED_END, AliasResolver, AnchorLookup, is_merge_key, merge_into
from rubric_core.syntax.event_source import Event, event_classes, open_events
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits, allowed_repeats
from rubric_core.syntax.nodes import (
    BlockScalar,
    Mapping,
    Meta,
    Node,
    Pair,
    Scalar,
    ScalarStyle,
    Sequence,
    SyntaxProblem,
    Tree,
)
from rubric_core.syntax.parser_input import ParserInput, prepare_input, repaired
from rubric_core.syntax.syntax_errors import HALF_CHARACTER, ParserError, explained, failure_of, forbidden_character
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.spans import Span

_STYLES = {
    None: ScalarStyle.PLAIN,
    "": ScalarStyle.PLAIN,
    "'": ScalarStyle.SINGLE,
    '"': ScalarStyle.DOUBLE,
    "|": ScalarStyle.LITERAL,
    ">": ScalarStyle.FOLDED,
}
_PLAIN = ScalarStyle.PLAIN
_BLOCK_STYLES = (ScalarStyle.LITERAL, ScalarStyle.FOLDED)
_COMMON_TAG = "tag:yaml.org,2002:"
# Errors of the compiled parser in valid YAML: anchors whose names have letters outside of ASCII, and a tab at the start
# of a block scalar's text. The parser in pure Python reads both, but is too slow for long texts.
_NEEDS_SECOND_OPINION = (
    "did not find expected alphabetic or numeric character",
    "found a tab character where an indentation space is expected",
)
# A colon behind a quote or an indicator, as in `[a":b, c*:d]`, is not replaced, so the other parser decides.
_COLON_IN_BRACKETS = "found unexpected ':'"
# As in `{smile: :-)}`, where the compiled parser takes the second colon for the end of a key.
_LEADING_COLON = re.compile(r"[\s,\[{]:[^\s,\[\]{}]")
_NEARBY = 200
_LONGEST_SECOND_OPINION = 50_000
# Each repair of the input is followed by another attempt.
_ATTEMPTS = 8

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_PROPERTIES = re.compile(r"(?:(?:&[^\s,\[\]{}]*|!<[^>\s]*>|![^\s,\[\]{}]*)(?:\s+(?:#[^\r\n]*)?)*)*")
_TO_VALUE = re.compile(r"(?:\s+(?:#[^\r\n]*)?)*:")
_INDICATOR = re.compile(r"[|>][-+0-9]*")
_WHITE_SPACE = " \t\r\n"
# Text below the depth limit is parsed and skipped. Parsing stops this many levels down, since it gets slow there.
_DEEPEST_SKIPPED = 1000


def parse_complete(
    text: str,
    *,
    lookup: AnchorLookup | None = None,
    limits: Limits = DEFAULT_LIMITS,
    repeats: int | None = None,
) -> Tree:
    """Parse the first document of a text.

    `lookup` finds the anchors of text that is before this one. `repeats` is how many nodes aliases may repeat;
    without it, as many as a text of this length may.
    """
    allowed = allowed_repeats(len(text), limits) if repeats is None else repeats
    prepared = prepare_input(text)
    compiled = True
    attempts = 0
    while True:
        attempts += 1
        builder = _Builder(text, prepared, AliasResolver(lookup, allowed, limits.depth), limits.depth)
        failure = builder.build(compiled=compiled)
        if failure is None:
            return builder.tree()
        forbidden = forbidden_character(text)
        if forbidden is not None:
            return builder.tree(forbidden)
        if compiled and _needs_second_opinion(text, failure):
            compiled = False
            continue
        better = repaired(prepared, failure.problem)
        if better.text != prepared.text and attempts < _ATTEMPTS:
            prepared = better
        elif compiled and failure.problem == _COLON_IN_BRACKETS and len(text) <= _LONGEST_SECOND_OPINION:
            compiled = False
        else:
            problem, is_unfinished = explained(text, failure, builder.open_flow_collection())
            return builder.tree(problem, is_unfinished=is_unfinished)


def _needs_second_opinion(text: str, failure: ParserError) -> bool:
    if len(text) > _LONGEST_SECOND_OPINION:
        return False
    nearby = max(failure.at - _NEARBY, 0)
    return failure.problem in _NEEDS_SECOND_OPINION or bool(_LEADING_COLON.search(text, nearby, failure.at + 2))


class _Builder:
    """Builds nodes from the events of one text: the open collections, and the children of the innermost one."""

    __slots__ = (
        "_aliases", "_below", "_children", "_depth_limit", "_failure", "_handlers", "_indent", "_input", "_last",
        "_node", "_problems", "_seen_document", "_skipped", "_stack", "_stopped", "_text",
    )  # fmt: skip

    def __init__(self, text: str, prepared: ParserInput, aliases: AliasResolver, depth_limit: int) -> None:
        self._text = text
        self._input = prepared
        self._aliases = aliases
        self._depth_limit = depth_limit
        self._problems = aliases.problems
        self._node: Mapping | Sequence | None = None
        self._children: list[Node] = []
        # How many nodes are below the children of the innermost collection, with those that aliases repeat.
        self._below = 0
        # The column of the innermost block collection, which the indentation of block scalars counts from.
        self._indent = -1
        self._stack: list[tuple[Mapping | Sequence | None, list[Node], int, int]] = []
        self._handlers = _reading_handlers()
        self._skipped = 0
        self._seen_document = False
        self._stopped = False
        self._last = 0
        self._failure: ParserError | None = None

    def build(self, *, compiled: bool) -> ParserError | None:
        """Read all events of a document; return the error that ended this, if any."""
        event: Event | None
        try:
            next_event = open_events(self._input.text, compiled=compiled)
        except Exception as error:  # noqa: BLE001 - no text of a user may raise, whatever the parser's bug.
            return failure_of(error, 0)
        while not self._stopped:
            try:
                event = next_event()
            except Exception as error:  # noqa: BLE001 - as above.
                return failure_of(error, self._last)
            if event is None:
                break
            handler = self._handlers.get(type(event))
            if handler is not None:
                handler(self, event)
        while self._stack:
            self._close_at(self._last)
        return self._failure

    def tree(self, problem: SyntaxProblem | None = None, *, is_unfinished: bool = False) -> Tree:
        """Return the tree; it has no root if the text is not YAML, which a problem then reports."""
        aliases, problems = self._aliases, (*self._problems, *([problem] if problem is not None else ()))
        root = self._children[0] if self._children and problem is None else None
        if isinstance(root, Scalar) and root.start == root.end and root.meta is None:
            root = None
        anchors = {name: node for name, node in aliases.anchors.items() if node.end != UNFINISHED_END}
        external = frozenset(aliases.external)
        return Tree(root, problems, anchors, is_unfinished, external, sizes=aliases.sizes, repeats=aliases.repeats)

    def open_flow_collection(self) -> Node | None:
        """Return the innermost open collection in brackets."""
        nodes = [self._node, *(node for node, _, _, _ in reversed(self._stack))]
        for node in nodes:
            if node is None or not node.flow:
                return None
            if self._text[node.start] in "[{":
                return node
        return None

    def start_document(self, _event: Event) -> None:
        """Stop at the start of a second document."""
        self._stopped = self._seen_document
        self._seen_document = True

    def read_scalar(self, event: Event) -> None:
        start = event.start_mark.index
        end = self._last = event.end_mark.index
        style = _STYLES[event.style]
        if event.anchor is not None or event.ctag is not None:
            meta = self._meta(event)
            node = self._scalar(event, min(self._after_properties(start), end), end, meta)
            if meta.anchor is not None:
                self._aliases.define(meta.anchor, node)
        elif style is _PLAIN and start != end and not self._input.replaced:
            # The fast path for most scalars.
            node = Scalar(start, end, event.value, style)
        else:
            node = self._scalar(event, start, end, None)
        self._children.append(node)

    def _scalar(self, event: Event, start: int, end: int, meta: Meta | None) -> Scalar:
        style = _STYLES[event.style]
        if style in _BLOCK_STYLES:
            return self._block_scalar(start, end, style, meta)
        value = event.value
        if style is ScalarStyle.DOUBLE and not value.isascii() and _HALF_CHARACTER.search(value):
            # Only the parser in pure Python accepts this.
            self._failure = ParserError(HALF_CHARACTER, "", start, -1)
            self._stopped = True
        if start == end and meta is None:
            start = end = self._place_of_empty(start)
        return Scalar(start, end, self._input.restore(value), style, meta)

    def _block_scalar(self, start: int, end: int, style: ScalarStyle, meta: Meta | None) -> BlockScalar:
        """Make a block scalar whose span ends with its last line of text."""
        raw = self._text[start:end]
        visible = start + len(raw.rstrip(_WHITE_SPACE))
        if visible <= line_end(self._text, start):
            indicator = _INDICATOR.match(self._text, start)
            visible = indicator.end() if indicator else start
        return BlockScalar(start, visible, raw, self._indent, style, meta)

    def _place_of_empty(self, at: int) -> int:
        """Return the offset of an empty value: behind the colon of its key, if there is one."""
        if isinstance(self._node, Mapping) and len(self._children) % 2:
            key_end = self._children[-1].end
            colon = _TO_VALUE.match(self._text, key_end)
            return colon.end() if colon else key_end
        return min(at, len(self._text))

    def read_alias(self, event: Event) -> None:
        place = Span(event.start_mark.index, event.end_mark.index)
        self._last = place.end
        name = self._input.restore(event.anchor)
        before = self._aliases.repeats
        self._children.append(self._aliases.resolve(name, place, len(self._stack)))
        self._below += self._aliases.repeats - before

    def open_mapping(self, event: Event) -> None:
        node = Mapping(event.start_mark.index, event.flow_style)
        # The end mark is behind anchor and tag of the mapping, in front of those of its first key.
        self._open(node, event, event.end_mark.column)

    def open_sequence(self, event: Event) -> None:
        node = Sequence(event.start_mark.index, event.flow_style)
        column = event.start_mark.column
        if event.anchor is not None or event.ctag is not None:
            dash = self._after_properties(node.start)
            column = dash - line_start(self._text, dash)
        self._open(node, event, column)

    def _open(self, node: Mapping | Sequence, event: Event, column: int) -> None:
        if len(self._stack) >= self._depth_limit:
            self._cut(event)
            return
        node.end = UNFINISHED_END
        self._last = event.end_mark.index
        if event.anchor is not None or event.ctag is not None:
            node.start = self._after_properties(node.start)
            node.meta = meta = self._meta(event)
            if meta.anchor is not None:
                self._aliases.define(meta.anchor, node)
        self._children.append(node)
        self._stack.append((self._node, self._children, self._indent, self._below))
        self._node = node
        self._children = []
        self._below = 0
        if not node.flow:
            self._indent = column

    def close(self, event: Event) -> None:
        end = self._last = event.end_mark.index
        # Only brackets have a width; a block ends with its last child, and so does the mapping in `[key: value]`.
        self._close_at(end if end > event.start_mark.index else -1)

    def _close_at(self, end: int) -> None:
        """Finish the innermost collection; without brackets it ends with its last child."""
        node = self._node
        children = self._children
        has_brackets = end >= 0 and node is not None and node.flow
        if isinstance(node, Mapping):
            if len(children) % 2:
                # Only a text that is cut off at the limit ends between a key and its value.
                children.append(Scalar(children[-1].end, children[-1].end, "", ScalarStyle.PLAIN))
            if children and not has_brackets:
                node.start = children[0].start
            self._fill(node, children)
        elif node is not None:
            node.items = children
        if node is not None:
            node.end = end if has_brackets else children[-1].end if children else node.start
        size = self._below + len(children)
        self._node, self._children, self._indent, below = self._stack.pop()
        self._below = below + size
        if node is not None and node.meta is not None and node.meta.anchor is not None:
            self._aliases.measure(node.meta.anchor, node, size)

    def _fill(self, node: Mapping, children: list[Node]) -> None:
        """Make pairs of alternating keys and values; merge keys are resolved after all others."""
        pairs = node.pairs
        index = node.index
        merges: list[Pair] = []
        values = iter(children)
        for key, value in zip(values, values, strict=True):
            pair = Pair(key, value)
            if type(key) is not Scalar:
                node.add(pair)
                continue
            # Mapping.add, inlined because this runs for every line of a file.
            name = key.value
            if name == "<<" and is_merge_key(key):
                merges.append(pair)
                continue
            pairs.append(pair)
            if name in index:
                node.duplicates.append(pair)
            else:
                index[name] = pair
        if merges:
            self._problems.extend(merge_into(node, merges))

    def _cut(self, event: Event) -> None:
        """Leave out a collection that nests too deeply."""
        at = self._after_properties(event.start_mark.index)
        at = min(at, len(self._text) - 1)
        if not any(problem.code == "RB008" for problem in self._problems):
            message = (
                f"This nests deeper than {self._depth_limit} levels, and what is inside is not checked; flatten it."
            )
            self._problems.append(SyntaxProblem(Span(at, at + 1), message, "RB008"))
        self._children.append(Scalar(at, at, "", ScalarStyle.PLAIN))
        self._skipped = 1
        self._handlers = _skipping_handlers()

    def skip_deeper(self, _event: Event) -> None:
        self._skipped += 1
        self._stopped = self._skipped > _DEEPEST_SKIPPED

    def skip_out(self, _event: Event) -> None:
        self._skipped -= 1
        if not self._skipped:
            self._handlers = _reading_handlers()

    def _meta(self, event: Event) -> Meta:
        anchor = event.anchor if event.anchor is None else self._input.restore(event.anchor)
        tag = event.tag
        if tag is not None:
            tag = self._input.restore(tag)
            tag = "!!" + tag[len(_COMMON_TAG) :] if tag.startswith(_COMMON_TAG) else tag
        return Meta(anchor=anchor, tag=tag)

    def _after_properties(self, at: int) -> int:
        """Return the start of a node behind its anchor and tag, which start at an offset."""
        match = _PROPERTIES.match(self._text, at)
        return match.end() if match else at


# Bound methods would make a reference cycle, and the tree would be freed by the garbage collector only.
@cache
def _reading_handlers() -> dict[type, Callable[[_Builder, Event], None]]:
    events = event_classes()
    return {
        events.ScalarEvent: _Builder.read_scalar,
        events.AliasEvent: _Builder.read_alias,
        events.MappingStartEvent: _Builder.open_mapping,
        events.MappingEndEvent: _Builder.close,
        events.SequenceStartEvent: _Builder.open_sequence,
        events.SequenceEndEvent: _Builder.close,
        events.DocumentStartEvent: _Builder.start_document,
    }


@cache
def _skipping_handlers() -> dict[type, Callable[[_Builder, Event], None]]:
    events = event_classes()
    return {
        events.MappingStartEvent: _Builder.skip_deeper,
        events.SequenceStartEvent: _Builder.skip_deeper,
        events.MappingEndEvent: _Builder.skip_out,
        events.SequenceEndEvent: _Builder.skip_out,
    }

"""Messages of the suite and files, which AgentV 4 sends beside the `input` of a test. AgentV 5 has one list for all."""

from collections.abc import Iterator

from rubric_core.migration.moves import STEP, Edits, behind_colon
from rubric_core.migration.places import CASE, Place
from rubric_core.migration.shared_steps import skips_defaults
from rubric_core.migration.steps import Change, at_key, joined, listed, moved
from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.indentation import shift_lines, shifted
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.text.lines import line_break_of, line_end, line_start
from rubric_core.text.spans import Edit

_ANY_PASSES = "pass_at_k"
_CANNOT_PREPEND = "`input`: AgentV 5 has none in a suite; write its messages before those of each test"


@at_key("input")
def suite_input(place: Place, pair: Pair) -> Iterator[Change]:
    """Write the messages of the suite before those of each test, all at once, and remove them from the suite."""
    lines, tests = _message_lines(place.text, pair), place.own("tests")
    added = None if lines is None or tests is None else _prepended(place, tests, lines)
    edits = joined(place.removal(pair), added)
    yield listed(pair, _CANNOT_PREPEND) if edits is None else Change(pair.key.start, edits)


def _message_lines(text: str, pair: Pair) -> str | None:
    """Return the messages of a suite as the items of a list in column 0, or None if they cannot be copied."""
    node = pair.value
    if node.origin is not None or node.meta is not None:
        return None
    if isinstance(node, Sequence) and node.items and not node.flow:
        start = line_start(text, node.start)
        return shifted(text[start : line_end(text, node.end)], -column_of(text, node.start)).lstrip(" ")
    written = text[node.start : node.end]
    if isinstance(node, Scalar) and node.value and "\n" not in written and "\r" not in written:
        return f"- role: user{line_break_of(text)}{' ' * STEP}content: {written}"
    return None


def _prepended(place: Place, tests: Pair, lines: str) -> Edits | None:
    """Return the edits that write messages before those of each test, or None if that is impossible in a test."""
    if not isinstance(tests.value, Sequence):
        return None
    edits: list[Edit] = []
    for item in tests.value.items:
        if not isinstance(item, Mapping) or item.origin is not None or item.flow:
            return None
        case = Place(CASE, item, place.text, place)
        if skips_defaults(case):
            continue
        pair = case.own("input")
        added = None if pair is None else _before_messages(place.text, pair, lines)
        if added is None:
            return None
        edits += added
    return tuple(edits)


def _before_messages(text: str, pair: Pair, lines: str) -> Edits | None:
    node, line_break = pair.value, line_break_of(text)
    if node.origin is not None or node.meta is not None:
        return None
    if isinstance(node, Sequence) and node.items and not node.flow:
        column, at = column_of(text, node.start), line_start(text, node.start)
        return (Edit(at, at, f"{_indented(lines, column)}{line_break}"),)
    if isinstance(node, Scalar):
        column = column_of(text, pair.key.start) + STEP
        head = f"{_indented(lines, column)}{line_break}{' ' * column}- role: user"
        return _around_text(text, pair, head, column, "content")
    return None


def _indented(lines: str, column: int) -> str:
    return f"{' ' * column}{shifted(lines, column)}"


def _around_text(text: str, pair: Pair, head: str, column: int, key: str) -> Edits | None:
    """Write list items between a key and its text, which becomes a value of the last item, at a column."""
    colon, line_break = behind_colon(text, pair), line_break_of(text)
    if colon is None:
        return None
    by = column + STEP - column_of(text, pair.key.start)
    inserted = Edit(colon, colon, f"{line_break}{head}{line_break}{' ' * (column + STEP)}{key}:")
    return inserted, *shift_lines(text, colon, pair.span.end, by)


@at_key("input_files")
def input_files(place: Place, files: Pair) -> Iterator[Change]:
    """Write the files of a test and its text as the parts of one message."""
    pair, node = place.own("input"), files.value
    if pair is None or not isinstance(pair.value, Scalar) or not isinstance(node, Sequence):
        return
    is_plain = all(isinstance(item, Scalar) and item.meta is None for item in (*node.items, pair.value))
    if place.node.flow or not node.items or not is_plain:
        return
    text, line_break = place.text, line_break_of(place.text)
    if any(comments_in(text, node, start=files.key.start, end=files.span.end)):
        return
    column = column_of(text, pair.key.start)
    outer, inner = " " * (column + STEP), " " * (column + 3 * STEP)
    parts = [
        line
        for item in node.items
        for line in (f"{inner}- type: file", f"{inner}{' ' * STEP}value: {text[item.start : item.end]}")
    ]
    head = line_break.join([f"{outer}- role: user", f"{outer}{' ' * STEP}content:", *parts, f"{inner}- type: text"])
    edits = joined(_around_text(text, pair, head, len(inner), "value"), place.removal(files))
    if edits is not None:
        yield from moved(place, pair, edits)


def trials(place: Place) -> Iterator[Change]:
    """Write the number of trials alone; a later step moves it out of `execution`."""
    execution = place.below("execution")
    pair = Place("execution", execution, place.text).own("trials") if execution is not None else None
    below = pair.value if pair is not None else None
    if execution is None or pair is None or not isinstance(below, Mapping) or below.origin is not None:
        return
    count, strategy = below.get("count"), below.get("strategy")
    word = strategy.value if isinstance(strategy, Scalar) else _ANY_PASSES
    others = below.index.keys() - {"count", "strategy"}
    if word != _ANY_PASSES or others or not isinstance(count, Scalar) or "repeat" in execution.index:
        reason = f"`trials`: AgentV 5 repeats a test and takes the best run, and has nothing for {_named(word, others)}"
        yield listed(pair, reason)
    elif any(comments_in(place.text, below, start=pair.key.start, end=pair.span.end)):
        yield listed(pair, "`trials`: it has a comment; write `evaluate_options.repeat`")
    else:
        written = place.text[count.start : count.end]
        yield Change(pair.key.start, (Edit(pair.key.start, pair.span.end, f"repeat: {written}"),))


def _named(strategy: str, others: set[str]) -> str:
    keys = [f"`{key}`" for key in sorted(others)]
    return ", ".join([f"`strategy: {strategy}`", *keys] if strategy != _ANY_PASSES else keys or ["this"])

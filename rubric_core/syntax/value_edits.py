"""The tree of a chunk after an edit inside one value, as most typing is, without parsing the chunk again.

This is possible where the fast path reads the line as before, since indentation, keys and dashes stay: the value is
replaced, and nodes behind it are moved. Nodes before it are shared with the old tree, since nodes never change.
"""

from rubric_core.syntax.block_parser import end_block, has_odd_character, is_plain_line
from rubric_core.syntax.flow_parser import Unsure, read_quoted
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, PlainPair, Scalar, ScalarStyle, Sequence, Tree
from rubric_core.text.spans import Edit

# The collections around a value, the outermost first, each with the position of what leads to the value.
_Path = list[tuple[Mapping | Sequence, int]]

_PLAIN = ScalarStyle.PLAIN
_LINE_BREAKS = ("\n", "\r", "")


def tree_after_edit(tree: Tree, text: str, edit: Edit) -> Tree | None:
    """Return the tree of a text after an edit; None if it has to be parsed. Offsets count from the chunk."""
    if not tree.is_common or tree.root is None or tree.duplicates:
        return None
    path: _Path = []
    scalar = _find(tree.root, edit, path)
    if scalar is None or not path or _changes_lines(text, edit) or has_odd_character(edit.text):
        return None
    delta = len(edit.text) - (edit.end - edit.start)
    changed = _read_again(scalar, text, edit, delta)
    if changed is None:
        return None
    node: Node = changed
    for around, position in reversed(path):
        end = changed.end if around.end == scalar.end else around.end + delta
        node = _with_child(around, position, node, end, delta)
    return Tree(node, is_common=True)


def _find(root: Node, edit: Edit, path: _Path) -> Scalar | None:
    """Return the scalar in block style that contains an edit, and append the collections around it to the path."""
    node = root
    while isinstance(node, (Mapping, Sequence)) and not node.flow:
        values = [pair.value for pair in node.pairs] if isinstance(node, Mapping) else node.items
        position = next((number for number, value in enumerate(values) if value.end >= edit.end), -1)
        if position < 0 or values[position].start > edit.start:
            return None
        path.append((node, position))
        node = values[position]
    return node if isinstance(node, Scalar) else None


def _changes_lines(text: str, edit: Edit) -> bool:
    """Return whether an edit adds or removes a line break, or is between the two characters of one."""
    removed, before = text[edit.start : edit.end], text[edit.start - 1 : edit.start]
    return before == "\r" or any(mark in part for mark in "\n\r" for part in (edit.text, removed))


def _read_again(scalar: Scalar, text: str, edit: Edit, delta: int) -> Scalar | None:
    """Return a scalar after an edit, if its line is parsed in the same way as before."""
    start, end = scalar.start, scalar.end + delta
    after = text[: edit.start] + edit.text + text[edit.end :]
    if isinstance(scalar, BlockScalar):
        line_start = text.rfind("\n", 0, edit.start) + 1
        # The header must stay, and so must the indentation.
        if line_start <= start or not text[line_start : edit.start].strip(" "):
            return None
        block = BlockScalar(start, start, "", scalar.parent_indent, scalar.style)
        end_block(block, after, start + len(scalar.raw) + delta)
        return block
    if scalar.style is not _PLAIN:
        return _read_quoted_again(scalar, after, edit, delta)
    was_one_line = text[start : scalar.end] == scalar.value != "" and text[scalar.end : scalar.end + 1] in _LINE_BREAKS
    value = after[start:end]
    return Scalar(start, end, value, _PLAIN) if was_one_line and is_plain_line(value) else None


def _read_quoted_again(scalar: Scalar, after: str, edit: Edit, delta: int) -> Scalar | None:
    if edit.start <= scalar.start or edit.end >= scalar.end:
        return None
    try:
        again = read_quoted(after, scalar.start)
    except Unsure:
        return None
    return again if again.end == scalar.end + delta else None


def _with_child(around: Mapping | Sequence, position: int, child: Node, end: int, delta: int) -> Mapping | Sequence:
    """Return a collection with another child at a position; the children behind that have moved."""
    if isinstance(around, Sequence):
        items = around.items
        moved = [_moved(item, delta) for item in items[position + 1 :]]
        return _sequence(around, around.start, end, [*items[:position], child, *moved])
    pairs = around.pairs
    pair = PlainPair(pairs[position].key_start, pairs[position].name or "", child)
    return _mapping(around, around.start, end, [*pairs[:position], pair, *_moved_pairs(pairs[position + 1 :], delta)])


def _moved(node: Node, delta: int) -> Node:
    """Return a copy of a node at another offset. The fast path has read it, so it does not nest deeply."""
    start, end = node.start + delta, node.end + delta
    if isinstance(node, Mapping):
        return _mapping(node, start, end, _moved_pairs(node.pairs, delta))
    if isinstance(node, Sequence):
        return _sequence(node, start, end, [_moved(item, delta) for item in node.items])
    if isinstance(node, BlockScalar):
        return BlockScalar(start, end, node.raw, node.parent_indent, node.style)
    return Scalar(start, end, node.value, node.style) if isinstance(node, Scalar) else node


def _moved_pairs(pairs: list[Pair], delta: int) -> list[Pair]:
    moved: list[Pair] = []
    for pair in pairs:
        value = pair.value
        if type(value) is Scalar:  # Half of all values: set without another call.
            value = Scalar(value.start + delta, value.end + delta, value.value, value.style)
        else:
            value = _moved(value, delta)
        if isinstance(pair, PlainPair):
            moved.append(PlainPair(pair.key_start + delta, pair.name or "", value))
        else:
            moved.append(Pair(_moved(pair.key, delta), value))
    return moved


def _sequence(old: Sequence, start: int, end: int, items: list[Node]) -> Sequence:
    sequence = Sequence(start, old.flow)
    sequence.end, sequence.items = end, items
    return sequence


def _mapping(old: Mapping, start: int, end: int, pairs: list[Pair]) -> Mapping:
    mapping = Mapping(start, old.flow)
    mapping.end = end
    if old.duplicates:
        for pair in pairs:
            mapping.add(pair)
        return mapping
    mapping.pairs = pairs
    mapping.index = {pair.name: pair for pair in pairs if pair.name is not None}
    return mapping

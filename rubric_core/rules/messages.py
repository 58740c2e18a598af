"""What several rules share: the wording of messages, the places of problems, and common fixes."""

from collections.abc import Callable, Collection

from rubric_core.rules.problem import Fix
from rubric_core.schema.fields import Field, Record
from rubric_core.schema.suggest import closest
from rubric_core.syntax.edits import (
    dash_of,
    insert_key,
    remove_pair,
    rename_key,
    render_text,
    replace_node,
    replace_text,
)
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import is_null
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span
from rubric_core.views.bands import Band
from rubric_core.views.evaluators import EvaluatorView

_SIMPLE = lazily(r"[\w.\-/]+\Z")
_MOST_NAMED = 5
# Longer text would hide the sentence that it is quoted in.
_QUOTED_LENGTH = 30
_NOUNS = {
    "suite": "the suite",
    "case": "a case",
    "message": "a message",
    "content-part": "a part of a message's content",
    "criterion": "a criterion",
    "score-range": "a score range",
    "scorecard": "a scorecard",
    "red-flag": "a red flag",
    "bonus": "a bonus",
    "evaluator": "an evaluator",
}


def replace_name(node: Scalar, name: str) -> Edit:
    """Replace a name and keep its quotes; a name that is not safe inside brackets is quoted."""
    return replace_text(node, name, flow=not _SIMPLE.match(name))


def suggestion(written: str, known: Collection[str], otherwise: str | None = None) -> tuple[str, str | None]:
    """Return how a message about an unknown name ends, and the known name that is probably meant.

    Where none is meant, the message ends with `otherwise`, or with some of the known names.
    """
    intended = closest(written, known)
    if intended is not None:
        return f"did you mean `{intended}`?", intended
    if otherwise is not None:
        return otherwise, None
    listed = ", ".join(f"`{name}`" for name in list(known)[:_MOST_NAMED])
    rest = len(known) - _MOST_NAMED
    return f"there is {listed}" + (f" and {rest} more." if rest > 0 else "."), None


def renaming(node: Scalar, intended: str | None) -> list[Fix]:
    """Return the fix that writes the name that is meant, if there is one."""
    return [Fix(f"Change to `{intended}`", (replace_name(node, intended),))] if intended is not None else []


def one_edit(title: str, make: Callable[..., Edit | None], *given: object) -> list[Fix | None]:
    """Return the fix with the edit that a function returns for these arguments; nothing if it returns None."""
    return [Fix.of(title, make(*given))]


def rename_key_fix(pair: Pair, name: str, *, safe: bool = False) -> list[Fix]:
    """Return the fix that gives a key another name."""
    return [Fix(f"Rename to `{name}`", (rename_key(pair, name),), safe)]


def removal(text: str, mapping: Mapping | None, pair: Pair, *, safe: bool = False) -> Fix | None:
    """Return the fix that removes a key with its value."""
    edit = remove_pair(text, mapping, pair) if mapping is not None else None
    return Fix.of(f"Remove `{pair.name}`", edit, safe=safe)


def fill_or_insert(evaluator: EvaluatorView, key: str, value: str, text: str) -> list[Fix | None]:
    """Return the fix that writes a placeholder under a key of an evaluator, and inserts the key if it is missing."""
    pair = evaluator.node.index.get(key)
    if pair is not None:
        return [Fix(f"Fill in `{key}`", (replace_node(pair.value, render_text(value, flow=True)),))]
    return [Fix.of(f"Insert `{key}`", insert_key(text, evaluator.node, key, value, after=evaluator.type_pair))]


def in_words(low: int, high: int) -> str:
    """Return scores as messages name them: `3`, or `3-5`."""
    return str(low) if low == high else f"{low}-{high}"


def name_of(band: Band) -> str:
    """Return the scores of a range as messages name it: the bounds as they are written, in order."""
    low, high = sorted((band.lower or 0, band.upper or 0))
    return in_words(low, high)


def as_written(text: str, node: Node) -> str:
    """Return a node's text in code marks, on one line and short enough for a message."""
    # The name of an alias is not its value.
    own = node.value if isinstance(node, Scalar) and node.origin is not None else text[node.start : node.end]
    written = " ".join(own.split())
    return f"`{written}`" if len(written) <= _QUOTED_LENGTH else f"`{written[:_QUOTED_LENGTH]}...`"


def placeholder(low: int, high: int) -> str:
    """Return the text to insert in a range without one. It has the scores, so that no two are the same."""
    return f"TODO: describe an answer that scores {in_words(low, high)}"


def noun(record: Record) -> str:
    """Return what a record is called in a sentence, with its article."""
    kind = record.name.partition(":")[2]
    name = f"a `{kind}` evaluator" if kind else f"`{record.name.replace('-', '_')}`"
    return record.noun or _NOUNS.get(record.name, name)


def gist(field: Field) -> str:
    """Return the first sentence of a field's description, so that it can follow a colon."""
    sentence = field.doc.partition(". ")[0].rstrip(".")
    return sentence[0].lower() + sentence[1:]


def place_in(node: Scalar, part: str, text: str, after: int = 0) -> Span | None:
    """Return the first place of a part of a scalar in its text; None behind an alias or if it is escaped."""
    start = text.find(part, max(node.start, after), node.end) if node.origin is None else -1
    return Span(start, start + len(part)) if start >= 0 else None


def first_key(mapping: Mapping) -> Node:
    """Return the first key of a mapping as written, a merge key included; the mapping itself where it has none."""
    own = [pair.key for pair in mapping.pairs[:1]]
    merged = [pair.key for pair in mapping.meta.merges[:1]] if mapping.meta else []
    return min((*merged, *own), key=lambda key: key.start, default=mapping)


def place_of_item(text: str, item: Node) -> Node | Span:
    """Return the place of a problem of a list's item: its dash where the item is empty."""
    return first_word(item) if item.end > item.start or item.origin is not None else place_of_dash(text, item)


def place_of_dash(text: str, item: Node) -> Node | Span:
    """Return the dash of a list's item, or the item where it has none."""
    dash = dash_of(text, item)
    return Span(dash, dash + 1) if dash >= 0 else item


def first_word(node: Node) -> Node:
    """Return the place of a problem of a whole node: the first key or item of a collection that spans lines."""
    while isinstance(node, Sequence) and not node.flow and node.items:
        node = node.items[0]
    return first_key(node) if isinstance(node, Mapping) and not node.flow and node.pairs else node


def is_misnamed(key: str, record: Record, mapping: Mapping) -> bool:
    """Return whether RB003 reports an unknown key of the mapping as a misspelling of this one."""
    unknown = [name for name in mapping.index if name not in record.by_key]
    return any((record.other_keys.meant.get(name) or closest(name, record.by_key)) == key for name in unknown)


def place_of_missing(mapping: Mapping, pair: Pair | None = None) -> Node:
    """Return the place of a field that is missing: the first key of its mapping.

    For a field without content, `pair` is given: then it is its value, or its key if the value is null.
    """
    if pair is None:
        return first_key(mapping)
    return pair.key if is_null(pair.value) else pair.value

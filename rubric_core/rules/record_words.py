"""Words for the messages of rules that look at records, and the places that those messages point at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.syntax.nodes import Mapping, Node, Sequence

if TYPE_CHECKING:
    from rubric_core.schema.fields import Field, Record

_NOUNS = {
    "suite": "the suite",
    "case": "a case",
    "execution": "`execution`",
    "message": "a message",
    "content-part": "a part of a message's content",
    "criterion": "a criterion",
    "score-range": "a score range",
    "scorecard": "a scorecard",
    "weights": "`weights`",
    "red-flag": "a red flag",
    "bonus": "a bonus",
    "evaluator": "an evaluator",
    "evaluator:llm_judge": "an `llm_judge` evaluator",
    "evaluator:rubric": "a `rubric` evaluator",
}


def noun(record: Record) -> str:
    """Return what a record is called in a sentence, with its article."""
    kind = record.name.partition(":")[2]
    return _NOUNS.get(record.name) or (f"a `{kind}` evaluator" if kind else "this mapping")


def gist(field: Field) -> str:
    """Return the first sentence of a field's description, so that it can follow a colon."""
    sentence = field.doc.partition(". ")[0].rstrip(".")
    return sentence[0].lower() + sentence[1:]


def first_key(mapping: Mapping) -> Node:
    """Return the first key of a mapping as written, a merge key included; the mapping itself where it has none."""
    own = [pair.key for pair in mapping.pairs[:1]]
    merged = [pair.key for pair in mapping.meta.merges[:1]] if mapping.meta else []
    return min((*merged, *own), key=lambda key: key.start, default=mapping)


def first_word(node: Node) -> Node:
    """Return what a problem of a whole node points at: a key or an item of a collection that spans lines."""
    while True:
        if isinstance(node, Mapping) and not node.flow and node.pairs:
            return first_key(node)
        if not isinstance(node, Sequence) or node.flow or not node.items:
            return node
        node = node.items[0]

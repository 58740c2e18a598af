"""What the words mean that a field takes its value from."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from rubric_core.assist.hover.fields import about_evaluator_type
from rubric_core.assist.hover.markup import Block, Verbatim, paragraph
from rubric_core.schema.evaluators import EVALUATOR_RECORDS, OLD_EVALUATOR_TYPES, evaluator_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.schema.fields import Field

MEANINGS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("role", "system"): "Instructions for the one who answers, before the conversation starts.",
        ("role", "user"): "What the person or program says that wants an answer.",
        ("role", "assistant"): "What the one who answers says; in `expected_messages`, the reference answer.",
        ("role", "tool"): "What a tool gave back when it was called.",
        ("type", "text"): "`value` is the text itself.",
        ("type", "file"): "`value` is the path of a file with the text, as seen from the eval file.",
        ("mode", "any_order"): "The tools may be called in any order; `minimums` says how often each.",
        ("mode", "in_order"): "The expected calls must come in their order; other calls may stand between them.",
        ("mode", "exact"): "The calls must be the expected ones, in their order, and no others.",
        ("aggregation", "weighted_average"): "Each field counts by its weight.",
        ("aggregation", "all_or_nothing"): "Every field must match, or nothing is scored.",
    }
)
"""Meanings by the field and its value; the types of evaluators have records of their own."""


def about_word(field: Field, word: str) -> tuple[Block, ...] | None:
    """Return the meaning of a value, if it is one of those that its field takes."""
    if word not in field.values:
        return None
    meaning = MEANINGS.get((field.name, word))
    if meaning is not None:
        return (paragraph(Verbatim(word), f": {meaning}"),)
    return _about_type(word)


def _about_type(word: str) -> tuple[Block, ...] | None:
    today = OLD_EVALUATOR_TYPES.get(word, word)
    if today not in EVALUATOR_RECORDS:
        return None
    old = f", the old name of `{today}`" if today != word else ""
    return paragraph(Verbatim(word), f": an evaluator type{old}."), *about_evaluator_type(evaluator_record(word))

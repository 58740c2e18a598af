"""What the table of fields says about a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.hover.markup import Block, Bullets, Inline, Paragraph, Verbatim, joined, paragraph
from rubric_core.schema.evaluators import EVALUATOR
from rubric_core.schema.fields import describe_type

if TYPE_CHECKING:
    from rubric_core.schema.fields import Field, Record


def about_field(key: str, field: Field) -> tuple[Block, ...]:
    """Return the documentation of a field, as seen from the key that stands there."""
    blocks: list[Block] = [_head(key, field), paragraph(field.doc)]
    if field.values:
        blocks.append(Paragraph(("One of ", *joined([Verbatim(value) for value in field.values]), ".")))
    names = _other_names(field)
    if key == field.name and names:
        blocks.append(paragraph(names))
    return tuple(blocks)


def about_evaluator_type(record: Record) -> tuple[Block, ...]:
    """Return what a kind of evaluator is for, the keys that only it has, and those that all have."""
    own = [field for field in record.fields if field.name not in EVALUATOR.by_key]
    shared = [_marked_name(field) for field in record.fields if field.name in EVALUATOR.by_key]
    keys = (Bullets(tuple(_key_line(field) for field in own)),) if own else ()
    return paragraph(record.doc), *keys, Paragraph(("As every evaluator: ", *joined(shared), "."))


def _head(key: str, field: Field) -> Paragraph:
    facts = [f"{describe_type(field.type_of(key))}{_limits(field)}"]
    if field.default is not None:
        # A value is set as one; some defaults are told in words.
        is_value = " " not in field.default
        facts.append(f"default `{field.default}`" if is_value else f"default: {field.default}")
    elif field.required:
        facts.append("required")
    return paragraph(Verbatim(key), f"{_stands_for(key, field)}: {', '.join(facts)}")


def _stands_for(key: str, field: Field) -> str:
    """Return what an alias is an alias of."""
    if key in field.deprecated_aliases:
        return f", the old name of `{field.name}`"
    return f", another name of `{field.name}`" if key in field.aliases else ""


def _limits(field: Field) -> str:
    """Return the limits of a number in words; a list's are those of its items."""
    if field.items is not None:
        return ""
    if field.minimum is not None and field.maximum is not None:
        return f" from {field.minimum} to {field.maximum}"
    if field.above is not None and field.maximum is not None:
        return f" above {field.above}, at most {field.maximum}"
    return f" of {field.minimum} or more" if field.minimum is not None else ""


def _other_names(field: Field) -> str:
    sentences = [
        f"{opening} {', '.join(f'`{alias}`' for alias in aliases)}."
        for opening, aliases in (("Also read as", field.aliases), ("Old name:", field.deprecated_aliases))
        if aliases
    ]
    return " ".join(sentences)


def _key_line(field: Field) -> tuple[Inline, ...]:
    return (_marked_name(field), f": {field.doc}")


def _marked_name(field: Field) -> str:
    return f"`{field.name}` (required)" if field.required else f"`{field.name}`"

"""The table of fields as a page of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.dialects.registry import DIALECTS
from rubric_core.schema.fields import Effect, Field, Record, describe_type

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

_MADE = "<!-- Made from rubric_core/schema by `make docs`. Change the table there, not this page. -->"
_INDEX = f"""\
# Field reference

{_MADE}

Every mapping that an eval file can hold, with its keys, on one page for each [dialect](dialects.md):

"""
_HEADER = """\
# Fields of {title}

{made}

{doc} Every mapping that a file of this [dialect](../dialects.md) can hold, with its keys. A key that is not listed is
reported as `unknown-key`, except where the section says that other keys are allowed.
"""

_TABLE_HEAD = "| key | type | default | meaning |\n|---|---|---|---|"
_MOST_VALUES = 12
_EMPTY = {Effect.DROPPED: "Empty, the evaluator is dropped.", Effect.IGNORED: "Empty, it is ignored."}


def render_field_index() -> str:
    """Return the page that leads to those of the dialects."""
    return _INDEX + "".join(f"* [{each.title}](fields/{each.name}.md): {each.doc}\n" for each in DIALECTS)


def render_field_reference(dialect: Dialect) -> str:
    """Return the page of a dialect as Markdown."""
    header = _HEADER.format(title=dialect.title, made=_MADE, doc=dialect.doc)
    written = [record for record in dialect.records.values() if record.doc]
    return "\n".join([header, *(_section(record, dialect) for record in written)])


def _section(record: Record, dialect: Dialect) -> str:
    name, _, kind = record.name.partition(":")
    title = f"{name.replace('-', ' ')} of type {kind}" if kind else name.replace("-", " ")
    lines = [f"## {title[0].upper()}{title[1:]}\n", record.doc]
    if record.name == "evaluator":
        lines.append(_type_note(dialect))
    if record.fields or record.entry:
        fields = record.fields if record.entry is None else (*record.fields, record.entry)
        lines += ["", _TABLE_HEAD, *(_row(each) for each in fields)]
    if record.open and record.entry is None:
        lines += ["", "Other keys are allowed."]
    return "\n".join(lines) + "\n"


def _type_note(dialect: Dialect) -> str:
    types = ", ".join(f"`{name}`" for name in dialect.types)
    old = ", ".join(f"`{old}` for `{new}`" for old, new in dialect.old_types.items())
    return f"Types: {types}." + (f" Old names that are still read: {old}." if old else "")


def _row(field: Field) -> str:
    cells = (f"`{field.name}`", _type_cell(field), _default_cell(field), _meaning_cell(field))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _type_cell(field: Field) -> str:
    others = [f"under `{alias}` {describe_type(accepted)}" for alias, accepted in field.aliases.types]
    return "; ".join([describe_type(field.type, field.items), *others])


def _default_cell(field: Field) -> str:
    if field.default is not None:
        return field.default
    return "required" if field.required else ""


def _meaning_cell(field: Field) -> str:
    sentences = [field.doc]
    if field.values and field.name != "evaluator" and len(field.values) <= _MOST_VALUES:
        sentences.append(f"One of {', '.join(f'`{value}`' for value in field.values)}.")
    if field.aliases.names:
        sentences.append(f"Also read as {', '.join(f'`{alias}`' for alias in field.aliases.names)}.")
    if field.aliases.deprecated:
        sentences.append(f"Deprecated name: {', '.join(f'`{alias}`' for alias in field.aliases.deprecated)}.")
    if field.limits.empty in _EMPTY:
        sentences.append(_EMPTY[field.limits.empty])
    if field.unread:
        sentences.append(f"It is accepted and never read; {field.unread}.")
    if field.since:
        sentences.append(f"Since {field.since}.")
    return " ".join(sentences)

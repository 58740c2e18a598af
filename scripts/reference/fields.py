"""The table of fields as a page of the documentation."""

from __future__ import annotations

from rubric_core.schema.evaluators import EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.schema.fields import Field, Record, describe_type
from rubric_core.schema.records import RECORDS

_HEADER = """\
# Field reference

<!-- Made from rubric_core/schema by `make docs`. Change the table there, not this page. -->

Every mapping that an eval file can hold, with its keys. A key that is not listed is reported as `unknown-key`,
except where the section says that other keys are allowed.
"""

_TABLE_HEAD = "| key | type | default | meaning |\n|---|---|---|---|"


def render_field_reference() -> str:
    """Return the page as Markdown."""
    sections = [_HEADER, *(_section(record) for record in RECORDS.values())]
    return "\n".join(sections)


def _section(record: Record) -> str:
    title = record.name.replace("evaluator:", "evaluator of type ").replace("-", " ").capitalize()
    lines = [f"## {title}\n", record.doc]
    if record.name == "evaluator":
        lines.append(_type_note())
    if record.fields or record.entry:
        fields = record.fields if record.entry is None else (*record.fields, record.entry)
        lines += ["", _TABLE_HEAD, *(_row(each) for each in fields)]
    if record.open and record.entry is None:
        lines += ["", "Other keys are allowed."]
    return "\n".join(lines) + "\n"


def _type_note() -> str:
    types = ", ".join(f"`{name}`" for name in EVALUATOR_TYPES)
    old = ", ".join(f"`{old}` for `{new}`" for old, new in OLD_EVALUATOR_TYPES.items())
    return f"Types: {types}. Old names that are still read: {old}."


def _row(field: Field) -> str:
    cells = (f"`{field.name}`", _type_cell(field), _default_cell(field), _meaning_cell(field))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _type_cell(field: Field) -> str:
    others = [f"under `{alias}` {describe_type(accepted)}" for alias, accepted in field.alias_types]
    return "; ".join([describe_type(field.type, field.items), *others])


def _default_cell(field: Field) -> str:
    if field.default is not None:
        return field.default
    return "required" if field.required else ""


def _meaning_cell(field: Field) -> str:
    sentences = [field.doc]
    if field.values and field.name != "evaluator":
        sentences.append(f"One of {', '.join(f'`{value}`' for value in field.values)}.")
    if field.aliases:
        sentences.append(f"Also read as {', '.join(f'`{alias}`' for alias in field.aliases)}.")
    if field.deprecated_aliases:
        sentences.append(f"Deprecated name: {', '.join(f'`{alias}`' for alias in field.deprecated_aliases)}.")
    return " ".join(sentences)

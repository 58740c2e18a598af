"""The documentation of a proposal, made when somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.completion.snippets import SNIPPETS
from rubric_core.assist.completion.style import WritingStyle
from rubric_core.assist.completion.templates import block_lines, write
from rubric_core.rules.registry import KNOWN_RULES
from rubric_core.schema.evaluators import OLD_EVALUATOR_TYPES
from rubric_core.schema.fields import describe_type
from rubric_core.schema.records import RECORDS

if TYPE_CHECKING:
    from rubric_core.assist.completion.proposals import Topic
    from rubric_core.schema.fields import Field


def documentation(topic: Topic) -> str | None:
    """Return what is to be said about a topic, as Markdown; None where nothing is known of it."""
    if topic.kind == "field":
        record = RECORDS.get(topic.name)
        field = record.get(topic.part) if record is not None else None
        return _field_page(field, topic.part) if field is not None else None
    if topic.kind == "record":
        return RECORDS[topic.name].doc if topic.name in RECORDS else None
    if topic.kind == "snippet":
        return _snippet_page(topic.name)
    rule = KNOWN_RULES.get(topic.name) if topic.kind == "rule" else None
    return f"# {rule.name} ({rule.code})\n\n{rule.page}" if rule is not None else None


def _field_page(field: Field, key: str) -> str:
    sentences = [field.doc]
    if key != field.name:
        sentences.append(f"Another name of `{field.name}`.")
    accepted = describe_type(field.type_of(key))
    sentences.append(f"It is {accepted}{', and it is required' if field.required else ''}.")
    values = [value for value in field.values if value not in OLD_EVALUATOR_TYPES]
    if values:
        sentences.append(f"One of {', '.join(f'`{value}`' for value in values)}.")
    if field.default is not None:
        sentences.append(f"Default: {field.default}.")
    return "\n\n".join(sentences)


def _snippet_page(name: str) -> str | None:
    snippet = SNIPPETS.get(name)
    if snippet is None:
        return None
    style = WritingStyle()
    return f"{snippet.doc}\n\n```yaml\n{write(block_lines(snippet.template, style), 0, style.line_break).plain}\n```"

"""Proposals for values and for whole items of a list: from the table, from snippets, and known names."""

from collections.abc import Iterable, Iterator

from rubric_core.assist.completion.branches import Branch, TypedEntry, dialect_of_branch, field_of, record_of
from rubric_core.assist.completion.insert_text import (
    TabStop,
    Template,
    TemplateList,
    block_lines,
    flow_pieces,
    scalar,
    write,
)
from rubric_core.assist.completion.keys import first_sentence
from rubric_core.assist.completion.known_values import (
    KnownWord,
    anchors_before,
    known_items,
    known_values,
    next_ranges,
    paths_at,
)
from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.proposals import (
    ProposalKind,
    Proposals,
    Topic,
    proposal,
    snippet_proposal,
)
from rubric_core.assist.completion.snippets import Snippet, choices_of, snippets_of
from rubric_core.assist.cursor import Cursor
from rubric_core.assist.words import evaluator_noun
from rubric_core.dialects.dialect import Dialect
from rubric_core.schema.fields import Field, FieldType, Record
from rubric_core.text.spans import Edit

# Items come before the keys that can be at the same place.
_RANK_ITEM, _RANK_VALUE, _RANK_ALIAS, _RANK_SNIPPET = 5, 10, 20, 30
_LITERALS = frozenset({"true", "false"})
_COLLECTION = FieldType.MAPPING | FieldType.SEQUENCE


def value_proposals(place: CompletionPlace, cursor: Cursor) -> Proposals:
    """Yield the values that are valid at a place."""
    entry, record = place.entry, record_of(place.branch)
    if entry is None:
        for snippet in _items(place.branch):
            pieces = flow_pieces(snippet.template, as_json=place.is_json)
            yield snippet_proposal(snippet, place.inline(pieces), _RANK_ITEM)
        yield from _named_items(place, place.branch, cursor)
    elif entry.text.startswith("*") or (entry.key == "<<" and not place.branch.is_list):
        yield from _aliases(place, cursor, _accepted(entry))
    elif place.branch.is_list:
        yield from _named_items(place, place.branch, cursor)
    elif record is not None:
        yield from _words(place, paths_at(place, cursor))
        field = field_of(entry)
        if field is not None:
            yield from _values_of_field(place, cursor, entry, record, field)


def _values_of_field(
    place: CompletionPlace, cursor: Cursor, entry: TypedEntry, record: Record, field: Field
) -> Proposals:
    if field.name == "score_range":
        yield from _ranges(place)
    else:
        words = [*known_values(place, record, field, cursor), *_choices(field, cursor.dialect)]
        yield from _words(place, words, Topic("field", record.name, entry.key))
    if not entry.has_text and not cursor.document.json_lines:
        if not place.branch.flow:
            yield from _collections(place, entry, field)
        if field.type_of(entry.key) & _COLLECTION and field.type is not FieldType.ANYTHING:
            yield from _aliases(place, cursor, field.type_of(entry.key), is_sure=True)


def _accepted(entry: TypedEntry) -> FieldType:
    """Return the shapes that the value of an alias may have."""
    if entry.key == "<<":
        return FieldType.MAPPING
    is_item = entry.branch.is_list
    owner = entry.branch.owner if is_item else entry
    field = field_of(owner) if owner is not None else None
    accepted = None if field is None or owner is None else field.items if is_item else field.type_of(owner.key)
    return accepted if accepted is not None else FieldType.ANYTHING


def _words(place: CompletionPlace, words: Iterable[KnownWord], topic: Topic | None = None) -> Proposals:
    """Yield words for a value in the typed quotes, but no booleans or numbers, which quotes turn into text."""
    for word, kind, detail in words:
        written = place.inline([_as_written(word, kind, place)])
        yield proposal(word, kind, detail, written, _RANK_VALUE, topic)


def _as_written(word: str, kind: ProposalKind, place: CompletionPlace) -> str:
    quote = place.entry.quote if place.entry is not None else ""
    if word in _LITERALS or word.isdigit():
        return word
    if quote:
        return f"{quote}{word}{quote}"
    # The values of the table need no quotes in YAML.
    if kind is ProposalKind.VALUE and not place.is_json:
        return word
    return scalar(word, flow=place.branch.flow, as_json=place.is_json)


def _choices(field: Field, dialect: Dialect) -> Iterator[KnownWord]:
    """Yield the values of the table, each with its meaning, if the table or a snippet has it."""
    for value in choices_of(field, dialect):
        detail = "default" if value == field.default else ""
        record = dialect.records.get(f"evaluator:{value}") if field.name in {"type", "evaluator"} else None
        if not detail and record is not None:
            snippet = snippets_of(dialect).named(f"{value} {evaluator_noun(dialect)}")
            detail = first_sentence(snippet.doc if snippet is not None else record.doc)
        yield value, ProposalKind.VALUE, detail


def _ranges(place: CompletionPlace) -> Proposals:
    """Yield the ranges that the list around a range lacks; the one at the cursor does not count."""
    item = place.branch.owner
    others = [entry for entry in item.branch.entries if entry is not item] if item is not None else []
    for low, high in next_ranges(others) if item is not None else ():
        pieces = flow_pieces(TemplateList((TabStop(str(low)), TabStop(str(high)))), as_json=place.is_json)
        label, detail, topic = f"[{low}, {high}]", "scores that no band covers yet", Topic("record", "score-range")
        yield proposal(label, ProposalKind.VALUE, detail, place.inline(pieces), _RANK_VALUE, topic)


def _collections(place: CompletionPlace, entry: TypedEntry, field: Field) -> Proposals:
    """Yield the snippets that start on the line below a key; spaces behind the colon go."""
    values = snippets_of(dialect_of_branch(entry.branch)).values
    is_value = entry.key in values and entry.key == field.name
    if not is_value and not field.accepts(FieldType.SEQUENCE, entry.key):
        return
    aside = Edit(entry.value_at, place.span.start, "") if place.span.start > entry.value_at else None
    for snippet in values[entry.key] if is_value else _items(Branch(0, entry, is_list=True)):
        template = snippet.template if is_value else [snippet.template]
        by = place.style.dash if isinstance(template, list) else place.style.step
        lines = [[], *([" " * by, *line] for line in block_lines(template, place.style))]
        written, topic = write(lines, place.column, place.style.line_break), Topic("snippet", snippet.name)
        yield proposal(snippet.name, ProposalKind.SNIPPET, snippet.doc, written, _RANK_SNIPPET, topic, aside)


def _aliases(place: CompletionPlace, cursor: Cursor, accepted: FieldType, *, is_sure: bool = False) -> Proposals:
    """Yield aliases of the anchors that fit; with `is_sure` only those that surely do."""
    for name, shape in anchors_before(cursor).items():
        if (shape & accepted) if shape is not None else not is_sure:
            label = f"*{name}"
            yield proposal(label, ProposalKind.REFERENCE, "alias of an anchor", place.inline([label]), _RANK_ALIAS)


def item_proposals(place: CompletionPlace, cursor: Cursor) -> Proposals:
    """Yield the next items of a list on lines of their own, dash included."""
    for snippet in _items(place.branch):
        yield snippet_proposal(snippet, place.block([snippet.template]), _RANK_ITEM)
    for word, kind, detail in known_items(place.branch, cursor):
        template: Template = [scalar(word, flow=False, as_json=False)]
        yield proposal(word, kind, detail, place.block(template), _RANK_VALUE)


def started_item_proposals(place: CompletionPlace, cursor: Cursor) -> Proposals:
    """Yield the items that are valid after a new dash."""
    if place.branch.owner is None:
        return
    listed = place.branch.owner.branch
    for snippet in _items(listed):
        yield snippet_proposal(snippet, place.block(snippet.template), _RANK_ITEM)
    yield from _named_items(place, listed, cursor)


def _named_items(place: CompletionPlace, listed: Branch, cursor: Cursor) -> Proposals:
    """Yield the names that can be an item of a list, without a dash."""
    yield from _words(place, known_items(listed, cursor))
    yield from _words(place, paths_at(place, cursor))


def _items(listed: Branch) -> tuple[Snippet, ...]:
    record, dialect = record_of(listed), dialect_of_branch(listed)
    if record is None:
        return ()
    if record.name == "score-range":
        return tuple(
            Snippet(
                f"score range {low} to {high}",
                "The scores that no band covers yet.",
                {
                    "score_range": TemplateList((str(low), str(high))),
                    dialect.range_text_keys[0]: TabStop("What an answer is like"),
                },
                record.name,
            )
            for low, high in next_ranges(listed.entries)
        )
    return snippets_of(dialect).items.get(record.name, ())

"""Proposals for keys: those of the table that are absent at the place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rubric_core.assist.completion.branches import record_of
from rubric_core.assist.completion.insert_text import (
    TabStop,
    Template,
    TemplateList,
    TemplateText,
    flow_pieces,
    scalar,
    write,
)
from rubric_core.assist.completion.known_values import anchors_before, known_values, next_bounds, next_ranges
from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.proposals import (
    CompletionProposal,
    ProposalKind,
    Proposals,
    Topic,
    proposal,
    snippet_proposal,
)
from rubric_core.assist.completion.snippets import SnippetTable, continuation, snippets_of
from rubric_core.assist.cursor import Cursor
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import NOTES
from rubric_core.schema.fields import Field, FieldType, Record, Role, describe_type
from rubric_core.schema.scales import HIGHEST, LOWEST

RANK_REQUIRED, RANK_MAIN, RANK_OTHER, RANK_OLD, RANK_MERGE, RANK_SNIPPET = 10, 20, 30, 40, 50, 60

_ALL_SCORES = ((LOWEST, HIGHEST),)
# A longer list of choices is better read behind the colon.
_MOST_CHOICES = 12

# Keys that authors usually type next, before the rest of the table; a dialect has more.
_RANKS: Mapping[str, Mapping[str, int]] = {
    "suite": {"description": 22, "execution": 25, "scorecards": 26},
    "case": {"scorecard": 24, "execution": 25},
    "criterion": {"id": 20, "expected_outcome": 21, "outcome": 22, "weight": 23, "required": 24, "score_ranges": 25},
    "message": {"content": 20},
}
_MAIN_ROLES = frozenset({Role.CRITERIA, Role.EVALUATORS})
# Snippets for a key with its value, by the record that has the key.
_WITH_VALUE = {"criterion": "score_ranges", "case": "scorecard"}


def key_proposals(place: CompletionPlace, cursor: Cursor) -> Proposals:
    """Yield the keys that are valid at a place."""
    record = record_of(place.branch)
    if record is None:
        return
    if record.name == "score-map":
        yield from _bounds(place, cursor)
        return
    present = _present(place, record, cursor)
    yield from (_key(place, record, key, field, cursor) for key, field in _offered(record, present, cursor.dialect))
    if place.is_bare:
        return
    if not place.branch.flow:
        yield from _snippets(place, record, present, snippets_of(cursor.dialect))
    if not cursor.document.json_lines and "<<" not in present and record.fields:
        for name, shape in anchors_before(cursor).items():
            if shape is FieldType.MAPPING:
                label, detail = f"<<: *{name}", "all keys of an anchor"
                yield proposal(label, ProposalKind.REFERENCE, detail, place.inline([label]), RANK_MERGE)


def _present(place: CompletionPlace, record: Record, cursor: Cursor) -> frozenset[str]:
    typed = place.entry.key if place.entry is not None and place.entry.branch is place.branch else None
    own = frozenset(
        entry.key
        for entry in place.branch.entries
        if entry is not place.entry and (entry.has_colon or entry.key != typed)
    )
    if record.name != "suite":
        return own
    # The other top-level keys are in chunks of their own.
    return own | {pair.name for chunk, pair in cursor.suite_entries() if chunk is not cursor.chunk and pair.name}


def _offered(record: Record, present: frozenset[str], dialect: Dialect) -> Iterator[tuple[str, Field]]:
    """Yield the keys of absent fields, without deprecated names."""
    for field in record.fields:
        if (
            field.unread is None
            and present.isdisjoint(field.keys)
            and not _is_pointless(record, field, present, dialect)
        ):
            yield field.name, field
            # An alias is offered if it accepts other values, such as a plain string.
            yield from ((alias, field) for alias, _ in field.aliases.types)


def _is_pointless(record: Record, field: Field, present: frozenset[str], dialect: Dialect) -> bool:
    """Return whether a key has no effect beside another one that is there."""
    if record.name != "criterion":
        return False
    if field.name == "required":
        return "score_ranges" in present and dialect.table.gates.of_required is None
    return field.role is Role.GATE and "required" in present


def _key(place: CompletionPlace, record: Record, key: str, field: Field, cursor: Cursor) -> CompletionProposal:
    template = _own_continuation(place, record, field, cursor) or continuation(field, key, cursor.dialect)
    written, topic = _written(place, key, template), Topic("field", record.name, key)
    return proposal(
        key, ProposalKind.KEY, _detail(field, key), written, _rank(record, field, key, cursor.dialect), topic
    )


def _own_continuation(place: CompletionPlace, record: Record, field: Field, cursor: Cursor) -> Template | None:
    """Return the text behind a key if the file determines it rather than the table."""
    if field.name == "score_range":
        item = place.branch.owner
        missing = next_ranges(item.branch.entries) if item is not None else []
        return TemplateList(tuple(TabStop(str(bound)) for bound in (missing or _ALL_SCORES)[0]))
    values = [word for word, *_ in known_values(place, record, field, cursor)]
    # JSON gets its quotes with the rest of what is written.
    words = tuple(
        word if place.is_json or word.isdigit() else scalar(word, flow=True, as_json=False) for word in values
    )
    return TabStop(words[0], words[:_MOST_CHOICES]) if words else None


def _written(place: CompletionPlace, key: str, template: Template) -> TemplateText:
    name = f'"{key}"' if place.is_json else key
    if place.is_bare:
        return write([[name]], 0, "\n")
    if place.branch.flow:
        return place.inline([f"{name}: ", *flow_pieces(template, as_json=place.is_json)])
    return place.block({key: template})


def _rank(record: Record, field: Field, key: str, dialect: Dialect) -> int:
    if key != field.name:
        return RANK_OLD
    if field.required:
        return RANK_REQUIRED
    for ranks in (NOTES.of(dialect).ranks, _RANKS):
        if (rank := ranks.get(record.name, {}).get(key)) is not None:
            return rank
    return RANK_MAIN if field.role in _MAIN_ROLES and record.name.startswith("evaluator:") else RANK_OTHER


def _detail(field: Field, key: str) -> str:
    if key != field.name:
        return f"Another name of {field.name}: {describe_type(field.type_of(key))}"
    if field.required:
        return f"{first_sentence(field.doc)} (required)"
    return f"{first_sentence(field.doc)} (default: {field.default})" if field.default else first_sentence(field.doc)


def first_sentence(doc: str) -> str:
    """Return the first sentence of a description, as plain text without its full stop."""
    return doc.partition(". ")[0].rstrip(".").replace("`", "")


def _bounds(place: CompletionPlace, cursor: Cursor) -> Proposals:
    others = [entry for entry in place.branch.entries if entry is not place.entry]
    for number, bound in enumerate(next_bounds(others, cursor.at)):
        written = _written(place, str(bound), TabStop())
        detail = f"a band from {bound}" if number else f"the next band, from {bound}"
        yield proposal(str(bound), ProposalKind.KEY, detail, written, number, Topic("record", "score-map"))


def _snippets(place: CompletionPlace, record: Record, present: frozenset[str], table: SnippetTable) -> Proposals:
    if record.name in table.entries and (record.name == "scorecards" or not present):
        for snippet in table.entries[record.name]:
            yield snippet_proposal(snippet, place.block(snippet.template), RANK_SNIPPET)
    key = _WITH_VALUE.get(record.name)
    # Behind a fresh dash there are snippets for the whole item.
    if key is not None and key not in present and not place.begins_item:
        for snippet in table.values[key]:
            yield snippet_proposal(snippet, place.block({key: snippet.template}), RANK_SNIPPET)

"""Proposals for keys: those that the table has at the place and that are not there yet."""

from __future__ import annotations

from rubric_core.assist.completion.context import CompletionContext, anchors_before
from rubric_core.assist.completion.parts import schema_of
from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.proposals import Draft, ProposalKind, Topic, inline_draft, snippet_draft
from rubric_core.assist.completion.scores import edges, next_bounds, next_ranges
from rubric_core.assist.completion.snippets import ENTRIES, VALUES, continuation
from rubric_core.assist.completion.templates import (
    TabStop,
    Template,
    TemplateList,
    TemplateText,
    block_lines,
    flow_pieces,
    scalar,
    write,
)
from rubric_core.schema.fields import Field, FieldType, Record, describe_type
from rubric_core.schema.scales import HIGHEST, LOWEST

RANK_REQUIRED, RANK_MAIN, RANK_OTHER, RANK_OLD, RANK_MERGE, RANK_SNIPPET = 10, 20, 30, 40, 50, 60

_ALL_SCORES = ((LOWEST, HIGHEST),)
# A longer list of choices is better read behind the colon.
_MOST_CHOICES = 12

# What most authors want next, before the rest of the table.
_MAIN = {
    "suite": ("evalcases", "description", "execution", "scorecards"),
    "case": ("rubrics", "scorecard", "execution"),
    "criterion": ("id", "expected_outcome", "weight", "required", "score_ranges"),
    "message": ("content",),
}
# Accepted, but there is a better place or a better way.
_OLD = {"suite": ("target", "evaluator"), "case": ("evaluator",)}
# A key has no effect beside another one, so it is not proposed there.
_POINTLESS_BESIDE = {
    ("criterion", "required"): "score_ranges",
    ("criterion", "required_min_score"): "required",
}
# Snippets for a key with its value, by the record that has the key.
_WITH_VALUE = {"criterion": "score_ranges", "case": "scorecard"}


def is_json(place: CompletionPlace, context: CompletionContext) -> bool:
    """Return whether what is inserted has to be JSON: in a JSON Lines file, and in braces with quoted keys."""
    if context.is_json:
        return True
    branch = place.branch
    text = context.document.chunks[context.chunk_number].text
    return branch.flow and any(text[entry.start] == '"' for entry in branch.entries if entry.start != entry.key_end)


def key_drafts(place: CompletionPlace, context: CompletionContext) -> list[Draft]:
    """Return the keys that can stand at a place."""
    record = schema_of(place.branch).record
    if record is None:
        return []
    if record.name == "score-map":
        return _bound_drafts(place, context)
    present = _present(place, record, context)
    drafts = [_key_draft(place, record, key, field, context) for key, field in _offered(record, present)]
    if place.is_bare:
        return drafts
    if not place.branch.flow:
        drafts += _snippet_drafts(place, record, present)
    if not context.is_json and "<<" not in present and record.fields:
        drafts += _merge_drafts(place, context)
    return drafts


def _present(place: CompletionPlace, record: Record, context: CompletionContext) -> frozenset[str]:
    typed = place.entry.key if place.entry is not None and place.entry.branch is place.branch else None
    own = frozenset(
        entry.key
        for entry in place.branch.entries
        if entry is not place.entry and (entry.has_colon or entry.key != typed)
    )
    return own | context.suite_keys if record.name == "suite" else own


def _offered(record: Record, present: frozenset[str]) -> list[tuple[str, Field]]:
    """Return the keys of the fields that are not there under any name; a name of old is never among them."""
    offered: list[tuple[str, Field]] = []
    for field in record.fields:
        if not present.isdisjoint(field.keys) or _POINTLESS_BESIDE.get((record.name, field.name)) in present:
            continue
        # An alias is offered where it lets the author write something else, such as a plain string.
        offered += [(key, field) for key in (field.name, *(alias for alias, _ in field.alias_types))]
    return offered


def _key_draft(place: CompletionPlace, record: Record, key: str, field: Field, context: CompletionContext) -> Draft:
    template = _own_continuation(place, record, key, context) or continuation(field, key)
    written = _written(place, key, template, as_json=is_json(place, context))
    topic = Topic("field", record.name, key)
    return Draft(key, ProposalKind.KEY, _detail(field, key), written, _rank(record, field, key), topic)


def _own_continuation(place: CompletionPlace, record: Record, key: str, context: CompletionContext) -> Template | None:
    """Return what a key goes on with where the file knows that better than the table."""
    if key == "score_range":
        item = place.branch.owner
        missing = next_ranges(item.branch.entries) if item is not None and item.branch is not None else []
        return TemplateList(tuple(TabStop(str(bound)) for bound in (missing or _ALL_SCORES)[0]))
    if key == "required_min_score":
        known = [str(low) for low, _ in edges(place.branch.get("score_ranges"))]
    elif (record.name, key) == ("case", "scorecard"):
        known = list(context.scorecards)
    else:
        known = list(context.targets) if key == "target" and not record.open else []
    # JSON gets its quotes with the rest of what is written.
    as_it_is = is_json(place, context)
    words = tuple(word if as_it_is or word.isdigit() else scalar(word, flow=True, as_json=False) for word in known)
    return TabStop(words[0], words[:_MOST_CHOICES]) if words else None


def _written(place: CompletionPlace, key: str, template: Template, *, as_json: bool) -> TemplateText:
    if place.is_bare:
        return write([[f'"{key}"' if as_json else key]], 0, "\n")
    if place.branch.flow:
        name = f'"{key}": ' if as_json else f"{key}: "
        return write([[name, *flow_pieces(template, as_json=as_json)]], 0, "\n", lead=place.lead, tail=place.tail)
    return write(block_lines({key: template}, place.style), place.column, place.style.line_break, lead=place.lead)


def _rank(record: Record, field: Field, key: str) -> int:
    main = _MAIN.get(record.name, ())
    if key != field.name or field.name in _OLD.get(record.name, ()):
        return RANK_OLD
    if field.required:
        return RANK_REQUIRED
    return RANK_MAIN + main.index(field.name) if field.name in main else RANK_OTHER


def _detail(field: Field, key: str) -> str:
    if key != field.name:
        return f"Another name of {field.name}: {describe_type(field.type_of(key))}"
    if field.required:
        return f"{first_sentence(field.doc)} (required)"
    return f"{first_sentence(field.doc)} (default: {field.default})" if field.default else first_sentence(field.doc)


def first_sentence(doc: str) -> str:
    """Return the first sentence of a description, as plain text without its full stop."""
    return doc.partition(". ")[0].rstrip(".").replace("`", "")


def _bound_drafts(place: CompletionPlace, context: CompletionContext) -> list[Draft]:
    cursor = context.cursor - context.document.start_of(context.chunk_number)
    others = [entry for entry in place.branch.entries if entry is not place.entry]
    drafts: list[Draft] = []
    for number, bound in enumerate(next_bounds(others, cursor)):
        written = _written(place, str(bound), TabStop(), as_json=is_json(place, context))
        detail = f"a band from {bound}" if number else f"the next band, from {bound}"
        drafts.append(Draft(str(bound), ProposalKind.KEY, detail, written, number, Topic("record", "score-map")))
    return drafts


def _snippet_drafts(place: CompletionPlace, record: Record, present: frozenset[str]) -> list[Draft]:
    drafts: list[Draft] = []
    if record.name in ENTRIES and (record.name == "scorecards" or not present):
        drafts += [snippet_draft(place, each, each.template, RANK_SNIPPET) for each in ENTRIES[record.name]]
    key = _WITH_VALUE.get(record.name)
    # Behind a fresh dash there are snippets for the whole item.
    if key is not None and key not in present and not place.begins_item:
        drafts += [snippet_draft(place, each, {key: each.template}, RANK_SNIPPET) for each in VALUES[key]]
    return drafts


def _merge_drafts(place: CompletionPlace, context: CompletionContext) -> list[Draft]:
    labels = [f"<<: *{name}" for name, shape in anchors_before(context).items() if shape is FieldType.MAPPING]
    detail = "all keys of an anchor"
    return [inline_draft(place, each, ProposalKind.REFERENCE, detail, [each], RANK_MERGE) for each in labels]

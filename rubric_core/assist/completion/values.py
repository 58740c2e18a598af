"""Proposals for values and for whole items of a list: what the table allows, snippets, and names that are known."""

from rubric_core.assist.completion.context import CompletionContext, anchors_before
from rubric_core.assist.completion.keys import first_sentence, is_json
from rubric_core.assist.completion.parts import Branch, TypedEntry, field_of, schema_of
from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.proposals import (
    Draft,
    ProposalKind,
    Topic,
    inline_draft,
    snippet_draft,
    snippet_topic,
)
from rubric_core.assist.completion.scores import edges, next_ranges
from rubric_core.assist.completion.snippets import ITEMS, SNIPPETS, VALUES, Snippet, choices_of
from rubric_core.assist.completion.templates import (
    TabStop,
    Template,
    TemplateList,
    block_lines,
    flow_pieces,
    scalar,
    write,
)
from rubric_core.schema.evaluators import EVALUATOR_RECORDS
from rubric_core.schema.fields import Field, FieldType
from rubric_core.text.spans import Edit

# Items come before the keys that can stand at the same place.
_RANK_ITEM, _RANK_VALUE, _RANK_ALIAS, _RANK_SNIPPET = 5, 10, 20, 30
_LITERALS = frozenset({"true", "false"})
_COLLECTION = FieldType.MAPPING | FieldType.SEQUENCE


def value_drafts(place: CompletionPlace, context: CompletionContext) -> list[Draft]:
    """Return the values that can stand at a place."""
    entry = place.entry
    if entry is not None and entry.text.startswith("*"):
        return _alias_drafts(place, context, _accepted(place, entry))
    if entry is None or place.branch.is_list:
        return [] if entry is not None else _flow_item_drafts(place, as_json=is_json(place, context))
    if entry.key == "<<":
        return _alias_drafts(place, context, FieldType.MAPPING)
    field = field_of(entry)
    if field is None:
        return []
    drafts = _word_drafts(place, entry, field, context)
    if not entry.has_text and not context.is_json:
        if not place.branch.flow:
            drafts += _collection_drafts(place, entry, field)
        if field.type_of(entry.key) & _COLLECTION and field.type is not FieldType.ANYTHING:
            drafts += _alias_drafts(place, context, field.type_of(entry.key), is_sure=True)
    return drafts


def _accepted(place: CompletionPlace, entry: TypedEntry) -> FieldType:
    """Return the shapes that an alias may stand for."""
    if entry.key == "<<":
        return FieldType.MAPPING
    if entry.branch is not None and entry.branch.is_list:
        field = schema_of(place.branch).field
        return field.items if field is not None and field.items is not None else FieldType.ANYTHING
    field = field_of(entry)
    return field.type_of(entry.key) if field is not None else FieldType.ANYTHING


def _word_drafts(place: CompletionPlace, entry: TypedEntry, field: Field, context: CompletionContext) -> list[Draft]:
    if field.name == "score_range":
        return _range_drafts(place, context)
    as_json = is_json(place, context)
    record = schema_of(place.branch).record
    owner = record.name if record is not None else ""
    drafts: list[Draft] = []
    for word, kind, detail in _words(place, owner, field, context):
        text = _as_written(word, kind, entry.quote, flow=place.branch.flow, as_json=as_json)
        drafts.append(inline_draft(place, word, kind, detail, [text], _RANK_VALUE, Topic("field", owner, entry.key)))
    return drafts


def _as_written(word: str, kind: ProposalKind, quote: str, *, flow: bool, as_json: bool) -> str:
    """Return a value in the quotes that were begun; a boolean or a number loses them, for they make it a string."""
    if word in _LITERALS or word.isdigit():
        return word
    if quote:
        return f"{quote}{word}{quote}"
    # What the table allows needs no quotes in YAML.
    return word if kind is ProposalKind.VALUE and not as_json else scalar(word, flow=flow, as_json=as_json)


def _words(
    place: CompletionPlace, owner: str, field: Field, context: CompletionContext
) -> list[tuple[str, ProposalKind, str]]:
    """Return the values that a key of a record can have, each with what it is."""
    if field.name == "target" and FieldType.BOOLEAN not in field.type:
        return [(name, ProposalKind.REFERENCE, "target") for name in context.targets]
    if (owner, field.name) == ("case", "scorecard"):
        return [(name, ProposalKind.REFERENCE, "scorecard of this file") for name in context.scorecards]
    if field.name == "required_min_score":
        bands = edges(place.branch.get("score_ranges"))
        return [(str(low), ProposalKind.VALUE, f"lets the bands from {low} up pass") for low, _ in bands]
    return [
        (value, ProposalKind.VALUE, "default" if value == field.default else _meaning(field, value))
        for value in choices_of(field)
    ]


def _meaning(field: Field, value: str) -> str:
    """Return what a value stands for, where the table or a snippet says so."""
    if field.name not in {"type", "evaluator"} or value not in EVALUATOR_RECORDS:
        return ""
    snippet = SNIPPETS.get(f"{value} evaluator")
    return first_sentence(snippet.doc if snippet is not None else EVALUATOR_RECORDS[value].doc)


def _range_drafts(place: CompletionPlace, context: CompletionContext) -> list[Draft]:
    """Return the ranges that the list around a range lacks; the one at the cursor does not count."""
    item = place.branch.owner
    if item is None or item.branch is None:
        return []
    detail, topic = "scores that no band covers yet", Topic("record", "score-range")
    as_json = is_json(place, context)
    drafts: list[Draft] = []
    for low, high in next_ranges([entry for entry in item.branch.entries if entry is not item]):
        pieces = flow_pieces(TemplateList((TabStop(str(low)), TabStop(str(high)))), as_json=as_json)
        drafts.append(inline_draft(place, f"[{low}, {high}]", ProposalKind.VALUE, detail, pieces, _RANK_VALUE, topic))
    return drafts


def _collection_drafts(place: CompletionPlace, entry: TypedEntry, field: Field) -> list[Draft]:
    if entry.key in VALUES and entry.key == field.name:
        return [_below(place, entry, snippet, snippet.template) for snippet in VALUES[entry.key]]
    if not field.accepts(FieldType.SEQUENCE, entry.key):
        return []
    listed = Branch(0, entry, is_list=True)
    return [_below(place, entry, snippet, [snippet.template]) for snippet in _items(listed)]


def _below(place: CompletionPlace, entry: TypedEntry, snippet: Snippet, template: Template) -> Draft:
    """Return a snippet that starts on the line below its key; spaces behind the colon go."""
    by = place.style.dash if isinstance(template, list) else place.style.step
    lines = [[], *([" " * by, *line] for line in block_lines(template, place.style))]
    written = write(lines, place.column, place.style.line_break)
    aside = Edit(entry.value_at, place.span.start, "") if place.span.start > entry.value_at else None
    topic = Topic("snippet", snippet.name)
    return Draft(snippet.name, ProposalKind.SNIPPET, snippet.doc, written, _RANK_SNIPPET, topic, aside)


def _alias_drafts(
    place: CompletionPlace, context: CompletionContext, accepted: FieldType, *, is_sure: bool = False
) -> list[Draft]:
    """Return aliases of the anchors that fit; with `is_sure` only those that surely do."""
    fitting = [
        f"*{name}"
        for name, shape in anchors_before(context).items()
        if ((shape & accepted) if shape is not None else not is_sure)
    ]
    detail = "alias of an anchor"
    return [inline_draft(place, each, ProposalKind.REFERENCE, detail, [each], _RANK_ALIAS) for each in fitting]


def item_drafts(place: CompletionPlace) -> list[Draft]:
    """Return the items that a list can go on with on a line of their own, dash included."""
    return [snippet_draft(place, each, [each.template], _RANK_ITEM) for each in _items(place.branch)]


def started_item_drafts(place: CompletionPlace) -> list[Draft]:
    """Return what can stand behind a fresh dash."""
    listed = place.branch.owner.branch if place.branch.owner is not None else None
    snippets = _items(listed) if listed is not None else ()
    return [snippet_draft(place, each, each.template, _RANK_ITEM) for each in snippets]


def _flow_item_drafts(place: CompletionPlace, *, as_json: bool) -> list[Draft]:
    drafts: list[Draft] = []
    for each in _items(place.branch):
        pieces, topic = flow_pieces(each.template, as_json=as_json), snippet_topic(each)
        drafts.append(inline_draft(place, each.name, ProposalKind.SNIPPET, each.doc, pieces, _RANK_ITEM, topic))
    return drafts


def _items(listed: Branch) -> tuple[Snippet, ...]:
    record = schema_of(listed).record
    if record is None:
        return ()
    if record.name == "score-range":
        return tuple(
            Snippet(
                f"score range {low} to {high}",
                "The scores that no band covers yet.",
                {
                    "score_range": TemplateList((str(low), str(high))),
                    "expected_outcome": TabStop("What an answer is like"),
                },
            )
            for low, high in next_ranges(listed.entries)
        )
    return ITEMS.get(record.name, ())

"""The snippets of each dialect: whole cases, criteria, evaluators and so on; and the text behind a new key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from rubric_core.assist.completion.insert_text import Below, TabStop, Template, TemplateList
from rubric_core.assist.words import case_noun, evaluator_noun
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import NOTES
from rubric_core.schema.fields import Field, FieldType, Role
from rubric_core.schema.scorecards import WEIGHTS
from rubric_core.syntax import nodes
from rubric_core.syntax.parse import parse

Pairs = dict[str | TabStop, Template]


class Snippet(NamedTuple):
    """A piece of an eval file with tab stops.

    `name` is its label and names it in `documentation`. One that is made for a place has the page of a `record`.
    """

    name: str
    doc: str
    template: Template
    record: str = ""


class SnippetTable(NamedTuple):
    """The snippets of a dialect.

    Attributes:
        suite: A whole file.
        items: Those for an item of a list, by the record of the items.
        values: Those for the value of a key, by the key.
        entries: Those for entries of a mapping whose keys the author makes up or needs all of, by its record.
    """

    suite: Snippet
    items: Mapping[str, tuple[Snippet, ...]]
    values: Mapping[str, tuple[Snippet, ...]]
    entries: Mapping[str, tuple[Snippet, ...]]

    def named(self, name: str) -> Snippet | None:
        """Return the snippet of a name."""
        groups = (*self.items.values(), *self.values.values(), *self.entries.values(), (self.suite,))
        return next((snippet for group in groups for snippet in group if snippet.name == name), None)


_OUTCOME = TabStop("What the answer must do")
_LOOKS_FOR = TabStop("What the judge looks for")
_RANGES = (
    ("0", "2", TabStop("Misses the point")),
    ("3", "5", TabStop("Gets some of it right")),
    ("6", "8", TabStop("Right, with small flaws")),
    ("9", "10", TabStop("Nothing to improve")),
)
_BAND_MAP: Template = {low: text for low, _, text in _RANGES}
_SCORED: Pairs = {"id": TabStop("criterion-id"), "weight": TabStop("1.0")}
_WEIGHTS: Template = {field.name: TabStop(field.default or "") for field in WEIGHTS.fields}
_FLAG: Template = {"id": TabStop("flag-id"), "expected_outcome": _LOOKS_FOR, "deduction": TabStop("0.5")}
_BONUS: Template = {"id": TabStop("bonus-id"), "expected_outcome": _LOOKS_FOR}
_SCORECARD: Pairs = {
    "skill": TabStop("skill-name"),
    "weights": _WEIGHTS,
    "red_flags": [_FLAG],
    "bonuses": [TabStop("A merit that raises the grade")],
}
_NAMED_SCORECARD: Template = {TabStop("scorecard-name"): dict(_SCORECARD)}


@cache
def snippets_of(dialect: Dialect) -> SnippetTable:
    """Return the snippets of a dialect, made from its table."""
    case, forms, notes = _case(dialect), list(_range_forms(dialect)), NOTES.of(dialect)
    suite: Pairs = {"description": TabStop("What the suite covers"), **notes.suite_snippet}
    suite[dialect.case_lists[0]] = [case]
    criterion = Snippet("criterion", "A required criterion of weight 1, as plain text.", _OUTCOME)
    scored = "A criterion that is scored 0 to 10, each band"
    range_criteria = [
        Snippet(f"score-range criterion ({form})", f"{scored} {how}.", {**_SCORED, "score_ranges": ranges})
        for form, how, ranges in forms
    ]
    noun, sent = case_noun(dialect), "variables" if notes.case_snippet else "a message"
    items: dict[str, tuple[Snippet, ...]] = {
        **notes.items,
        "case": (Snippet(noun, f"A {noun} with {sent} and a criterion.", case),),
        "criterion": (criterion, _checklist_snippet(dialect), *range_criteria),
        "evaluator": tuple(_evaluator(dialect, kind) for kind in dialect.common_types),
        "red-flag": (
            Snippet("red flag", "A fault that takes 0.5 points away, as plain text.", _LOOKS_FOR),
            Snippet("red flag with deduction", "A fault that takes some points away.", _FLAG),
        ),
        "bonus": (
            Snippet("bonus", "A merit that adds 0.25 points, as plain text.", _LOOKS_FOR),
            Snippet("bonus with id", "A merit that adds 0.25 points.", _BONUS),
        ),
    }
    for name in ("raw-case", "scenario-case"):
        if name in dialect.records:
            items[name] = items["case"]
    if any(field.items_mask & FieldType.STRING.value for field in dialect.case.by_role[Role.EVALUATORS]):
        # A string is a criterion there, and most of what people write.
        items["evaluator"] = (criterion, *items["evaluator"])
    return SnippetTable(
        Snippet("eval suite", f"A whole eval file with one {noun}.", suite),
        items,
        {
            "score_ranges": tuple(
                Snippet(f"score ranges ({form})", f"Four bands, each {how}.", ranges) for form, how, ranges in forms
            ),
            "scorecard": (Snippet("inline scorecard", f"A scorecard for this {noun} alone.", _SCORECARD),),
            "weights": (Snippet("default weights", "The methodology's weights of all dimensions.", _WEIGHTS),),
        },
        {
            "scorecards": (Snippet("named scorecard", f"A scorecard that {noun}s can name.", _NAMED_SCORECARD),),
            "weights": (Snippet("all weights", "The methodology's weights of all dimensions.", _WEIGHTS),),
        },
    )


def _checklist_snippet(dialect: Dialect) -> Snippet:
    template: Pairs = {
        "id": TabStop("criterion-id"),
        **dict.fromkeys(dialect.text_keys[:1], _OUTCOME),
        "weight": TabStop("1.0"),
        "required": TabStop("true", ("true", "false")),
    }
    fields = dialect.records["criterion"].by_key
    offered: Pairs = {key: value for key, value in template.items() if key in fields}
    return Snippet("checklist criterion", "A criterion that is met or not, with its weight.", offered)


def _range_forms(dialect: Dialect) -> Iterator[tuple[str, str, Template]]:
    """Yield the forms of score ranges: the name, how it writes a band, and ranges in it."""
    if "score_ranges" in dialect.records["criterion"].by_key:
        key = dialect.range_text_keys[0]
        yield "map", "by its lower bound", _BAND_MAP
        ranges: Template = [{"score_range": TemplateList((low, high)), key: text} for low, high, text in _RANGES]
        yield "array", "with both ends", ranges


def _case(dialect: Dialect) -> Template:
    """Return a case: its required fields, its input, and a criterion."""
    template: Pairs = {"id": TabStop(f"{case_noun(dialect)}-id")} if "id" in dialect.case.by_key else {}
    for field in dialect.case.required:
        if field.role is Role.TEXT:
            template[field.name] = TabStop("What a good answer achieves")
        elif field.role is Role.INPUT:
            asked = continuation(field, field.name, dialect)
            template[field.name] = TabStop("What is asked") if field.accepts(FieldType.STRING) else asked
        elif field.name != "id":
            template[field.name] = _from_placeholder(field)
    template |= NOTES.of(dialect).case_snippet
    judged = (
        *dialect.table.judging.lists,
        *dialect.case.keys_of(Role.CRITERIA),
        *dialect.case.keys_of(Role.EVALUATORS),
    )
    if judged:
        template[judged[0]] = [_judged_item(dialect, judged[0])]
    return template


def _judged_item(dialect: Dialect, key: str) -> Template:
    """Return an item that judges a case: a text, or an evaluator with one."""
    field = dialect.case.by_key[key]
    if not dialect.table.rubric_keys or field.items_mask & FieldType.STRING.value:
        return _OUTCOME
    return {"type": dialect.types[0], "value": _OUTCOME}


def _evaluator(dialect: Dialect, kind: str) -> Snippet:
    """Return an evaluator of a type: with useful fields if known, else with its required ones."""
    record = dialect.records[f"evaluator:{kind}"]
    name = record.by_key.get(record.name_key)
    template: Pairs = {name.name: TabStop(kind.replace("_", "-"))} if name is not None and name.required else {}
    template["type"] = kind
    known = NOTES.of(dialect).evaluators.get(kind)
    own = known.template if known is not None else {}
    if not own or not isinstance(own, dict):
        shared = dialect.records["evaluator"].by_key
        fields = [field for field in record.fields if field.name not in shared]
        own = {field.name: _from_placeholder(field) for field in fields if field.required or field.placeholder}
    return Snippet(f"{kind} {evaluator_noun(dialect)}", (known or record).doc, {**template, **own})


def _from_placeholder(field: Field) -> Template:
    """Return the placeholder of a field, which is YAML in brackets, as a template to type over."""
    root = parse(field.placeholder).root if field.placeholder is not None else None
    return TabStop() if root is None else _as_template(root)


def _as_template(node: nodes.Node) -> Template:
    if isinstance(node, nodes.Mapping):
        return {pair.name or "": _as_template(pair.value) for pair in node.pairs}
    if isinstance(node, nodes.Sequence):
        return [_as_template(item) for item in node.items]
    text = node.value if isinstance(node, nodes.Scalar) else ""
    return TabStop(text.removeprefix("TODO").lstrip(":- "))


# Continuations of keys of more than a word; a dialect has more.
_CONTINUATIONS: Mapping[str, Template] = {
    "score_ranges": {"0": TabStop()},
    "weights": _WEIGHTS,
    "scorecards": {TabStop("scorecard-name"): Below()},
}


def continuation(field: Field, key: str, dialect: Dialect) -> Template:
    """Return the text to insert after a new key."""
    accepted = field.type_of(key)
    common = _known_continuation(field, dialect) if key == field.name else None
    if common is not None:
        return common
    if accepted is FieldType.SEQUENCE and field.items is not None and FieldType.STRING in field.items:
        return [TabStop()]
    choices = choices_of(field, dialect) if field.values or accepted is FieldType.BOOLEAN else ()
    if choices:
        first = field.placeholder if field.placeholder in choices else choices[0]
        return TabStop(first or "", tuple(sorted(choices, key=lambda choice: choice != first)))
    if accepted in {FieldType.MAPPING, FieldType.ANYTHING}:
        return Below()
    number = field.placeholder or field.default
    return TabStop(number) if accepted in {FieldType.NUMBER, FieldType.INTEGER} and number is not None else TabStop()


def _known_continuation(field: Field, dialect: Dialect) -> Template | None:
    if field.record == "case":
        return [_case(dialect)]
    if dialect.table.rubric_keys and field.role is Role.EVALUATORS:
        return [{"type": TabStop(dialect.types[0], dialect.common_types)}]
    if dialect.table.rubric_keys and field.role is Role.CRITERIA:
        return TabStop()
    if field.role is Role.EVALUATORS and not field.items_mask & FieldType.STRING.value:
        return [{"name": TabStop("evaluator-name"), "type": TabStop(dialect.types[0], dialect.types)}]
    if field.role in {Role.EVALUATORS, Role.CRITERIA}:
        return [TabStop()]
    return NOTES.of(dialect).continuations.get(field.name) or _CONTINUATIONS.get(field.name)


def choices_of(field: Field, dialect: Dialect) -> tuple[str, ...]:
    """Return the values of a field if these are few, without deprecated names."""
    if field.values:
        return tuple(value for value in field.values if value not in dialect.old_types)
    takes_booleans = field.accepts(FieldType.BOOLEAN) and field.type is not FieldType.ANYTHING
    return ("true", "false") if takes_booleans else ()

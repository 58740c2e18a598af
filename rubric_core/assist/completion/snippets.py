"""The snippets: whole cases, criteria, evaluators and so on, and what a key goes on with."""

from collections.abc import Mapping
from typing import NamedTuple

from rubric_core.assist.completion.templates import Below, TabStop, Template, TemplateList
from rubric_core.schema.evaluators import EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.schema.fields import Field, FieldType
from rubric_core.schema.records import ROLES
from rubric_core.schema.scorecards import WEIGHTS


class Snippet(NamedTuple):
    """A piece of an eval file with tab stops. `name` is its label and names it in `documentation`."""

    name: str
    doc: str
    template: Template


_ROLE = TabStop("user", tuple(sorted(ROLES, key=lambda role: role != "user")))
_OUTCOME = TabStop("What the answer must do")
_LOOKS_FOR = TabStop("What the judge looks for")
_SCRIPT = TemplateList((TabStop("python"), TabStop("judge.py")))
_MESSAGE: Template = {"role": _ROLE, "content": TabStop("What is said")}
_ASKED: Template = {"role": _ROLE, "content": TabStop("What is asked")}

_BAND_MAP: Template = {
    "0": TabStop("Misses the point"),
    "3": TabStop("Gets some of it right"),
    "6": TabStop("Right, with small flaws"),
    "9": TabStop("Nothing to improve"),
}
_BAND_ARRAY: Template = [
    {"score_range": TemplateList(("0", "2")), "expected_outcome": TabStop("Misses the point")},
    {"score_range": TemplateList(("3", "5")), "expected_outcome": TabStop("Gets some of it right")},
    {"score_range": TemplateList(("6", "8")), "expected_outcome": TabStop("Right, with small flaws")},
    {"score_range": TemplateList(("9", "10")), "expected_outcome": TabStop("Nothing to improve")},
]
_SCORED: dict[str | TabStop, Template] = {"id": TabStop("criterion-id"), "weight": TabStop("1.0")}
_CASE: Template = {
    "id": TabStop("case-id"),
    "expected_outcome": TabStop("What a good answer achieves"),
    "input_messages": [_ASKED],
    "rubrics": [_OUTCOME],
}
_WEIGHTS: Template = {field.name: TabStop(field.default or "") for field in WEIGHTS.fields}
_FLAG: Template = {
    "id": TabStop("flag-id"),
    "expected_outcome": _LOOKS_FOR,
    "deduction": TabStop("0.5"),
}
_SCORECARD: dict[str | TabStop, Template] = {
    "skill": TabStop("skill-name"),
    "weights": _WEIGHTS,
    "red_flags": [_FLAG],
    "bonuses": [TabStop("A merit that raises the grade")],
}


_EVALUATORS: dict[str, tuple[str, dict[str | TabStop, Template]]] = {
    "llm_judge": ("A model judges the answer.", {"rubrics": [_OUTCOME]}),
    "code_judge": ("A script judges the answer.", {"script": _SCRIPT}),
    "composite": (
        "Several evaluators whose results become one.",
        {
            "evaluators": [{"name": TabStop("member"), "type": TabStop("llm_judge", ("llm_judge", "code_judge"))}],
            "aggregator": {"type": TabStop("weighted_average", ("weighted_average", "code_judge", "llm_judge"))},
        },
    ),
    "tool_trajectory": (
        "The tool calls are compared with the expected ones.",
        {
            "mode": TabStop("in_order", ("in_order", "exact", "any_order")),
            "expected": [{"tool": TabStop("tool-name")}],
        },
    ),
    "field_accuracy": (
        "The fields of a structured answer are compared.",
        {"fields": [{"path": TabStop("field"), "match": TabStop("exact")}]},
    ),
    "latency": ("The answer must not take too long.", {"threshold": TabStop("2000")}),
    "cost": ("The answer must not cost too much.", {"budget": TabStop("0.10")}),
    "token_usage": ("The answer must not use too many tokens.", {"max_total": TabStop("10000")}),
    "execution_metrics": (
        "Tool calls, model calls, tokens, cost and time stay within limits.",
        {"max_tool_calls": TabStop("10")},
    ),
}

SUITE = Snippet(
    "eval suite",
    "A whole eval file with one case.",
    {"description": TabStop("What the suite covers"), "evalcases": [_CASE]},
)

ITEMS: Mapping[str, tuple[Snippet, ...]] = {
    "case": (Snippet("case", "A case with a message and a criterion.", _CASE),),
    "message": (Snippet("message", "One turn of the conversation.", _MESSAGE),),
    "content-part": (
        Snippet("text part", "Text as a part of the content.", {"type": "text", "value": TabStop("The text")}),
        Snippet("file part", "A file as a part of the content.", {"type": "file", "value": TabStop("path/to/file.md")}),
    ),
    "criterion": (
        Snippet("criterion", "A required criterion of weight 1, as plain text.", _OUTCOME),
        Snippet(
            "checklist criterion",
            "A criterion that is met or not, with its weight.",
            {
                "id": TabStop("criterion-id"),
                "expected_outcome": _OUTCOME,
                "weight": TabStop("1.0"),
                "required": TabStop("true", ("true", "false")),
            },
        ),
        Snippet(
            "score-range criterion (map)",
            "A criterion that is scored 0 to 10, each band by its lower bound.",
            {**_SCORED, "score_ranges": _BAND_MAP},
        ),
        Snippet(
            "score-range criterion (array)",
            "A criterion that is scored 0 to 10, each band with both ends.",
            {**_SCORED, "score_ranges": _BAND_ARRAY},
        ),
    ),
    "evaluator": tuple(
        Snippet(f"{kind} evaluator", doc, {"name": TabStop(kind.replace("_", "-")), "type": kind, **own})
        for kind, (doc, own) in _EVALUATORS.items()
    ),
    "red-flag": (
        Snippet("red flag", "A fault that takes 0.5 points away, as plain text.", _LOOKS_FOR),
        Snippet("red flag with deduction", "A fault that takes some points away.", _FLAG),
    ),
    "bonus": (
        Snippet("bonus", "A merit that adds 0.25 points, as plain text.", _LOOKS_FOR),
        Snippet(
            "bonus with id",
            "A merit that adds 0.25 points.",
            {"id": TabStop("bonus-id"), "expected_outcome": _LOOKS_FOR},
        ),
    ),
    "tool-call": (Snippet("tool call", "A call of a tool.", {"tool": TabStop("tool-name")}),),
}
"""The snippets for an item of a list, by the record of the items."""

VALUES: Mapping[str, tuple[Snippet, ...]] = {
    "score_ranges": (
        Snippet("score ranges (map)", "Four bands, each by its lower bound.", _BAND_MAP),
        Snippet("score ranges (array)", "Four bands, each with both ends.", _BAND_ARRAY),
    ),
    "scorecard": (Snippet("inline scorecard", "A scorecard for this case alone.", _SCORECARD),),
    "weights": (Snippet("default weights", "The methodology's weights of all dimensions.", _WEIGHTS),),
}
"""The snippets for the value of a key, by the key."""

ENTRIES: Mapping[str, tuple[Snippet, ...]] = {
    "scorecards": (
        Snippet("named scorecard", "A scorecard that cases can name.", {TabStop("scorecard-name"): dict(_SCORECARD)}),
    ),
    "weights": (Snippet("all weights", "The methodology's weights of all dimensions.", _WEIGHTS),),
}
"""The snippets for entries of a mapping whose keys the author makes up or needs all of, by its record."""

SNIPPETS: Mapping[str, Snippet] = {
    snippet.name: snippet
    for group in (*ITEMS.values(), *VALUES.values(), *ENTRIES.values(), (SUITE,))
    for snippet in group
}
"""Every snippet by its name."""

# What a key is followed by where more than a word helps. A list starts with the item that nearly everybody wants.
_CONTINUATIONS: Mapping[str, Template] = {
    "evalcases": [_CASE],
    "input_messages": [_ASKED],
    "expected_messages": [{"role": TabStop("assistant", ("assistant", "tool")), "content": TabStop("A good answer")}],
    "score_ranges": {"0": TabStop()},
    "evaluators": [{"name": TabStop("evaluator-name"), "type": TabStop("llm_judge", EVALUATOR_TYPES)}],
    "tool_calls": [{"tool": TabStop()}],
    "expected": [{"tool": TabStop()}],
    "fields": [{"path": TabStop()}],
    "weights": _WEIGHTS,
    "script": _SCRIPT,
    "scorecards": {TabStop("scorecard-name"): Below()},
}


def continuation(field: Field, key: str) -> Template:
    """Return what stands behind a key that was just inserted."""
    if key == field.name and key in _CONTINUATIONS:
        return _CONTINUATIONS[key]
    accepted = field.type_of(key)
    if accepted is FieldType.SEQUENCE and field.items is not None and FieldType.STRING in field.items:
        return [TabStop()]
    choices = choices_of(field) if field.values or accepted is FieldType.BOOLEAN else ()
    if choices:
        first = field.placeholder if field.placeholder in choices else choices[0]
        return TabStop(first or "", tuple(sorted(choices, key=lambda choice: choice != first)))
    if accepted in {FieldType.MAPPING, FieldType.ANYTHING}:
        return Below()
    number = field.placeholder or field.default
    return TabStop(number) if accepted in {FieldType.NUMBER, FieldType.INTEGER} and number is not None else TabStop()


def choices_of(field: Field) -> tuple[str, ...]:
    """Return the values that a field can have where these are few; names of old are not among them."""
    if field.values:
        return tuple(value for value in field.values if value not in OLD_EVALUATOR_TYPES)
    takes_booleans = field.accepts(FieldType.BOOLEAN) and field.type is not FieldType.ANYTHING
    return ("true", "false") if takes_booleans else ()

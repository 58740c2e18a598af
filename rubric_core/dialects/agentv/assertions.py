"""The assertions that AgentV 4 and AgentV 5 share, and the parts of their other assertions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rubric_core.dialects.agentv.evaluators import EVALUATOR, EVALUATOR_RECORDS
from rubric_core.dialects.agentv.shared_records import COMMAND, TEXT_OR_MAPPING
from rubric_core.schema.fields import Aliases, Effect, Field, Record, Removed, Role, ValueLimits, assertion_noun

TEXT_TYPES: Mapping[str, str] = {
    "contains": "The answer contains a text.",
    "icontains": "The answer contains a text, in upper or lower case.",
    "starts-with": "The answer starts with a text.",
    "ends-with": "The answer ends with a text.",
    "equals": "The answer is a text and nothing else.",
    "regex": "The answer matches a regular expression.",
}
LIST_TYPES: Mapping[str, str] = {
    "contains-any": "The answer contains at least one of the texts.",
    "contains-all": "The answer contains all of the texts.",
    "icontains-any": "The answer contains at least one of the texts, in upper or lower case.",
    "icontains-all": "The answer contains all of the texts, in upper or lower case.",
}
SHARED_TYPES: tuple[str, ...] = (
    *(*TEXT_TYPES, *LIST_TYPES),
    *("is-json", "field-accuracy", "latency", "cost", "token-usage", "execution-metrics"),
)
"""The types that have the same keys in both dialects."""

ASSERTION_WEIGHT = replace(
    EVALUATOR.by_key["weight"], doc="How much this assertion counts beside the others of the test."
)
NEGATE = Field.flag(
    "negate", "Whether the result is turned around, so that what would pass fails.", default="false", since="2.7"
)
INCLUDE = Field.text(
    "include",
    "A file with assertions to put in this place, or the name of one under `.agentv/templates`; it stands alone.",
)
REQUIRED = Field.flag(
    "required",
    "Whether the test gets 0 where this assertion scores less than its `min_score`.",
    default="false",
    since="2.7",
)
MAX_STEPS = Field.integer(
    "max_steps",
    "How many steps a judge that is an agent may take.",
    aliases=Aliases(("maxSteps",)),
    limits=ValueLimits(1, 50),
)
TEMPERATURE = Field.number("temperature", "The temperature of the judge.", limits=ValueLimits(0, 2))
PROMPT = Field(
    "prompt",
    TEXT_OR_MAPPING,
    "The judge's prompt: its text, a file as `file://` and its path, or a mapping with the `command` that prints it.",
    record="prompt-script",
)
PROMPT_COMMAND = replace(COMMAND, doc="The command that prints the prompt.")


def type_field(types: tuple[str, ...], placeholder: str) -> Field:
    """Return the field `type` of an assertion, which is absent beside an `include`."""
    return replace(
        EVALUATOR.by_key["type"],
        doc="How the answer is judged, by a type of AgentV or by a script of that name under `.agentv/assertions`.",
        required=False,
        values=types,
        placeholder=placeholder,
    )


def evaluator_list(name: str, doc: str) -> Field:
    """Return a list of assertions; a string in it is a criterion."""
    return Field.records(name, doc, "evaluator", items=TEXT_OR_MAPPING, role=Role.EVALUATORS)


def assertion(kind: str, doc: str, fields: tuple[Field, ...], **more: Any) -> Record:
    """Return the record of a type of assertion."""
    return Record(f"evaluator:{kind}", doc, fields, noun=assertion_noun(kind), **more)


def shared_assertions(base: tuple[Field, ...], removed: Mapping[str, Removed]) -> tuple[Record, ...]:
    """Return the records of the shared types, each with the fields and removed keys of every assertion of a dialect."""
    own: dict[str, tuple[str, tuple[Field, ...]]] = {
        **{kind: (doc, (_TEXT,)) for kind, doc in TEXT_TYPES.items()},
        **{kind: (doc, (_TEXTS,)) for kind, doc in LIST_TYPES.items()},
        "regex": (TEXT_TYPES["regex"], _REGEX),
        "is-json": ("The answer is JSON.", ()),
        "field-accuracy": ("The fields of a structured answer are those of the reference answer.", _FIELD_ACCURACY),
        "latency": ("The answer comes in time.", _limits("latency", threshold="1000")),
        "cost": ("The answer costs no more than it may.", _limits("cost", budget="1.0")),
        "token-usage": ("The answer takes no more tokens than it may.", _limits("token_usage")),
        "execution-metrics": ("The run stays within its limits.", (*_limits("execution_metrics"), *_EXPLORATION)),
    }
    return tuple(
        assertion(kind, own[kind][0], (*base, *own[kind][1]), removed=removed, one_of=_ONE_OF.get(kind, ()))
        for kind in SHARED_TYPES
    )


def _limits(old_kind: str, **required: str) -> tuple[Field, ...]:
    """Return the limits of an evaluator of AgentV 2 with their second spelling; `required` has placeholders."""
    base = set(EVALUATOR.by_key)
    return tuple(
        replace(
            limit,
            aliases=Aliases((_camel(limit.name),) if "_" in limit.name else ()),
            limits=ValueLimits(0),
            required=limit.name in required,
            placeholder=required.get(limit.name),
        )
        for limit in EVALUATOR_RECORDS[old_kind].fields
        if limit.name not in base
    )


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


_TEXT = Field.text("value", "The text.", required=True, placeholder='"TODO: text"')
_TEXTS = Field.texts(
    "value", "The texts.", required=True, placeholder='["TODO: text"]', limits=ValueLimits(empty=Effect.DROPPED)
)
_REGEX = (
    replace(_TEXT, doc="The regular expression, as JavaScript writes it.", role=Role.EXPRESSION),
    Field.text("flags", "The flags of the expression, such as `i` for upper or lower case.", role=Role.FLAGS),
)
_FIELD_ACCURACY = (
    replace(
        EVALUATOR_RECORDS["field_accuracy"].by_key["fields"],
        doc="The fields that are compared.",
        record="compared-field",
        required=True,
        placeholder="[{path: TODO, match: exact}]",
        limits=ValueLimits(empty=Effect.DROPPED),
    ),
    EVALUATOR_RECORDS["field_accuracy"].by_key["aggregation"],
)
_EXPLORATION = (
    Field.number(
        "target_exploration_ratio",
        "The share of tool calls, 0 to 1, that should only look around.",
        aliases=Aliases(("targetExplorationRatio",)),
        limits=ValueLimits(0, 1),
    ),
    Field.number(
        "exploration_tolerance",
        "How far that share may be off.",
        default="0.2",
        aliases=Aliases(("explorationTolerance",)),
        limits=ValueLimits(0),
    ),
)

_ONE_OF: Mapping[str, tuple[str, ...]] = {
    "token-usage": ("max_total", "max_input", "max_output"),
    "execution-metrics": (
        *("max_tool_calls", "max_llm_calls", "max_tokens", "max_cost_usd", "max_duration_ms"),
        "target_exploration_ratio",
    ),
}
"""The limits without any of which an assertion is dropped."""

COMPARED_FIELD = Record(
    "compared-field",
    "A field of a structured answer and how it is compared.",
    (
        Field.text("path", "Where the field is, with dots between the names.", placeholder="TODO"),
        Field.text(
            "match", "How the values are compared.", values=("exact", "numeric_tolerance", "date"), placeholder="exact"
        ),
        Field.flag("required", "Whether the field must be there."),
        Field.number("weight", "How much the field counts beside the others.", default="1.0", limits=ValueLimits(0)),
        Field.number("tolerance", "How far a number may be off.", limits=ValueLimits(0)),
        Field.flag("relative", "Whether `tolerance` is a share of the expected number."),
        Field.texts("formats", "The formats of dates that are read."),
    ),
)

"""The records of evaluators: one for each type, since each has keys of its own."""

from collections.abc import Mapping
from dataclasses import replace

from rubric_core.schema.fields import CRITERION_PLACEHOLDER, Field, FieldType, Record, Role, ValueLimits

EVALUATOR_TYPES: tuple[str, ...] = (
    *("llm_judge", "rubric", "code_judge", "composite", "tool_trajectory", "field_accuracy"),
    *("latency", "cost", "token_usage", "execution_metrics"),
)

OLD_EVALUATOR_TYPES: Mapping[str, str] = {"code": "code_judge", "expected_tool_calls": "tool_trajectory"}
"""Type names that older files use, each with the name of today."""

_TYPE = Field.text(
    "type",
    "How the answer is judged. It decides which other keys the evaluator has.",
    required=True,
    values=(*EVALUATOR_TYPES, *OLD_EVALUATOR_TYPES),
    placeholder="llm_judge",
)

_BASE: tuple[Field, ...] = (
    Field.text(
        "name", "The evaluator's name in results. It is unique in its list.", required=True, placeholder="TODO-name"
    ),
    _TYPE,
    Field.number(
        "weight", "How much this evaluator counts beside the others of the case.", default="1.0", limits=ValueLimits(0)
    ),
)

CRITERIA = Field.records(
    "rubrics",
    "The criteria that a judge checks the answer against. A plain string is a required criterion of weight 1.",
    "criterion",
    items=FieldType.STRING | FieldType.MAPPING,
    placeholder=f'["{CRITERION_PLACEHOLDER}"]',
    role=Role.CRITERIA,
)

EVALUATORS = Field.records(
    "evaluators",
    "The evaluators of the answer, besides the inline `rubrics`. "
    "A case's `execution.evaluators` go before its `evaluators`, and these before the suite's.",
    "evaluator",
    role=Role.EVALUATORS,
)

_JUDGE_FIELDS: tuple[Field, ...] = (
    CRITERIA,
    Field(
        "prompt",
        FieldType.STRING | FieldType.MAPPING,
        "The judge's prompt: its text, a path to a file with it, or a mapping with the `script` that prints it.",
        record="prompt-script",
    ),
    Field.text("model", "The model that judges, where it is not the target's own."),
    Field.text("target", "The target, from the targets file, that judges."),
    Field.mapping("config", "Values that the prompt template can use."),
)

_CODE_FIELDS: tuple[Field, ...] = (
    Field(
        "script",
        FieldType.STRING | FieldType.SEQUENCE,
        "The command that judges the answer: one string, or a list of its words. It is run without a shell.",
        items=FieldType.STRING,
        placeholder="[python, TODO.py]",
    ),
    Field.text("cwd", "The folder in which the script runs.", default="the eval file's folder"),
    Field(
        "target",
        FieldType.MAPPING | FieldType.BOOLEAN | FieldType.STRING,
        "Gives the script access to a target; `max_calls` in the mapping limits how often it may call.",
        record="free-form",
    ),
)

# Keys of AgentV's evaluators that are described but not checked: their records are open.
_OWN_FIELDS: Mapping[str, tuple[Field, ...]] = {
    "composite": (
        replace(EVALUATORS, doc="The evaluators whose results are put together."),
        Field.mapping(
            "aggregator", "How the members' results become one: `type` is weighted_average, code_judge or llm_judge."
        ),
    ),
    "tool_trajectory": (
        Field.text(
            "mode", "How the tool calls are compared with the expected ones.", values=("any_order", "in_order", "exact")
        ),
        Field.mapping("minimums", "How often each tool must be called at least, for `mode: any_order`."),
        Field.records(
            "expected", "The tool calls in their order, for `mode: in_order` and `mode: exact`.", "tool-call"
        ),
    ),
    "field_accuracy": (
        Field.records(
            "fields",
            "The fields of the structured answer that are compared: `path`, `match`, `weight`, `tolerance`.",
            "free-form",
        ),
        Field.text(
            "aggregation",
            "How the fields' results become one.",
            default="weighted_average",
            values=("weighted_average", "all_or_nothing"),
        ),
    ),
    "latency": (Field.number("threshold", "The longest time that passes, in milliseconds."),),
    "cost": (Field.number("budget", "The highest cost that passes, in US dollars."),),
    "token_usage": (
        Field.number("max_total", "The most tokens that pass, input and output together."),
        Field.number("max_input", "The most input tokens that pass."),
        Field.number("max_output", "The most output tokens that pass."),
    ),
    "execution_metrics": (
        Field.number("max_tool_calls", "The most tool calls that pass."),
        Field.number("max_llm_calls", "The most model calls that pass."),
        Field.number("max_tokens", "The most tokens that pass."),
        Field.number("max_cost_usd", "The highest cost that passes, in US dollars."),
        Field.number("max_duration_ms", "The longest time that passes, in milliseconds."),
    ),
}

EVALUATOR = Record(
    "evaluator",
    "What every evaluator has, whatever its type.",
    _BASE,
    # Without a known type, the valid keys are unknown.
    open=True,
)

EVALUATOR_RECORDS: Mapping[str, Record] = {
    "llm_judge": Record(
        "evaluator:llm_judge", "A model judges the answer.", _BASE + _JUDGE_FIELDS, noun="an `llm_judge` evaluator"
    ),
    "rubric": Record("evaluator:rubric", "A model judges the answer against the criteria.", _BASE + _JUDGE_FIELDS),
    "code_judge": Record(
        "evaluator:code_judge",
        "A script judges the answer. Every key that is not listed here is the script's own configuration.",
        _BASE + _CODE_FIELDS,
        open=True,
    ),
    **{
        kind: Record(f"evaluator:{kind}", f"The `{kind}` evaluator, which has keys of its own.", _BASE + own, open=True)
        for kind, own in _OWN_FIELDS.items()
    },
}

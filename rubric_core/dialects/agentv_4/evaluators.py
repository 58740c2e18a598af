"""The assertions of AgentV 4: one record for each type."""

from collections.abc import Mapping
from dataclasses import replace

from rubric_core.dialects.agentv.assertions import (
    ASSERTION_WEIGHT,
    COMPARED_FIELD,
    INCLUDE,
    MAX_STEPS,
    NEGATE,
    PROMPT,
    PROMPT_COMMAND,
    REQUIRED,
    SHARED_TYPES,
    TEMPERATURE,
    assertion,
    evaluator_list,
    shared_assertions,
    type_field,
)
from rubric_core.dialects.agentv.evaluators import EVALUATOR_RECORDS
from rubric_core.dialects.agentv.records import TOOL_CALL
from rubric_core.dialects.agentv.shared_records import (
    COMMAND,
    CONFIG,
    CRITERIA_PLACEHOLDER,
    CWD,
    MIN_SCORE,
    TEXT_OR_LIST,
    TEXT_OR_MAPPING,
)
from rubric_core.schema.fields import Aliases, Effect, Field, FieldType, Record, Removed, Role, ValueLimits

TYPES: tuple[str, ...] = (
    *("rubrics", "llm-grader", "code-grader", "composite"),
    *(*SHARED_TYPES, "tool-trajectory", "skill-trigger"),
)

OLD_TYPES: Mapping[str, str] = {
    **{kind.replace("-", "_"): kind for kind in TYPES if "-" in kind},
    "rubric": "llm-grader",
}
"""Type names that are still read, each with the name of today. `rubric` has the keys of `llm-grader`."""

REMOVED_TYPES: Mapping[str, Removed] = {
    **dict.fromkeys(("llm_judge", "llm-judge"), Removed("3.13", Effect.DROPPED, "llm-grader")),
    **dict.fromkeys(("code_judge", "code-judge"), Removed("3.13", Effect.DROPPED, "code-grader")),
    "code": Removed("2.7", Effect.SCORES_0, "code-grader"),
    "expected_tool_calls": Removed("2.7", Effect.SCORES_0, "tool-trajectory"),
}

_BASE: tuple[Field, ...] = (
    Field.text("name", "The assertion's name in results.", default="made from its type and value"),
    type_field((*TYPES, *OLD_TYPES), "llm-grader"),
    ASSERTION_WEIGHT,
    replace(
        REQUIRED,
        type=FieldType.BOOLEAN | FieldType.NUMBER,
        doc="Whether the test gets 0 where this assertion scores less than its `min_score`. "
        "A number is an older way to write the `min_score` too.",
        limits=ValueLimits(maximum=1, above=0),
    ),
    MIN_SCORE,
    NEGATE,
)
_PREPROCESSORS = Field.records(
    "preprocessors", "Commands that turn files of other types into text for the judge.", "preprocessor", since="4.10"
)
_SCRIPT_ALIAS = ("script",)
_CRITERIA = Field.records(
    "criteria",
    "The criteria that a judge checks the answer against. A plain string is a required criterion of weight 1.",
    "criterion",
    required=True,
    items=TEXT_OR_MAPPING,
    placeholder=CRITERIA_PLACEHOLDER,
    role=Role.CRITERIA,
    since="2.7",
)
_JUDGE_TARGET = Field.text("target", "The target, from the targets file, that judges.")
_ARGS_MATCH = Field(
    "args_match",
    TEXT_OR_LIST,
    "How the arguments of calls are compared: exact, superset, subset, ignore, or a list of the fields that count.",
    default="exact",
    aliases=Aliases(("argsMatch",)),
    items=FieldType.STRING,
)

_LLM_GRADER = (
    PROMPT,
    replace(
        _CRITERIA,
        name="rubrics",
        doc="The criteria, as mappings, that the judge checks the answer against.",
        required=False,
        items=FieldType.MAPPING,
        placeholder=None,
        since=None,
    ),
    _JUDGE_TARGET,
    Field.text("model", "The model that judges.", unread="name the judge under `target`"),
    MAX_STEPS,
    TEMPERATURE,
    CONFIG,
    _PREPROCESSORS,
)

_CODE_GRADER = (
    replace(
        COMMAND,
        doc="The command that judges the answer: a string that a shell runs, or a list of its words.",
        required=True,
        aliases=Aliases(deprecated=_SCRIPT_ALIAS),
    ),
    CWD,
    Field(
        "target",
        FieldType.MAPPING | FieldType.BOOLEAN,
        "Gives the command access to a target; `max_calls` in the mapping limits how often it may call.",
        record="free-form",
    ),
    CONFIG,
    _PREPROCESSORS,
)

_COMPOSITE = (
    replace(
        evaluator_list(
            "assertions", "The assertions whose results are put together. Each has a `name` and a type of AgentV's own."
        ),
        required=True,
        aliases=Aliases(("assert", "evaluators")),
        items=FieldType.MAPPING,
        placeholder="[{name: TODO-name, type: llm-grader}]",
        limits=ValueLimits(empty=Effect.DROPPED),
    ),
    Field.mapping(
        "aggregator",
        "How the results of the assertions become one.",
        "aggregator",
        required=True,
        placeholder="{type: weighted_average}",
    ),
)

_TOOL_TRAJECTORY = (
    replace(
        EVALUATOR_RECORDS["tool_trajectory"].by_key["mode"],
        required=True,
        values=("any_order", "in_order", "exact", "subset", "superset"),
        placeholder="any_order",
    ),
    EVALUATOR_RECORDS["tool_trajectory"].by_key["minimums"],
    replace(
        EVALUATOR_RECORDS["tool_trajectory"].by_key["expected"],
        doc="The tool calls that are expected, for every `mode` but `any_order`.",
        record="expected-call",
    ),
    _ARGS_MATCH,
)

_SKILL_TRIGGER = (
    Field.text("skill", "The name of the skill.", required=True, placeholder="TODO-skill", since="3.0"),
    Field.flag("should_trigger", "Whether the skill must be used, or must not.", default="true"),
)

EVALUATOR = Record(
    "evaluator",
    "An assertion. Every one has these keys, whatever its type.",
    (*_BASE, INCLUDE),
    # A type that the project defines gets every other key.
    open=True,
    noun="an assertion",
)

EXPECTED_CALL = replace(
    TOOL_CALL,
    name="expected-call",
    doc="A call of a tool that the answer must make.",
    fields=(
        replace(TOOL_CALL.by_key["tool"], required=True, placeholder="TODO-tool"),
        TOOL_CALL.by_key["args"],
        replace(_ARGS_MATCH, default=None),
        Field.number(
            "max_duration_ms",
            "The longest time that the call may take, in milliseconds.",
            aliases=Aliases(("maxDurationMs",)),
            limits=ValueLimits(0),
        ),
    ),
)

AGGREGATOR = Record(
    "aggregator",
    "How the results of several assertions become one.",
    (
        Field.text(
            "type",
            "The way in which it is done.",
            required=True,
            values=("weighted_average", "threshold", "code-grader", "llm-grader"),
            placeholder="weighted_average",
        ),
        Field.mapping("weights", "Weights by the names of the assertions."),
        Field.number(
            "threshold",
            "The share of assertions, 0 to 1, that must pass, for `type: threshold`.",
            limits=ValueLimits(0, 1),
        ),
        Field.text("path", "The script, for `type: code-grader`."),
        Field.text("cwd", "The folder in which the script runs.", unread="the script runs in the eval file's folder"),
        Field.text("prompt", "The judge's prompt, for `type: llm-grader`."),
        Field.text("model", "The model that judges.", unread="the judge of the run is asked"),
    ),
)

PREPROCESSOR = Record(
    "preprocessor",
    "A command that turns files of one type into text.",
    (
        Field.text("type", "The type of file, such as `xlsx`.", required=True, placeholder="TODO"),
        replace(
            COMMAND,
            type=FieldType.SEQUENCE,
            doc="The command as a list of its words; the last one is its file.",
            required=True,
        ),
    ),
)

PROMPT_SCRIPT = Record(
    "prompt-script",
    "A command that prints the judge's prompt.",
    (
        replace(
            PROMPT_COMMAND,
            type=FieldType.SEQUENCE,
            doc="The command that prints the prompt, as a list of its words; the last one is its file.",
            required=True,
            aliases=Aliases(deprecated=_SCRIPT_ALIAS),
        ),
        CONFIG,
    ),
    open=True,
)

EVALUATOR_RECORDS_4: tuple[Record, ...] = (
    EVALUATOR,
    assertion(
        "rubrics",
        "A model judges the answer against the criteria.",
        (*_BASE, _CRITERIA, _JUDGE_TARGET, _PREPROCESSORS),
    ),
    assertion(
        "llm-grader",
        "A model judges the answer. Every key that is not listed here is a value for its prompt.",
        (*_BASE, *_LLM_GRADER),
        open=True,
    ),
    assertion(
        "code-grader",
        "A command judges the answer. Every key that is not listed here is its own configuration.",
        (*_BASE, *_CODE_GRADER),
        open=True,
    ),
    assertion("composite", "Several assertions with one result.", (*_BASE, *_COMPOSITE)),
    *shared_assertions(_BASE, {}),
    assertion(
        "tool-trajectory", "The answer was reached with the tool calls that were expected.", (*_BASE, *_TOOL_TRAJECTORY)
    ),
    assertion("skill-trigger", "The answer was reached with a skill, or without it.", (*_BASE, *_SKILL_TRIGGER)),
    EXPECTED_CALL,
    COMPARED_FIELD,
    AGGREGATOR,
    PREPROCESSOR,
    PROMPT_SCRIPT,
)
"""The general record, that of each type, and those below them."""

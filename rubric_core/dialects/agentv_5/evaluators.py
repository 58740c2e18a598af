"""The assertions of AgentV 5: one record for each type."""

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
from rubric_core.dialects.agentv.shared_records import (
    COMMAND,
    CONFIG,
    CONTENT,
    CRITERIA_PLACEHOLDER,
    CRITERION_FIELDS,
    CWD,
    MIN_SCORE,
    TEXT_OR_MAPPING,
    THRESHOLD,
)
from rubric_core.schema.fields import Effect, Field, FieldType, Record, Removed, Role, ValueLimits

_TRAJECTORIES: Mapping[str, str] = {
    "tool-used": "A tool was called, as often as `value` says.",
    "tool-args-match": "A tool was called with arguments.",
    "tool-sequence": "Tools were called in an order.",
    "step-count": "The answer took as many steps as `value` says.",
    "goal-success": "The steps reached a goal.",
}
_CODE_TYPES: Mapping[str, str] = {
    "javascript": "A piece of JavaScript judges the answer.",
    "python": "A piece of Python judges the answer.",
    "webhook": "A web address judges the answer.",
}
_SKILL_TYPES: Mapping[str, str] = {
    "skill-used": "The answer was reached with a skill.",
    "not-skill-used": "The answer was reached without a skill.",
}
_TRAJECTORY_TYPES: Mapping[str, str] = {
    **{f"trajectory:{kind}": doc for kind, doc in _TRAJECTORIES.items()},
    **{f"not-trajectory:{kind}": f"The opposite of `trajectory:{kind}`." for kind in _TRAJECTORIES},
}

TYPES: tuple[str, ...] = (
    "llm-rubric",
    "agent-rubric",
    "script",
    "assert-set",
    *SHARED_TYPES,
    *_CODE_TYPES,
    "similar",
    *_SKILL_TYPES,
    *_TRAJECTORY_TYPES,
)

OLD_TYPES: Mapping[str, str] = {}
"""No older name of a type is read."""

_FOREIGN_TYPES: tuple[str, ...] = (
    *("answer-relevance", "bleu", "classifier", "contains-html", "contains-json", "contains-sql", "contains-xml"),
    *("context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "factuality"),
    *("finish-reason", "gleu", "guardrails", "is-html", "is-refusal", "is-sql", "is-valid-function-call"),
    *("is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "levenshtein", "meteor"),
    *("model-graded-closedqa", "model-graded-factuality", "moderation", "perplexity", "perplexity-score", "pi"),
    *("rouge-n", "ruby", "similar:cosine", "similar:dot", "similar:euclidean", "select-best", "human", "max-score"),
    *("tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration", "search-rubric", "word-count"),
)
"""Types of promptfoo's that AgentV refuses by name; no script of the project can have one of these names."""

_NO_COUNTERPART = Removed("5.1", Effect.SKIPPED, advice="describe it in an `llm-rubric`, or judge it with a `script`")
_TRAJECTORY = "write an assertion of a `trajectory:` type for each tool"
_SKILL = Removed("5.1", Effect.SKIPPED, "skill-used", "use `not-skill-used` where `should_trigger` is false")

REMOVED_TYPES: Mapping[str, Removed] = {
    **dict.fromkeys(("rubrics", "rubric"), Removed("5.1", Effect.SKIPPED, "llm-rubric", "name the list `value`")),
    **dict.fromkeys(("llm-judge", "llm_judge", "g-eval"), Removed("5.1", Effect.SKIPPED, "llm-rubric")),
    **dict.fromkeys(("llm-grader", "llm_grader"), Removed("5.3", Effect.SKIPPED, "llm-rubric", "give it a `value`")),
    **dict.fromkeys(
        ("code-judge", "code_judge", "code_grader", "script-grader"), Removed("5.1", Effect.SKIPPED, "script")
    ),
    **dict.fromkeys(("code-grader", "code"), Removed("5.1", Effect.SCORES_0, "script")),
    "composite": Removed("5.1", Effect.SKIPPED, "assert-set", "name the list `assert`"),
    **dict.fromkeys(("tool-trajectory", "tool_trajectory"), Removed("5.1", Effect.SKIPPED, advice=_TRAJECTORY)),
    "expected_tool_calls": Removed("2.7", Effect.SCORES_0, advice=_TRAJECTORY),
    **dict.fromkeys(("skill-trigger", "skill_trigger"), _SKILL),
    **{kind.replace("-", "_"): Removed("5.1", Effect.SKIPPED, kind) for kind in SHARED_TYPES if "-" in kind},
    **{
        kind.replace("-", "_"): Removed("5.1", Effect.SCORES_0, kind)
        for kind in ("llm-rubric", "agent-rubric", "assert-set", *_SKILL_TYPES)
    },
    **dict.fromkeys(_FOREIGN_TYPES, _NO_COUNTERPART),
}

_BASE: tuple[Field, ...] = (
    Field.text("metric", "The assertion's name in results.", default="made from its type and value", since="5.1"),
    type_field(TYPES, "llm-rubric"),
    ASSERTION_WEIGHT,
    REQUIRED,
    MIN_SCORE,
    NEGATE,
    Field(
        "transform",
        TEXT_OR_MAPPING,
        "What is done to the answer before it is judged.",
        record="free-form",
        since="5.1",
    ),
    CONFIG,
    Field.text("name", "The assertion's name in earlier releases.", unread="write `metric`"),
)
_TRANSFORM = Removed("5.1", Effect.REFUSED, "transform")
_REMOVED: Mapping[str, Removed] = {"preprocessors": _TRANSFORM, "postprocess": _TRANSFORM}
_TARGET = Removed("5.3", Effect.SKIPPED, "provider")
_VALUE = Removed("5.1", Effect.SKIPPED, "value")
_MEMBERS = Removed("5.1", Effect.DROPPED, "assert")

_CRITERION = {field.name: field for field in CRITERION_FIELDS}
_RUBRIC = (
    Field(
        "value",
        FieldType.STRING | FieldType.NUMBER | FieldType.SEQUENCE | FieldType.MAPPING,
        "What the judge checks: a text, or a list of criteria. A plain string in the list is a required criterion of "
        "weight 1.",
        record="criterion",
        mapping_record="rubric-value",
        items=TEXT_OR_MAPPING,
        placeholder=CRITERIA_PLACEHOLDER,
        role=Role.CRITERIA,
        since="5.1",
    ),
    PROMPT,
    Field.text("provider", "The label of the provider that judges.", since="5.3"),
    replace(_CRITERION["score_ranges"], doc="What each score from 0 to 10 means, beside a `value` that is a text."),
    replace(_CRITERION["operator"], doc="How a `value` that is a text is meant, beside `score_ranges`."),
    MAX_STEPS,
    TEMPERATURE,
    Field.text("model", "The model that judges.", unread="name the judge under `provider`"),
)
_RUBRIC_REMOVED: Mapping[str, Removed] = {
    **_REMOVED,
    **dict.fromkeys(("criteria", "rubrics", "rubric_item", "rubricItem"), _VALUE),
    "target": _TARGET,
}

_PASS_MARK = replace(THRESHOLD, doc="The lowest score, 0 to 1, with which the assertion passes.", default=None)
_SCRIPT = (
    replace(
        COMMAND,
        doc="The command that judges the answer: a string that a shell runs, or a list of its words.",
        required=True,
    ),
    CWD,
    Field(
        "provider",
        FieldType.MAPPING | FieldType.BOOLEAN,
        "Gives the command access to a provider; `max_calls` in the mapping limits how often it may call.",
        record="free-form",
        since="5.3",
    ),
)
_ASSERT_SET = (
    replace(
        evaluator_list("assert", "The assertions whose results are put together."),
        required=True,
        placeholder='["TODO: what the answer must do"]',
        since="5.1",
        limits=ValueLimits(empty=Effect.DROPPED),
    ),
    replace(
        _PASS_MARK,
        doc="The lowest weighted mean, 0 to 1, with which the set passes; without it every assertion must pass.",
    ),
)
_CODE = (
    Field.text("value", "The code, or where it is.", required=True, placeholder='"TODO: code"'),
    _PASS_MARK,
)
_SIMILAR = (
    Field.text("value", "The text to compare with.", required=True, placeholder='"TODO: text"'),
    replace(_PASS_MARK, default="0.75"),
    Field("provider", TEXT_OR_MAPPING, "The provider that compares.", record="free-form"),
)
_SKILL_VALUE = Field(
    "value",
    CONTENT,
    "The skill's name, a list of names, or a mapping that says how often.",
    record="used-skill",
    items=TEXT_OR_MAPPING,
    placeholder="TODO-skill",
)
_TRAJECTORY_VALUE = Field(
    "value",
    FieldType.ANYTHING,
    "What is expected, such as `name` and `min` of a tool, `name` and `args`, or `mode` and `steps`.",
    record="free-form",
)

EVALUATOR = Record(
    "evaluator",
    "An assertion. Every one has these keys, whatever its type.",
    (*_BASE, INCLUDE),
    # A type that the project defines gets every other key.
    open=True,
    noun="an assertion",
    removed=_REMOVED,
)

USED_SKILL = Record(
    "used-skill",
    "A skill and how often it is used.",
    (
        Field.text("name", "The skill's name."),
        Field.text("pattern", "A pattern that the skill's name matches."),
        Field.integer("min", "How often it must be used at least.", limits=ValueLimits(0)),
        Field.integer("max", "How often it may be used.", limits=ValueLimits(0)),
    ),
    open=True,
)

PROMPT_SCRIPT = Record(
    "prompt-script",
    "A command that prints the judge's prompt.",
    (PROMPT_COMMAND, CONFIG),
    open=True,
)

EVALUATOR_RECORDS_5: tuple[Record, ...] = (
    EVALUATOR,
    *(
        assertion(
            kind,
            f"{judge} judges the answer. Every key that is not listed here is a value for its prompt.",
            (*_BASE, *_RUBRIC),
            open=True,
            removed=_RUBRIC_REMOVED,
        )
        for kind, judge in (("llm-rubric", "A model"), ("agent-rubric", "An agent"))
    ),
    assertion(
        "script",
        "A command judges the answer. Every key that is not listed here is its own configuration.",
        (*_BASE, *_SCRIPT),
        open=True,
        removed={**_REMOVED, "script": Removed("5.1", Effect.SKIPPED, "command"), "target": _TARGET},
    ),
    assertion(
        "assert-set",
        "Several assertions with one result.",
        (*_BASE, *_ASSERT_SET),
        removed={
            **_REMOVED,
            "assertions": _MEMBERS,
            "evaluators": _MEMBERS,
            "aggregator": Removed(
                "5.1", Effect.IGNORED, advice="write a `weight` in each assertion, or `threshold` in the set"
            ),
        },
    ),
    *shared_assertions(_BASE, _REMOVED),
    *(assertion(kind, doc, (*_BASE, *_CODE), removed=_REMOVED) for kind, doc in _CODE_TYPES.items()),
    assertion("similar", "The answer means the same as a text.", (*_BASE, *_SIMILAR), removed=_REMOVED),
    *(assertion(kind, doc, (*_BASE, _SKILL_VALUE), removed=_REMOVED) for kind, doc in _SKILL_TYPES.items()),
    *(assertion(kind, doc, (*_BASE, _TRAJECTORY_VALUE), removed=_REMOVED) for kind, doc in _TRAJECTORY_TYPES.items()),
    COMPARED_FIELD,
    USED_SKILL,
    PROMPT_SCRIPT,
)
"""The general record, that of each type, and those below them."""

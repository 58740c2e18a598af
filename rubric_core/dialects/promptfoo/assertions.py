"""The assertions of promptfoo: a record for each type, for its `not-` form, and for sets of assertions."""

from collections.abc import Mapping
from dataclasses import replace

from rubric_core.dialects.promptfoo.types import ASSERTION_TYPES, COMPARING_TYPES, AssertionType
from rubric_core.schema.fields import Condition, Field, FieldType, OtherKeys, Record, Role, ValueLimits, assertion_noun

REFERENCE_KEY = "$ref"
"""The key of a mapping that is replaced by another part of the file, or by another file."""
WITHOUT_REFERENCE = Condition(frozenset({REFERENCE_KEY}))
MISSPELT_IS_ERROR = OtherKeys(misspelt="error")
SET = "assert-set"
NOT = "not-"
RED_TEAM = "promptfoo:redteam"
"""What the types start with that a red team's plugins bring."""

_DOCS: Mapping[str, str] = {
    "agent-rubric": "An agent judges the output by a rubric.",
    "answer-relevance": "The output answers the question.",
    "bleu": "The BLEU score of the output against references.",
    "classifier": "A classifier gives the output a label.",
    "contains": "The output contains a text.",
    "contains-all": "The output contains all of the texts.",
    "contains-any": "The output contains at least one of the texts.",
    "contains-html": "The output contains HTML.",
    "contains-json": "The output contains JSON, which matches the schema in `value` where there is one.",
    "contains-sql": "The output contains SQL.",
    "contains-xml": "The output contains XML.",
    "context-faithfulness": "The output says nothing that the context does not.",
    "context-recall": "The context has what is expected.",
    "context-relevance": "The context is about the question.",
    "conversation-relevance": "Each answer of a conversation is about what was asked.",
    "cost": "The output cost at most `threshold`, in US dollars.",
    "equals": "The output is a text, or JSON, and nothing else.",
    "factuality": "The output agrees with the facts in `value`.",
    "finish-reason": "The model stopped for a reason.",
    "g-eval": "A model judges the output by criteria, step by step.",
    "gleu": "The GLEU score of the output against references.",
    "guardrails": "No guardrail of the provider was hit.",
    "icontains": "The output contains a text, in upper or lower case.",
    "icontains-all": "The output contains all of the texts, in upper or lower case.",
    "icontains-any": "The output contains at least one of the texts, in upper or lower case.",
    "is-html": "The output is HTML.",
    "is-json": "The output is JSON, which matches the schema in `value` where there is one.",
    "is-refusal": "The output is a refusal.",
    "is-sql": "The output is SQL.",
    "is-valid-function-call": "The output is a function call that matches the provider's schema.",
    "is-valid-openai-function-call": "The output is a function call that matches the provider's schema.",
    "is-valid-openai-tools-call": "The output is a call of tools that matches the provider's schema.",
    "is-xml": "The output is XML.",
    "javascript": "A piece of JavaScript judges the output.",
    "latency": "The output took at most `threshold` milliseconds.",
    "levenshtein": "The output is at most `threshold` edits away from a text.",
    "llm-rubric": "A model judges the output by a rubric.",
    "max-score": "The output has the highest score of all.",
    "meteor": "The METEOR score of the output against references.",
    "model-graded-closedqa": "A model judges whether the output meets a criterion.",
    "model-graded-factuality": "The output agrees with the facts in `value`.",
    "moderation": "A moderation service finds nothing in the output.",
    "perplexity": "The perplexity of the output is at most `threshold`.",
    "perplexity-score": "The normalised perplexity of the output is at least `threshold`.",
    "pi": "A scorer of Pi Labs judges the output.",
    "python": "A piece of Python judges the output.",
    "regex": "The output matches a regular expression, written without slashes.",
    "rouge-n": "The ROUGE score of the output against a reference.",
    "ruby": "A piece of Ruby judges the output.",
    "search-rubric": "A model with web search judges the output by a rubric.",
    "select-best": "The output is the best of all by a criterion.",
    "similar": "The output means the same as a text.",
    "skill-used": "An agent used skills.",
    "starts-with": "The output starts with a text.",
    "tool-call-f1": "The F1 score of the tools that were called.",
    "trace-error-spans": "The trace has few errors.",
    "trace-span-count": "The trace has as many spans as `value` says.",
    "trace-span-duration": "No span of the trace takes too long.",
    "trajectory:goal-success": "The steps reached a goal.",
    "trajectory:step-count": "The answer took as many steps as `value` says.",
    "trajectory:tool-args-match": "A tool was called with arguments.",
    "trajectory:tool-sequence": "Tools were called in an order.",
    "trajectory:tool-used": "Tools were called.",
    "webhook": "A web address judges the output.",
    "word-count": "The output has as many words as `value` says.",
}
RUBRIC_TYPES = frozenset({"llm-rubric", "agent-rubric", "search-rubric", "g-eval", "model-graded-closedqa"})
"""The types whose value is text by which a model judges."""
_OLDER_DEFAULTS = frozenset({"answer-relevance", "context-faithfulness", "context-recall", "context-relevance"})
"""The types whose threshold was 0 by default before 0.123."""

TYPES: tuple[str, ...] = (
    "llm-rubric",
    *(kind.name for kind in ASSERTION_TYPES if kind.name != "llm-rubric"),
    SET,
    *COMPARING_TYPES,
    *(f"{NOT}{kind.name}" for kind in ASSERTION_TYPES),
)
IGNORES_NEGATION = frozenset(f"{NOT}{kind.name}" for kind in ASSERTION_TYPES if not kind.is_negatable)
"""The `not-` forms that judge just like the type itself."""
VERDICT_OF_EMPTY_LIST: Mapping[str, bool] = {
    f"{negation}{prefix}contains-{which}": (which == "all") is not bool(negation)
    for negation in ("", NOT)
    for prefix in ("", "i")
    for which in ("all", "any")
}
"""Whether every output passes, or none, where there is no text to look for."""
VERDICT_WITHOUT_VALUE: Mapping[str, bool] = {"equals": False, f"{NOT}equals": True}
NEEDS_CRITERION: Mapping[str, bool] = {kind: kind == "select-best" for kind in COMPARING_TYPES}

_TEXT_OR_MAPPING = FieldType.STRING | FieldType.MAPPING
_TYPE = Field.text(
    "type",
    "How the output is judged. `not-` before it turns the result around.",
    required=True,
    values=TYPES,
    placeholder="llm-rubric",
)
WEIGHT = Field.number(
    "weight",
    "How much this counts beside the other assertions of the test. With 0 it is measured and cannot fail.",
    default="1",
    limits=ValueLimits(0),
)
METRIC = Field.text("metric", "The name under which results show the score.")
_CONFIG = Field.mapping("config", "Values for a script, or for all assertions of a set.")
_THRESHOLD = Field.number(
    "threshold",
    "The score from which the assertion passes.",
    limits=ValueLimits(meaning="The assertion passes when its score is at least {value}."),
)
# The types whose threshold is not the least score: what it is, and what a number means.
_OTHER_THRESHOLDS: Mapping[str, tuple[str, str]] = {
    "cost": ("What the output may cost, in US dollars.", "The output may cost at most {value} US dollars."),
    "latency": ("How long the output may take, in milliseconds.", "The output may take at most {value} milliseconds."),
    "levenshtein": ("How many edits away the text may be.", "The output is at most {value} edits away."),
    "perplexity": ("The highest perplexity.", "The perplexity is at most {value}."),
}
_REFERENCE = Field.text(REFERENCE_KEY, "Another assertion that stands here, such as `#/templates/polite`.")
_SHARED: tuple[Field, ...] = (
    _CONFIG,
    WEIGHT,
    METRIC,
    Field("provider", _TEXT_OR_MAPPING, "What judges.", record="free-form"),
    Field(
        "rubricPrompt",
        FieldType.STRING | FieldType.SEQUENCE | FieldType.MAPPING,
        "The judge's prompt, which shows it `{{ output }}` and `{{ rubric }}`.",
        record="free-form",
    ),
    Field.text("transform", "What is done to the output before it is judged."),
    Field.text("contextTransform", "How the context is taken from the output."),
)
ASSERT = Field.records("assert", "The assertions that judge the output.", "evaluator", role=Role.EVALUATORS)

EVALUATOR = Record(
    "evaluator",
    "What every assertion has, whatever its type.",
    (_TYPE, *_SHARED, _REFERENCE),
    # Without a known type the legal keys are unknown.
    open=True,
    other_keys=MISSPELT_IS_ERROR,
    condition=WITHOUT_REFERENCE,
    noun="an assertion",
)


def _threshold(kind: AssertionType) -> Field:
    if not kind.reads_threshold:
        return replace(_THRESHOLD, unread="remove it")
    older = ", and 0 before 0.123" if kind.name in _OLDER_DEFAULTS else ""
    default = f"{kind.default_threshold}{older}" if kind.default_threshold is not None else None
    doc, meaning = _OTHER_THRESHOLDS.get(kind.name, (_THRESHOLD.doc, _THRESHOLD.limits.meaning))
    return replace(
        _THRESHOLD,
        doc=doc,
        limits=ValueLimits(meaning=meaning),
        required=kind.needs_threshold,
        default=default,
        placeholder="1" if kind.needs_threshold else None,
    )


def _value(kind: AssertionType) -> Field:
    is_rubric = kind.name in RUBRIC_TYPES
    return Field(
        "value",
        kind.shapes,
        "What the judge checks." if is_rubric else "What is expected, or `file://` and the path of a file with it.",
        required=kind.needs_value,
        record="free-form" if kind.shapes & FieldType.MAPPING and kind.shapes is not FieldType.ANYTHING else None,
        role=Role.CRITERIA if is_rubric else None,
        items=None if not is_rubric else FieldType.ANYTHING if kind.shapes & FieldType.MAPPING else FieldType.STRING,
        placeholder="TODO" if kind.needs_value or is_rubric or kind.name in VERDICT_WITHOUT_VALUE else None,
    )


# What people write for the value of an assertion, as in other tools.
_NAMES_OF_VALUE = MISSPELT_IS_ERROR._replace(
    meant=dict.fromkeys(("rubric", "criteria", "schema", "prompt", "expected"), "value")
)


def _assertion(name: str, doc: str, fields: tuple[Field, ...]) -> Record:
    return Record(
        f"evaluator:{name}",
        doc,
        (*fields, _REFERENCE),
        condition=WITHOUT_REFERENCE,
        other_keys=_NAMES_OF_VALUE if any(field.name == "value" for field in fields) else MISSPELT_IS_ERROR,
        noun=assertion_noun(name),
    )


def _of_type(kind: AssertionType, *, is_negated: bool) -> Record:
    name = f"{NOT}{kind.name}" if is_negated else kind.name
    doc = _DOCS.get(kind.name, f"The `{kind.name}` assertion.")
    what = f"The opposite of `{kind.name}`." if kind.is_negatable else f"The same as `{kind.name}`: `not-` is ignored."
    return _assertion(
        name,
        f"{what} {doc}" if is_negated else doc,
        (_TYPE, _value(kind), _threshold(kind), *_SHARED),
    )


_SET = _assertion(
    SET,
    "Several assertions whose results become one: all must pass or, with a `threshold`, their weighted score must "
    "reach it.",
    (
        _TYPE,
        replace(ASSERT, required=True, doc="The assertions of the set; none of them is a set itself."),
        WEIGHT,
        METRIC,
        replace(
            _THRESHOLD,
            doc="The weighted score from which the set passes. Without it every assertion of the set must pass.",
            limits=ValueLimits(
                0, 1, meaning="The set passes when the weighted mean of its assertions is at least {value}."
            ),
        ),
        _CONFIG,
    ),
)
_CRITERION = Field("value", FieldType.ANYTHING, "By what the outputs are compared.", placeholder="TODO")
_COMPARING = tuple(
    _assertion(
        kind,
        _DOCS[kind],
        (_TYPE, _CRITERION, _THRESHOLD, *_SHARED),
    )
    for kind in COMPARING_TYPES
)
_RED_TEAM = Record(f"evaluator:{RED_TEAM}", "A check of a red team's plugin.", (_TYPE, *_SHARED), open=True)

EVALUATOR_RECORDS: tuple[Record, ...] = (
    EVALUATOR,
    *(_of_type(kind, is_negated=is_negated) for is_negated in (False, True) for kind in ASSERTION_TYPES),
    _SET,
    *_COMPARING,
    _RED_TEAM,
)

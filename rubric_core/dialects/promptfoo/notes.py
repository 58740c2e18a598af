"""What completion, hover and rename have for promptfoo beside its table."""

from rubric_core.assist.completion.insert_text import TabStop
from rubric_core.assist.completion.snippets import Snippet
from rubric_core.assist.names.occurrences import ITEMS, KEYS, NameKind, NamePlace
from rubric_core.assist.notes import NamedByKey, Notes
from rubric_core.dialects.promptfoo.assertions import IGNORES_NEGATION, NOT, REFERENCE_KEY, TYPES

_PROVIDER = NamedByKey(NameKind.TARGET, "provider")

NOTES = Notes(
    suite_names=(
        NamePlace(NameKind.TARGET, ("providers", ITEMS, "label"), defines=True),
        NamePlace(NameKind.PROMPT, ("providers", ITEMS, "prompts", ITEMS)),
        NamePlace(NameKind.TARGET, ("targets", ITEMS, "label"), defines=True),
        NamePlace(NameKind.PROMPT, ("targets", ITEMS, "prompts", ITEMS)),
        NamePlace(NameKind.PROMPT, ("prompts", ITEMS, "label"), defines=True),
        NamePlace(NameKind.EVALUATOR, ("derivedMetrics", ITEMS, "name"), defines=True),
        NamePlace(NameKind.VARIABLE, ("defaultTest", "vars", KEYS), defines=True),
    ),
    case_names=(
        NamePlace(NameKind.PROMPT, ("prompts", ITEMS)),
        NamePlace(NameKind.TARGET, ("options", "provider")),
        NamePlace(NameKind.VARIABLE, ("vars", KEYS), defines=True),
    ),
    scenario_names=(NamePlace(NameKind.VARIABLE, ("config", ITEMS, "vars", KEYS), defines=True),),
    variables="vars",
    metric="metric",
    beside_metric=frozenset({"type", REFERENCE_KEY}),
    formulas=(("derivedMetrics", ITEMS, "value"),),
    named_by={
        **dict.fromkeys(("provider", "providers", "grader"), _PROVIDER),
        "targets": NamedByKey(NameKind.TARGET, "target"),
        "prompts": NamedByKey(NameKind.PROMPT, "prompt"),
    },
    path_keys=frozenset({"tests", "path"}),
    ranks={"suite": {"tests": 21, "prompts": 23, "providers": 24}, "case": {"assert": 21, "vars": 23}},
    suite_snippet={"prompts": ['"{{ input }}"'], "providers": [TabStop("echo")]},
    case_snippet={"vars": {"input": TabStop("What is asked")}},
    evaluators={
        "llm-rubric": Snippet("llm-rubric", "A model judges the answer.", {}),
        "assert-set": Snippet("assert-set", "Several assertions whose results become one.", {}),
        "latency": Snippet("latency", "The answer must not take too long.", {}),
        "cost": Snippet("cost", "The answer must not cost too much.", {}),
    },
    type_notes={
        kind: f"`{NOT}` before it {'is ignored' if f'{NOT}{kind}' in IGNORES_NEGATION else 'turns the result around'}."
        for kind in TYPES
        if f"{NOT}{kind}" in TYPES
    },
    continuations={"vars": {TabStop("name"): TabStop()}, "prompts": [TabStop('"{{ input }}"')]},
)

"""What completion, hover and rename have for AgentV 5 beside its table."""

from rubric_core.assist.completion.insert_text import TabStop
from rubric_core.assist.completion.snippets import Snippet
from rubric_core.assist.names.occurrences import ITEMS, KEYS, NameKind, NamePlace
from rubric_core.assist.notes import NamedByKey, Notes
from rubric_core.dialects.agentv import notes
from rubric_core.dialects.agentv_5.evaluators import TYPES

_PROVIDER = NamedByKey(NameKind.TARGET, "provider")

NOTES = Notes(
    suite_names=(
        NamePlace(NameKind.TARGET, ("providers", ITEMS, "label"), defines=True),
        NamePlace(NameKind.PROMPT, ("providers", ITEMS, "prompts", ITEMS)),
        NamePlace(NameKind.PROMPT, ("prompts", ITEMS, "label"), defines=True),
        NamePlace(NameKind.EVALUATOR, ("derived_metrics", ITEMS, "name"), defines=True),
        NamePlace(NameKind.TARGET, ("defaults", "provider")),
        NamePlace(NameKind.TARGET, ("defaults", "grader")),
        NamePlace(NameKind.VARIABLE, ("default_test", "vars", KEYS), defines=True),
    ),
    case_names=(
        NamePlace(NameKind.CASE, ("depends_on", ITEMS)),
        NamePlace(NameKind.PROMPT, ("prompts", ITEMS)),
        NamePlace(NameKind.TARGET, ("options", "provider")),
        NamePlace(NameKind.VARIABLE, ("vars", KEYS), defines=True),
    ),
    scenario_names=(NamePlace(NameKind.VARIABLE, ("config", ITEMS, "vars", KEYS), defines=True),),
    variables="vars",
    metric="metric",
    beside_metric=frozenset({"type"}),
    formulas=(("derived_metrics", ITEMS, "value"),),
    named_by={
        **dict.fromkeys(("provider", "providers", "grader"), _PROVIDER),
        "prompts": NamedByKey(NameKind.PROMPT, "prompt"),
        "depends_on": NamedByKey(NameKind.CASE, "test"),
    },
    path_keys=frozenset({"tests", "input_files", "cwd", "file", "path", "workdir"}),
    ranks={"suite": {"tests": 21, "prompts": 23, "providers": 24}, "case": {"assert": 21, "vars": 23}},
    suite_snippet={"prompts": ['"{{ input }}"']},
    case_snippet={"vars": {"input": TabStop("What is asked")}},
    evaluators=notes.by_type(
        Snippet("llm-rubric", notes.BY_MODEL, {"value": [notes.OUTCOME]}),
        Snippet("agent-rubric", "An agent judges the answer.", {"value": [notes.OUTCOME]}),
        Snippet("script", notes.BY_SCRIPT, {"command": notes.SCRIPT}),
        Snippet("assert-set", "Several assertions whose results become one.", {"assert": [notes.OUTCOME]}),
        notes.LATENCY,
        notes.COST,
    ),
    type_notes={kind: "`not-` before it turns the result around." for kind in TYPES if f"not-{kind}" in TYPES},
    items=notes.ITEMS,
    continuations={
        "tool_calls": [notes.TOOL_CALL],
        "fields": notes.FIELDS,
        "command": notes.SCRIPT,
        "vars": {TabStop("name"): TabStop()},
        "prompts": [TabStop('"{{ input }}"')],
    },
    meanings=notes.MEANINGS,
)

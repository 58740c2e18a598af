"""What completion, hover and rename have for AgentV 4 beside its table."""

from rubric_core.assist.completion.insert_text import TabStop
from rubric_core.assist.completion.snippets import Snippet
from rubric_core.assist.names.occurrences import ITEMS, KEYS, NameKind, NamePlace
from rubric_core.assist.notes import NamedByKey, Notes
from rubric_core.dialects.agentv import notes

_TARGET = NamedByKey(NameKind.TARGET, "target")

NOTES = Notes(
    case_names=(
        NamePlace(NameKind.CASE, ("depends_on", ITEMS)),
        NamePlace(NameKind.VARIABLE, ("vars", KEYS), defines=True),
    ),
    variables="vars",
    member_weights=("aggregator", "weights", KEYS),
    named_by={
        **dict.fromkeys(("target", "use_target", "targets"), _TARGET),
        "depends_on": NamedByKey(NameKind.CASE, "test"),
    },
    path_keys=frozenset({"tests", "input_files", "cwd", "path", "template"}),
    ranks={"suite": {"tests": 21, "target": 40}, "case": {"assertions": 20, "rubrics": 22, "vars": 23}},
    evaluators=notes.by_type(
        Snippet("rubrics", "A model judges the answer by criteria.", {"criteria": [notes.OUTCOME]}),
        Snippet("llm-grader", notes.BY_MODEL, {"prompt": TabStop("What the judge checks")}),
        Snippet("code-grader", notes.BY_SCRIPT, {"command": notes.SCRIPT}),
        Snippet("composite", notes.COMPOSITE, {}),
        notes.FIELD_ACCURACY,
        notes.TOOL_TRAJECTORY,
        notes.LATENCY,
        notes.COST,
    ),
    items=notes.ITEMS,
    continuations={
        "tool_calls": [notes.TOOL_CALL],
        "expected": [notes.TOOL_CALL],
        "fields": notes.FIELDS,
        "command": notes.SCRIPT,
        "vars": {TabStop("name"): TabStop()},
    },
    meanings=notes.MEANINGS,
)

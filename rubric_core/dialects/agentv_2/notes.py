"""What completion, hover and rename have for AgentV 2 beside its table."""

from rubric_core.assist.completion.insert_text import TabStop, Template
from rubric_core.assist.completion.snippets import Snippet
from rubric_core.assist.names.occurrences import KEYS, NameKind
from rubric_core.assist.notes import NamedByKey, Notes
from rubric_core.dialects.agentv import notes

_ASKED: Template = [{"role": notes.ROLE, "content": TabStop("What is asked")}]
_JUDGES = ("llm_judge", "code_judge")

NOTES = Notes(
    member_weights=("aggregator", "weights", KEYS),
    named_by={"target": NamedByKey(NameKind.TARGET, "target")},
    path_keys=frozenset({"tests", "cwd"}),
    ranks={"suite": {"evalcases": 20, "target": 40, "evaluator": 40}, "case": {"rubrics": 22, "evaluator": 40}},
    evaluators=notes.by_type(
        Snippet("llm_judge", notes.BY_MODEL, {"rubrics": [notes.OUTCOME]}),
        Snippet("code_judge", notes.BY_SCRIPT, {"script": notes.SCRIPT}),
        Snippet(
            "composite",
            notes.COMPOSITE,
            {
                "evaluators": [{"name": TabStop("member"), "type": TabStop("llm_judge", _JUDGES)}],
                "aggregator": {"type": TabStop("weighted_average", ("weighted_average", "code_judge", "llm_judge"))},
            },
        ),
        notes.TOOL_TRAJECTORY._replace(name="tool_trajectory"),
        notes.FIELD_ACCURACY._replace(name="field_accuracy"),
        notes.LATENCY,
        notes.COST,
        Snippet("token_usage", "The answer must not use too many tokens.", {"max_total": TabStop("10000")}),
        Snippet(
            "execution_metrics",
            "Tool calls, model calls, tokens, cost and time stay within limits.",
            {"max_tool_calls": TabStop("10")},
        ),
    ),
    items=notes.ITEMS,
    continuations={
        "input_messages": _ASKED,
        "expected_messages": [
            {"role": TabStop("assistant", ("assistant", "tool")), "content": TabStop("A good answer")}
        ],
        "tool_calls": [notes.TOOL_CALL],
        "expected": [notes.TOOL_CALL],
        "fields": notes.FIELDS,
        "script": notes.SCRIPT,
    },
    meanings=notes.MEANINGS,
)

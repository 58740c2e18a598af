"""How suites of AgentV 4 and 5 are graded."""

from collections.abc import Mapping

from rubric_core.dialects.agentv.assertions import SHARED_TYPES
from rubric_core.schema.profiles import Profile, SetRule, same_names
from rubric_core.schema.scales import TWO_VERDICTS

_VARIABLES_4: Mapping[str, str] = {
    "output": "candidate_answer",
    "input": "question",
    "expected_output": "reference_answer",
    **same_names("criteria", "rubrics", "rubrics_json", "metadata", "metadata_json"),
    **dict.fromkeys(("file_changes", "tool_calls"), "unknown"),
}
_PAYLOAD_4: Mapping[str, str] = {
    "criteria": "expected_outcome",
    "expected_output": "expected_messages",
    "output": "candidate_answer",
    "messages": "answer_messages",
    "input_files": "input_files",
    "input": "input_messages",
    **same_names("metadata", "trace", "trace_summary", "token_usage", "cost_usd", "duration_ms"),
    **dict.fromkeys(("start_time", "end_time", "file_changes", "workspace_path"), "unknown"),
    "config": "config",
}
_TURNS = "The turns of a conversation are not graded; grade each turn as a test of its own."

AGENTV_4 = Profile(
    TWO_VERDICTS,
    default_judge="llm-grader",
    case_thresholds=("execution",),
    suite_thresholds=("execution",),
    sets={"composite": SetRule(aggregator="aggregator")},
    offline_types=frozenset(SHARED_TYPES),
    ungraded_keys={"turns": _TURNS},
    variables=_VARIABLES_4,
    payload=_PAYLOAD_4,
    reply_lists={"assertions": "passed"},
    has_upstream=True,
)

AGENTV_5 = Profile(
    TWO_VERDICTS,
    default_judge="llm-rubric",
    case_thresholds=("run", "execution"),
    suite_thresholds=("default_test", ""),
    sets={"assert-set": SetRule(needs_all=True)},
    offline_types=frozenset(SHARED_TYPES),
    unrun_types=frozenset({"agent-rubric"}),
    ungraded_keys={"turns": _TURNS},
    variables=_VARIABLES_4,
    payload=_PAYLOAD_4,
    reply_lists={"checks": "pass"},
    reply_pass="pass",  # noqa: S106 - the name of a key.
    has_upstream=True,
)

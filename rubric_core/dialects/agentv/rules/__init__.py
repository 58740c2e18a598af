"""The rules about what several generations of AgentV do with a file; each generation names those that it has."""

from rubric_core.rules.registry import in_folder

OF_ALL = in_folder(
    "agentv.rules",
    *("later_dialect", "invalid_message", "unknown_target", "removed_assertion_type", "invalid_name"),
)
SINCE_AGENTV_4 = in_folder(
    "agentv.rules", "invalid_min_score", "ineffective_min_score", "gate_not_carried", "invalid_operator"
)

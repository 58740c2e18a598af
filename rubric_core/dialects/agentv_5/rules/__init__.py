"""The rules of AgentV 5."""

from rubric_core.dialects.agentv.rules import OF_ALL, SINCE_AGENTV_4
from rubric_core.rules.registry import DialectRules, in_folder

_OWN = in_folder(
    "agentv_5.rules",
    *("ungraded_test", "dropped_rubric_prompt", "template_eats_text", "list_var", "old_criterion_text"),
    *("ungraded_criteria", "reference_not_consumed"),
)
RULES = DialectRules((*OF_ALL, *SINCE_AGENTV_4, *_OWN))

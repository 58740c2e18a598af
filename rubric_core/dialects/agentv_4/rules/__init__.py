"""The rules of AgentV 4."""

from rubric_core.dialects.agentv.rules import OF_ALL, SINCE_AGENTV_4
from rubric_core.rules.registry import DialectRules, in_folder

RULES = DialectRules((*OF_ALL, *SINCE_AGENTV_4, *in_folder("agentv_4.rules", "ungraded_test")))

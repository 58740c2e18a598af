"""The rules of AgentV 2, which has neither files by `file://` nor thresholds of cases."""

from rubric_core.dialects.agentv.rules import OF_ALL
from rubric_core.rules.registry import DialectRules, in_folder

RULES = DialectRules(
    (*OF_ALL, *in_folder("agentv_2.rules", "missing_script", "script_without_file")),
    without=frozenset({"RB705", "RB706", "RB718"}),
)

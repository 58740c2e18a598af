"""How suites of AgentV 5 are graded."""

from rubric_core.dialects.agentv.grader import AgentvGrader
from rubric_core.grading.evaluators.sets import AllMembersRule
from rubric_core.grading.grader import ReplyFormat

GRADER = AgentvGrader(
    default_judge="llm-rubric",
    unrun_types=frozenset({"agent-rubric"}),
    sets={"assert-set": AllMembersRule()},
    reply=ReplyFormat(lists={"checks": "pass"}, verdict="pass", reasons=("reasoning", "reason")),
)

"""Names in AgentV's results."""

RESULT_NAMES = ("suite", "output", "execution_status", "assertions", "scores", "eval_run")

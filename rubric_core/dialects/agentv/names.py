"""Names of AgentV's files, and in its results."""

from rubric_core.dialects.marks import FileNames

FILE_NAMES = FileNames(
    suite=r"(?is:(?:.*[/\\])?(?:suite|eval|[^/\\]*\.eval)\.ya?ml)",
    case=r"(?s:(?:.*[/\\])?case\.ya?ml)",
    cases=r"(?is:(?:.*[/\\])?[^/\\]*\.cases\.ya?ml)",
    template=r"(?s:(?:.*[/\\])?\.agentv[/\\]templates[/\\].*\.ya?ml)",
)
REQUIRED = "agentv"
"""The key under `requires` with the releases that a suite is for."""
RESULT_NAMES = ("suite", "output", "execution_status", "assertions", "scores", "eval_run")

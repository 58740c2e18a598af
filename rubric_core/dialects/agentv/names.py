"""Names of AgentV's files, and in its results."""

from rubric_core.dialects.marks import Definitions, FileNames

FILE_NAMES = FileNames(
    suite=r"(?is:(?:.*[/\\])?(?:suite|eval|[^/\\]*\.eval)\.ya?ml)",
    case=r"(?s:(?:.*[/\\])?case\.ya?ml)",
    cases=r"(?is:(?:.*[/\\])?[^/\\]*\.cases\.ya?ml)",
    template=r"(?s:(?:.*[/\\])?\.agentv[/\\]templates[/\\].*\.ya?ml)",
    folder=".agentv",
)
TARGETS = Definitions("targets", ("name",), (".agentv/targets.yaml", ".agentv/targets.yml"))
PROVIDERS = Definitions(
    "providers",
    ("label", "id"),
    (".agentv/providers.yaml", ".agentv/providers.yml"),
    (".agentv/config.yaml", ".agentv/config.yml"),
)
SKIPPING = ("execution", "skip_defaults")
"""Where a case leaves out the evaluators that the suite has for all cases."""
REQUIRED = "agentv"
"""The key under `requires` with the releases that a suite is for."""
RESULT_NAMES = ("suite", "output", "execution_status", "assertions", "scores", "eval_run")

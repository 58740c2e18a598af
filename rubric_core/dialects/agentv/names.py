"""Names of AgentV's files and folders."""

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
TOOL = "AgentV"
OWN_TYPES = ".agentv/assertions"
"""The folder of a project with types of assertions of its own."""
SKIPPING = ("execution", "skip_defaults")
"""Where a case leaves out the evaluators that the suite has for all cases."""
REQUIRED = "agentv"
"""The key under `requires` with the releases that a suite is for."""

"""Migrations between promptfoo and AgentV 5."""

from rubric_core.dialects.parts import Migration

MIGRATIONS = (
    Migration("promptfoo", "agentv-5", "promptfoo.migration.to_agentv_5:STEPS"),
    Migration("agentv-5", "promptfoo", "promptfoo.migration.from_agentv_5:STEPS"),
)

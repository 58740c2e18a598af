"""Migrations between AgentV 4 and AgentV 5."""

from rubric_core.dialects.parts import Migration

MIGRATIONS = (
    Migration("agentv-4", "agentv-5", "agentv_5.migration.from_agentv_4:STEPS"),
    Migration("agentv-5", "agentv-4", "agentv_5.migration.to_agentv_4:STEPS"),
)

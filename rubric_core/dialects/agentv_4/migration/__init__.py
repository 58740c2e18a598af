"""Migrations between AgentV 2 and AgentV 4."""

from rubric_core.dialects.parts import Migration

MIGRATIONS = (
    Migration("agentv-2", "agentv-4", "agentv_4.migration.from_agentv_2:STEPS"),
    Migration("agentv-4", "agentv-2", "agentv_4.migration.to_agentv_2:STEPS"),
)

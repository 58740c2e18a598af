"""The table of AgentV 2."""

from rubric_core.dialects.agentv.evaluators import EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.dialects.agentv.records import RECORDS
from rubric_core.schema.table import Table

TABLE = Table(RECORDS, EVALUATOR_TYPES, OLD_EVALUATOR_TYPES)

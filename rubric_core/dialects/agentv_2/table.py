"""The table of AgentV 2."""

from rubric_core.dialects.agentv.evaluators import EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.dialects.agentv.records import RECORDS
from rubric_core.schema.table import Table, Types

TABLE = Table(RECORDS, Types(EVALUATOR_TYPES, OLD_EVALUATOR_TYPES), proposals_key="rubrics")

"""What migrations between the generations of AgentV share."""

from rubric_core.migration.places import ANY_CASE, SUITE
from rubric_core.migration.steps import lists

_NO_SCORECARDS = "AgentV has no scorecards; `rubric grade` still reads them"
NO_SCORECARDS = (lists((SUITE,), ("scorecards",), _NO_SCORECARDS), lists(ANY_CASE, ("scorecard",), _NO_SCORECARDS))

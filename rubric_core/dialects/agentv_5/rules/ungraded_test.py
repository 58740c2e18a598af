"""AgentV 5 passes a test that nothing judges."""

from rubric_core.rules.ungraded_test import Ungraded

RULE = Ungraded("the test passes with score 1 whatever the answer is").rule()

"""AgentV 4 looks at the keys of the test alone."""

from rubric_core.rules.ungraded_test import Ungraded

RULE = Ungraded("the test is not run", is_judged_elsewhere=lambda _case, _context: False).rule()

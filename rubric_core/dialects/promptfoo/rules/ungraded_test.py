"""Promptfoo passes a test that nothing judges, which people use to compare outputs by eye."""

from rubric_core.rules.rule import Severity
from rubric_core.rules.ungraded_test import Ungraded

PASSES = "it passes with score 1 whatever the output is"
RULE = Ungraded(PASSES, Severity.HINT).rule()

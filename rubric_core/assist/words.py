"""What cases and evaluators are called in a dialect."""

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import noun


def case_noun(dialect: Dialect) -> str:
    """Return what a case is called, without an article."""
    return noun(dialect.case).partition(" ")[2]


def evaluator_noun(dialect: Dialect) -> str:
    """Return what an evaluator is called, without an article."""
    return noun(dialect.records["evaluator"]).partition(" ")[2]

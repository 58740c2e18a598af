"""What cases and evaluators are called in a dialect."""

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import noun


def record_noun(dialect: Dialect, name: str) -> str:
    """Return what the mapping of a record is called, without an article."""
    return noun(dialect.records[name]).partition(" ")[2]


def case_noun(dialect: Dialect) -> str:
    """Return what a case is called, without an article."""
    return record_noun(dialect, "case")


def evaluator_noun(dialect: Dialect) -> str:
    """Return what an evaluator is called, without an article."""
    return record_noun(dialect, "evaluator")

"""The nouns for cases and evaluators in a dialect."""

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import noun


def record_noun(dialect: Dialect, name: str) -> str:
    """Return the noun for the mapping of a record, without an article."""
    return noun(dialect.records[name]).partition(" ")[2]


def case_noun(dialect: Dialect) -> str:
    """Return the noun for a case, without an article."""
    return record_noun(dialect, "case")


def evaluator_noun(dialect: Dialect) -> str:
    """Return the noun for an evaluator, without an article."""
    return record_noun(dialect, "evaluator")

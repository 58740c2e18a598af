"""The notes of the dialects agree with their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.assist.names.occurrences import ITEMS, KEYS
from rubric_core.dialects.parts import NOTES
from rubric_core.dialects.registry import DIALECTS

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

of_each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)


def keys_of(dialect: Dialect) -> set[str]:
    """Return all keys of a table."""
    return {key for record in dialect.records.values() for key in record.by_key}


@of_each_dialect
def test_every_key_of_the_notes_is_in_the_table(dialect: Dialect) -> None:
    """A key that left the table takes its note along."""
    notes = NOTES.of(dialect)
    places = (*notes.suite_names, *notes.case_names, *notes.scenario_names)
    paths = (*(place.path for place in places), *notes.formulas, notes.member_weights)
    named = {key for path in paths for key in path} - {ITEMS, KEYS}
    named |= {*notes.named_by, *notes.path_keys, *notes.beside_metric, *notes.continuations}
    named |= {*notes.suite_snippet, *notes.case_snippet, *filter(None, (notes.variables, notes.metric))}
    assert named <= keys_of(dialect)


@of_each_dialect
def test_names_of_a_suite_and_of_a_case_are_below_keys_that_these_have(dialect: Dialect) -> None:
    """The first key of a path is one of the suite, or of the case."""
    notes = NOTES.of(dialect)
    assert {place.path[0] for place in notes.suite_names} <= dialect.suite.by_key.keys()
    assert {place.path[0] for place in notes.case_names} <= dialect.case.by_key.keys()


@of_each_dialect
def test_ranks_items_and_snippets_are_of_records_and_types_of_the_table(dialect: Dialect) -> None:
    """Nothing is proposed that the dialect does not have."""
    notes = NOTES.of(dialect)
    assert notes.ranks.keys() | notes.items.keys() <= dialect.records.keys()
    assert all(keys.keys() <= dialect.records[name].by_key.keys() for name, keys in notes.ranks.items())
    assert notes.evaluators.keys() | notes.type_notes.keys() <= set(dialect.types)
    for kind, snippet in notes.evaluators.items():
        assert isinstance(snippet.template, dict)
        assert snippet.template.keys() <= dialect.records[f"evaluator:{kind}"].by_key.keys()

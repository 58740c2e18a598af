"""What a dialect is made of: names and words; what it does is in its parts."""

from dataclasses import fields

import pytest

from rubric_core.dialects import eval_files, parts
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import Part
from rubric_core.dialects.registry import DIALECTS
from rubric_core.schema.table import Table

PARTS = {part.name: part for part in vars(parts).values() if isinstance(part, Part)}


@pytest.mark.parametrize(("kind", "most"), [(Dialect, 12), (Table, 15)])
def test_a_choice_of_behaviour_is_no_field(kind: type, most: int) -> None:
    """Fields hold names, numbers and words; a behaviour is a part, which is an object that does it."""
    assert len(fields(kind)) <= most
    assert [field.name for field in fields(kind) if field.type in {bool, "bool"}] == []


@pytest.mark.parametrize("dialect", [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS])
def test_a_dialect_has_every_part_that_is_asked_for(dialect: Dialect) -> None:
    """Its own, or the default of the core; a name that no part has would be passed over."""
    assert dialect.parts.keys() <= {*PARTS, "rules"}
    for part in PARTS.values():
        part.of(dialect)


@pytest.mark.parametrize("dialect", [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS])
def test_a_dialect_names_its_words_itself(dialect: Dialect) -> None:
    """Words count in files of every dialect, and the dialect that adds one to them may be removed."""
    marks, default = dialect.marks, DIALECTS[0].marks
    keys = dialect.suite.by_key.keys() | dialect.case.by_key.keys()
    assert keys & eval_files.JUDGING_KEYS <= marks.cases.judging
    assert keys & eval_files.TEST_KEYS <= marks.cases.keys
    assert keys & eval_files.ELSEWHERE_KEYS <= marks.cases.elsewhere
    assert keys & eval_files.WHOLE_LISTS <= marks.cases.whole_lists
    assert keys & set(eval_files.MESSAGE_KEYS) <= {*marks.cases.messages, *default.cases.messages}
    for name in ("suite", "case", "beside_input", "beside_id"):
        if marks.whole is None:
            words = frozenset[str]().union(*(getattr(other.marks.own, name) for other in DIALECTS))
            assert keys & words <= getattr(marks.own, name) | getattr(default.own, name)


def test_a_part_is_loaded_once() -> None:
    """What is asked for in every case must not cost anything."""
    assert parts.PATHS.of(DIALECTS[0]) is parts.PATHS.of(DIALECTS[0])

"""A mapping is held against the table of fields: unknown keys, wrong types, missing fields, other names."""

from __future__ import annotations

import pytest
from plain_trees import data, mapping_of

from rubric_core.dialects.agentv.records import RECORDS
from rubric_core.dialects.registry import DEFAULT_DIALECT as DEFAULT
from rubric_core.schema.fields import FieldType
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.records import RecordView, field_value, read_record, records_with_problems, shape_of

CASE = RECORDS["case"]
SOUND = "id: a\nexpected_outcome: Names the port\ninput_messages: [{role: user, content: Which port?}]\n"


def _case(text: str, version: YamlVersion = YamlVersion.V1_2) -> RecordView:
    return read_record(CASE, mapping_of(text), version, DEFAULT)


def _places(views: list[RecordView]) -> list[tuple[str, list[str | None]]]:
    return [(view.record.name, [pair.name for pair in view.unknown]) for view in views]


def test_a_sound_case_has_nothing_to_report() -> None:
    """Neither has what is below it."""
    assert _case(SOUND).is_clean
    assert records_with_problems(CASE, mapping_of(SOUND), YamlVersion.V1_2, DEFAULT) == []


def test_unknown_keys_are_collected() -> None:
    """Each as often as it is there; a key that is a list is unknown, too."""
    view = _case(SOUND + "weigth: 1\n[k]: 2\n")
    assert [pair.name for pair in view.unknown] == ["weigth", None]
    assert not view.is_clean


@pytest.mark.parametrize(
    ("line", "shape", "accepted"),
    [
        ("expected_outcome: [a]", FieldType.SEQUENCE, FieldType.STRING),
        ("expected_outcome: {a: b}", FieldType.MAPPING, FieldType.STRING),
        ("expected_outcome: true", FieldType.BOOLEAN, FieldType.STRING),
        ("expected_outcome: 1.5", FieldType.FLOAT, FieldType.STRING),
        ("rubrics: word", FieldType.STRING, FieldType.SEQUENCE),
    ],
)
def test_a_value_of_another_shape_is_collected(line: str, shape: FieldType, accepted: FieldType) -> None:
    """With what it is and what it should be."""
    (found,) = _case(f"id: a\ninput_messages: []\n{line}\n").mistyped
    assert found.key is not None
    assert (found.key.name, found.shape, found.accepted) == (line.partition(":")[0], shape, accepted)
    assert found.value is found.key.value


def test_a_value_that_is_left_out_is_no_wrong_type() -> None:
    """It counts as absent, which is another problem."""
    view = _case("id: a\nexpected_outcome:\nrubrics: ~\ninput_messages: []\n")
    assert view.mistyped == []
    assert "expected_outcome" in [field.name for field in view.missing]


def test_items_of_another_shape_are_collected() -> None:
    """One by one, without a key."""
    found = _case(SOUND + "rubrics: [fine, 5, [no], {id: x}, ~]\n").mistyped
    assert [(each.key, each.shape) for each in found] == [
        *((None, FieldType.INTEGER), (None, FieldType.SEQUENCE), (None, FieldType.NULL)),
    ]


def test_required_fields_may_not_be_missing_or_blank() -> None:
    """Under their own name or under another one."""
    assert [field.name for field in _case("note: x\n").missing][:1] == ["id"]
    assert "id" in [field.name for field in _case("id: ' '\n").missing]


def test_other_names_of_a_field_are_collected() -> None:
    """In the order of the text; the first name counts where both are there."""
    view = _case("id: a\noutcome: x\nexpected_outcome: y\ninput_messages: []\n")
    assert [(pair.name, field.name) for pair, field in view.aliased] == [("outcome", "expected_outcome")]
    field = CASE.by_key["outcome"]
    assert [pair.name for pair in view.pairs_of(field)] == ["outcome", "expected_outcome"]
    value = field_value(view.mapping, field)
    assert data(value) == "y"
    assert data(field_value(mapping_of("outcome: x\n"), field)) == "x"
    assert field_value(mapping_of("x: y\n"), field) is None


def test_a_repeated_key_makes_a_mapping_unsound() -> None:
    """Even if everything else is right."""
    view = _case(SOUND + "id: b\n")
    assert (view.unknown, view.mistyped, view.missing, view.aliased) == ([], [], [], [])
    assert not view.is_clean


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        *(("a", FieldType.STRING), ("'5'", FieldType.STRING), ("5", FieldType.INTEGER), ("5.0", FieldType.FLOAT)),
        *(("true", FieldType.BOOLEAN), ("~", FieldType.NULL), ("{}", FieldType.MAPPING), ("[]", FieldType.SEQUENCE)),
        ("|\n  5\n", FieldType.STRING),
    ],
)
def test_every_value_has_a_shape(text: str, shape: FieldType) -> None:
    """In the terms of the table."""
    node = mapping_of(f"k: {text}").get("k")
    assert node is not None
    assert shape_of(node, YamlVersion.V1_2) is shape


def test_the_shape_depends_on_the_version_of_yaml() -> None:
    """`yes` is a boolean in YAML 1.1."""
    node = mapping_of("k: yes").get("k")
    assert node is not None
    assert [shape_of(node, version) for version in (YamlVersion.V1_1, YamlVersion.V1_2)] == [
        *(FieldType.BOOLEAN, FieldType.STRING),
    ]


def test_records_below_are_read_as_deep_as_they_go() -> None:
    """Messages, criteria and evaluators have records of their own; keys of the user's own are not judged."""
    text = (
        "id: a\nexpected_outcome: x\ninput_messages:\n  - {role: user, content: x, typo1: 1}\n"
        "rubrics:\n  - {id: r, expected_outcome: x, typo2: 1}\n  - words\n"
        "metadata: {anything: {goes: here}}\n"
        "execution:\n  typo3: 1\n  evaluators:\n    - {name: e, type: llm_judge, typo4: 1}\n    - {name: f, open: 1}\n"
        "typo0: 1\n"
    )
    found = _places(records_with_problems(CASE, mapping_of(text), YamlVersion.V1_2, DEFAULT))
    assert found[0] == ("case", ["typo0"])
    assert sorted(found[1:]) == [
        ("criterion", ["typo2"]),
        ("evaluator", []),
        ("evaluator:llm_judge", ["typo4"]),
        ("execution", ["typo3"]),
        ("message", ["typo1"]),
    ]


def test_keys_can_be_left_out() -> None:
    """Lists that are cut into chunks are read by their items."""
    text = SOUND + "rubrics: [{id: r, expected_outcome: x, typo: 1}]\n"
    views = records_with_problems(CASE, mapping_of(text), YamlVersion.V1_2, DEFAULT, skip=frozenset({"rubrics"}))
    assert views == []
    assert _places(records_with_problems(CASE, mapping_of(text), YamlVersion.V1_2, DEFAULT)) == [
        ("criterion", ["typo"])
    ]


def test_what_has_the_wrong_shape_is_not_read_any_deeper() -> None:
    """A mapping where a list belongs is one problem, not many."""
    views = records_with_problems(CASE, mapping_of(SOUND + "rubrics: {id: r, typo: 1}\n"), YamlVersion.V1_2, DEFAULT)
    assert [(view.record.name, len(view.mistyped), len(view.unknown)) for view in views] == [("case", 1, 0)]

"""What a field and a record of the table can tell."""

from __future__ import annotations

import pytest

from rubric_core.schema.fields import Aliases, Field, FieldType, Record, describe_type


@pytest.mark.parametrize(
    ("accepted", "words"),
    [
        (FieldType.STRING, "a string"),
        (FieldType.NUMBER, "a number"),
        (FieldType.INTEGER, "an integer"),
        (FieldType.FLOAT, "a fraction"),
        (FieldType.BOOLEAN, "true or false"),
        (FieldType.STRING | FieldType.SEQUENCE, "a string or a list"),
        (FieldType.STRING | FieldType.SEQUENCE | FieldType.MAPPING, "a string, a list or a mapping"),
        (FieldType.STRING | FieldType.NULL, "a string or nothing"),
        (FieldType.ANYTHING, "anything"),
    ],
)
def test_a_type_is_described_in_words(accepted: FieldType, words: str) -> None:
    """Messages and the reference name types as a person would."""
    assert describe_type(accepted) == words


def test_a_number_accepts_integers_but_an_integer_accepts_no_fraction() -> None:
    """`weight: 2` is a number, while `required_min_score: 0.5` is no integer."""
    assert Field("weight", FieldType.NUMBER, "").accepts(FieldType.INTEGER)
    assert not Field("score", FieldType.INTEGER, "").accepts(FieldType.FLOAT)


def test_an_alias_may_accept_more_than_the_field() -> None:
    """A string may be under `input`, but not under `input_messages`."""
    field = Field(
        "input_messages",
        FieldType.SEQUENCE,
        "",
        aliases=Aliases(("input",), types=(("input", FieldType.STRING | FieldType.SEQUENCE),)),
    )
    assert field.accepts(FieldType.STRING, "input")
    assert not field.accepts(FieldType.STRING, "input_messages")
    assert not field.accepts(FieldType.STRING)


def test_a_record_finds_its_fields_by_every_name() -> None:
    """The name, the aliases and the deprecated aliases lead to the same field."""
    outcome = Field("outcome", FieldType.STRING, "", required=True, aliases=Aliases(("a",), deprecated=("b",)))
    plain = Field("plain", FieldType.STRING, "")
    record = Record("r", "", (outcome, plain))
    assert [record.get(key) for key in ("outcome", "a", "b", "plain", "c")] == [outcome, outcome, outcome, plain, None]
    assert record.required == (outcome,)
    assert record.deprecated == {"b"}


@pytest.mark.parametrize(
    ("items", "accepted", "words"),
    [
        (None, FieldType.SEQUENCE, "a list"),
        (FieldType.MAPPING, FieldType.SEQUENCE, "a list"),
        (FieldType.STRING, FieldType.SEQUENCE, "a list of strings"),
        (FieldType.INTEGER, FieldType.STRING | FieldType.SEQUENCE, "a string or a list of integers"),
    ],
)
def test_a_list_of_plain_values_says_of_which(items: FieldType | None, accepted: FieldType, words: str) -> None:
    """Lists of mappings have a record, which says more."""
    assert describe_type(accepted, items) == words

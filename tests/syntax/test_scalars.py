"""Plain scalars mean what YAML 1.2 core says, or YAML 1.1 where a file asks for it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.syntax.nodes import BlockScalar, Mapping, Meta, Scalar, ScalarStyle
from rubric_core.syntax.scalars import (
    ScalarKind,
    YamlVersion,
    as_boolean,
    as_integer,
    as_number,
    as_text,
    is_blank,
    is_null,
    resolve,
)


def plain(text: str, tag: str | None = None) -> Scalar:
    """Return a scalar without quotes."""
    return Scalar(0, len(text), text, ScalarStyle.PLAIN, Meta(tag=tag) if tag else None)


def quoted(text: str, tag: str | None = None) -> Scalar:
    """Return a scalar in double quotes."""
    return Scalar(0, len(text) + 2, text, ScalarStyle.DOUBLE, Meta(tag=tag) if tag else None)


def block(raw: str) -> BlockScalar:
    """Return a literal scalar from its raw text."""
    return BlockScalar(0, len(raw), raw, 0, ScalarStyle.LITERAL)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("", ScalarKind.NULL, None),
        ("~", ScalarKind.NULL, None),
        ("null", ScalarKind.NULL, None),
        ("Null", ScalarKind.NULL, None),
        ("NULL", ScalarKind.NULL, None),
        ("nULL", ScalarKind.STRING, "nULL"),
        ("true", ScalarKind.BOOLEAN, True),
        ("True", ScalarKind.BOOLEAN, True),
        ("FALSE", ScalarKind.BOOLEAN, False),
        ("tRue", ScalarKind.STRING, "tRue"),
        ("yes", ScalarKind.STRING, "yes"),
        ("no", ScalarKind.STRING, "no"),
        ("on", ScalarKind.STRING, "on"),
        ("off", ScalarKind.STRING, "off"),
        ("0", ScalarKind.INTEGER, 0),
        ("010", ScalarKind.INTEGER, 10),
        ("-7", ScalarKind.INTEGER, -7),
        ("+7", ScalarKind.INTEGER, 7),
        ("0o10", ScalarKind.INTEGER, 8),
        ("0x1F", ScalarKind.INTEGER, 31),
        ("0b11", ScalarKind.STRING, "0b11"),
        ("0o9", ScalarKind.STRING, "0o9"),
        ("-0x1", ScalarKind.STRING, "-0x1"),
        ("1_000", ScalarKind.STRING, "1_000"),
        ("1:30", ScalarKind.STRING, "1:30"),
        ("1.50", ScalarKind.FLOAT, Decimal("1.50")),
        (".5", ScalarKind.FLOAT, Decimal("0.5")),
        ("5.", ScalarKind.FLOAT, Decimal(5)),
        ("1e3", ScalarKind.FLOAT, Decimal(1000)),
        ("-2.5E-3", ScalarKind.FLOAT, Decimal("-0.0025")),
        (".inf", ScalarKind.FLOAT, Decimal("Infinity")),
        ("-.INF", ScalarKind.FLOAT, Decimal("-Infinity")),
        (".", ScalarKind.STRING, "."),
        ("-", ScalarKind.STRING, "-"),
        ("1.2.3", ScalarKind.STRING, "1.2.3"),
        ("2024-02-03", ScalarKind.STRING, "2024-02-03"),
        ("1 apple", ScalarKind.STRING, "1 apple"),
        ("\uff11\uff12", ScalarKind.STRING, "\uff11\uff12"),
        ("1\n", ScalarKind.STRING, "1\n"),
        ("word", ScalarKind.STRING, "word"),
    ],
)
def test_a_plain_scalar_follows_yaml_1_2_core(text: str, kind: ScalarKind, value: object) -> None:
    """Only the words and numbers of YAML 1.2 core are typed; everything else is a string."""
    resolved = resolve(plain(text))
    assert (resolved.kind, resolved.value) == (kind, value)
    assert type(resolved.value) is type(value)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("yes", ScalarKind.BOOLEAN, True),
        ("Off", ScalarKind.BOOLEAN, False),
        ("y", ScalarKind.BOOLEAN, True),
        ("null", ScalarKind.NULL, None),
        ("010", ScalarKind.INTEGER, 8),
        ("-010", ScalarKind.INTEGER, -8),
        ("0b101", ScalarKind.INTEGER, 5),
        ("0x1_F", ScalarKind.INTEGER, 31),
        ("1_000", ScalarKind.INTEGER, 1000),
        ("1:30", ScalarKind.INTEGER, 90),
        ("-1:00:01", ScalarKind.INTEGER, -3601),
        ("0", ScalarKind.INTEGER, 0),
        ("08", ScalarKind.STRING, "08"),
        ("0_", ScalarKind.STRING, "0_"),
        ("0o10", ScalarKind.STRING, "0o10"),
        ("1:75", ScalarKind.STRING, "1:75"),
        ("1_0.5", ScalarKind.FLOAT, Decimal("10.5")),
        ("1.5e+3", ScalarKind.FLOAT, Decimal(1500)),
        ("1e3", ScalarKind.STRING, "1e3"),
        ("yesterday", ScalarKind.STRING, "yesterday"),
    ],
)
def test_a_plain_scalar_follows_yaml_1_1_when_the_file_says_so(text: str, kind: ScalarKind, value: object) -> None:
    """A file with `%YAML 1.1` gets the older words, octal numbers, underscores and base sixty."""
    resolved = resolve(plain(text), YamlVersion.V1_1)
    assert (resolved.kind, resolved.value) == (kind, value)


def test_not_a_number_is_a_float() -> None:
    """`.nan` compares unequal to itself, so it gets a test of its own."""
    resolved = resolve(plain(".NaN"))
    assert resolved.kind is ScalarKind.FLOAT
    assert isinstance(resolved.value, Decimal)
    assert resolved.value.is_nan()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9" * 5000, Decimal("9" * 5000)),
        ("0x" + "f" * 5000, Decimal("Infinity")),
        ("1e99999", Decimal("Infinity")),
        ("-1e99999999999999999999", Decimal("-Infinity")),
        ("1e-99999999999999999999", Decimal(0)),
        ("1e-99999", Decimal(0)),
        ("0e99999", Decimal(0)),
    ],
    ids=lambda value: str(value)[:12],
)
def test_an_absurd_number_neither_raises_nor_eats_memory(text: str, expected: Decimal) -> None:
    """Numbers beyond any use keep their sign and size as far as a reader could tell."""
    resolved = resolve(plain(text))
    assert resolved.kind is ScalarKind.FLOAT
    assert resolved.value == expected


@pytest.mark.parametrize("scalar", [quoted("12"), block("|\n  12\n")])
def test_quotes_and_blocks_make_strings(scalar: Scalar) -> None:
    """What is in quotes or in a block is never a number."""
    assert resolve(scalar).kind is ScalarKind.STRING
    assert as_number(scalar) is None


@pytest.mark.parametrize(
    ("scalar", "kind", "value"),
    [
        (plain("12", "!!str"), ScalarKind.STRING, "12"),
        (plain("12", "!"), ScalarKind.STRING, "12"),
        (plain("", "!!str"), ScalarKind.STRING, ""),
        (quoted("12", "!!int"), ScalarKind.INTEGER, 12),
        (quoted("12", "!!float"), ScalarKind.FLOAT, Decimal(12)),
        (quoted("1.5", "!!float"), ScalarKind.FLOAT, Decimal("1.5")),
        (quoted("true", "!!bool"), ScalarKind.BOOLEAN, True),
        (quoted("x", "!!null"), ScalarKind.NULL, None),
        (plain("many", "!!int"), ScalarKind.STRING, "many"),
        (plain("1.5", "!!int"), ScalarKind.STRING, "1.5"),
        (plain("12", "!local"), ScalarKind.INTEGER, 12),
        (quoted("12", "!local"), ScalarKind.STRING, "12"),
    ],
)
def test_a_tag_wins_over_the_look_of_the_text(scalar: Scalar, kind: ScalarKind, value: object) -> None:
    """A tag of YAML's own decides where the text fits it; a tag of somebody else changes nothing."""
    assert resolve(scalar) == (kind, value)


@pytest.mark.parametrize(
    ("node", "blank"),
    [
        (plain(""), True),
        (plain("null"), True),
        (plain("~"), True),
        (quoted(""), True),
        (quoted(" \t\n"), True),
        (block("|\n"), True),
        (block("|- # a comment\n   \n\n"), True),
        (block("|\r\n\r\n"), True),
        (block(">"), True),
        (plain("null", "!!str"), False),
        (quoted("null"), False),
        (plain("0"), False),
        (block("|\n  x\n"), False),
        (Mapping(0, flow=False), False),
    ],
)
def test_blank_means_nothing_to_read(node: Scalar, blank: bool) -> None:  # noqa: FBT001 - a column of the table.
    """Null and white space are blank; the word `null` in quotes is not."""
    assert is_blank(node) is blank


def test_a_typed_question_gets_only_its_own_type() -> None:
    """A boolean is no number, a number is no text, and a mapping is none of them."""
    assert as_number(plain("2")) == Decimal(2)
    assert as_number(plain("true")) is None
    assert as_integer(plain("2")) == 2
    assert as_integer(plain("2.0")) is None
    assert as_boolean(plain("true")) is True
    assert as_boolean(plain("1")) is None
    assert as_text(plain("word")) == "word"
    assert as_text(plain("2")) is None
    assert is_null(plain("~"))
    assert not is_null(quoted(""))
    assert not is_null(block("|\n"))
    mapping = Mapping(0, flow=False)
    assert [ask(mapping) for ask in (as_number, as_integer, as_boolean, as_text)] == [None] * 4


@given(st.integers(), st.sampled_from(YamlVersion))
def test_an_integer_reads_back(number: int, version: YamlVersion) -> None:
    """Every integer as Python prints it is the same integer in both versions."""
    assert resolve(plain(str(number)), version) == (ScalarKind.INTEGER, number)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_a_decimal_keeps_every_digit(number: Decimal) -> None:
    """Weights and thresholds are compared exactly, so no digit may be lost."""
    assert as_number(plain(f"{number:f}")) == number


@given(st.text(), st.sampled_from(YamlVersion), st.sampled_from([None, "!!int", "!!float", "!!bool", "!x"]))
def test_any_text_resolves(text: str, version: YamlVersion, tag: str | None) -> None:
    """Resolving never raises, and a string keeps its text."""
    resolved = resolve(plain(text, tag), version)
    assert resolved.kind is not ScalarKind.STRING or resolved.value == text

"""Hover on keys, on words that a field takes its value from, and on comments that speak to us."""

from __future__ import annotations

import pytest
from hovers import COMMENTED, SUITE, hover_at, inside, said_at, under

from rubric_core.assist.hover.fields import about_word
from rubric_core.dialects.agentv.records import RECORDS
from rubric_core.dialects.parts import NOTES
from rubric_core.dialects.registry import DEFAULT_DIALECT, DIALECTS
from rubric_core.report.rule_facts import all_rule_facts
from rubric_core.schema.fields import Field, FieldType

FIELDS = (
    ("weight:", "`weight`: a number of 0 or more, default `1.0`"),
    ("required_min_score:", "`required_min_score`: an integer from 0 to 10"),
    ("required:", "`required`: true or false, default `true`"),
    ("id: port", "`id`: a string, required"),
    ("input_messages:", "`input_messages`: a list, required"),
    ("role:", "`role`: a string, required"),
    ("execution:", "`execution`: a mapping"),
    ("target:", "`target`: a string, default `default`"),
)


@pytest.mark.parametrize(("stretch", "head"), FIELDS)
def test_a_key_has_its_documentation(stretch: str, head: str) -> None:
    """The first line gives the type in words and the default."""
    assert said_at(inside(stretch)).splitlines()[0] == head


def test_documentation_names_the_values_and_the_other_names() -> None:
    """Whoever reads `role` learns the four of them, and `expected_outcome` is also known as `criteria`."""
    assert "One of `system`, `user`, `assistant`, `tool`." in said_at(inside("role:"))
    assert "Also read as `criteria`. Old name: `outcome`." in said_at(inside("expected_outcome: Names"))


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (SUITE.replace("input_messages:", "inp$0ut:"), "`input`, another name of `input_messages`: a string or a list"),
        (SUITE.replace("expected_outcome: Needs", "desc$0ription: Needs"), "`description`, the old name of"),
    ],
)
def test_an_alias_says_what_it_means(text: str, head: str) -> None:
    """The documentation is that of the field, under the name that is there."""
    assert said_at(text).startswith(head)


@pytest.mark.parametrize("record", RECORDS.values(), ids=lambda record: record.name)
def test_every_fixed_word_has_a_meaning(record: object) -> None:
    """A word of the table is never met with silence."""
    for field in record.fields:  # type: ignore[attr-defined]
        for word in field.values:
            assert about_word(field, word, DEFAULT_DIALECT), (field.name, word)


def test_a_word_of_another_table_has_no_meaning() -> None:
    """Nothing is made up for it."""
    assert about_word(Field("colour", FieldType.STRING, "", values=("red",)), "red", DEFAULT_DIALECT) == ()


def test_there_is_no_meaning_without_a_word() -> None:
    """A word that left the table takes its meaning along."""
    records = [record for dialect in DIALECTS for record in dialect.records.values()]
    known = {(field.name, word) for record in records for field in record.fields for word in field.values}
    assert {named for dialect in DIALECTS for named in NOTES.of(dialect).meanings} <= known


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (inside("user"), "`user`: The message of the person"),
        (
            "evalcases: [{id: a, rubrics: [], evaluators: [{name: x, type: co$0de}]}]",
            "`code`: an evaluator type, the old",
        ),
        (
            "evalcases: [{id: a, rubrics: [], evaluators: [{name: x, type: lat$0ency}]}]",
            "`latency`: an evaluator type.",
        ),
        ("scorecards: {a: {weights: {saf$0ety: 1}}}", "`safety`: a number of 0 or more, default `0.10`"),
    ],
)
def test_fixed_words_have_their_meaning(marked: str, expected: str) -> None:
    """Roles, evaluator types and dimensions."""
    assert said_at(marked).startswith(expected)


def test_an_evaluator_type_lists_the_keys_that_only_it_has() -> None:
    """Those that every evaluator has come last, in one line."""
    said = said_at("evalcases: [{id: a, rubrics: [], evaluators: [{name: x, type: code_ju$0dge}]}]")
    assert "- `script`: The command that judges" in said
    assert said.endswith("As every evaluator: `name` (required), `type` (required), `weight`.")


def test_a_default_in_words_reads_as_a_sentence() -> None:
    """Only values are set as code."""
    said = said_at("evalcases: [{id: a, rubrics: [{i$0d: b}]}]")
    assert said.startswith("`id`: a string, default: rubric-N, N being its place in the list\n")


# Comments


@pytest.mark.parametrize(
    ("stretch", "code"), [("no-criteria", "RB209"), ("rb103", "RB103"), ("unknown-key", "RB003"), ("RB101", "RB101")]
)
def test_a_rule_in_a_comment_shows_its_page(stretch: str, code: str) -> None:
    """The page that `rubric explain` shows."""
    _, found = hover_at(inside(stretch, COMMENTED))
    assert found is not None
    assert found.markdown == all_rule_facts()[code].page.strip()
    assert under(inside(stretch, COMMENTED)) == stretch


@pytest.mark.parametrize(
    ("stretch", "sentence"),
    [
        ("rubric: ignore-file[no", "Suppresses, in the whole file, the rules in its brackets."),
        ("rubric: ignore[rb", "Suppresses, on the next line that is more than a comment, the rules in its brackets."),
        ("rubric: ignore\n", "Suppresses, on this line, every rule; list rules in brackets"),
        ("rubric: ignore-file[RB", "Suppresses nothing: `ignore-file` must be at the top of the file."),
        ("nonsense", ""),
        ("a reason", ""),
        ("because", ""),
        ('RB103]"', ""),
    ],
)
def test_a_directive_says_what_it_does(stretch: str, sentence: str) -> None:
    """On its words only, not on the reason behind it."""
    said = said_at(inside(stretch, COMMENTED))
    assert said.startswith(sentence)
    assert bool(said) is bool(sentence)


def test_the_comment_that_claims_a_file_says_so() -> None:
    """It makes any YAML an eval file."""
    said = said_at("# rubric: f$0ile\na: b\n", path="other.yaml")
    assert said == "Makes this file an eval file, whatever its name and its content."

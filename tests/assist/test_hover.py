"""Hover on every kind of thing that a file can hold, and silence everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hovers import hover_at, said_at, under
from hypothesis import given
from hypothesis import strategies as st
from yaml_texts import documents, edits, mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.hover import hover
from rubric_core.assist.hover.vocabulary import MEANINGS, about_word
from rubric_core.report.rule_facts import all_rule_facts
from rubric_core.schema.fields import Field, FieldType
from rubric_core.schema.records import RECORDS

EXAMPLES = Path(__file__).parents[2] / "examples"

SUITE = """\
execution: {target: fast-one}
evalcases:
  - id: port
    expected_outcome: Names the port
    input_messages:
      - role: user
        content: Which port?
    rubrics:
      - Names the port
      - id: short
        expected_outcome: Needs one sentence
        weight: 0.5
        required: false
      - id: depth
        weight: 2
        required_min_score: 3
        score_ranges:
          0: Nothing
          3: Something
          7: All
"""


def _at(stretch: str, text: str = SUITE, *, behind: str = "") -> str:
    """Return the text with the cursor inside the first occurrence of a stretch, or the first one behind another."""
    at = text.index(stretch, text.index(behind) if behind else 0)
    return f"{text[: at + 1]}$0{text[at + 1 :]}"


# Keys

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
    assert said_at(_at(stretch)).splitlines()[0] == head


def test_documentation_names_the_values_and_the_other_names() -> None:
    """Whoever reads `role` learns the four of them, and `expected_outcome` is also known as `criteria`."""
    assert "One of `system`, `user`, `assistant`, `tool`." in said_at(_at("role:"))
    assert "Also read as `criteria`. Old name: `outcome`." in said_at(_at("expected_outcome: Names"))


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (SUITE.replace("input_messages:", "inp$0ut:"), "`input`, another name of `input_messages`: a string or a list"),
        (SUITE.replace("expected_outcome: Needs", "desc$0ription: Needs"), "`description`, the old name of"),
    ],
)
def test_an_alias_says_what_it_stands_for(text: str, head: str) -> None:
    """The documentation is that of the field, under the name that stands there."""
    assert said_at(text).startswith(head)


@pytest.mark.parametrize("record", RECORDS.values(), ids=lambda record: record.name)
def test_every_fixed_word_has_a_meaning(record: object) -> None:
    """A word of the table is never met with silence."""
    for field in record.fields:  # type: ignore[attr-defined]
        for word in field.values:
            assert about_word(field, word), (field.name, word)


def test_a_word_of_another_table_has_no_meaning() -> None:
    """Nothing is made up for it."""
    assert about_word(Field("colour", FieldType.STRING, "", values=("red",)), "red") is None


def test_there_is_no_meaning_without_a_word() -> None:
    """A word that left the table takes its meaning along."""
    known = {(field.name, word) for record in RECORDS.values() for field in record.fields for word in field.values}
    assert set(MEANINGS) <= known


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (_at("user"), "`user`: What the person"),
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


# Bands

_RULER = "0 1 2 3 4 5 6 7 8 9 10"
ON_BANDS = (
    "          $00: Nothing",
    "        score_$0ranges:",
    "        required_min_score$0:",
    "        required_min_score: $03",
)


@pytest.mark.parametrize("line", ON_BANDS)
def test_the_ruler_is_shown_on_ranges_keys_and_the_gate(line: str) -> None:
    """Wherever bands are spoken of, all of them are shown."""
    marked = SUITE.replace(line.replace("$0", ""), line)
    assert _RULER in said_at(marked)


ARRAY = """\
evalcases:
  - id: a
    rubrics:
      - id: b
        score_ranges:
          - score_range: [0, 4]
            expected_outcome: Low
          - score_range: {min: 5, max: 9}
            expected_outcome: High
          - nothing
          - score_range:
              - 10
              - 10
"""


@pytest.mark.parametrize(
    ("stretch", "marked_row"),
    [
        ("- score_range: [0", "0-4"),
        ("[0, 4]", "0-4"),
        ("0, 4]", "0-4"),
        (", 4]", "0-4"),
        ("score_range: [", "0-4"),
        ("min: 5", "?"),
        ("5, max", "?"),
        ("- 10\n", "10"),
        ("10\n", "10"),
    ],
)
def test_the_ruler_marks_the_band_under_the_cursor(stretch: str, marked_row: str) -> None:
    """Brackets, commas and dashes of the bounds are as good as the numbers."""
    at = ARRAY.index(stretch)
    said = said_at(f"{ARRAY[:at]}$0{ARRAY[at:]}")
    rows = [line for line in said.splitlines() if line.startswith("> ")]
    assert [row[26:].split()[0] for row in rows] == [marked_row]


def test_an_item_that_is_no_range_shows_the_ruler_too() -> None:
    """It is one of those that cannot be read."""
    assert "cannot be read: nothing" in said_at(ARRAY.replace("- nothing", "- no$0thing"))


@pytest.mark.parametrize(
    ("ranges", "sentence"),
    [
        ("[]", "There are no bands yet."),
        ("", "There are no bands yet."),
        ("7", "The bands cannot be read: this is neither a mapping nor a list."),
    ],
)
def test_ranges_without_bands_say_so(ranges: str, sentence: str) -> None:
    """Nothing is drawn, and nothing is left unsaid."""
    said = said_at(f"evalcases: [{{id: a, rubrics: [{{score_$0ranges: {ranges}}}]}}]")
    assert said.endswith(sentence)


def test_ranges_of_a_later_dialect_are_shown_without_its_other_keys() -> None:
    """The table does not hold there, but bands are bands."""
    suite = """\
tests:
  - id: a
    expected_outcome: b
    assertions:
      - type: rubrics
        criteria:
          - id: c
            score_ranges:
              0: Low
              5: High
"""
    assert _RULER in said_at(suite.replace("5: High", "$05: High"))
    assert not said_at(suite.replace("    expected_outcome", "    exp$0ected_outcome"))


# Criteria

GATED = "failing it is a fail, whatever the score."
CRITERIA = (
    ("Names the port\n      - id: short", ["Weight 1 of 3.5, 2/7 or 28.6 % of the score.", GATED, "give 0.714."]),
    ("- Names the port\n", ["`rubric-1` (a generated id): checklist criterion", "Required, which is the default:"]),
    ("short", ["Weight 0.5 of 3.5, 1/7 or 14.3 % of the score.", "the score is 0.857: pass (0.8 or more)."]),
    ("false", ["If only it fails, the score is 0.857: pass"]),
    ("0.5", ["1/7 or 14.3 %"]),
    ("- id: short", ["`short`: checklist criterion, met or not."]),
    (
        "depth",
        [
            "Gate: a score below 3 here is a fail",
            "0-2 fail, 3-6 borderline, 7-10 pass. A 0 leaves 0.429; pass starts at 0.8,",
        ],
    ),
)


@pytest.mark.parametrize(("stretch", "sentences"), CRITERIA)
def test_a_criterion_says_what_it_counts_and_decides(stretch: str, sentences: list[str]) -> None:
    """On its string, its dash, its id, its weight and its gate. A 3 of `depth` gives exactly 0.6."""
    at = SUITE.index(stretch)
    said = said_at(f"{SUITE[:at]}$0{SUITE[at:]}")
    assert "Criterion `" in said
    for sentence in sentences:
        assert sentence in said


def test_a_list_of_criteria_shows_all_shares_and_gates() -> None:
    """On its key, below the documentation."""
    assert said_at(_at("rubrics:")).endswith(
        "--\n\n- `rubric-1`: 28.6 %, required\n- `short`: 14.3 %\n- `depth`: 57.1 %, 3 or more required"
    )
    free = said_at("evalcases: [{id: a, rub$0rics: [{id: a, weight: x, score_ranges: {0: y}}, 7]}]")
    assert free.endswith("--\n\n- `a`: no share")
    assert said_at(f"evalcases: [{{id: a, rub$0rics: [{', '.join(map(str, 'abcdefghijklmno'))}]}}]").endswith(
        "- 3 more"
    )
    assert "--" not in said_at("evalcases: [{id: a, rub$0rics: []}]")


LISTS = (
    ("[{id: a, requ$0ired: true}]", "Required: failing it is a fail, whatever the score. All others alone give 0."),
    ("[{i$0d: a, weight: 0}, b]", "Counts nothing: its weight is 0."),
    ("[{i$0d: a, weight: 0, required: false}, b]", "If only it fails, the score is 1: pass"),
    ("[{i$0d: a, weight: 0, required: false}]", "Counts nothing: its weight is 0."),
    (
        "[{i$0d: a, weight: much}, b]",
        "What it counts cannot be told: a criterion or a weight of its list cannot be read.",
    ),
    ("[{i$0d: a, weight: 2}, 7]", "What it counts cannot be told: a criterion or a weight of its list cannot be read."),
    ("[{i$0d: a, required: false}, b, c, d]", "the score is 0.75: borderline (from 0.6 to below 0.8)."),
    ("[{i$0d: a, required: false}, b]", "the score is 0.5: fail (below 0.6)."),
    ("[{i$0d: a, score_ranges: {0: x}, weight: 2}, b]", "With all else perfect: 0-3 fail, 4-6 borderline, 7-10 pass."),
    ("[{i$0d: a, score_ranges: {0: x}, weight: bad, required_min_score: 4}]", "Gate: a score below 4 here is a fail"),
)


@pytest.mark.parametrize(("criteria", "sentence"), LISTS)
def test_verdicts_are_exact(criteria: str, sentence: str) -> None:
    """2 of 3 with a 7 is exactly 0.8, which passes; what cannot be computed is not guessed."""
    assert sentence in said_at(f"evalcases: [{{id: a, rubrics: {criteria}}}]")


OTHERS = "Other evaluators of the case count beside this list"


@pytest.mark.parametrize(
    ("suite", "is_told"),
    [
        ("evalcases: [{id: a, rubrics: [$0a], evaluators: [{name: x, type: cost}]}]", True),
        ("execution: {evaluators: [{name: x, type: cost}]}\nevalcases:\n  - id: a\n    rubrics: [$0a]\n", True),
        ("evalcases: [{id: a, evaluators: [{name: x, type: rubric, rubrics: [$0a]}]}]", False),
        ("evalcases: [{id: a, rubrics: [$0a]}]", False),
        ("execution: {evaluators: [{name: x, type: rubric, rubrics: [$0a]}]}\nevalcases: []", False),
    ],
)
def test_other_evaluators_are_told_of(suite: str, is_told: bool) -> None:  # noqa: FBT001 - a column of the table.
    """The case's score is a mean, so a criterion moves it less than it moves its own list."""
    said = said_at(suite)
    assert "Criterion" in said
    assert (OTHERS in said) is is_told


# Cases, scorecards, anchors


def test_a_case_is_summed_up() -> None:
    """On the value of its id, on its dash, and below the documentation of the key."""
    summary = """\
Case `port`

Names the port

- Criteria: 2 checklist and 1 score-range, total weight 3.5
- Gates: `rubric-1`, `depth` from 3
- Target: `fast-one`"""
    assert said_at(_at("port")) == summary
    assert said_at(SUITE.replace("  - id: port", "  $0- id: port")) == summary
    assert said_at(_at("id: port")).endswith(summary)


FULL_CASE = """\
evalcases:
  - id: $0full
    expected_outcome: x
    scorecard: {skill: y}
    execution:
      target: own
      evaluators:
        - {name: a, type: rubric, weight: 2, rubrics: [b, {id: c, required: false}]}
        - {type: nonsense, weight: .inf}
"""


def test_a_case_names_its_evaluators_and_what_is_its_own() -> None:
    """Gates of evaluators are counted, since their ids may repeat."""
    assert said_at(FULL_CASE).splitlines()[4:] == [
        "- Criteria: none",
        "- Gates: 1 in its evaluators",
        "- Evaluators: `a` (rubric, weight 2), one without a name (unknown type)",
        "- Target: `own`",
        "- Scorecard: its own",
    ]


def test_long_lists_are_cut_short() -> None:
    """A hover is no place for a hundred names."""
    names = ", ".join(f"c{number}" for number in range(12))
    evaluators = ", ".join(f"{{name: e{number}, type: cost}}" for number in range(10))
    said = said_at(f"evalcases: [{{id: $0a, rubrics: [{names}], evaluators: [{evaluators}]}}]")
    assert "`rubric-8`, 4 more\n" in said
    assert "- Evaluators: `rubric` (the criteria, weight 1), `e0` (cost)" in said
    assert said.endswith("`e7` (cost) and 2 more")


def test_what_the_suite_says_holds_for_its_cases() -> None:
    """A case without evaluators, target or id of its own."""
    said = said_at(
        "execution: {evaluators: [{name: x, type: cost}]}\ntarget: t\nevalcases:\n  $0- rubrics: []\n    input: x\n"
    )
    assert said.splitlines() == [
        "Case without an id",
        "",
        "- Criteria: none",
        "- Gates: none, the score alone decides",
        "- Evaluators, from the suite: `x` (cost)",
        "- Target: `t`",
    ]


SCORECARDS = """\
scorecards:
  good:
    skill: mail
    weights: {correctness: 0.6, safety: 0.4}
    red_flags:
      - {id: refund, expected_outcome: Promises a refund, deduction: 1.5}
      - Asks for a password
    bonuses: [Links the manual]
  plain: {red_flags: [{deduction: 3}], bonuses: [a, b, c, d, e, f, g]}
  odd: {weights: {safety: much}}
evalcases:
  - id: a
    rubrics: []
    scorecard: good
"""
GOOD = """\
Scorecard `good`

- Skill: `mail`
- Weights: correctness 0.6, safety 0.4
- Red flags, 2 off at most: `refund`; Asks for a password
- Bonuses, 0.25 more at most: Links the manual"""


def test_a_scorecard_is_summed_up_where_it_is_defined_and_where_it_is_used() -> None:
    """The same words in both places."""
    assert said_at(SCORECARDS.replace("good:", "go$0od:")) == GOOD
    assert said_at(SCORECARDS.replace("scorecard: good", "scorecard: g$0ood")) == GOOD
    assert said_at(SCORECARDS.replace("scorecard: good", "scor$0ecard: good")).endswith(GOOD)
    assert not said_at(SCORECARDS.replace("scorecard: good", "scorecard: b$0est"))


def test_a_scorecard_is_found_before_and_after_the_file_is_analysed() -> None:
    """Whoever hovers right after opening a file need not wait."""
    for is_complete in (False, True):
        analysis = analyse(SCORECARDS, path="a.eval.yaml")
        if is_complete:
            analysis.refresh()
        found = hover(analysis, SCORECARDS.index("good\n"))
        assert found is not None
        assert found.plain == GOOD


def test_a_scorecard_with_defaults_and_one_that_is_wrong() -> None:
    """What is not said is the default; what cannot be read is not made up."""
    plain = said_at(SCORECARDS.replace("plain:", "pl$0ain:"))
    assert "- Weights (the default): correctness 0.25, completeness 0.2" in plain
    assert "- Bonuses, 1 more at most: a; b; c; d; e; f; 1 more" in plain
    assert "- Red flags, 0 off at most: 1 more" in plain
    assert "one of them cannot be read" in said_at(SCORECARDS.replace("odd:", "o$0dd:"))


@pytest.mark.parametrize(
    ("stretch", "sentence"),
    [
        ("refund, exp", "A red flag: it takes 1.5 off the grade; all red flags together take 2 off at most."),
        ("1.5", "A red flag: it takes 1.5 off the grade"),
        ("Asks for", "A red flag: it takes 0.5 off the grade"),
        ("Links the", "A bonus: it adds 0.25 to the grade; all bonuses together add 1 at most."),
        ("3}]", "A red flag: what it takes off cannot be read."),
        ("Promises", ""),
    ],
)
def test_adjustments_say_what_they_do(stretch: str, sentence: str) -> None:
    """On the text, the id and the deduction; the text of a mapping is prose."""
    said = said_at(_at(stretch, SCORECARDS))
    assert said.startswith(sentence)
    assert bool(said) is bool(sentence)


ANCHORS = """\
shared: &shared
  - Uses upper case
  - id: star
    expected_outcome: Names every column
base: &base {weight: 2}
evalcases:
  - id: a
    rubrics: *shared
  - id: b
    rubrics:
      - <<: *base
        id: c
      - <<: [*base, *base]
        score_ranges: &bands {0: Low, 5: High}
      - score_ranges: *bands
    note: "no &anchor and no *alias" # nor &here
"""


def test_an_alias_shows_what_it_stands_for() -> None:
    """With the line that it is written in, set in as if it stood alone."""
    assert said_at(_at("*shared", ANCHORS)) == (
        "`*shared` stands for a list of 2 items, written in line 2.\n\n"
        "- Uses upper case\n- id: star\n  expected_outcome: Names every column"
    )
    assert under(_at("*shared", ANCHORS)) == "*shared"


def test_a_merge_key_shows_what_it_merges() -> None:
    """One of several where the cursor is on that one, otherwise all."""
    one = "`*base` stands for a mapping with 1 key, written in line 5.\n\n{weight: 2}"
    assert said_at(_at("<<: *base", ANCHORS)) == one
    assert under(_at("<<: *base", ANCHORS)) == "<<"
    assert said_at(_at("*base, *base", ANCHORS)) == one
    assert said_at(_at("<<: [", ANCHORS)) == f"{one}\n\n{one}"


def test_an_alias_of_ranges_shows_the_ruler_too() -> None:
    """The bands are elsewhere, but they are the criterion's."""
    assert _RULER in said_at(_at("*bands", ANCHORS))


def test_an_anchor_says_what_it_names() -> None:
    """Only a real one."""
    assert said_at(_at("&shared", ANCHORS)) == "`&shared` names a list of 2 items; `*shared` repeats it."
    assert under(_at("&bands", ANCHORS)) == "&bands"
    assert not said_at(_at("&anchor", ANCHORS))
    assert not said_at(_at("*alias", ANCHORS))
    assert not said_at(_at("&here", ANCHORS))
    assert not said_at(ANCHORS.replace("no &anchor", "no &ba$0se"))
    assert not said_at(ANCHORS.replace("nor &here", "nor &ban$0ds"))
    assert not said_at(ANCHORS.replace("<<: *base\n", "<<: {weight: *non$0e}\n"))
    assert not said_at(ANCHORS.replace("[*base, *base]", "[*base, {we$0ight: 2}]"))


def test_long_anchored_text_is_cut_short() -> None:
    """Eight lines are enough to recognise it."""
    items = "".join(f"  - item {number}\n" for number in range(20))
    said = said_at(f"a: &a\n{items}evalcases:\n  - id: x\n    rubrics: $0*a\n")
    assert said.splitlines()[2:] == [*(f"- item {number}" for number in range(8)), "…"]


# Comments

COMMENTED = """\
# rubric: ignore-file[no-criteria] because
evalcases:
  - id: a
    # rubric: ignore[rb103, unknown-key, nonsense] a reason
    rubrics: [] # rubric: ignore
  # rubric: ignore-file[RB101]
  - id: b
    note: "# rubric: ignore[RB103]"
"""


@pytest.mark.parametrize(
    ("stretch", "code"), [("no-criteria", "RB209"), ("rb103", "RB103"), ("unknown-key", "RB003"), ("RB101", "RB101")]
)
def test_a_rule_in_a_comment_shows_its_page(stretch: str, code: str) -> None:
    """The page that `rubric explain` shows."""
    _, found = hover_at(_at(stretch, COMMENTED))
    assert found is not None
    assert found.markdown == all_rule_facts()[code].page.strip()
    assert under(_at(stretch, COMMENTED)) == stretch


@pytest.mark.parametrize(
    ("stretch", "sentence"),
    [
        ("rubric: ignore-file[no", "Silences, in the whole file, the rules in its brackets."),
        ("rubric: ignore[rb", "Silences, on the next line that is more than a comment, the rules in its brackets."),
        ("rubric: ignore\n", "Silences, on this line, every rule; name the ones that are meant in brackets"),
        ("rubric: ignore-file[RB", "Silences nothing: `ignore-file` has to stand at the top of the file."),
        ("nonsense", ""),
        ("a reason", ""),
        ("because", ""),
        ('RB103]"', ""),
    ],
)
def test_a_directive_says_what_it_does(stretch: str, sentence: str) -> None:
    """On its words only, not on the reason behind it."""
    said = said_at(_at(stretch, COMMENTED))
    assert said.startswith(sentence)
    assert bool(said) is bool(sentence)


def test_the_comment_that_claims_a_file_says_so() -> None:
    """It makes any YAML an eval file."""
    said = said_at("# rubric: f$0ile\na: b\n", path="other.yaml")
    assert said == "Makes this file an eval file, whatever its name and its content."


# Silence

SILENT = (
    _at("Which port?"),
    _at("Needs one sentence"),
    _at("Something"),
    _at("Names the port\n    input"),
    SUITE.replace("    rubrics:", "  $0  rubrics:"),
    SUITE.replace("    rubrics:", "    # not $0- id\n    rubrics:"),
    f"{SUITE}$0",
    SUITE.replace("weight: 2", "wei$0ht: 2"),
    SUITE.replace("weight: 0.5", "weight:  $0  0.5"),
    "evalcases: [{id: a, rubrics: [], metadata: {wei$0ght: 1}}]",
    "evalcases: [{id: a, rubrics: [b], $0 }]",
    "evalcases: [{id: a, note: *non$0e}]",
    "- $0a\n- b\n",
    "$0",
)


@pytest.mark.parametrize("marked", SILENT)
def test_nothing_is_said_in_prose_blank_space_and_unknown_keys(marked: str) -> None:
    """A hover that pops up in prose annoys."""
    assert said_at(marked) == ""


def test_other_yaml_is_left_alone() -> None:
    """The same keys mean something else there, also in a YAML document beside one of ours."""
    assert not said_at("weight$0: 2\nexecution: {}\n", path="other.yaml")
    assert not said_at(f"{SUITE}---\nexec$0ution: {{}}\n", path="other.yaml")
    assert said_at(f"exec$0ution: {{}}\n{SUITE}", path="other.yaml")


def test_a_broken_case_keeps_the_documentation_of_its_keys() -> None:
    """While a line is half typed, the others say what they are."""
    broken = SUITE.replace("        required: false\n", "        requ\n")
    assert said_at(_at("weight: 0.5", broken)).startswith("`weight`: a number")
    assert said_at(_at("user", broken)).startswith("`user`: What")
    assert not said_at(_at("Which", broken))
    assert not said_at(_at("requ\n", broken))
    assert not said_at(broken.replace("weight: 0.5", "weight: 0.5 # no wei$0ght: here"))


def test_a_broken_case_of_a_later_dialect_says_nothing() -> None:
    """The table does not hold there."""
    suite = "tests:\n  - id: a\n    expected_outcome: b\n    assert: []\n  - id: b\n    wei$0ght: 2\n    half\n"
    analysis = analyse(suite.replace("$0", ""), path="a.eval.yaml")
    analysis.refresh()
    assert hover(analysis, suite.index("$0")) is None


# Forms of text


def test_json_lines_are_cases() -> None:
    """Keys and values are in quotes there."""
    line = '{"id": "a", "rubrics": [{"id": "b", "score_ranges": {"0": "Low", "5": "High"}}, "c"]}\n'
    assert said_at(line.replace('"a"', '"$0a"'), path="x.jsonl").startswith("Case `a`")
    assert "> " in said_at(line.replace('"5"', '"$05"'), path="x.jsonl")
    assert "Weight 1 of 2" in said_at(line.replace('"c"', '"$0c"'), path="x.jsonl")
    assert said_at(line + line.replace('"id": "b"', '"i$0d": "b"'), path="x.jsonl").startswith("`id`: a string")


@pytest.mark.parametrize("prefix", ["", "\ufeff", "\ufeff# a comment\n", "%YAML 1.2\n---\n"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_line_breaks_and_byte_order_marks_make_no_difference(prefix: str, line_break: str) -> None:
    """The span is the same word and what is said is the same."""
    marked = (prefix + SUITE.replace("depth", "d$0epth")).replace("\n", line_break)
    assert under(marked) == "depth"
    assert said_at(marked) == said_at(SUITE.replace("depth", "d$0epth"))


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_a_hover_is_about_what_is_under_the_cursor(path: Path) -> None:
    """At every offset of every example, the span holds the offset and both forms say something."""
    text = path.read_text(encoding="utf-8")
    analysis = analyse(text, path=path.name)
    said = 0
    for offset in range(len(text) + 1):
        found = hover(analysis, offset)
        if found is not None:
            assert found.span.start <= offset <= found.span.end
            assert found.markdown
            assert found.plain
            said += 1
    assert said


def test_offsets_outside_of_the_text_are_nothing() -> None:
    """A client may ask for anything."""
    analysis = analyse(SUITE, path="a.eval.yaml")
    assert hover(analysis, -1) is None
    assert hover(analysis, len(SUITE) + 100) is None


_TEXTS = documents() | st.sampled_from([SUITE, ARRAY, ANCHORS, SCORECARDS, COMMENTED, FULL_CASE])


@given(_TEXTS, st.data())
def test_a_hover_after_edits_is_that_of_a_fresh_look(text: str, data: st.DataObject) -> None:
    """Nothing is said that was true only before an edit."""
    analysis = analyse(text, path="a.eval.yaml")
    for _ in range(data.draw(st.integers(1, 3))):
        hover(analysis, data.draw(st.integers(0, len(text))))
        edit = data.draw(edits(len(text)))
        analysis.edit([edit])
        text = text[: edit.start] + edit.text + text[edit.end :]
    fresh = analyse(text, path="a.eval.yaml")
    for offset in range(0, len(text) + 1, data.draw(st.integers(7, 40))):
        found = hover(analysis, offset)
        assert found == hover(fresh, offset)
        if found is not None:
            assert found.span.start <= offset <= found.span.end
            assert found.markdown
            assert found.plain


@given(mangled(), st.integers(-5, 400), st.sampled_from(["a.eval.yaml", "a.jsonl"]))
def test_no_text_and_no_offset_raises(text: str, offset: int, path: str) -> None:
    """Half-typed text of any kind gives a hover or nothing."""
    found = hover(analyse(text, path=path), offset)
    if found is not None:
        assert 0 <= found.span.start <= offset <= found.span.end <= len(text)
        assert found.markdown
        assert found.plain

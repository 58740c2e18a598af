"""Hover on cases, scorecards, anchors and aliases: each in short."""

from __future__ import annotations

import pytest
from hovers import ANCHORS, FULL_CASE, SCORECARDS, SUITE, inside, said_at, under

from rubric_core.analysis.check import analyse
from rubric_core.assist.hover import hover


def test_a_case_is_summed_up() -> None:
    """On the value of its id, on its dash, and below the documentation of the key."""
    summary = """\
Case `port`

Names the port

- Criteria: 2 checklist and 1 score-range, total weight 3.5
- Gates: `rubric-1`, `depth` from 3
- Target: `fast-one`"""
    assert said_at(inside("port")) == summary
    assert said_at(SUITE.replace("  - id: port", "  $0- id: port")) == summary
    assert said_at(inside("id: port")).endswith(summary)


def test_a_case_names_its_evaluators_and_what_is_its_own() -> None:
    """Gates of evaluators are counted, since their ids may repeat."""
    assert said_at(FULL_CASE).splitlines()[4:] == [
        "- Criteria: none",
        "- Gates: 1 in its evaluators",
        "- Evaluators: `a` (rubric, weight 2), one without a name (unknown type)",
        "- Target: `own`",
        "- Scorecard: its own",
    ]


def test_a_case_without_gates_says_so() -> None:
    """Where there are criteria at all."""
    said = said_at("evalcases: [{id: $0a, rubrics: [{id: b, required: false}]}]")
    assert said.endswith("- Criteria: 1 checklist, total weight 1\n- Gates: none, the score alone decides")


_WEIGHED = """\
evalcases:
  - id: a
    rubrics: [b]
    execution:
      evaluators:
        - {name: style, type: llm_judge, weight: 0.5}
        - {type: cost}
        - {name: off, type: latency, weight: 0}
"""


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (
            inside("style", _WEIGHED),
            "Weight 0.5 of 2.5, 1/5 or 20 % of the case's score; the criteria of the case count 1.",
        ),
        (inside("weight: 0.5", _WEIGHED), "Evaluator `style`: llm_judge."),
        (_WEIGHED.replace("- {type", "$0- {type"), "Evaluator without a name: cost.\n\n- Weight 1 of 2.5, 2/5 or 40 %"),
        (inside("0}", _WEIGHED), "No effect on the score: its weight is 0."),
        (inside("style", _WEIGHED.replace("weight: 0}", "weight: x}")), "a weight of its list cannot be read."),
        (
            inside("style", _WEIGHED.replace("    rubrics: [b]\n", "")),
            "Weight 0.5 of 1.5, 1/3 or 33.3 % of the case's score.",
        ),
    ],
)
def test_an_evaluator_says_what_it_counts(marked: str, expected: str) -> None:
    """Beside the others of its case, the inline criteria included."""
    assert expected in said_at(marked)


@pytest.mark.parametrize(
    "marked",
    [
        # An evaluator of the suite counts differently in each case.
        "execution: {evaluators: [{name: $0x, type: cost}]}\nevalcases: []",
        # What `execution` says goes before.
        "evalcases: [{id: a, execution: {evaluators: [{name: x}]}, evaluators: [{name: $0x, type: cost}]}]",
        "evalcases: [{id: a, evaluators: [{name: x, type: composite, evaluators: [{name: $0y, type: cost}]}]}]",
        "evalcases: [{id: a, evaluators: [{name: x, type: llm_judge, prompt: tex$0t}]}]",
        "evalcases: [{id: a, evaluators: [$0x]}]",
    ],
)
def test_an_evaluator_that_is_not_used_like_that_says_nothing(marked: str) -> None:
    """Nothing is better than a number that does not hold."""
    assert said_at(marked) == ""


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
        "- Evaluators, from the suite: `x` (cost)",
        "- Target: `t`",
    ]


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
    said = said_at(inside(stretch, SCORECARDS))
    assert said.startswith(sentence)
    assert bool(said) is bool(sentence)


def test_an_alias_shows_what_it_means() -> None:
    """With the line that it is written in, set in as if it was alone."""
    assert said_at(inside("*shared", ANCHORS)) == (
        "`*shared` stands for a list of 2 items, written in line 2.\n\n"
        "- Uses upper case\n- id: star\n  expected_outcome: Names every column"
    )
    assert under(inside("*shared", ANCHORS)) == "*shared"


def test_a_merge_key_shows_what_it_merges() -> None:
    """One of several where the cursor is on that one, otherwise all."""
    one = "`*base` stands for a mapping with 1 key, written in line 5.\n\n{weight: 2}"
    assert said_at(inside("<<: *base", ANCHORS)) == one
    assert under(inside("<<: *base", ANCHORS)) == "<<"
    assert said_at(inside("*base, *base", ANCHORS)) == one
    assert said_at(inside("<<: [", ANCHORS)) == f"{one}\n\n{one}"


def test_an_alias_of_ranges_shows_the_ruler_too() -> None:
    """The bands are elsewhere, but they are the criterion's."""
    assert "0 1 2 3 4 5 6 7 8 9 10" in said_at(inside("*bands", ANCHORS))


def test_an_anchor_says_what_it_names() -> None:
    """Only a real one."""
    assert said_at(inside("&shared", ANCHORS)) == "`&shared` names a list of 2 items; `*shared` repeats it."
    assert under(inside("&bands", ANCHORS)) == "&bands"
    assert not said_at(inside("&anchor", ANCHORS))
    assert not said_at(inside("*alias", ANCHORS))
    assert not said_at(inside("&here", ANCHORS))
    assert not said_at(ANCHORS.replace("no &anchor", "no &ba$0se"))
    assert not said_at(ANCHORS.replace("nor &here", "nor &ban$0ds"))
    assert not said_at(ANCHORS.replace("<<: *base\n", "<<: {weight: *non$0e}\n"))
    assert not said_at(ANCHORS.replace("[*base, *base]", "[*base, {we$0ight: 2}]"))


def test_long_anchored_text_is_cut_short() -> None:
    """Eight lines are enough to recognise it."""
    items = "".join(f"  - item {number}\n" for number in range(20))
    said = said_at(f"a: &a\n{items}evalcases:\n  - id: x\n    rubrics: $0*a\n")
    assert said.splitlines()[2:] == [*(f"- item {number}" for number in range(8)), "…"]

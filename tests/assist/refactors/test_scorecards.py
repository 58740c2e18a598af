"""A scorecard moves from a case to the suite under a name, or is copied from there into the case."""

from __future__ import annotations

import pytest
from refactoring import PATH, refactored, titles_at

HEAD = "description: Ports\n"
CASE = """\
  - id: open-port
    expected_outcome: Names the port
    input: Which port?
"""
INLINE = """\
    scorecard:  # for this case
      # what it is about
      skill: Port questions
      red_flags:
        - id: leak
          expected_outcome: |
            Leaks

            a secret
      bonuses: [Explains it]  # one is enough
    note: behind it
"""
REFERENCE = """\
    scorecard: port-questions  # for this case
    note: behind it
"""
NAMED = """\
scorecards:
  port-questions:
    # what it is about
    skill: Port questions
    red_flags:
      - id: leak
        expected_outcome: |
          Leaks

          a secret
    bonuses: [Explains it]  # one is enough
"""


def _at_scorecard(text: str) -> str:
    return text.replace("scorecard:", "score$0card:", 1)


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_scorecard_moves_to_the_suite(line_break: str) -> None:
    """It gets the name of its skill, and its comments go with it."""
    before = (HEAD + "evalcases:\n" + CASE + _at_scorecard(INLINE)).replace("\n", line_break)
    after = (HEAD + NAMED + "\nevalcases:\n" + CASE + REFERENCE).replace("\n", line_break)
    assert refactored(before, "extract-scorecard") == after


def test_a_scorecard_moves_behind_those_that_have_a_name() -> None:
    """In the indentation that they have; a name that is taken gets a number."""
    others = "scorecards:\n    port-questions:\n        skill: Other\n\n# The cases\n"
    inline = "    scorecard:\n      skill: Port questions\n"
    after = (
        "scorecards:\n    port-questions:\n        skill: Other\n    port-questions-2:\n        skill: Port questions\n"
    )
    assert refactored(others + "evalcases:\n" + CASE + _at_scorecard(inline), "extract-scorecard") == (
        after + "\n# The cases\nevalcases:\n" + CASE + "    scorecard: port-questions-2\n"
    )


TOPS = {
    "comments that head the file stay on top": ("# Ports\nevalcases:\n", "# Ports\n{}evalcases:\n"),
    "comments of the list stay with it": (HEAD + "# The cases\nevalcases:\n", HEAD + "{}# The cases\nevalcases:\n"),
    "a byte order mark stays first": ("\ufeffevalcases:\n", "\ufeff{}evalcases:\n"),
    "a directive stays first": ("%YAML 1.2\n---\nevalcases:\n", "%YAML 1.2\n---\n{}evalcases:\n"),
}


@pytest.mark.parametrize(("before", "after"), TOPS.values(), ids=list(TOPS))
def test_the_first_named_scorecard_is_above_the_cases(before: str, after: str) -> None:
    """What has to stay on top of the file does."""
    inline = "    scorecard: {bonuses: [Explains it]}\n"
    named = "scorecards:\n  open-port: {bonuses: [Explains it]}\n\n"
    assert refactored(before + CASE + _at_scorecard(inline), "extract-scorecard") == (
        after.format(named) + CASE + "    scorecard: open-port\n"
    )


def test_a_named_scorecard_is_copied_into_the_case() -> None:
    """The named one stays, since other cases may use it."""
    before = NAMED + "evalcases:\n" + CASE + _at_scorecard(REFERENCE)
    assert refactored(before, "inline-scorecard") == NAMED + "evalcases:\n" + CASE + INLINE
    assert titles_at(before) == ["Copy the scorecard `port-questions` into this case"]


def test_a_named_scorecard_in_braces_is_copied_into_a_case_in_braces() -> None:
    """What is written on one line stays on one line."""
    before = "scorecards: {a: {skill: Ports}}\nevalcases: [{id: b, expected_outcome: c, input: d, scorecard: $0a}]\n"
    after = before.replace("scorecard: $0a", "scorecard: {skill: Ports}")
    assert refactored(before, "inline-scorecard") == after


def test_a_scorecard_of_a_case_in_braces_moves_to_the_suite() -> None:
    """Its name takes its place within the braces."""
    cases = "evalcases: [{id: b, expected_outcome: c, input: d, scorecard: %s}]\n"
    after = "scorecards:\n  ports: {skill: Ports}\n\n" + cases % "ports"
    assert refactored(cases % "$0{skill: Ports}", "extract-scorecard") == after


EXTRACTIONS_REFUSED = {
    "an alias": "defaults: &card {skill: Ports}\nevalcases:\n" + CASE + "    score$0card: *card\n",
    "an anchor": "evalcases:\n" + CASE + "    score$0card: &card {skill: Ports}\n",
    "a merge key": "defaults: &card {skill: Ports}\nevalcases:\n"
    + CASE
    + "    score$0card: {<<: *card, bonuses: [x]}\n",
    "nothing in it": "evalcases:\n" + CASE + "    score$0card: {}\n",
    "names in braces": "scorecards: {a: {skill: b}}\nevalcases:\n" + CASE + "    score$0card: {skill: Ports}\n",
    "names without a scorecard": "scorecards:\nevalcases:\n" + CASE + "    score$0card: {skill: Ports}\n",
    "a suite in braces": '{"evalcases": [{"id": "b", "input": "c", "score$0card": {"skill": "Ports"}}]}\n',
}


@pytest.mark.parametrize("before", EXTRACTIONS_REFUSED.values(), ids=list(EXTRACTIONS_REFUSED))
def test_a_scorecard_stays_where_it_cannot_move_well(before: str) -> None:
    """Because it is used elsewhere, or because there is no room for it."""
    assert refactored(before, "extract-scorecard") is None


COPIES_REFUSED = {
    "no such scorecard": "scorecards: {a: {skill: b}}\nevalcases:\n" + CASE + "    score$0card: other\n",
    "an error in it": "scorecards: {a: {weights: {correctness: 1.0}}}\nevalcases:\n" + CASE + "    score$0card: a\n",
    "an anchor in it": "scorecards: {a: {skill: &b c}}\nevalcases:\n" + CASE + "    score$0card: a\n",
    "a block for a case in braces": "scorecards:\n  a:\n    skill: b\n"
    "evalcases: [{id: b, expected_outcome: c, input: d, score$0card: a}]\n",
}


@pytest.mark.parametrize("before", COPIES_REFUSED.values(), ids=list(COPIES_REFUSED))
def test_a_scorecard_is_not_copied_where_that_cannot_be_done_well(before: str) -> None:
    """An error would be there twice, an anchor too."""
    assert refactored(before, "inline-scorecard") is None


def test_json_lines_have_no_suite_to_move_a_scorecard_to() -> None:
    """Each line is all that a case has."""
    line = '{"id": "a", "expected_outcome": "b", "input": "c", "score$0card": {"skill": "d"}}\n'
    assert titles_at(line, "cases.jsonl") == []


def test_each_yaml_document_has_its_own_names() -> None:
    """The scorecards of another document of the file are not meant."""
    before = "scorecards: {a: {skill: b}}\n---\nevalcases:\n" + CASE + "    score$0card: a\n"
    assert refactored(before, "inline-scorecard", PATH) is None

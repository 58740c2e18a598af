"""Giving something another name."""

from __future__ import annotations

import re

import pytest
from assistance import cut_cursor, finished
from hypothesis import example, given
from hypothesis import strategies as st
from yaml_texts import mangled

from rubric_core.analysis.check import analyse, check_text
from rubric_core.assist.names.lookup import name_at, references_to
from rubric_core.assist.names.occurrences import NameKind
from rubric_core.assist.names.rename import RenameError, renamable_at, rename, rename_uses
from rubric_core.text.spans import apply_edits

PATH = "a.eval.yaml"


def renamed(marked: str, new: str, path: str = PATH) -> str:
    """Return the text after a rename at the cursor, or the sentence that refuses it."""
    text, at = cut_cursor(marked)
    analysis = analyse(text, path=path)
    try:
        name = renamable_at(analysis, at)
        assert name is not None, "There is no name."
        return apply_edits(text, finished(rename(analysis, name, new)))
    except RenameError as error:
        return str(error)


@pytest.mark.parametrize(
    ("marked", "new", "expected"),
    [
        (
            "scorecards: {a: {}}\nevalcases:\n  - {id: a, scorecard: $0a}\n  - {id: b, scorecard: 'a'} # a\n",
            "new",
            "scorecards: {new: {}}\nevalcases:\n  - {id: a, scorecard: new}\n  - {id: b, scorecard: 'new'} # a\n",
        ),
        (
            "evalcases:\n  - {id: b, rubrics: [], scorecard: a}\nscorecards:\n  $0a: {}\n",
            "it's: so",
            'evalcases:\n  - {id: b, rubrics: [], scorecard: "it\'s: so"}\nscorecards:\n  "it\'s: so": {}\n',
        ),
        (
            "x: &a {b: 1}\ny: [*a]\nevalcases:\n  - {id: a, rubrics: [], note: *$0a} # *a\n",
            "new",
            "x: &new {b: 1}\ny: [*new]\nevalcases:\n  - {id: a, rubrics: [], note: *new} # *a\n",
        ),
        ("evalcases:\n  - id: $0a\n    rubrics: [{id: a}]\n", "7", 'evalcases:\n  - id: "7"\n    rubrics: [{id: a}]\n'),
        ("evalcases:\n  - id: a\n    rubrics: [{id: $0a}]\n", " b ", "evalcases:\n  - id: a\n    rubrics: [{id: b}]\n"),
        (
            "evalcases:\n  - id: a\n    rubrics: []\n  - id: $0a\n    rubrics: []\n",
            "b",
            "evalcases:\n  - id: a\n    rubrics: []\n  - id: b\n    rubrics: []\n",
        ),
        (
            "evalcases:\n  - id: >-\n      $0a\n    rubrics: []\n",
            "b",
            "evalcases:\n  - id: b\n    rubrics: []\n",
        ),
        (
            (
                "execution:\n  evaluators:\n  - type: composite\n    evaluators: [{name: a, type: cost}]\n"
                "    aggregator: {weights: {$0a: 1}}\n"
            ),
            "b",
            (
                "execution:\n  evaluators:\n  - type: composite\n    evaluators: [{name: b, type: cost}]\n"
                "    aggregator: {weights: {b: 1}}\n"
            ),
        ),
        (
            "evalcases:\n  - id: a\n    input: x\n    evaluators: [{name: a, type: cost}, {name: $0a, type: cost}]\n",
            "b",
            "evalcases:\n  - id: a\n    input: x\n    evaluators: [{name: a, type: cost}, {name: b, type: cost}]\n",
        ),
        (
            "x: &x {scorecard: a}\nscorecards: {$0a: {}}\nevalcases:\n  - {<<: *x, id: a}\n  - {<<: *x, id: b}\n",
            "b",
            "x: &x {scorecard: b}\nscorecards: {b: {}}\nevalcases:\n  - {<<: *x, id: a}\n  - {<<: *x, id: b}\n",
        ),
        ("evalcases:\n  - id: $0a\n    rubrics: []\n", "a", "evalcases:\n  - id: a\n    rubrics: []\n"),
    ],
    ids=[
        *(
            "scorecard",
            "quotes",
            "anchor",
            "number",
            "criterion",
            "one of two",
            "block",
            "member",
            "one of two members",
        ),
        *("merged", "same"),
    ],
)
def test_everything_that_means_the_same_is_renamed(marked: str, new: str, expected: str) -> None:
    """Comments and other texts stay as they are, quotes too, and a name that needs quotes gets some."""
    assert renamed(marked, new) == expected


def test_json_stays_json() -> None:
    """A line of a JSON Lines file has all its names in double quotes."""
    assert renamed('{"id": "$0a", "rubrics": []}\n', 'x "y"', "a.jsonl") == '{"id": "x \\"y\\"", "rubrics": []}\n'


_CASES = "evalcases:\n  - {id: $0a, rubrics: [], scorecard: c}\n  - {id: b}\nscorecards: {c: {}, d: {}}\n"
_CRITERIA = "evalcases:\n  - id: a\n    rubrics: [{id: $0b}, {id: c}, d]\n"
_ANCHOR = "x: &$0a 1\ny: &b 2\nevalcases: [{id: a, rubrics: []}]\n"
_MEMBERS = (
    "execution:\n  evaluators:\n  - type: composite\n    evaluators: [{name: a, type: cost}, {name: b, type: cost}]\n"
    "    aggregator: {weights: {$0a: 1}}\n"
)


@pytest.mark.parametrize(
    ("marked", "new", "message"),
    [
        (_CASES, "b", "Another case of this file has the id `b` already."),
        (
            _CASES.replace("$0", "").replace(" c}", " $0c}"),
            "d",
            "Another scorecard of this file is called `d` already.",
        ),
        (_CASES, " ", "A name needs at least one visible character."),
        (_CASES, "a\nb", "A name must be on one line and have no control characters."),
        (_CASES, "a" * 201, "A name may have at most 200 characters; this one has 201."),
        (_CASES.replace("$0", "").replace(" c}", " $0c}"), "{{x}}", "A name may not contain `{{`, which starts"),
        (_CRITERIA, "c", "Another criterion of this list is called `c` already."),
        (_CRITERIA, "rubric-3", "`rubric-3` is an id that criteria without one of their own get"),
        (_ANCHOR, "b", "The name `b` is used for an anchor of this file already."),
        (_ANCHOR, "b c", "The name of an anchor may have only letters from a to z, digits, `-` and `_`."),
        (_MEMBERS, "b", "Another evaluator of this list is called `b` already."),
        (_MEMBERS, "rubric", "`rubric` is the name that the `rubrics` of a case go by"),
        (_MEMBERS.replace("name: b", "name: a"), "c", "Several evaluators of this list are called `a`"),
        ("evalcases:\n  - id: $0a\n    rubrics: [\n", "b", "This text cannot be read as YAML; correct it before"),
        ("evalcases:\n  - id: &x $0a\n    rubrics: []\n", "b", "`a` has an anchor, so other places may repeat it"),
        (
            "x: &n c\nscorecards: {$0c: {}}\nevalcases:\n  - {id: a, scorecard: *n}\n",
            "d",
            "`c` comes through the alias `*n` in one place",
        ),
        (
            "scorecards: {$0c: {}}\nevalcases:\n  - id: a\n    scorecard: c\n    rubrics: [\n",
            "d",
            "The text from line 3 on may use `c`, but cannot be read; correct it first.",
        ),
        (
            "scorecards: {$0c: {}}\nevalcases:\n  - {id: a, scorecard: &n c}\n",
            "d",
            "`c` has an anchor, so other places may repeat it; remove the anchor first.",
        ),
        (
            "x: &x {c: {}}\nscorecards: {<<: *x}\nevalcases:\n  - {id: a, scorecard: $0c}\n",
            "d",
            "`c` comes through the alias `*x` in one place",
        ),
    ],
)
def test_what_cannot_be_done_well_is_refused_in_one_sentence(marked: str, new: str, message: str) -> None:
    """The user learns what is in the way."""
    found = renamed(marked, new)
    assert found.startswith(message)
    assert "\n" not in found


def test_where_there_is_no_name_nothing_is_renamed() -> None:
    """The editor says so itself."""
    assert renamable_at(analyse("evalcases:\n  - {id: a, rubrics: []}\n", path=PATH), 0) is None


def test_what_turns_out_to_be_no_name_is_not_renamed() -> None:
    """What looks like a case may be the rest of a quoted text further up."""
    text = "evalcases:\n  - {id: a, note: 'one\n\n  - id: b\n    rubrics: []\n  - id: c'}\n"
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, text.index("b\n"))
    assert name is not None
    assert finished(rename(analysis, name, "new")) == ()


def test_uses_of_a_target_are_renamed_in_a_file_that_does_not_define_it() -> None:
    """The targets file and the other eval files are somebody else's business."""
    text = "target: a\nevalcases:\n  - {id: a, rubrics: [], execution: {target: 'a', evaluators: [{target: a}]}}\n"
    edits = finished(rename_uses(analyse(text, path=PATH), NameKind.TARGET, "a", "b"))
    assert apply_edits(text, edits) == text.replace("target: a", "target: b").replace("'a'", "'b'")
    assert finished(rename_uses(analyse("x: a\n", path="x.yaml"), NameKind.TARGET, "a", "b")) == ()


NAMES = ("new", "it's", "a: b", "7", "no", "# x", "[x]", "héllo", "🎉", "x" * 60, "- x", "null", "{a", "a\\b", '"q"')
SUITE = """\
scorecards:
  house: {bonuses: [Is kind]}
shared: &base
  expected_outcome: x
  scorecard: house
bands: &bands {0: None, 5: All}
evalcases:
  - {<<: *base, id: first, input: y}
  - id: "second"
    expected_outcome: x # house *bands first
    input: y
    scorecard: 'house'
    rubrics:
      - {id: one, score_ranges: *bands}
      - id: two
        expected_outcome: Names it
    evaluators:
      - name: gate
        type: composite
        evaluators: [{name: safe, type: cost}, {name: good, type: cost}]
        aggregator: {weights: {safe: 1, good: 2}}
"""


PLACES = [
    found.start()
    for found in re.finditer(r"house|base|bands|first|second|one|two|safe|good|gate", SUITE)
    if "#" not in SUITE[SUITE.rfind("\n", 0, found.start()) + 1 : found.start()]
]


@given(
    st.one_of(
        st.tuples(st.just(SUITE), st.sampled_from(PLACES)),
        st.tuples(mangled(), st.integers(0, 300)),
    ),
    st.sampled_from(NAMES),
)
@example((SUITE, SUITE.index("house")), "a: b")
@example((SUITE, SUITE.index("*bands}")), "new")
def test_after_a_rename_all_still_refers_to_the_same_and_nothing_new_is_wrong(place: tuple[str, int], new: str) -> None:
    """Either it is refused, or the text has the same problems as before and the same places refer to the new name."""
    text, offset = place
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, offset)
    try:
        edits = finished(rename(analysis, name, new)) if name is not None else ()
    except RenameError:
        return
    if name is None or not edits:
        return
    before = finished(references_to(analysis, name))
    after = apply_edits(text, edits)
    old_problems = sorted(problem.code for problem in check_text(text, path=PATH).problems)
    new_problems = sorted(problem.code for problem in check_text(after, path=PATH).problems)
    assert len(new_problems) <= len(old_problems)
    assert set(new_problems) <= set(old_problems)
    again = analyse(after, path=PATH)
    found = name_at(again, edits[0].start + 1)
    assert found is not None
    assert (found.kind, found.text) == (name.kind, new)
    alone = name.kind in {NameKind.CASE, NameKind.CRITERION}
    defines = sum(each.defines for each in before) > 1 and name.kind is NameKind.EVALUATOR
    if not alone and not defines:
        assert len(finished(references_to(again, found))) >= len(before)

"""Which cases want rubrics, and what is said of those that cannot get any."""

from __future__ import annotations

import pytest
from generated_rubrics import CHECKLIST, generated

from rubric_core.analysis.project import NO_PROJECT
from rubric_core.config.config import DEFAULT, Overrides, merged
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.generation.survey import read_suites, survey
from rubric_core.grading.generation.verified_insertion import insert_proposals, rejected_cases
from rubric_core.rules.problem import Severity

PATH = "suite.eval.yaml"
CASE = "  - id: {id}\n    expected_outcome: x\n    input: y\n"


def _suite(*cases: str, head: str = "") -> str:
    return f"{head}evalcases:\n" + "".join(cases)


HAS_RUBRICS = {
    "inline": _suite(CASE.format(id="a") + "    rubrics: [Names it]\n"),
    "of an evaluator": _suite(
        CASE.format(id="a") + "    evaluators: [{name: n, type: llm_judge, rubrics: [Names it]}]\n"
    ),
    "of a member of a composite": _suite(
        CASE.format(id="a")
        + "    execution:\n      evaluators:\n        - name: c\n          type: composite\n"
        + "          evaluators: [{name: n, type: llm_judge, rubrics: [Names it]}]\n"
    ),
    "of the suite": _suite(
        CASE.format(id="a"), head="execution: {evaluators: [{name: n, type: llm_judge, rubrics: [Names it]}]}\n"
    ),
    "brought by a merge key": _suite(
        CASE.format(id="a") + "    <<: *shared\n", head="shared: &shared {rubrics: [Names it]}\n"
    ),
}


@pytest.mark.parametrize("text", HAS_RUBRICS.values(), ids=HAS_RUBRICS)
def test_a_case_with_rubrics_wants_none(text: str) -> None:
    """Wherever they are, the case is neither asked about nor mentioned."""
    found = survey(text, PATH, DEFAULT, NO_PROJECT)
    assert not found.candidates
    assert not found.skipped
    assert len(found.reading.cases) == 1


def test_other_evaluators_are_no_rubrics() -> None:
    """A script or a prompt does not say what is expected."""
    evaluators = (
        "    evaluators: [{name: n, type: llm_judge, prompt: Judge it}, {name: s, type: code_judge, script: x}]\n"
    )
    result = generated(_suite(CASE.format(id="a") + evaluators))
    assert [each.case_id for each in result.written] == ["a"]


SKIPPED = {
    "nothing is expected": (
        _suite("  - id: a\n    input: y\n"),
        "a",
        "It has no expected_outcome that criteria could be made of; write one first.",
    ),
    "an error elsewhere in the case": (
        _suite("  - id: a\n    expected_outcome: x\n    input_messages: [{role: usr, content: y}]\n"),
        "a",
        "Correct its error RB505 first: `usr` is not a role; did you mean `user`?",
    ),
    "a placeholder in place of what is expected": (
        _suite("  - id: a\n    expected_outcome: TODO\n    input: y\n"),
        "a",
        (
            "Correct its warning RB210 first: This text is a placeholder, and the case is not graded as long as it "
            "stands; write what a good answer achieves."
        ),
    ),
    "a placeholder in place of a message": (
        _suite("  - id: a\n    expected_outcome: x\n    input: TBD\n"),
        "a",
        (
            "Correct its warning RB210 first: This text is a placeholder, and the case is not graded as long as it "
            "stands; write what is said."
        ),
    ),
    "criteria that cannot be read": (
        _suite(CASE.format(id="a") + "    rubrics: {}\n"),
        "a",
        "Correct its error RB004 first: `rubrics` must be a list, not a mapping.",
    ),
    "a repeated id": (
        _suite(CASE.format(id="a") + "    rubrics: [Names it]\n", CASE.format(id="a")),
        "a",
        "Correct its error RB203 first: Two cases are called a (lines 2 and 6); give one of them another id.",
    ),
    "text that is no YAML": (
        _suite(
            '  - id: a\n    expected_outcome: "x\n    input: y\n', CASE.format(id="b") + "    rubrics: [Names it]\n"
        ),
        "",
        "The quote opened here is never closed.",
    ),
    "a case that others merge": (
        _suite(
            "  - &first\n" + CASE.format(id="a").replace("  -", "   "), "  - <<: *first\n    id: b\n    rubrics: [z]\n"
        ),
        "a",
        "Its anchor `&first` is used elsewhere, where criteria would count too; write them by hand.",
    ),
    "an empty list that others repeat": (
        _suite(
            CASE.format(id="a") + "    rubrics: &none []\n",
            CASE.format(id="b") + "    rubrics: [z]\n    metadata: {x: [*none]}\n",
        ),
        "a",
        "Its anchor `&none` is used elsewhere, where criteria would count too; write them by hand.",
    ),
    "a case behind an alias": (
        _suite("  - *shared\n", head="shared: &shared {id: a, expected_outcome: x, input: y}\n"),
        "a",
        "It repeats another case through an alias, so criteria would count for both; write them by hand.",
    ),
}


@pytest.mark.parametrize(("text", "case_id", "reason"), SKIPPED.values(), ids=SKIPPED)
def test_a_case_is_skipped_with_a_sentence(text: str, case_id: str, reason: str) -> None:
    """Nothing is written into it."""
    found = survey(text, PATH, DEFAULT, NO_PROJECT)
    assert [(each.case_id, each.reason) for each in found.skipped] == [(case_id, reason)]
    assert generated(text, PATH).text == text


@pytest.mark.parametrize(
    ("text", "at"),
    [("input: y\n    expected_outcome: TODO", "TODO"), ("expected_outcome: x\n    input_messages: 3", "3")],
)
def test_what_is_to_be_corrected_first_is_located(text: str, at: str) -> None:
    """The place is that of the placeholder or the error, not that of its case."""
    text = _suite(f"  - id: a\n    {text}\n")
    (skipped,) = survey(text, PATH, DEFAULT, NO_PROJECT).skipped
    assert text[skipped.offset :].startswith(at)


def test_a_placeholder_that_is_silenced_is_meant() -> None:
    """As for grading."""
    text = _suite("  - id: a\n    expected_outcome: TODO  # rubric: ignore[RB210]\n    input: y\n")
    assert not survey(text, PATH, DEFAULT, NO_PROJECT).skipped


def test_the_first_of_two_cases_with_one_id_gets_its_criteria() -> None:
    """Also where nobody wants to hear of repeated ids: proposals are distinguished by these."""
    text = _suite(CASE.format(id="a"), CASE.format(id="a"))
    config = merged(DEFAULT, Overrides(ignore=frozenset({"RB203"})))
    found = survey(text, PATH, config, NO_PROJECT)
    assert len(found.candidates) == 1
    assert [each.reason for each in found.skipped] == [
        "An earlier case has the same id, so it is ambiguous where to insert criteria; rename one of them."
    ]


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("services:\n  web: {}\n", "compose.yaml", "not an eval file"),
        ("description: nothing yet\n", PATH, "no list of cases"),
        ('evalcases: "\n', PATH, "never closed"),
    ],
)
def test_what_is_no_eval_file_is_refused(text: str, path: str, reason: str) -> None:
    """With the reason, before anybody is asked."""
    with pytest.raises(CannotGrade, match=reason):
        survey(text, path, DEFAULT, NO_PROJECT)


def test_a_case_is_left_out_where_its_criteria_bring_a_problem() -> None:
    """The configuration may call a hint an error. The other cases are still written."""
    text = _suite(CASE.format(id="a"), CASE.format(id="b"))
    config = merged(DEFAULT, Overrides(severity={"RB402": Severity.ERROR}))
    compound = CHECKLIST[0].model_copy(update={"expected_outcome": "Names the port and explains the proxy"})
    found = survey(text, PATH, config, NO_PROJECT)
    result = insert_proposals(found, {"a": (compound, *CHECKLIST[1:]), "b": CHECKLIST}, config, NO_PROJECT)
    assert [each.case_id for each in result.written] == ["b"]
    assert [each.case_id for each in result.skipped] == ["a"]
    assert result.skipped[0].reason.startswith("The criteria that were proposed bring the error RB402: ")
    assert result.text.startswith(_suite(CASE.format(id="a"), CASE.format(id="b")))


def test_hints_are_counted_and_do_not_keep_criteria_out() -> None:
    """They are advice about what was written, and `rubric check` shows them."""
    text = _suite(CASE.format(id="a"))
    optional = tuple(
        each.model_copy(update={"required": False, "weight": each.weight.__class__(1)}) for each in CHECKLIST
    )
    found = survey(text, PATH, DEFAULT, NO_PROJECT)
    result = insert_proposals(found, {"a": optional}, DEFAULT, NO_PROJECT)
    assert [(each.case_id, each.criteria, each.hints) for each in result.written] == [("a", 3, 3)]


def test_an_anchor_that_would_lose_its_last_use_is_kept() -> None:
    """Without the alias the key of the anchor would be unknown, a problem that was not there before."""
    text = _suite(CASE.format(id="a") + "    rubrics: *none\n", head="none: &none []\n")
    result = generated(text)
    assert result.text == text
    assert [each.reason for each in result.skipped] == [
        "Criteria here would change something else in the file; write them by hand."
    ]


MISFITS = {
    "other cases": (CASE.format(id="b").replace("input: y", "input: z"), "something else in the file"),
    "the number of cases": ("", "no room"),
}


@pytest.mark.parametrize(("second", "reason"), MISFITS.values(), ids=MISFITS)
def test_a_change_of_anything_else_is_refused(second: str, reason: str) -> None:
    """Whatever an insertion did to the rest of the file, it is not written."""
    rubrics = "    rubrics:\n" + "".join(
        f"      - {{id: {each.id}, expected_outcome: '{each.expected_outcome}', weight: {each.weight}"
        f"{'' if each.required else ', required: false'}}}\n"
        for each in CHECKLIST
    )
    before = read_suites(_suite(CASE.format(id="a"), CASE.format(id="b")), PATH, DEFAULT, NO_PROJECT)
    right, wrong = (
        read_suites(_suite(CASE.format(id="a") + rubrics, other), PATH, DEFAULT, NO_PROJECT)
        for other in (CASE.format(id="b"), second)
    )
    assert not rejected_cases(before, right, {(0, 0): CHECKLIST})
    assert reason in rejected_cases(before, wrong, {(0, 0): CHECKLIST})[0, 0]
    assert "no room" in rejected_cases(before, before, {(0, 0): CHECKLIST})[0, 0]

"""What a grade means is beside its label in every format that people and scripts read."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape

import pytest
from sample_results import SCORECARD_ALONE

from rubric_core.grading.result_json import from_json
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.schema.grades import GRADES

MEANING = "Acceptable but clearly below professional standards."


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "jsonl", "junit"])
def test_the_description_is_beside_the_label(form: str) -> None:
    """It is that of the table of the scoring methodology."""
    shown = unescape(RESULT_FORMATS[form].render([SCORECARD_ALONE]))
    assert "Adequate" in shown
    assert MEANING in shown


def test_the_description_is_a_field_of_the_scorecard() -> None:
    """It follows from the grade, so results of earlier versions have it too."""
    value = json.loads(RESULT_FORMATS["json"].render([SCORECARD_ALONE]))
    assert (value["scorecard"]["label"], value["scorecard"]["description"]) == ("Adequate", MEANING)
    del value["scorecard"]["description"]
    assert json.loads(RESULT_FORMATS["json"].render([from_json(value)]))["scorecard"]["description"] == MEANING


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "junit"])
def test_a_grade_that_the_table_does_not_have_is_left_without(form: str) -> None:
    """A file of results may hold anything in the place of a grade."""
    card = SCORECARD_ALONE.scorecard
    assert card is not None
    assert card.score is not None
    odd = replace(SCORECARD_ALONE, scorecard=replace(card, score=replace(card.score, grade="Z")))
    assert not any(row.description in unescape(RESULT_FORMATS[form].render([odd])) for row in GRADES)

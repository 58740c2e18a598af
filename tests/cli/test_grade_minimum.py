"""`rubric grade --min-grade` and `min-grade`: a pipeline can gate on scorecards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, fromstring

import pytest

from rubric_core.schema.grades import GRADES
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.grades import is_below

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Rubric = Callable[..., Result]

CASE = "  - {{id: {0}, expected_outcome: Is right, input: Which port?, scorecard: {{skill: ports}}}}\n"
GRADED = {"good": 9, "fair": 7, "poor": 4}


@pytest.fixture(autouse=True)
def evals(folder: Path) -> None:
    """Write an eval file whose cases have the grades A, B- and D."""
    cases = "".join(CASE.format(name) for name in GRADED)
    plain = "  - {id: plain, expected_outcome: Is right, input: Which port?, rubrics: [Is right]}\n"
    (folder / "port.eval.yaml").write_text(f"evalcases:\n{cases}{plain}", encoding="utf-8")
    (folder / "port.answers.json").write_text(json.dumps(dict.fromkeys([*GRADED, "plain"], "443")), encoding="utf-8")
    said = {name: {"dimensions": {each: {"score": score} for each in DIMENSIONS}} for name, score in GRADED.items()}
    met = {"checks": [{"id": "rubric-1", "satisfied": True}]}
    (folder / "judgements.json").write_text(json.dumps({**said, "plain": met}), encoding="utf-8")


def _grade(rubric: Rubric, *options: str) -> Result:
    return rubric("grade", "port.eval.yaml", "--judge", "replay:judgements.json", *options)


@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        ((), 0, ""),
        (("--min-grade", "D"), 0, ""),
        (("--min-grade", "B-"), 1, "1 scorecard below the minimum grade: poor has D and needs B-."),
        (
            ("--min-grade", "B"),
            1,
            "2 scorecards below the minimum grade: fair has B- and needs B, poor has D and needs B.",
        ),
        (("--min-grade", "B", "--case", "good"), 0, ""),
        (("--min-grade", "A+", "--case", "plain"), 0, ""),
    ],
)
def test_a_lower_grade_fails(rubric: Rubric, options: tuple[str, ...], status: int, told: str) -> None:
    """The grade itself is allowed; a case without a scorecard has no grade to reach."""
    result = _grade(rubric, *options)
    assert result.exit_code == status
    assert told in result.stderr
    assert bool(told) == ("minimum grade" in result.stderr)


def test_the_configuration_has_a_minimum(rubric: Rubric, folder: Path) -> None:
    """The command line goes before it."""
    (folder / "rubric.toml").write_text('min-grade = "B"\n', encoding="utf-8")
    assert _grade(rubric).exit_code == 1
    assert _grade(rubric, "--min-grade", "F").exit_code == 0
    assert _grade(rubric, "--no-config").exit_code == 0


def test_an_error_goes_before_a_low_grade(rubric: Rubric, folder: Path) -> None:
    """What could not be graded ends with status 2 all the same."""
    (folder / "judgements.json").write_text(json.dumps({"good": {}}), encoding="utf-8")
    assert _grade(rubric, "--min-grade", "A+").exit_code == 2


def test_a_grade_that_does_not_exist_is_refused(rubric: Rubric) -> None:
    """All grades are listed."""
    result = _grade(rubric, "--min-grade", "E")
    assert result.exit_code == 2
    assert "'E' is not one of 'A+', 'A'," in result.stderr


def test_grades_are_ordered_as_in_the_table() -> None:
    """A grade is not below itself, and below all that are above it."""
    grades = [row.grade for row in GRADES]
    assert [[is_below(grade, minimum) for grade in grades] for minimum in grades] == [
        [place > limit for place in range(len(grades))] for limit in range(len(grades))
    ]
    assert is_below("Z", "F")


def _junit(rubric: Rubric, *options: str) -> Element:
    return fromstring(_grade(rubric, *options, "--format", "junit").stdout)  # noqa: S314 - it is our own.


def test_junit_fails_a_case_below_the_minimum(rubric: Rubric) -> None:
    """As the status does: a job that only reads the report must not take it for a pass."""
    document = _junit(rubric, "--min-grade", "B")
    assert (document.get("tests"), document.get("failures"), document.get("errors")) == ("4", "2", "0")
    failures = {case.get("name"): case.find("failure") for case in document.iter("testcase")}
    told = {name: (each.get("type"), each.get("message")) for name, each in failures.items() if each is not None}
    assert told == {
        "fair": ("low grade", "scorecard: the grade B- is below the minimum grade B"),
        "poor": ("low grade", "scorecard: the grade D is below the minimum grade B"),
    }
    without = _junit(rubric)
    assert without.get("failures") == "0"


def test_junit_shows_a_low_grade_beside_a_verdict(rubric: Rubric, folder: Path) -> None:
    """The verdict goes before the grade, an error before both."""
    case = "{id: poor, expected_outcome: Is right, input: Which?, rubrics: [Is right], scorecard: {skill: ports}}"
    (folder / "port.eval.yaml").write_text(f"evalcases:\n  - {case}\n", encoding="utf-8")
    dimensions = {each: {"score": 4} for each in DIMENSIONS}
    for satisfied, kind, message in (
        (True, "low grade", "scorecard: the grade D is below the minimum grade B"),
        (False, "fail", "score 0; gate failed: rubric-1; scorecard: the grade D is below the minimum grade B"),
    ):
        said = {"poor": {"checks": [{"id": "rubric-1", "satisfied": satisfied}], "dimensions": dimensions}}
        (folder / "judgements.json").write_text(json.dumps(said), encoding="utf-8")
        document = _junit(rubric, "--min-grade", "B")
        (failure,) = document.iter("failure")
        assert (failure.get("type"), failure.get("message")) == (kind, message)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('min-grade = "Q"', "rubric.toml:2: `min-grade` must be a grade, one of `A+`,"),
        ("min-grade = 5", "rubric.toml:2: `min-grade` must be a grade such as `B`, but is a number."),
        ('min_grade = "A"', "rubric.toml:2: There is no setting `min_grade`. Did you mean `min-grade`?"),
        ('min-grade = "A', "rubric.toml:2: The file is not valid TOML"),
    ],
)
def test_a_configuration_that_cannot_be_read_stops_grading(
    rubric: Rubric, folder: Path, written: str, told: str
) -> None:
    """A minimum that nobody can read would let every grade pass."""
    (folder / "rubric.toml").write_text(f"# The gate.\n{written}\n", encoding="utf-8")
    result = _grade(rubric)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
    assert _grade(rubric, "--no-config").exit_code == 0


def test_what_is_wrong_besides_is_counted(rubric: Rubric, folder: Path) -> None:
    """`rubric check` shows all of it. A limit that is lowered to its ceiling is only told there."""
    (folder / "rubric.toml").write_text('a = 1\nb = 2\nmin-grade = "F"\n', encoding="utf-8")
    assert "1 more; see `rubric check`." in _grade(rubric).stderr
    (folder / "rubric.toml").write_text("limits = { depth = 1000000 }\n", encoding="utf-8")
    assert _grade(rubric).exit_code == 0


def test_a_grade_may_be_in_small_letters(rubric: Rubric, folder: Path) -> None:
    """In the configuration and on the command line."""
    (folder / "rubric.toml").write_text('min-grade = "b-"\n', encoding="utf-8")
    told = "1 scorecard below the minimum grade: poor has D and needs B-."
    for result in (_grade(rubric), _grade(rubric, "--no-config", "--min-grade", "b-")):
        assert result.exit_code == 1
        assert told in result.stderr


@pytest.mark.parametrize("format_", ["markdown", "html", "json"])
def test_reports_name_a_card_below_the_minimum(rubric: Rubric, format_: str) -> None:
    """A report that is read alone tells what the status tells."""
    with_minimum = _grade(rubric, "--min-grade", "B", "--format", format_).stdout
    without = _grade(rubric, "--format", format_).stdout
    if format_ == "json":
        read = json.loads(with_minimum)
        lows = {each["eval_id"]: each.get("low_grade") for each in read["results"]}
        assert lows["fair"] == {"grade": "B-", "minimum": "B"}
        assert lows["poor"] == {"grade": "D", "minimum": "B"}
        assert lows["good"] is lows["plain"] is None
        assert read["summary"]["low_grades"] == 2
        assert '"low_grade":' not in without
    else:
        for grade in ("B-", "D"):
            assert f"the grade {grade} is below the minimum grade B" in with_minimum
        assert "scorecards below the minimum grade" in with_minimum
        assert "below the minimum" not in without


def test_one_case_in_json_shows_its_low_grade(rubric: Rubric) -> None:
    """The object of the only case has it, too."""
    one = json.loads(_grade(rubric, "--min-grade", "B", "--case", "poor", "--format", "json").stdout)
    assert one["low_grade"] == {"grade": "D", "minimum": "B"}

"""`rubric history`: the list of skills, the table and the chart of one."""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from graded import MODEL, PERSON, a_result, a_scorecard
from rich.cells import cell_len

from rubric_core.grading.store.store import Store
from rubric_core.report.families.chart import ASCII, UNICODE, Signs, signs_for
from rubric_core.report.families.evaluations import skill_history
from rubric_core.report.formats import EVALUATIONS_FORMATS
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.terminal.display import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rubric_core.grading.results import ScorecardResult

Keep: TypeAlias = "Callable[..., None]"


@pytest.fixture
def keep(folder: Path) -> Keep:
    """Give a function that keeps scorecards in the store of the folder, in one run."""

    def keep_all(cards: Sequence[ScorecardResult], case_id: str = "case-{}") -> None:
        with Store.open(Store.at(folder)) as store:
            run = store.begin_run("rubric grade .", MODEL, len(cards))
            for place, card in enumerate(cards):
                when = f"2025-11-{place % 28 + 1:02}T08:{place % 60:02}:00Z"
                store.keep_result(
                    run, place, a_result(place, eval_id=case_id.format(place), scorecard=card, timestamp=when)
                )

    return keep_all


def _cards(scores: Sequence[int], skill: str = "review", **last: int) -> list[ScorecardResult]:
    """Return an evaluation for each score; `last` are dimensions of the last one that are different."""
    cards = [a_scorecard(f"{skill}-{number}", score, skill) for number, score in enumerate(scores)]
    return [*cards[:-1], a_scorecard(f"{skill}-last", scores[-1], skill, **last)]


def test_without_a_store_there_is_no_history(rubric: Any, folder: Path) -> None:
    """The message says how to get one, and looking makes none."""
    result = rubric("history")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == ("No history yet. Grade a case that has a scorecard with `rubric grade` first.\n")
    assert json.loads(rubric("history", "--format", "json").stdout) == {"skills": []}
    assert rubric("history", "--format", "csv").stdout == "skill,evaluations,timestamp,final_score,grade\n"
    assert rubric("history", "review").exit_code == 2
    assert not (folder / ".rubric").exists()


def test_a_store_without_evaluations_has_no_history_either(rubric: Any, keep: Keep) -> None:
    """Cases may have no scorecards."""
    keep([None])
    assert "No history yet" in rubric("history").stderr


def test_all_skills_are_listed(rubric: Any, keep: Keep) -> None:
    """With how many evaluations each has, and the newest grade."""
    keep(_cards([8, 9], "write"))
    keep(_cards([5], "review"))
    result = rubric("history")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "skill   evaluations  latest (UTC)      final  grade",
        "review            1  2025-11-01 08:00   5.00  D+",
        "write             2  2025-11-02 08:01   9.00  A",
    ]
    listed = json.loads(rubric("history", "--format", "json").stdout)["skills"]
    assert [(each["skill"], each["evaluations"], each["latest"]["grade"]) for each in listed] == [
        ("review", 1, "D+"),
        ("write", 2, "A"),
    ]
    assert rubric("history", "--format", "csv").stdout.splitlines()[1:] == [
        "review,1,2025-11-01T08:00:00Z,5.00,D+",
        "write,2,2025-11-02T08:01:00Z,9.00,A",
    ]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("reviw", "Did you mean `review`?"), ("something else", "Run `rubric history` to list all skills.")],
)
def test_an_unknown_skill(rubric: Any, keep: Keep, name: str, hint: str) -> None:
    """The message says what was probably meant."""
    keep(_cards([8]))
    result = rubric("history", name)
    assert result.exit_code == 2
    assert f"Unknown skill `{name}`. {hint}" in result.stderr


def test_the_history_of_a_skill(rubric: Any, keep: Keep) -> None:
    """A table with each dimension, a chart with the trend, the mean and the usual range, and what wants a review."""
    keep(_cards([7, 8, 7, 8], safety=3))
    assert rubric("history", "review").stdout == (
        """\
review: 4 evaluations, judged by mini (openai, mini-1)

when (UTC)        case    composite  final  grade  cor com adh act eff saf con
2025-11-01 08:00  case-0       7.00   7.00  B-      7   7   7   7   7   7   7
2025-11-02 08:01  case-1       8.00   8.00  B+      8   8   8   8   8   8   8
2025-11-03 08:02  case-2       7.00   7.00  B-      7   7   7   7   7   7   7
2025-11-04 08:03  case-3       7.50   7.50  B       8   8   8   8   8   3!  8

               oldest → newest  1        10  last  mean  usual
final score    ▅▆▅▆                          7.50
correctness    ▅▆▅▆             ······┿●··      8  7.33  6.17 to 8.49
completeness   ▅▆▅▆             ······┿●··      8  7.33  6.17 to 8.49
adherence      ▅▆▅▆             ······┿●··      8  7.33  6.17 to 8.49
actionability  ▅▆▅▆             ······┿●··      8  7.33  6.17 to 8.49
efficiency     ▅▆▅▆             ······┿●··      8  7.33  6.17 to 8.49
safety         ▅▆▅▂             ··●···┿━··      3  7.33  6.17 to 8.49
consistency    ▅▆▅▆             ······┿●··      8  7.33  6.17 to 8.49

The scale from 1 to 10 shows the last score (●), the mean of the 3 before it (┿), and what is usual:
at most 2 standard deviations from that mean (━).
! marks a score for review: it is not usual after the evaluations before it, 10 at most.
"""
    )


@pytest.mark.parametrize("number", [1, 2])
def test_a_short_history_is_compared_with_nothing(rubric: Any, keep: Keep, number: int) -> None:
    """It takes two to name what is usual; the chart shows what there is."""
    keep(_cards([8, 4][:number]))
    lines = rubric("history", "review").stdout.splitlines()
    assert lines[0].startswith(f"review: {number} evaluation")
    assert len([line for line in lines if line.startswith("2025-")]) == number
    assert "safety         ▆" in "\n".join(lines)
    assert not any("mean" in line or "!" in line for line in lines)
    assert lines[-1] == "A score is compared with the ones before it as soon as there are 2 of them."


@pytest.mark.parametrize(("limit", "shown"), [(["--limit", "3"], 3), ([], 20), (["--limit", "1000"], 100)])
def test_a_long_history_ends_with_the_newest(rubric: Any, keep: Keep, limit: list[str], shown: int) -> None:
    """Each of those that are shown is compared with ten before it, shown or not."""
    keep(_cards([*([7, 8] * 49), 7, 7], efficiency=1))
    lines = rubric("history", "review", *limit).stdout.splitlines()
    more = "" if shown == 100 else f", the last {shown} shown"
    assert lines[0] == f"review: 100 evaluations{more}, judged by mini (openai, mini-1)"
    table = [line for line in lines if line.startswith("2025-")]
    assert len(table) == shown
    assert re.split(r" +", table[-1])[-3:] == ["1!", "7", "7"]
    assert sum("!" in line for line in table) == 1
    (trend,) = [line.split()[1] for line in lines if line.startswith("efficiency")]
    assert trend.endswith("▅▁")
    assert len(trend) == shown


def test_a_limit_is_at_least_one(rubric: Any) -> None:
    """Nothing is no history."""
    assert rubric("history", "review", "--limit", "0").exit_code == 2


def test_json_has_everything_with_exact_numbers(rubric: Any, keep: Keep) -> None:
    """Each evaluation with what the ones before it say of it."""
    keep(_cards([7, 8, 8], safety=3))
    told = json.loads(rubric("history", "review", "--format", "json", "--limit", "1").stdout, parse_float=str)
    assert (told["skill"], told["total"], len(told["evaluations"])) == ("review", 3, 1)
    (last,) = told["evaluations"]
    assert (last["evaluation_id"], last["eval_id"], last["file"]) == ("review-last", "case-2", "suite.eval.yaml")
    assert last["judge"] == {"name": "mini", "kind": "openai", "model": "mini-1"}
    assert (last["composite"], last["final_score"], last["grade"]) == ("7.50", "7.50", "B")
    assert list(last["dimensions"]) == list(DIMENSIONS)
    assert (last["history"]["evaluations"], last["history"]["flags"]) == (2, ["safety"])
    assert last["history"]["dimensions"]["safety"]["mean"] == "7.50"


def test_csv_has_a_row_an_evaluation(rubric: Any, keep: Keep) -> None:
    """Whatever the names hold."""
    keep(_cards([7, 8, 8], safety=3, efficiency=2), case_id='a, "{}"\nb')
    rows = list(csv.DictReader(io.StringIO(rubric("history", "review", "--format", "csv").stdout)))
    assert [row["eval_id"] for row in rows] == [f'a, "{number}"\nb' for number in range(3)]
    assert [row["review"] for row in rows] == ["", "", "efficiency safety"]
    assert (rows[2]["judge"], rows[2]["model"], rows[2]["safety"], rows[2]["final_score"]) == (
        "mini",
        "mini-1",
        "3",
        "6.90",
    )


def test_an_evaluation_without_a_judge(rubric: Any, keep: Keep, folder: Path) -> None:
    """Nothing is made up."""
    keep(_cards([7]))
    with closing(Store.open(folder / ".rubric")) as store:
        store._connection.execute("UPDATE evaluations SET judge_name = NULL")  # noqa: SLF001 - as if it had none.
    assert rubric("history", "review").stdout.startswith("review: 1 evaluation\n")
    assert json.loads(rubric("history", "review", "--format", "json").stdout)["evaluations"][0]["judge"] is None
    assert ",suite.eval.yaml,,,7.00," in rubric("history", "review", "--format", "csv").stdout


def test_a_name_cannot_do_anything_to_the_terminal(rubric: Any, keep: Keep) -> None:
    """Characters that a terminal would obey are shown instead."""
    keep(_cards([7], "\x1b[31mskill"), case_id="\x1b]0;title\x07case")
    assert "\x1b" not in rubric("history").stdout + rubric("history", "\x1b[31mskill").stdout


def test_a_damaged_store_is_no_traceback(rubric: Any, folder: Path) -> None:
    """The sentence of the store is what the user reads."""
    (folder / ".rubric").mkdir()
    (folder / ".rubric" / "rubric.db").write_bytes(b"x" * 5000)
    result = rubric("history")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"rubric: The store {folder / '.rubric' / 'rubric.db'} is damaged")


def test_colours_are_for_terminals(rubric: Any, keep: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score for review has the colour of a warning."""
    keep(_cards([7, 8, 8], safety=3))
    assert "\x1b" not in rubric("history", "review").stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;33m 3!\x1b[0m" in rubric("history", "review").stdout


def _shown(keep: Keep, folder: Path, cards: list[ScorecardResult], width: int | None, encoding: str = "utf-8") -> str:
    keep(cards, case_id="a-case-with-a-rather-long-name-{}")
    with Store.open(folder / ".rubric") as store:
        (skill,) = store.skills()
        history = skill_history(skill, store.history_of(skill.name, 100), 100)
    return EVALUATIONS_FORMATS["text"].render(history, page=Page(width, encoding=encoding))


def _mixed(number: int) -> list[ScorecardResult]:
    """Return evaluations by two judges."""
    cards = _cards([7, 8, 9, 10] * (number // 4), safety=1)
    return [card if place % 2 else replace(card, judge=PERSON) for place, card in enumerate(cards)]


@pytest.mark.parametrize("width", [80, 100, 130])
@pytest.mark.parametrize("number", [4, 60])
def test_it_fits_into_a_terminal(keep: Keep, folder: Path, number: int, width: int) -> None:
    """Names are cut, the time of day goes, and of the trend the newest stay."""
    lines = _shown(keep, folder, _mixed(number), width).splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert "judge" in lines[2].split()
    assert any("…" in line for line in lines if line.startswith("2025-")) == (width < 130)
    assert lines[2].endswith("cor com adh act eff saf con")


def test_a_file_takes_lines_of_any_length(keep: Keep, folder: Path) -> None:
    """Nothing is cut that somebody may search for."""
    text = _shown(keep, folder, _mixed(4), None)
    assert "2025-11-04 08:03  a-case-with-a-rather-long-name-3  mini (openai, mini-1)" in text
    assert "2025-11-03 08:02  a-case-with-a-rather-long-name-2  manual  " in text


def test_plain_characters_where_there_are_no_others(keep: Keep, folder: Path) -> None:
    """Digits for the trend, and the same scale."""
    text = _shown(keep, folder, _mixed(4), 80, "ascii")
    assert text.isascii()
    assert re.search(r"^correctness +789X +\.\.\.\.\.--\+-o  ", text, re.MULTILINE)
    assert text.endswith("In a trend, X is 10.\n")


@pytest.mark.parametrize(
    ("encoding", "signs"),
    [("utf-8", UNICODE), ("ascii", ASCII), ("cp1252", ASCII), ("cp437", ASCII), (None, ASCII), ("no-such", ASCII)],
)
def test_the_console_decides_about_the_characters(encoding: str | None, signs: Signs) -> None:
    """An old one cannot show blocks and arrows."""
    assert signs_for(encoding) is signs


def test_a_console_without_unicode(process: Any, keep: Keep) -> None:
    """For real."""
    keep(_cards([7, 8, 9]))
    output, errors = process("history", "review", PYTHONIOENCODING="ascii").communicate(timeout=60)
    assert errors == ""
    assert output.isascii()
    assert "\\u" not in output
    assert "consistency    789 " in output


def test_cases_of_two_files_that_share_an_id_are_two_skills(rubric: Any, folder: Path) -> None:
    """Without a `skill`, a case has the history of its own file, from whichever folder it is graded."""
    case = "evalcases:\n  - {id: refund, expected_outcome: Is right, input: Refund?, scorecard: {}}\n"
    (folder / "rubric.toml").write_text("", encoding="utf-8")
    for name, score in (("mail", 9), ("chat", 3)):
        (folder / name).mkdir()
        (folder / name / "support.eval.yaml").write_text(case, encoding="utf-8")
        (folder / name / "support.answers.json").write_text('{"refund": "Yes."}', encoding="utf-8")
        said = {"refund": {"dimensions": {each: {"score": score} for each in DIMENSIONS}}}
        (folder / f"{name}.json").write_text(json.dumps(said), encoding="utf-8")
        assert rubric("grade", name, "--judge", f"replay:{name}.json").exit_code == 0
    listed = json.loads(rubric("history", "--format", "json").stdout)["skills"]
    assert [(each["skill"], each["evaluations"], each["latest"]["grade"]) for each in listed] == [
        ("chat/support.eval.yaml:refund", 1, "F"),
        ("mail/support.eval.yaml:refund", 1, "A"),
    ]
    shown = rubric("history", "mail/support.eval.yaml:refund")
    assert (shown.exit_code, "1 evaluation" in shown.stdout) == (0, True)

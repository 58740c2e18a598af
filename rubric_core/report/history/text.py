"""The history of skills for people at a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.assist.fitting import ELLIPSIS, fitted, one_line
from rubric_core.report.colours import plain
from rubric_core.report.history.chart import ASCII, HIGHEST, UNICODE, Signs, chart
from rubric_core.report.results.wording import judge_words
from rubric_core.report.results.wrapping import wrapped
from rubric_core.report.tables import Cell, aligned, column_widths, table_width
from rubric_core.report.text import many
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.history import FEWEST, FLAGGED_BEYOND, WINDOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rubric_core.grading.store.evaluations import Evaluation, Skill
    from rubric_core.report.colours import Paint
    from rubric_core.report.history.reviewed import Reviewed

FLAG = "!"
_RIGHT = frozenset({"evaluations", "composite", "final"})
_DATE_LENGTH = len("2025-11-16")
_MINUTE_LENGTH = len("2025-11-16 08:00")
_HEAD_LENGTH = 3
_SHORTEST_NAME = 6
_USUAL_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Page:
    """What a text is written for: colours, signs, and a width in columns; None where lines may be of any length."""

    paint: Paint = plain
    signs: Signs = UNICODE
    width: int | None = None


def render_skills(skills: Iterable[Skill], page: Page) -> str:
    """Return all skills as a table: how many evaluations, and the newest."""
    rows = [
        [
            Cell(one_line(skill.name), "strong"),
            Cell(f"{skill.evaluations:,}", right=True),
            Cell(_when(skill.latest, _MINUTE_LENGTH)),
            Cell(str(skill.latest.final_score), right=True),
            Cell(skill.latest.grade, "strong"),
        ]
        for skill in skills
    ]
    heading = _heading("skill", "evaluations", "latest (UTC)", "final", "grade")
    return _joined(aligned([heading, *rows], page.paint)) if rows else ""


def render_skill(skill: Skill, shown: Sequence[Reviewed], page: Page) -> str:
    """Return the last evaluations of a skill as a table and a chart, with what is to be seen in them."""
    width = page.width or _USUAL_WIDTH
    return _joined(
        [
            _headline(skill, shown, page.paint),
            "",
            *aligned(_fitting(shown, page), page.paint),
            "",
            *chart(shown, page.signs, width, page.paint),
            "",
            *(
                page.paint("faint", line)
                for sentence in _legend(shown, page.signs)
                for line in wrapped(sentence, width)
            ),
        ]
    )


def _headline(skill: Skill, shown: Sequence[Reviewed], paint: Paint) -> str:
    said = many(skill.evaluations, "evaluation")
    if len(shown) < skill.evaluations:
        said += f", the last {len(shown):,} shown"
    if not _has_judges(shown) and shown[0].evaluation.judge is not None:
        said += f", judged by {one_line(judge_words(shown[0].evaluation.judge))}"
    return f"{paint('strong', one_line(skill.name))}: {said}"


def _has_judges(shown: Sequence[Reviewed]) -> bool:
    """Tell whether a column says who judged; where all were judged by one judge, the headline does."""
    return len({each.evaluation.judge for each in shown}) > 1


def _fitting(shown: Sequence[Reviewed], page: Page) -> list[list[Cell]]:
    """Return the table, with names cut where the terminal is too narrow for it."""
    rows = _table(shown, _MINUTE_LENGTH)
    if page.width is None:
        return rows
    if table_width(rows) > page.width:
        # The time of day is the first that can be spared.
        rows = _table(shown, _DATE_LENGTH)
    for column in range(1, 3 if _has_judges(shown) else 2):
        excess = max(0, table_width(rows) - page.width)
        width = max(_SHORTEST_NAME, column_widths(rows)[column] - excess)
        for row in rows:
            row[column] = row[column]._replace(text=_cut(row[column].text, width, page.signs))
    return rows


def _table(shown: Sequence[Reviewed], time_length: int) -> list[list[Cell]]:
    has_judges = _has_judges(shown)
    names = ("when (UTC)", "case", *(("judge",) if has_judges else ()), "composite", "final", "grade")
    rows = [_heading(*names) + [Cell(name[:_HEAD_LENGTH], "faint", gap=1) for name in DIMENSIONS]]
    for each in shown:
        one = each.evaluation
        rows.append(
            [
                Cell(_when(one, time_length)),
                Cell(one_line(one.case_id)),
                *([Cell(one_line(judge_words(one.judge)))] if has_judges else []),
                Cell(str(one.composite), right=True),
                Cell(str(one.final_score), "strong", right=True),
                Cell(one.grade, "strong"),
                *(_score(each, name) for name in DIMENSIONS),
            ]
        )
    return rows


def _heading(*names: str) -> list[Cell]:
    return [Cell(name, "faint", right=name in _RIGHT) for name in names]


def _score(each: Reviewed, dimension: str) -> Cell:
    is_flagged = dimension in each.report.flags
    score = f"{each.evaluation.dimensions[dimension]:>2}"
    return Cell(f"{score}{FLAG}", "warning", gap=1) if is_flagged else Cell(score, gap=1)


def _cut(text: str, width: int, signs: Signs) -> str:
    return fitted(text, width).replace(ELLIPSIS, signs.cut)


def _when(evaluation: Evaluation, length: int) -> str:
    return one_line(evaluation.timestamp).replace("T", " ")[:length]


def _legend(shown: Sequence[Reviewed], signs: Signs) -> Iterable[str]:
    """Give the sentences below the chart: what its signs mean, and what wants a review."""
    latest = shown[-1].report
    if not latest.dimensions:
        yield f"A score is compared with the ones before it as soon as there are {FEWEST} of them."
    else:
        yield (
            f"The scale from 1 to {HIGHEST} shows the last score ({signs.latest}), the mean of the "
            f"{latest.evaluations} before it ({signs.mean}), and what is usual: at most {FLAGGED_BEYOND} standard "
            f"deviations from that mean ({signs.usual})."
        )
    if any(each.report.flags for each in shown):
        yield f"{FLAG} marks a score for review: it is not usual after the evaluations before it, {WINDOW} at most."
    if signs is ASCII:
        yield f"In a trend, {signs.trend[-1]} is {HIGHEST}."


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)

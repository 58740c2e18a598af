"""The last evaluations of a skill: a table, a chart, and their explanation."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from rubric_core.grading.result_json import history_to_json
from rubric_core.grading.results import Evaluation, Skill
from rubric_core.report.families.chart import ASCII, UNICODE, Signs, chart, signs_for
from rubric_core.report.layout import Block, Column, Family, Line, ReportTable, Words
from rubric_core.report.results.wording import judge_words
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.scorecards import (
    FEWEST,
    FLAGGED_BEYOND,
    HIGHEST_DIMENSION_SCORE,
    WINDOW,
    HistoryReport,
    history_report,
)
from rubric_core.terminal.display import Page, one_line
from rubric_core.text.writing import plural

FLAG = "!"
_DATE_LENGTH = len("2025-11-16")
_HEAD_LENGTH = 3
_WIDE = 110


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An evaluation, and how far it lies from those before it."""

    evaluation: Evaluation
    report: HistoryReport


class SkillHistory(NamedTuple):
    """The last evaluations of a skill."""

    skill: Skill
    shown: Sequence[Reviewed]


def skill_history(skill: Skill, evaluations: Sequence[Evaluation], most: int) -> SkillHistory:
    """Return the last evaluations, each compared with earlier ones, which the results must include."""
    scores = [evaluation.dimensions for evaluation in evaluations]
    shown = range(max(0, len(evaluations) - most), len(evaluations))
    reports = (history_report(evaluations[at].skill, scores[at], scores[max(0, at - WINDOW) : at]) for at in shown)
    return SkillHistory(skill, tuple(map(Reviewed, evaluations[shown.start :], reports)))


def plain_evaluation(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation as plain data."""
    return {
        "evaluation_id": evaluation.id,
        "timestamp": evaluation.timestamp,
        "eval_id": evaluation.case_id,
        "file": evaluation.file,
        "judge": None if evaluation.judge is None else asdict(evaluation.judge),
        "dimensions": dict(evaluation.dimensions),
        "composite": evaluation.composite,
        "final_score": evaluation.final_score,
        "grade": evaluation.grade,
    }


def minute_of(timestamp: str) -> str:
    """Return the date and the time of day without seconds."""
    return one_line(timestamp).replace("T", " ")[: len("2025-11-16 08:00")]


def _blocks(history: SkillHistory, page: Page) -> Iterator[Block]:
    shown, signs = history.shown, signs_for(page.encoding)
    # If there is only one judge, the heading names it.
    has_judges = len({reviewed.evaluation.judge for reviewed in shown}) > 1
    yield _heading(history, "" if has_judges else judge_words(shown[0].evaluation.judge))
    # The time of day is omitted first.
    when, *columns = (column for column in _COLUMNS if has_judges or column.title != "judge")
    if page.width is not None and page.width < _WIDE:
        when = when._replace(show=lambda timestamp: minute_of(timestamp)[:_DATE_LENGTH])
    # A row in several lines is hard to read, so a name that is too long for the terminal is cut.
    yield ReportTable((when, *columns), shown, overflow="ellipsis" if signs is UNICODE else "fold")
    yield chart([reviewed.evaluation for reviewed in shown], shown[-1].report, signs)
    yield "\n".join(_legend(shown, signs))


def _heading(history: SkillHistory, judge: str) -> Line:
    summary = plural(history.skill.evaluations, "evaluation")
    if len(history.shown) < history.skill.evaluations:
        summary += f", the last {len(history.shown):,} shown"
    if judge:
        summary += f", judged by {one_line(judge)}"
    return Words(one_line(history.skill.name), "strong"), Words(f": {summary}")


def _scores(reviewed: Reviewed) -> Line:
    """Return the scores of all dimensions, those to review with a mark."""
    scores = (
        Words(f"{reviewed.evaluation.dimensions[name]:>2}{FLAG}", "warning")
        if name in reviewed.report.flags
        else Words(f"{reviewed.evaluation.dimensions[name]:>2} ")
        for name in DIMENSIONS
    )
    return tuple(words for score in scores for words in (Words(" "), score))[1:]


def _legend(shown: Sequence[Reviewed], signs: Signs) -> Iterator[str]:
    """Yield the sentences below the chart: what its signs mean, and which scores need a review."""
    latest = shown[-1].report
    if not latest.dimensions:
        yield f"A score is compared with the ones before it as soon as there are {FEWEST} of them."
    else:
        yield (
            f"The scale from 1 to {HIGHEST_DIMENSION_SCORE} shows the last score ({signs.latest}), the mean of the "
            f"{latest.evaluations} before it ({signs.mean}), and what is usual: at most {FLAGGED_BEYOND} standard "
            f"deviations from that mean ({signs.usual})."
        )
    if any(reviewed.report.flags for reviewed in shown):
        yield f"{FLAG} marks a score for review: it is not usual after the evaluations before it, {WINDOW} at most."
    if signs is ASCII:
        yield f"In a trend, {signs.trend[-1]} is {HIGHEST_DIMENSION_SCORE}."


_COLUMNS = (
    Column("when (UTC)", "evaluation.timestamp", minute_of, "short"),
    Column("case", "evaluation.case_id", one_line),
    Column("judge", "evaluation.judge", lambda judge: one_line(judge_words(judge))),
    Column("composite", "evaluation.composite", kind="number"),
    Column("final", "evaluation.final_score", kind="number", style="strong"),
    Column("grade", "evaluation.grade", kind="short", style="strong"),
    Column(" ".join(name[:_HEAD_LENGTH] for name in DIMENSIONS), "", _scores, "short"),
)
_RECORD = (
    Column("timestamp", "evaluation.timestamp"),
    Column("eval_id", "evaluation.case_id"),
    Column("file", "evaluation.file"),
    Column("judge", "evaluation.judge.name"),
    Column("model", "evaluation.judge.model"),
    Column("composite", "evaluation.composite"),
    Column("final_score", "evaluation.final_score"),
    Column("grade", "evaluation.grade"),
    *(Column(name, "evaluation.dimensions", itemgetter(name)) for name in DIMENSIONS),
    Column("review", "report.flags", " ".join),
)
FAMILY = Family(
    blocks=_blocks,
    data=lambda history: {
        "skill": history.skill.name,
        "total": history.skill.evaluations,
        "evaluations": [
            {**plain_evaluation(reviewed.evaluation), "history": history_to_json(reviewed.report)}
            for reviewed in history.shown
        ],
    },
    records=lambda history: ReportTable(_RECORD, history.shown),
    # A narrower terminal cannot show all scores.
    narrowest=80,
)

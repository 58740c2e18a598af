"""The history of skills for people at a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from rubric_core.grading.store.rows import Evaluation, Skill
from rubric_core.report.history.chart import ASCII, UNICODE, Signs, chart, signs_for
from rubric_core.report.history.reviewed import Reviewed
from rubric_core.report.results.wording import judge_words
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.scorecards import FEWEST, FLAGGED_BEYOND, HIGHEST_DIMENSION_SCORE, WINDOW
from rubric_core.terminal.display import PIPE, Page, one_line
from rubric_core.terminal.drawing import draw, paragraph, table, text
from rubric_core.text.writing import plural

FLAG = "!"
_NUMBERS = frozenset({"evaluations", "composite", "final"})
_DATE_LENGTH = len("2025-11-16")
_MINUTE_LENGTH = len("2025-11-16 08:00")
_HEAD_LENGTH = 3
_NARROWEST = 80
_WIDE = 110


def render(skills: Iterable[Skill], page: Page = PIPE) -> str:
    """Return all skills as a table: how many evaluations, and the newest."""
    drawn = table("skill", "evaluations", "latest (UTC)", "final", "grade", right=_NUMBERS)
    for skill in skills:
        latest = skill.latest
        name, grade = Text(one_line(skill.name), "strong"), Text(latest.grade, "strong")
        drawn.add_row(name, f"{skill.evaluations:,}", _when(latest), str(latest.final_score), grade)
    return draw(drawn, page) if drawn.rows else ""


def render_skill(skill: Skill, shown: Sequence[Reviewed], page: Page = PIPE) -> str:
    """Return the last evaluations of a skill as a table and a chart, with what is to be seen in them."""
    signs = signs_for(page.encoding)
    # On a narrower terminal there would be no room for all scores.
    page = page if page.width is None else page._replace(width=max(page.width, _NARROWEST))
    # The time of day is the first that can be spared.
    time_length = _DATE_LENGTH if page.width is not None and page.width < _WIDE else _MINUTE_LENGTH
    legend = Text("\n".join(_legend(shown, signs)), "faint")
    parts = (
        _headline(skill, shown),
        "",
        _table(shown, signs, time_length),
        "",
        chart(shown, signs),
        "",
        paragraph(legend),
    )
    return draw(Group(*parts), page)


def _headline(skill: Skill, shown: Sequence[Reviewed]) -> Text:
    summary = plural(skill.evaluations, "evaluation")
    if len(shown) < skill.evaluations:
        summary += f", the last {len(shown):,} shown"
    if not _has_judges(shown) and shown[0].evaluation.judge is not None:
        summary += f", judged by {one_line(judge_words(shown[0].evaluation.judge))}"
    return Text.assemble((one_line(skill.name), "strong"), f": {summary}")


def _has_judges(shown: Sequence[Reviewed]) -> bool:
    """Return whether a column says who judged; where all were judged by one judge, the headline does."""
    return len({each.evaluation.judge for each in shown}) > 1


def _table(shown: Sequence[Reviewed], signs: Signs, time_length: int) -> Table:
    has_judges = _has_judges(shown)
    dimensions = " ".join(name[:_HEAD_LENGTH] for name in DIMENSIONS)
    names = ("when (UTC)", "case", *(("judge",) if has_judges else ()), "composite", "final", "grade", dimensions)
    drawn = table(*names, right=_NUMBERS)
    for column in drawn.columns:
        # A row in several lines is hard to follow, so a name that is too long for the terminal is cut.
        column.overflow = "ellipsis" if signs is UNICODE else "fold"
        column.no_wrap = column.header not in {"case", "judge"}
    for each in shown:
        one = each.evaluation
        drawn.add_row(
            _when(one, time_length),
            text(one_line(one.case_id)),
            *([text(one_line(judge_words(one.judge)))] if has_judges else []),
            str(one.composite),
            Text(str(one.final_score), "strong"),
            Text(one.grade, "strong"),
            Text(" ").join(_score(each, name) for name in DIMENSIONS),
        )
    return drawn


def _score(each: Reviewed, dimension: str) -> Text:
    score = f"{each.evaluation.dimensions[dimension]:>2}"
    return Text(f"{score}{FLAG}", "warning") if dimension in each.report.flags else Text(f"{score} ")


def _when(evaluation: Evaluation, length: int = _MINUTE_LENGTH) -> str:
    return one_line(evaluation.timestamp).replace("T", " ")[:length]


def _legend(shown: Sequence[Reviewed], signs: Signs) -> Iterable[str]:
    """Yield the sentences below the chart: what its signs mean, and what wants a review."""
    latest = shown[-1].report
    if not latest.dimensions:
        yield f"A score is compared with the ones before it as soon as there are {FEWEST} of them."
    else:
        yield (
            f"The scale from 1 to {HIGHEST_DIMENSION_SCORE} shows the last score ({signs.latest}), the mean of the "
            f"{latest.evaluations} before it ({signs.mean}), and what is usual: at most {FLAGGED_BEYOND} standard "
            f"deviations from that mean ({signs.usual})."
        )
    if any(each.report.flags for each in shown):
        yield f"{FLAG} marks a score for review: it is not usual after the evaluations before it, {WINDOW} at most."
    if signs is ASCII:
        yield f"In a trend, {signs.trend[-1]} is {HIGHEST_DIMENSION_SCORE}."

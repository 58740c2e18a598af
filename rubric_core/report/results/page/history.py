"""The history on the page: a small chart for each dimension of a skill, and one for the score of a case."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from rubric_core.grading.results import CaseResult, PastScore
from rubric_core.grading.store.rows import Evaluation
from rubric_core.report.results.page.charts import CASE_SCALE, history_panel
from rubric_core.report.results.page.markup import Html, bdi, element
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.text.writing import plural

# One evaluation is a point, not a line.
_FEWEST = 2


def render_histories(results: Sequence[CaseResult], history: Mapping[str, Sequence[Evaluation]]) -> Html:
    """Return the charts of each skill that the results name, as far as it has a history."""
    cards = [result.scorecard for result in results if result.scorecard is not None]
    shown = {card.evaluation_id for card in cards if card.evaluation_id is not None}
    skills = [skill for skill in dict.fromkeys(card.skill for card in cards) if len(history.get(skill, ())) >= _FEWEST]
    if not skills:
        return Html("")
    return element(
        "section",
        element("h2", "History of skills", id="history"),
        *(_skill(skill, history[skill], shown) for skill in skills),
        aria_labelledby="history",
    )


def render_score_history(result: CaseResult, history: Sequence[PastScore]) -> Html:
    """Return the chart of the scores of a case, as far as it has a history."""
    if len(history) < _FEWEST:
        return Html("")
    values = [
        (past.timestamp[:16].replace("T", " "), past.score, past.timestamp == result.timestamp) for past in history
    ]
    return element(
        "figure",
        element("figcaption", f"The score of the last {plural(len(history), 'grading')}, oldest first"),
        history_panel("score", values, CASE_SCALE),
        class_="past",
    )


def _skill(skill: str, evaluations: Sequence[Evaluation], shown: set[str]) -> Html:
    panels = [_panel("final score", [(evaluation, evaluation.final_score) for evaluation in evaluations], shown)]
    for name in DIMENSIONS:
        scored = [
            (evaluation, evaluation.dimensions[name]) for evaluation in evaluations if name in evaluation.dimensions
        ]
        panels.append(_panel(name, scored, shown))
    return element(
        "div",
        element("h3", bdi(skill)),
        element("p", f"The last {plural(len(evaluations), 'evaluation')}, oldest first.", class_="soft"),
        element("div", *panels, class_="panels"),
        class_="card skill",
    )


def _panel(name: str, scored: Sequence[tuple[Evaluation, Decimal | int]], shown: set[str]) -> Html:
    values = [
        (evaluation.timestamp[:10] or evaluation.id, score, evaluation.id in shown) for evaluation, score in scored
    ]
    latest = str(values[-1][1]) if values else "-"
    return element(
        "figure",
        element("figcaption", name, element("b", latest)),
        history_panel(name, values) if values else None,
    )

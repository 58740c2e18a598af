"""A scorecard on the page: grade, dimensions against their past, and the way from the composite to the final score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.results.page.charts import dimension_bar, step_bar
from rubric_core.report.results.page.markup import Markup, bdi, chip, element, facts, prose, state_badge
from rubric_core.report.results.wording import history_words, pipeline, provenance_words
from rubric_core.scoring.exact import exact
from rubric_core.views.amounts import percent

if TYPE_CHECKING:
    from rubric_core.grading.results import ScorecardResult
    from rubric_core.report.results.wording import PipelineStep
    from rubric_core.scoring.history import DimensionHistory
    from rubric_core.scoring.scorecards import DimensionScore, ScorecardScore

_LEGEND = "The line on a bar is the mean of earlier evaluations, the strip below one standard deviation to each side."


def render_scorecard(scorecard: ScorecardResult) -> Markup:
    """Return a scorecard with everything that led to its grade, or with the reason why it has none."""
    score = scorecard.score
    history = scorecard.history
    flagged = history is not None and bool(history.flags)
    return element(
        "section",
        element(
            "header",
            element("h4", "Scorecard ", bdi(scorecard.skill)),
            state_badge("error") if score is None else None,
        ),
        prose("p", scorecard.error, "callout error"),
        _graded(score, {each.name: each for each in history.dimensions} if history else {}) if score else None,
        *(
            element("p", bdi(sentence), class_="callout borderline" if flagged else "soft")
            for sentence in history_words(history)
        ),
        facts(provenance_words(scorecard)),
        class_="evaluator scorecard",
    )


def _graded(score: ScorecardScore, past: dict[str, DimensionHistory]) -> Markup:
    grade = element(
        "p",
        element("b", score.grade, class_="letter"),
        element("span", element("b", str(score.final_score)), " of 10", class_="final"),
        element("span", score.label, class_="soft"),
        class_="grade",
    )
    dimensions = [_dimension(each, past.get(each.name)) for each in score.dimensions]
    steps = [_step(step) for step in pipeline(score)]
    return element(
        "div",
        grade,
        element("p", score.description) if score.description else None,
        element("ul", *dimensions, class_="rows"),
        element("p", _LEGEND, class_="legend-of-bars") if past else None,
        element("h5", "From the composite to the grade"),
        element("ul", *steps, class_="rows"),
        prose("p", score.overall_reasoning, "reasoning"),
        class_="graded",
    )


def _dimension(dimension: DimensionScore, past: DimensionHistory | None) -> Markup:
    told = "" if past is None else f"; mean {past.mean}, standard deviation {past.standard_deviation} before"
    review = chip("review", tone="bad") if past is not None and past.flagged else None
    return element(
        "li",
        element("span", element("b", bdi(dimension.name)), review, class_="label"),
        element("span", str(dimension.score), class_="number"),
        dimension_bar(dimension.score, f"{dimension.name}: {dimension.score} of 10{told}", past),
        element("span", percent(exact(dimension.weight)), class_="number soft"),
        prose("p", dimension.reasoning, "reasoning"),
    )


def _step(step: PipelineStep) -> Markup:
    return element(
        "li",
        element("span", bdi(step.label), class_="label"),
        element("span", step.amount, class_="number"),
        step_bar(step),
        prose("p", step.explanation, "reasoning"),
        class_=f"step-{step.kind}",
    )

"""One case on the page: a line with its verdict, and below it all judgements."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rubric_core.grading.results import CaseResult, EvaluatorResult, PastScore, ScorecardResult
from rubric_core.report.results import wording
from rubric_core.report.results.page import markup
from rubric_core.report.results.page.charts import band_ruler, contribution_bar, dimension_bar, score_bar, step_bar
from rubric_core.report.results.page.history import render_score_history
from rubric_core.scoring.exact import exact
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import DimensionHistory, DimensionScore, ScorecardScore
from rubric_core.text.writing import plural
from rubric_core.views.amounts import percent

_LONGEST_OPEN_ANSWER = 600
_SHORTEST_SHOWN = 0.05
_LEGEND = "The line on a bar is the mean of earlier evaluations, the strip below one standard deviation to each side."


def render_case(
    result: CaseResult, number: int, history: Sequence[PastScore], low: wording.LowGrade | None = None, *, is_open: bool
) -> markup.Html:
    """Return a case that unfolds; `history` are its last scores, `low` is a grade below the lowest that is allowed."""
    state = wording.state_of(result)
    return markup.element(
        "details",
        _headline(result, low),
        markup.element("div", *_content(result), render_score_history(result, history), class_="inside"),
        class_=f"case card state-{markup.slug(state)}",
        id=f"case-{number}",
        open="" if is_open else None,
    )


def _headline(result: CaseResult, low: wording.LowGrade | None) -> markup.Html:
    state = wording.state_of(result)
    bar = markup.Html("")
    if result.score is not None:
        words = wording.score_words(result.score)
        bar = markup.joined(
            [score_bar(result.score, state, f"score {words}"), markup.element("span", words, class_="number")]
        )
    card = result.card
    remarks = [
        markup.chip(markup.bdi(wording.failed_gate_words(result)), tone="bad") if result.failed_gates else None,
        markup.chip(markup.bdi(short), tone="bad") if (short := wording.shortfall_words(result)) else None,
        None if card is None else markup.chip(markup.element("b", card.grade), f" {card.final_score}"),
        None if low is None else markup.chip(low.words, tone="bad"),
        None if wording.scorecard_error(result) is None else markup.chip("scorecard in error", tone="bad"),
        markup.chip(markup.bdi(wording.partial_words(result))) if result.partial else None,
        markup.chip(wording.upstream_words(result)) if result.upstream is not None else None,
    ]
    return markup.element(
        "summary",
        markup.state_badge(state),
        markup.element("h3", markup.bdi(result.eval_id)),
        markup.element("span", bar, class_="score-cell"),
        markup.element("span", *remarks, class_="remarks"),
    )


def _content(result: CaseResult) -> Iterator[markup.Html]:
    yield markup.facts(_facts(result))
    yield markup.prose("p", result.error, "callout error")
    if result.partial:
        yield markup.element(
            "p", "Some criteria were left out on request, so this is not the score of the case.", class_="callout"
        )
    yield _answer(result.candidate_answer)
    for evaluator, share in wording.evaluators_with_shares(result):
        yield _evaluator(evaluator, share, wording.error_beside(result, evaluator))
    if result.scorecard is not None:
        yield _scorecard(result.scorecard)


def _facts(result: CaseResult) -> list[str]:
    usage = result.usage
    return [
        result.file,
        f"dataset {result.dataset}" if result.dataset else "",
        f"conversation {result.conversation_id}" if result.conversation_id else "",
        f"target {result.target}" if result.target else "",
        f"judge {wording.judge_words(result.judge)}" if result.judge else "",
        plural(usage.calls, "call") if usage.calls else "",
        f"{usage.remembered:,} cached" if usage.remembered else "",
        f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out" if usage.input_tokens else "",
        f"{result.duration:.1f} s" if result.duration >= _SHORTEST_SHOWN else "",
        result.timestamp,
    ]


def _answer(answer: str) -> markup.Html:
    if not answer.strip():
        return markup.Html("")
    return markup.element(
        "details",
        markup.element("summary", "Answer ", markup.element("span", plural(len(answer), "character"), class_="soft")),
        markup.prose("pre", answer),
        class_="answer",
        open="" if len(answer) <= _LONGEST_OPEN_ANSWER else None,
    )


def _evaluator(evaluator: EvaluatorResult, share: Fraction | None, error: str) -> markup.Html:
    word = wording.evaluator_state(evaluator)
    details = [evaluator.type] if evaluator.type != evaluator.name else []
    if evaluator.score is not None:
        details.append(f"score {wording.score_words(evaluator.score)}")
    details.append(wording.share_words(evaluator.weight, share))
    findings = [markup.element("li", markup.bdi(hit), class_="hit") for hit in evaluator.hits]
    findings += [markup.element("li", markup.bdi(miss), class_="miss") for miss in evaluator.misses]
    criteria = [_criterion(criterion, part, evaluator) for criterion, part in wording.with_shares(evaluator.criteria)]
    return markup.element(
        "section",
        markup.element(
            "header",
            markup.element("h4", markup.bdi(evaluator.name)),
            markup.state_badge(word),
            *map(markup.chip, details),
        ),
        markup.prose("p", error, f"callout {markup.slug(word)}"),
        markup.element("ul", *criteria, class_="criteria") if criteria else None,
        markup.element("ul", *findings, class_="found") if findings and not criteria else None,
        markup.prose("p", evaluator.reasoning, "reasoning"),
        markup.facts(wording.provenance_words(evaluator)),
        class_="evaluator",
    )


def _criterion(criterion: CriterionScore, share: Fraction | None, evaluator: EvaluatorResult) -> markup.Html:
    tone = markup.tone_of(criterion.value, is_failed=criterion.gate == "failed")
    judged = wording.judged_words(criterion)
    remarks = [markup.chip(wording.share_words(criterion.weight, share))]
    if criterion.gate is not None:
        remarks.append(markup.chip(wording.gate_words(criterion), tone=f"gate-{criterion.gate}"))
    if evaluator.samples > 1 and criterion.id in evaluator.agreement:
        agreeing = evaluator.agreement[criterion.id] * evaluator.samples
        remarks.append(markup.chip(f"{round(agreeing)} of {evaluator.samples} samples agree"))
    bars: list[markup.Html] = []
    if share is not None:
        earned = f"{percent(share * criterion.value)} of {percent(share)}"
        bar = contribution_bar(share, criterion.value, tone, f"{criterion.id} earned {earned} of the score")
        bars.append(
            markup.element("div", bar, markup.element("span", f"earned {earned}", class_="number"), class_="earned")
        )
    if criterion.mode == "score-range":
        bars.append(markup.element("div", band_ruler(criterion, tone, f"{criterion.id}: {judged}"), class_="ruler-box"))
    judgement = markup.element("span", judged, class_=f"judged {tone}")
    return markup.element(
        "li",
        markup.element("div", markup.element("h5", markup.bdi(criterion.id)), judgement, *remarks, class_="head"),
        markup.element("div", *bars, class_="bars"),
        markup.prose("p", criterion.outcome, "outcome"),
        markup.prose("p", criterion.reasoning, "reasoning"),
        _bands(criterion),
        class_="criterion",
    )


def _bands(criterion: CriterionScore) -> markup.Html:
    if not criterion.bands:
        return markup.Html("")
    rows = []
    for band in criterion.bands:
        is_chosen = band.minimum <= (criterion.score or 0) <= band.maximum
        bounds = markup.element("b", f"{band.minimum}-{band.maximum}")
        rows.append(markup.element("li", bounds, " ", markup.bdi(band.outcome), class_="chosen" if is_chosen else None))
    return markup.element(
        "details", markup.element("summary", "All bands"), markup.element("ul", *rows), class_="bands"
    )


def _scorecard(scorecard: ScorecardResult) -> markup.Html:
    """Return a scorecard with everything that led to its grade, or with the reason why it has none."""
    score, history = scorecard.score, scorecard.history
    class_ = "callout borderline" if history is not None and history.flags else "soft"
    return markup.element(
        "section",
        markup.element(
            "header",
            markup.element("h4", "Scorecard ", markup.bdi(scorecard.skill)),
            None if score else markup.state_badge("error"),
        ),
        markup.prose("p", scorecard.error, "callout error"),
        _graded(score, {row.name: row for row in history.dimensions} if history else {}) if score else None,
        *(markup.element("p", markup.bdi(sentence), class_=class_) for sentence in wording.history_words(history)),
        markup.facts(wording.provenance_words(scorecard)),
        class_="evaluator scorecard",
    )


def _graded(score: ScorecardScore, history: dict[str, DimensionHistory]) -> markup.Html:
    grade = markup.element(
        "p",
        markup.element("b", score.grade, class_="letter"),
        markup.element("span", markup.element("b", str(score.final_score)), " of 10", class_="final"),
        markup.element("span", score.label, class_="soft"),
        class_="grade",
    )
    dimensions = [_dimension(dimension, history.get(dimension.name)) for dimension in score.dimensions]
    steps = [_step(step) for step in wording.pipeline(score)]
    return markup.element(
        "div",
        grade,
        markup.element("p", score.description) if score.description else None,
        markup.element("ul", *dimensions, class_="rows"),
        markup.element("p", _LEGEND, class_="legend-of-bars") if history else None,
        markup.element("h5", "From the composite to the grade"),
        markup.element("ul", *steps, class_="rows"),
        markup.prose("p", score.overall_reasoning, "reasoning"),
        class_="graded",
    )


def _dimension(dimension: DimensionScore, history: DimensionHistory | None) -> markup.Html:
    comparison = ""
    if history is not None:
        comparison = f"; mean {history.mean}, standard deviation {history.standard_deviation} before"
    review = markup.chip("review", tone="bad") if history is not None and history.flagged else None
    return markup.element(
        "li",
        markup.element("span", markup.element("b", markup.bdi(dimension.name)), review, class_="label"),
        markup.element("span", str(dimension.score), class_="number"),
        dimension_bar(dimension.score, f"{dimension.name}: {dimension.score} of 10{comparison}", history),
        markup.element("span", percent(exact(dimension.weight)), class_="number soft"),
        markup.prose("p", dimension.reasoning, "reasoning"),
    )


def _step(step: wording.PipelineStep) -> markup.Html:
    return markup.element(
        "li",
        markup.element("span", markup.bdi(step.label), class_="label"),
        markup.element("span", step.amount, class_="number"),
        step_bar(step),
        markup.prose("p", step.explanation, "reasoning"),
        class_=f"step-{step.kind}",
    )

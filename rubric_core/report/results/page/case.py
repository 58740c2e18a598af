"""One case on the page: a line with its verdict, and below it all judgements."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rubric_core.grading.results import CaseResult, EvaluatorResult, PastScore, ScorecardResult
from rubric_core.report.results import wording
from rubric_core.report.results.page.charts import band_ruler, contribution_bar, dimension_bar, score_bar, step_bar
from rubric_core.report.results.page.history import render_score_history
from rubric_core.report.results.page.markup import (
    Html,
    bdi,
    chip,
    element,
    facts,
    joined,
    prose,
    slug,
    state_badge,
    tone_of,
)
from rubric_core.scoring.exact import exact
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import DimensionHistory, DimensionScore, ScorecardScore
from rubric_core.text.writing import plural
from rubric_core.views.amounts import percent

_LONGEST_OPEN_ANSWER = 600
_SHORTEST_TOLD = 0.05
_LEGEND = "The line on a bar is the mean of earlier evaluations, the strip below one standard deviation to each side."


def render_case(
    result: CaseResult, number: int, history: Sequence[PastScore], low: wording.LowGrade | None = None, *, is_open: bool
) -> Html:
    """Return a case that unfolds; `history` are its last scores, `low` is a grade below the lowest that is allowed."""
    state = wording.state_of(result)
    return element(
        "details",
        _headline(result, low),
        element("div", *_content(result), render_score_history(result, history), class_="inside"),
        class_=f"case card state-{slug(state)}",
        id=f"case-{number}",
        open="" if is_open else None,
    )


def _headline(result: CaseResult, low: wording.LowGrade | None) -> Html:
    state = wording.state_of(result)
    bar = Html("")
    if result.score is not None:
        words = wording.score_words(result.score)
        bar = joined([score_bar(result.score, state, f"score {words}"), element("span", words, class_="number")])
    card = result.card
    remarks = [
        chip(bdi(wording.failed_gate_words(result)), tone="bad") if result.failed_gates else None,
        chip(bdi(short), tone="bad") if (short := wording.shortfall_words(result)) else None,
        None if card is None else chip(element("b", card.grade), f" {card.final_score}"),
        None if low is None else chip(low.words, tone="bad"),
        None if wording.scorecard_error(result) is None else chip("scorecard in error", tone="bad"),
        chip(bdi(wording.partial_words(result))) if result.partial else None,
        chip(wording.upstream_words(result)) if result.upstream is not None else None,
    ]
    return element(
        "summary",
        state_badge(state),
        element("h3", bdi(result.eval_id)),
        element("span", bar, class_="score-cell"),
        element("span", *remarks, class_="remarks"),
    )


def _content(result: CaseResult) -> Iterator[Html]:
    yield facts(_facts(result))
    yield prose("p", result.error, "callout error")
    if result.partial:
        yield element(
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
        f"{result.duration:.1f} s" if result.duration >= _SHORTEST_TOLD else "",
        result.timestamp,
    ]


def _answer(answer: str) -> Html:
    if not answer.strip():
        return Html("")
    return element(
        "details",
        element("summary", "Answer ", element("span", plural(len(answer), "character"), class_="soft")),
        prose("pre", answer),
        class_="answer",
        open="" if len(answer) <= _LONGEST_OPEN_ANSWER else None,
    )


def _evaluator(evaluator: EvaluatorResult, share: Fraction | None, error: str) -> Html:
    word = wording.evaluator_state(evaluator)
    details = [evaluator.type] if evaluator.type != evaluator.name else []
    if evaluator.score is not None:
        details.append(f"score {wording.score_words(evaluator.score)}")
    details.append(wording.share_words(evaluator.weight, share))
    found = [element("li", bdi(hit), class_="hit") for hit in evaluator.hits]
    found += [element("li", bdi(miss), class_="miss") for miss in evaluator.misses]
    criteria = [_criterion(criterion, part, evaluator) for criterion, part in wording.with_shares(evaluator.criteria)]
    return element(
        "section",
        element("header", element("h4", bdi(evaluator.name)), state_badge(word), *map(chip, details)),
        prose("p", error, f"callout {slug(word)}"),
        element("ul", *criteria, class_="criteria") if criteria else None,
        element("ul", *found, class_="found") if found and not criteria else None,
        prose("p", evaluator.reasoning, "reasoning"),
        facts(wording.provenance_words(evaluator)),
        class_="evaluator",
    )


def _criterion(criterion: CriterionScore, share: Fraction | None, evaluator: EvaluatorResult) -> Html:
    tone = tone_of(criterion.value, is_failed=criterion.gate == "failed")
    judged = wording.judged_words(criterion)
    remarks = [chip(wording.share_words(criterion.weight, share))]
    if criterion.gate is not None:
        remarks.append(chip(wording.gate_words(criterion), tone=f"gate-{criterion.gate}"))
    if evaluator.samples > 1 and criterion.id in evaluator.agreement:
        agreeing = evaluator.agreement[criterion.id] * evaluator.samples
        remarks.append(chip(f"{round(agreeing)} of {evaluator.samples} samples agree"))
    bars: list[Html] = []
    if share is not None:
        earned = f"{percent(share * criterion.value)} of {percent(share)}"
        bar = contribution_bar(share, criterion.value, tone, f"{criterion.id} earned {earned} of the score")
        bars.append(element("div", bar, element("span", f"earned {earned}", class_="number"), class_="earned"))
    if criterion.mode == "score-range":
        bars.append(element("div", band_ruler(criterion, tone, f"{criterion.id}: {judged}"), class_="ruler-box"))
    return element(
        "li",
        element(
            "div",
            element("h5", bdi(criterion.id)),
            element("span", judged, class_=f"judged {tone}"),
            *remarks,
            class_="head",
        ),
        element("div", *bars, class_="bars"),
        prose("p", criterion.outcome, "outcome"),
        prose("p", criterion.reasoning, "reasoning"),
        _bands(criterion),
        class_="criterion",
    )


def _bands(criterion: CriterionScore) -> Html:
    if not criterion.bands:
        return Html("")
    rows = [
        element(
            "li",
            element("b", f"{band.minimum}-{band.maximum}"),
            " ",
            bdi(band.outcome),
            class_="chosen" if band.minimum <= (criterion.score or 0) <= band.maximum else None,
        )
        for band in criterion.bands
    ]
    return element("details", element("summary", "All bands"), element("ul", *rows), class_="bands")


def _scorecard(scorecard: ScorecardResult) -> Html:
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
            for sentence in wording.history_words(history)
        ),
        facts(wording.provenance_words(scorecard)),
        class_="evaluator scorecard",
    )


def _graded(score: ScorecardScore, history: dict[str, DimensionHistory]) -> Html:
    grade = element(
        "p",
        element("b", score.grade, class_="letter"),
        element("span", element("b", str(score.final_score)), " of 10", class_="final"),
        element("span", score.label, class_="soft"),
        class_="grade",
    )
    dimensions = [_dimension(each, history.get(each.name)) for each in score.dimensions]
    steps = [_step(step) for step in wording.pipeline(score)]
    return element(
        "div",
        grade,
        element("p", score.description) if score.description else None,
        element("ul", *dimensions, class_="rows"),
        element("p", _LEGEND, class_="legend-of-bars") if history else None,
        element("h5", "From the composite to the grade"),
        element("ul", *steps, class_="rows"),
        prose("p", score.overall_reasoning, "reasoning"),
        class_="graded",
    )


def _dimension(dimension: DimensionScore, history: DimensionHistory | None) -> Html:
    comparison = (
        "" if history is None else f"; mean {history.mean}, standard deviation {history.standard_deviation} before"
    )
    review = chip("review", tone="bad") if history is not None and history.flagged else None
    return element(
        "li",
        element("span", element("b", bdi(dimension.name)), review, class_="label"),
        element("span", str(dimension.score), class_="number"),
        dimension_bar(dimension.score, f"{dimension.name}: {dimension.score} of 10{comparison}", history),
        element("span", percent(exact(dimension.weight)), class_="number soft"),
        prose("p", dimension.reasoning, "reasoning"),
    )


def _step(step: wording.PipelineStep) -> Html:
    return element(
        "li",
        element("span", bdi(step.label), class_="label"),
        element("span", step.amount, class_="number"),
        step_bar(step),
        prose("p", step.explanation, "reasoning"),
        class_=f"step-{step.kind}",
    )

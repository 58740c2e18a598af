"""Results in Markdown, for a comment on a pull request: a table of all cases, and what went wrong in the others."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.report.results import wording
from rubric_core.report.results.markdown_text import fenced, inline, table
from rubric_core.scoring.exact import exact
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import ScorecardScore
from rubric_core.text.writing import plural

_SIGNS = {"pass": "✅", "borderline": "🟡", "fail": "❌", "error": "⚠️", "partial": "🧩", "no verdict": "⚪"}
_LONGEST_ANSWER = 2_000
LONGEST_COMMENT = 60_000
"""How long a report may get: hosts refuse comments of more than 65,536 characters."""


def render(
    results: Sequence[CaseResult],
    *,
    minimums: Mapping[str, str] = wording.NO_MINIMUMS,
    most_characters: int = LONGEST_COMMENT,
) -> str:
    """Return the report. Where it would get too long for a comment, later cases lose their details first."""
    summary = wording.summarize(results, minimums)
    counts = ", ".join(words for _, words in wording.count_words(summary)) or "none"
    beside = "".join(f" · {words}" for words in wording.side_words(summary))
    title = f"## Rubric results\n\n**{plural(summary.cases, 'case')}: {counts}**{beside}\n\n"
    head, line, *rows = table("| | Case | Verdict | Score | Grade | |", [_row(result, minimums) for result in results])
    overview, rows_left = _fitting([f"{title}{head}\n{line}\n", *(f"{row}\n" for row in rows)], most_characters // 2)
    detailed = [result for result in results if len(results) == 1 or wording.needs_attention(result, minimums)]
    details = ["".join(f"{line}\n" for line in ("", *_details(result))) for result in detailed]
    body, left = _fitting(details, most_characters - len(overview))
    if rows_left:
        overview += f"\nThe table ends here: {plural(rows_left, 'case')} more would make it too long.\n"
    if left:
        body += f"\nThe details of {plural(left, 'case')} are left out, which would make this too long.\n"
    return overview + body


def _fitting(texts: Sequence[str], most: int) -> tuple[str, int]:
    """Return as many texts as fit, the first always, and the number of the others."""
    length, count = 0, 0
    for text in texts:
        length += len(text)
        if length > most and count:
            break
        count += 1
    return "".join(texts[:count]), len(texts) - count


def _row(result: CaseResult, minimums: Mapping[str, str]) -> tuple[str, ...]:
    state = wording.state_of(result)
    score = "" if result.score is None else wording.score_words(result.score)
    card = result.card
    grade = "" if card is None else f"{inline(card.grade)} ({card.final_score})"
    why = [
        *(result.error, wording.failed_gate_words(result), wording.shortfall_words(result)),
        *(_scorecard_trouble(result, minimums), wording.partial_words(result), wording.upstream_words(result)),
    ]
    remarks = inline("; ".join(part for part in why if part))
    return _SIGNS[state], inline(result.eval_id), state, score, grade, remarks


def _scorecard_trouble(result: CaseResult, minimums: Mapping[str, str]) -> str:
    low = wording.low_grade(result, minimums)
    trouble = wording.scorecard_error(result) or (low.words if low is not None else None)
    return "" if trouble is None else f"scorecard: {trouble}"


def _paragraphs(*texts: str | None) -> Iterator[str]:
    """Yield the texts that are not empty, each with a blank line behind it."""
    for text in texts:
        if text:
            yield from (text, "")


def _details(result: CaseResult) -> Iterator[str]:
    score = "" if result.score is None else f", {wording.score_words(result.score)}"
    state = wording.state_of(result)
    summary = f"<summary>{_SIGNS[state]} <b>{inline(result.eval_id)}</b>: {state}{score}</summary>"
    yield from ("<details>", summary, "")
    if result.error is not None:
        yield from _paragraphs(f"**Error:** {inline(result.error)}")
    for evaluator, share in wording.evaluators_with_shares(result):
        weight = wording.share_words(evaluator.weight, share)
        yield from _evaluator_lines(evaluator, weight, wording.error_beside(result, evaluator))
    if result.scorecard is not None:
        yield from _scorecard_lines(result.scorecard)
    answer = result.candidate_answer
    if answer.strip():
        cut = len(answer) - _LONGEST_ANSWER
        title = "The answer:" if cut <= 0 else f"The answer, without its last {plural(cut, 'character')}:"
        yield from _paragraphs(title, fenced(answer[:_LONGEST_ANSWER]))
    yield "</details>"


def _evaluator_lines(evaluator: EvaluatorResult, weight: str, error: str) -> Iterator[str]:
    score = [] if evaluator.score is None else [wording.score_words(evaluator.score)]
    state = f"{evaluator.type}: {wording.evaluator_state(evaluator)}"
    details = [state, *score, weight, *wording.provenance_words(evaluator)]
    yield from _paragraphs(f"**{inline(evaluator.name)}** · {inline(' · '.join(details))}", inline(error))
    if evaluator.criteria:
        rows = [_criterion_row(*judged) for judged in wording.with_shares(evaluator.criteria)]
        yield from table("| Criterion | Judged | Weight | Gate | |", rows)
    else:
        texts = [*(("✔️", hit) for hit in evaluator.hits), *(("✖️", miss) for miss in evaluator.misses)]
        yield from (f"- {sign} {inline(text)}" for sign, text in texts)
    yield ""
    yield from _paragraphs(inline(evaluator.reasoning))


def _criterion_row(criterion: CriterionScore, share: Fraction | None) -> tuple[str, ...]:
    gate = wording.gate_words(criterion)
    return (
        inline(criterion.id),
        wording.judged_words(criterion),
        _weight_words(criterion.weight, share),
        f"**{gate}**" if criterion.gate == "failed" else gate,
        "<br>".join(inline(text) for text in (criterion.outcome, criterion.reasoning) if text),
    )


def _scorecard_lines(scorecard: ScorecardResult) -> Iterator[str]:
    score = scorecard.score
    grade = "error" if score is None else inline(f"{score.grade}, {score.final_score}, {score.label}")
    provenance = "".join(f" · {inline(words)}" for words in wording.provenance_words(scorecard))
    skill = f" {inline(scorecard.skill)}" if scorecard.skill else ""
    description = "" if score is None else inline(score.description)
    yield from _paragraphs(f"**Scorecard{skill}**: {grade}{provenance}", description)
    if scorecard.error is not None:
        yield from (inline(scorecard.error), "")
    if score is not None:
        yield from _score_lines(score)
    yield from (f"- {inline(sentence)}" for sentence in wording.history_words(scorecard.history))
    yield ""


def _score_lines(score: ScorecardScore) -> Iterator[str]:
    dimensions = [
        (inline(row.name), str(row.score), _weight_words(row.weight, exact(row.weight)), inline(row.reasoning))
        for row in score.dimensions
    ]
    yield from (*table("| Dimension | Score | Weight | |", dimensions), "")
    labels = ((step, inline(step.label)) for step in wording.pipeline(score))
    steps = [
        (f"**{label}**" if step.kind == "total" else label, step.amount, inline(step.explanation))
        for step, label in labels
    ]
    yield from (*table("| | | |", steps), "", *_paragraphs(inline(score.overall_reasoning)))


def _weight_words(weight: Decimal, share: Fraction | None) -> str:
    return wording.share_words(weight, share).removeprefix("weight ")

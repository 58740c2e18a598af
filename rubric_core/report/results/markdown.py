"""Results in Markdown, for a comment on a pull request: a table of all cases, and what went wrong in the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.results.markdown_text import fenced, inline
from rubric_core.report.results.summary import (
    NO_MINIMUMS,
    count_words,
    low_grade,
    scorecard_error,
    side_words,
    state_of,
    summarize,
)
from rubric_core.report.results.wording import (
    error_beside,
    evaluators_with_shares,
    failed_gate_words,
    gate_words,
    history_words,
    judged_words,
    partial_words,
    pipeline,
    provenance_words,
    score_words,
    share_words,
    with_shares,
)
from rubric_core.report.text import many
from rubric_core.scoring.exact import exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
    from rubric_core.scoring.rubrics import CriterionScore
    from rubric_core.scoring.scorecards import ScorecardScore

_SIGNS = {"pass": "✅", "borderline": "🟡", "fail": "❌", "error": "⚠️", "partial": "🧩", "no verdict": "⚪"}
_LONGEST_ANSWER = 2_000
LONGEST_COMMENT = 60_000
"""How long a report may get: hosts refuse comments of more than 65,536 characters."""


def render(
    results: Sequence[CaseResult],
    *,
    minimums: Mapping[str, str] = NO_MINIMUMS,
    most_characters: int = LONGEST_COMMENT,
) -> str:
    """Return the report. Where it would get too long for a comment, later cases lose their details first."""
    head = "\n".join(_head(results, minimums))
    details = [_details(result) for result in results if len(results) == 1 or _wants_details(result, minimums)]
    head, left_out_rows = _fitting(
        [f"{head}\n", *(f"{row}\n" for row in _rows(results, minimums))], most_characters // 2
    )
    body, left_out = _fitting([f"\n{text}" for text in details], most_characters - len(head))
    notes = [
        f"\nThe table ends here: {many(left_out_rows, 'case')} more would make it too long.\n" if left_out_rows else "",
        f"\nThe details of {many(left_out, 'case')} are left out, which would make this too long.\n"
        if left_out
        else "",
    ]
    return "".join([head, notes[0], body, notes[1]])


def _fitting(texts: Sequence[str], most: int) -> tuple[str, int]:
    """Return as many texts as fit, the first always, and the number of the others."""
    length, kept = 0, 0
    for text in texts:
        length += len(text)
        if length > most and kept:
            break
        kept += 1
    return "".join(texts[:kept]), len(texts) - kept


def _wants_details(result: CaseResult, minimums: Mapping[str, str]) -> bool:
    return state_of(result) != "pass" or bool(_scorecard_trouble(result, minimums))


def _head(results: Sequence[CaseResult], minimums: Mapping[str, str]) -> Iterator[str]:
    summary = summarize(results, minimums)
    yield "## Rubric results"
    yield ""
    counts = ", ".join(words for _, words in count_words(summary)) or "none"
    yield f"**{many(summary.cases, 'case')}: {counts}**" + "".join(f" · {words}" for words in side_words(summary))
    yield ""
    yield "| | Case | Verdict | Score | Grade | |"
    yield "|---|---|---|---|---|---|"


def _rows(results: Iterable[CaseResult], minimums: Mapping[str, str]) -> Iterator[str]:
    for result in results:
        state = state_of(result)
        score = "" if result.score is None else score_words(result.score)
        card = None if result.scorecard is None else result.scorecard.score
        grade = "" if card is None else f"{inline(card.grade)} ({card.final_score})"
        why = [result.error or "", failed_gate_words(result), _scorecard_trouble(result, minimums)]
        why.append(partial_words(result))
        remarks = inline("; ".join(part for part in why if part))
        yield f"| {_SIGNS[state]} | {inline(result.eval_id)} | {state} | {score} | {grade} | {remarks} |"


def _scorecard_trouble(result: CaseResult, minimums: Mapping[str, str]) -> str:
    low = low_grade(result, minimums)
    trouble = scorecard_error(result) or (low.words if low is not None else None)
    return "" if trouble is None else f"scorecard: {trouble}"


def _details(result: CaseResult) -> str:
    return "".join(f"{line}\n" for line in _detail_lines(result))


def _detail_lines(result: CaseResult) -> Iterator[str]:
    score = "" if result.score is None else f", {score_words(result.score)}"
    yield "<details>"
    yield f"<summary>{_SIGNS[state_of(result)]} <b>{inline(result.eval_id)}</b>: {state_of(result)}{score}</summary>"
    yield ""
    if result.error is not None:
        yield f"**Error:** {inline(result.error)}"
        yield ""
    for evaluator, share in evaluators_with_shares(result):
        yield from _evaluator_lines(evaluator, share_words(evaluator.weight, share), error_beside(result, evaluator))
    if result.scorecard is not None:
        yield from _scorecard_lines(result.scorecard)
    if result.candidate_answer.strip():
        answer = result.candidate_answer
        cut = len(answer) - _LONGEST_ANSWER
        yield "The answer:" if cut <= 0 else f"The answer, without its last {many(cut, 'character')}:"
        yield ""
        yield fenced(answer[:_LONGEST_ANSWER])
        yield ""
    yield "</details>"


def _evaluator_lines(evaluator: EvaluatorResult, weight: str, error: str) -> Iterator[str]:
    word = evaluator.status if evaluator.verdict is None else evaluator.verdict.value
    said = [f"{evaluator.type}: {word}", *([] if evaluator.score is None else [score_words(evaluator.score)]), weight]
    yield f"**{inline(evaluator.name)}** · {inline(' · '.join([*said, *provenance_words(evaluator)]))}"
    yield ""
    if error:
        yield inline(error)
        yield ""
    if evaluator.criteria:
        yield from _criteria_lines(evaluator.criteria)
    else:
        found = [*(("✔️", hit) for hit in evaluator.hits), *(("✖️", miss) for miss in evaluator.misses)]
        yield from (f"- {sign} {inline(text)}" for sign, text in found)
        yield ""
    if evaluator.reasoning:
        yield inline(evaluator.reasoning)
        yield ""


def _criteria_lines(criteria: Sequence[CriterionScore]) -> Iterator[str]:
    yield "| Criterion | Judged | Weight | Gate | |"
    yield "|---|---|---|---|---|"
    for criterion, share in with_shares(criteria):
        said = "<br>".join(inline(text) for text in (criterion.outcome, criterion.reasoning) if text)
        gate = gate_words(criterion)
        cells = [
            inline(criterion.id),
            judged_words(criterion),
            share_words(criterion.weight, share).removeprefix("weight "),
            f"**{gate}**" if criterion.gate == "failed" else gate,
            said,
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""


def _scorecard_lines(scorecard: ScorecardResult) -> Iterator[str]:
    score = scorecard.score
    grade = "error" if score is None else inline(f"{score.grade}, {score.final_score}, {score.label}")
    provenance = "".join(f" · {inline(words)}" for words in provenance_words(scorecard))
    skill = f" {inline(scorecard.skill)}" if scorecard.skill else ""
    yield f"**Scorecard{skill}**: {grade}{provenance}"
    yield ""
    if score is not None and score.description:
        yield inline(score.description)
        yield ""
    if scorecard.error is not None:
        yield inline(scorecard.error)
        yield ""
    if score is not None:
        yield from _score_lines(score)
    for sentence in history_words(scorecard.history):
        yield f"- {inline(sentence)}"
    yield ""


def _score_lines(score: ScorecardScore) -> Iterator[str]:
    yield "| Dimension | Score | Weight | |"
    yield "|---|---|---|---|"
    for each in score.dimensions:
        weight = share_words(each.weight, exact(each.weight)).removeprefix("weight ")
        yield f"| {inline(each.name)} | {each.score} | {weight} | {inline(each.reasoning)} |"
    yield ""
    yield "| | | |"
    yield "|---|---|---|"
    for step in pipeline(score):
        label = inline(step.label)
        strong = step.kind == "total"
        yield f"| {f'**{label}**' if strong else label} | {step.amount} | {inline(step.explanation)} |"
    yield ""
    if score.overall_reasoning:
        yield inline(score.overall_reasoning)
        yield ""

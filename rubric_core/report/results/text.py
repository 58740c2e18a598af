"""Results for people at a terminal: a line for each case that passed, all about the others, and a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.colours import plain
from rubric_core.report.columns import harmless
from rubric_core.report.results.summary import count_words, scorecard_error, side_words, state_of, summarize
from rubric_core.report.results.wording import (
    error_beside,
    evaluators_with_shares,
    failed_gate_words,
    gate_words,
    history_words,
    judged_words,
    pipeline,
    provenance_words,
    score_words,
    share_words,
    with_shares,
)
from rubric_core.report.results.wrapping import column_width, padded, wrapped
from rubric_core.report.text import many
from rubric_core.scoring.exact import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
    from rubric_core.report.colours import Paint
    from rubric_core.report.results.wording import PipelineStep
    from rubric_core.scoring.rubrics import CriterionScore
    from rubric_core.scoring.scorecards import ScorecardScore

STYLES = {"pass": "help", "borderline": "warning", "fail": "error", "error": "error", "no verdict": "hint"}
_STEP_STYLES = {"total": "strong", "deduction": "removed", "bonus": "added", "cap": "faint"}
_BAR_LENGTH = 10
_LONGEST_ID = 40
_MOST_ANSWER_LINES = 4
_MOST_MEASURED = 20_000
_NARROWEST = 40


def render(results: Sequence[CaseResult], *, paint: Paint = plain, width: int = 100) -> str:
    """Return all results. A case alone is shown whole; among several, one that passed takes a line."""
    ids = min(_LONGEST_ID, max((column_width(harmless(result.eval_id)) for result in results), default=0))
    words = max((len(state_of(result)) for result in results), default=0)
    scores = max((len(_score(result)) for result in results), default=0)
    page = _Page(paint, max(width, _NARROWEST))
    lines: list[str] = []
    for result in results:
        lines.append(_headline(result, paint, (words, ids, scores)))
        if len(results) == 1 or state_of(result) != "pass" or scorecard_error(result):
            lines += [*page.details(result), ""]
    if results and lines[-1]:
        lines.append("")
    return "".join(f"{line.rstrip()}\n" for line in [*lines, render_summary(results, paint)])


def render_summary(results: Sequence[CaseResult], paint: Paint = plain) -> str:
    """Return one line that counts the cases, and what they cost."""
    summary = summarize(results)
    counts = ", ".join(paint(STYLES[state], words) for state, words in count_words(summary))
    line = f"{many(summary.cases, 'case')}: {counts}" if counts else "No cases"
    return "; ".join([line, *side_words(summary)]) + "."


def _score(result: CaseResult) -> str:
    return "" if result.score is None else score_words(result.score)


def _headline(result: CaseResult, paint: Paint, widths: tuple[int, int, int]) -> str:
    words, ids, scores = widths
    state = state_of(result)
    beside = [
        failed_gate_words(result),
        _grade(result.scorecard),
        "partial" if result.partial else "",
        _not_run(result),
    ]
    return "  ".join(
        [
            paint(STYLES[state], f"{state:<{words}}"),
            paint("strong", padded(harmless(result.eval_id), ids)),
            f"{_score(result):<{scores}}",
            paint("faint", harmless(result.file)),
            *(harmless(text) for text in beside if text),
        ]
    )


def _grade(scorecard: ScorecardResult | None) -> str:
    return "" if scorecard is None or scorecard.score is None else f"grade {scorecard.score.grade}"


def _not_run(result: CaseResult) -> str:
    """Name the evaluators that took no part: a line that says `pass` must not hide them."""
    names = [each.name for each in result.evaluators if each.status == "not run"]
    return f"not run: {', '.join(names)}" if names else ""


def _bar(value: Fraction) -> str:
    # Rounded down, so that only what is full looks full.
    filled = int(value * _BAR_LENGTH)
    return "█" * filled + "░" * (_BAR_LENGTH - filled)


class _Page:
    """Writes what there is to say of a case, in colours and to a width."""

    def __init__(self, paint: Paint, width: int) -> None:
        self._paint = paint
        self._width = width

    def details(self, result: CaseResult) -> Iterator[str]:
        """Give the lines below the headline of a case."""
        if result.error is not None:
            yield from self._text(result.error, 4, "error")
        yield from self._answer(result.candidate_answer)
        for evaluator, share in evaluators_with_shares(result):
            error = error_beside(result, evaluator)
            yield from self._evaluator(evaluator, share if len(result.evaluators) > 1 else None, error)
        if result.scorecard is not None:
            yield from self._scorecard(result.scorecard)

    def _text(self, text: str, indent: int, style: str = "") -> Iterator[str]:
        for line in wrapped(text, self._width - indent):
            yield " " * indent + (self._paint(style, line) if style else line)

    def _answer(self, answer: str) -> Iterator[str]:
        # Measuring columns takes long, so of a long answer only the start is looked at.
        lines = list(wrapped(answer[:_MOST_MEASURED], self._width - 6))
        told = lines[:_MOST_ANSWER_LINES]
        more = len(lines) - _MOST_ANSWER_LINES
        if len(answer) > _MOST_MEASURED:
            told.append(self._paint("faint", f"... the answer has {many(len(answer), 'character')}"))
        elif more > 0:
            told.append(self._paint("faint", f"... {many(more, 'line')} more of the answer"))
        for line in told:
            yield f"    {self._paint('gutter', '|')} {line}"

    def _evaluator(self, evaluator: EvaluatorResult, share: Fraction | None, error: str) -> Iterator[str]:
        said = [evaluator.type] if evaluator.type != evaluator.name else []
        if evaluator.score is not None:
            said.append(score_words(evaluator.score))
        if share is not None:
            said.append(share_words(evaluator.weight, share))
        said += provenance_words(evaluator)
        word = evaluator.status if evaluator.verdict is None else evaluator.verdict.value
        style = STYLES.get(word, "hint")
        yield "  " + self._paint("strong", harmless(evaluator.name)) + "  " + self._paint(style, word)
        yield from self._text(" · ".join(said), 4, "faint")
        yield from self._text(error, 4, style)
        yield from self._criteria(evaluator.criteria)
        if not evaluator.criteria:
            yield from self._list("+", "added", evaluator.hits)
            yield from self._list("-", "removed", evaluator.misses)
        yield from self._text(evaluator.reasoning, 4)

    def _criteria(self, criteria: Sequence[CriterionScore]) -> Iterator[str]:
        longest = min(_LONGEST_ID, max((column_width(harmless(each.id)) for each in criteria), default=0))
        for criterion, share in with_shares(criteria):
            gate = gate_words(criterion)
            style = "removed" if criterion.gate == "failed" else "added" if criterion.value == 1 else "warning"
            parts = [
                self._paint(style, _bar(criterion.value)),
                self._paint("strong", padded(harmless(criterion.id), longest)),
                f"{judged_words(criterion):<8}",
                share_words(criterion.weight, share),
                self._paint("error" if criterion.gate == "failed" else "faint", gate),
            ]
            yield "    " + "  ".join(part for part in parts if part)
            yield from self._text(criterion.outcome, 16)
            yield from self._text(criterion.reasoning, 16, "faint")

    def _list(self, sign: str, style: str, texts: Sequence[str]) -> Iterator[str]:
        for text in texts:
            for number, line in enumerate(wrapped(text, self._width - 6)):
                yield f"    {self._paint(style, ' ' if number else sign)} {line}"

    def _scorecard(self, scorecard: ScorecardResult) -> Iterator[str]:
        score = scorecard.score
        # A file of results may hold anything in the place of a grade.
        grade = "" if score is None else harmless(f"{score.grade}  {score.final_score}  {score.label}")
        name = self._paint("strong", f"scorecard {harmless(scorecard.skill)}")
        yield f"  {name}  {self._paint('strong', grade) if score else self._paint('error', 'error')}"
        yield from self._text(" · ".join(provenance_words(scorecard)), 4, "faint")
        if scorecard.error is not None:
            yield from self._text(scorecard.error, 4, "error")
        if score is not None:
            yield from self._dimensions(score)
            for step in pipeline(score):
                yield from self._step(step)
            yield from self._text(score.overall_reasoning, 4)
        flagged = scorecard.history is not None and bool(scorecard.history.flags)
        for sentence in history_words(scorecard.history):
            yield from self._text(sentence, 4, "warning" if flagged else "faint")

    def _dimensions(self, score: ScorecardScore) -> Iterator[str]:
        longest = max((column_width(harmless(each.name)) for each in score.dimensions), default=0)
        for dimension in score.dimensions:
            weight = share_words(dimension.weight, exact(dimension.weight))
            bar = "█" * dimension.score + "░" * (_BAR_LENGTH - dimension.score)
            yield f"    {bar}  {padded(harmless(dimension.name), longest)}  {dimension.score:>2}  {weight}"
            yield from self._text(dimension.reasoning, 16, "faint")

    def _step(self, step: PipelineStep) -> Iterator[str]:
        amount = self._paint(_STEP_STYLES[step.kind], f"{step.amount:>10}")
        yield f"    {amount}  {self._paint(_STEP_STYLES[step.kind], harmless(step.label))}"
        yield from self._text(step.explanation, 16, "faint")

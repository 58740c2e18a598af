"""Results for people at a terminal: a line for each case that passed, details of the others, and a summary."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.report.results import wording
from rubric_core.scoring.exact import exact
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import ScorecardScore
from rubric_core.terminal.display import PIPE, Page, harmless
from rubric_core.terminal.drawing import draw, paragraph, table, text
from rubric_core.text.writing import plural

STYLES = {
    "pass": "help",
    "borderline": "warning",
    "fail": "error",
    "error": "error",
    "partial": "warning",
    "no verdict": "hint",
}
_STEP_STYLES = {"total": "strong", "deduction": "removed", "bonus": "added", "cap": "faint"}
_BAR_LENGTH = 10
_LONGEST_ID = 40
_MOST_ANSWER_LINES = 4
_MOST_MEASURED = 20_000
_ANSWER_INDENT = 4


def render(results: Sequence[CaseResult], *, page: Page = PIPE) -> str:
    """Return all results. A case alone is shown whole; among several, one that passed takes a line."""
    return draw(Group(*_parts(results)), page)


def _parts(results: Sequence[CaseResult]) -> Iterator[RenderableType]:
    ids = _longest(result.eval_id for result in results)
    words = max((len(wording.state_of(result)) for result in results), default=0)
    scores = max((len(_score(result)) for result in results), default=0)
    is_set_off = True
    for result in results:
        yield _headline(result, (words, ids, scores))
        is_set_off = len(results) == 1 or wording.needs_attention(result)
        if is_set_off:
            yield paragraph(Group(*_details(result)))
            yield ""
    if not is_set_off:
        yield ""
    yield _summary(results)


def _summary(results: Sequence[CaseResult]) -> Text:
    summary = wording.summarize(results)
    counts = [Text(words, STYLES[state]) for state, words in wording.count_words(summary)]
    line = Text(f"{plural(summary.cases, 'case')}: " if counts else "No cases") + Text(", ").join(counts)
    return line + Text("".join(f"; {words}" for words in wording.side_words(summary)) + ".")


def _longest(ids: Iterable[str]) -> int:
    """Return how many columns to keep for ids."""
    return min(_LONGEST_ID, max((cell_len(harmless(case_id)) for case_id in ids), default=0))


def _padded(value: str, width: int) -> str:
    shown = harmless(value)
    return shown + " " * (width - cell_len(shown))


def _score(result: CaseResult) -> str:
    return "" if result.score is None else wording.score_words(result.score)


def _headline(result: CaseResult, widths: tuple[int, int, int]) -> Text:
    words, ids, scores = widths
    state = wording.state_of(result)
    # A line that says `pass` must not hide the evaluators that took no part.
    parts = (part for evaluator in result.evaluators for part in evaluator.parts)
    not_run = ", ".join(part.name for part in parts if part.status == "not run")
    beside = [
        wording.failed_gate_words(result),
        wording.shortfall_words(result),
        "" if result.card is None else f"grade {result.card.grade}",
        wording.partial_words(result),
        wording.upstream_words(result),
        f"not run: {not_run}" if not_run else "",
    ]
    return Text("  ").join(
        [
            Text(f"{state:<{words}}", STYLES[state]),
            Text(_padded(result.eval_id, ids), "strong"),
            Text(f"{_score(result):<{scores}}"),
            Text(harmless(result.file), "faint"),
            *(Text(harmless(remark)) for remark in beside if remark),
        ]
    )


def _bar(filled: int) -> str:
    return "█" * filled + "░" * (_BAR_LENGTH - filled)


def _details(result: CaseResult) -> Iterator[RenderableType]:
    yield from _prose(result.error or "", "error")
    if result.candidate_answer.strip("\r\n"):
        yield _Answer(result.candidate_answer)
    for evaluator, share in wording.evaluators_with_shares(result):
        error = wording.error_beside(result, evaluator)
        is_alone = len(result.evaluators) == 1 and evaluator.name == result.evaluators[0].name
        yield from _evaluator(evaluator, None if is_alone else share, error)
    if result.scorecard is not None:
        yield from _scorecard(result.scorecard)


def _prose(value: str, style: str = "") -> Iterator[RenderableType]:
    if value.strip("\r\n"):
        yield Padding.indent(text(value, style), 4)


class _Answer:
    """The first lines of an answer as they are wrapped, and how much more there is."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        # Measuring columns is slow, so only the start of a long answer is measured.
        lines = text(self._answer[:_MOST_MEASURED]).wrap(console, options.max_width - _ANSWER_INDENT - len("| "))
        shown = lines[:_MOST_ANSWER_LINES]
        more = len(lines) - _MOST_ANSWER_LINES
        if len(self._answer) > _MOST_MEASURED:
            shown.append(Text(f"... the answer has {plural(len(self._answer), 'character')}", "faint"))
        elif more > 0:
            shown.append(Text(f"... {plural(more, 'line')} more of the answer", "faint"))
        for line in shown:
            yield Text.assemble(" " * _ANSWER_INDENT, ("|", "gutter"), " ", line)


def _evaluator(evaluator: EvaluatorResult, share: Fraction | None, error: str) -> Iterator[RenderableType]:
    details = [evaluator.type] if evaluator.type != evaluator.name else []
    if evaluator.score is not None:
        details.append(wording.score_words(evaluator.score))
    if share is not None:
        details.append(wording.share_words(evaluator.weight, share))
    details += wording.provenance_words(evaluator)
    word = wording.evaluator_state(evaluator)
    style = STYLES.get(word, "hint")
    yield Text.assemble("  ", (harmless(evaluator.name), "strong"), "  ", (word, style))
    yield from _prose(" · ".join(details), "faint")
    yield from _prose(error, style)
    if evaluator.criteria:
        yield from _listed(_criteria(evaluator.criteria))
    else:
        findings = [(Text("+", "added"), text(hit)) for hit in evaluator.hits]
        findings += [(Text("-", "removed"), text(miss)) for miss in evaluator.misses]
        yield from _listed(findings, gap=1)
    yield from _prose(evaluator.reasoning)


def _listed(rows: Iterable[tuple[Text, RenderableType]], gap: int = 2) -> Iterator[RenderableType]:
    listed = table("", "", gap=gap)
    for row in rows:
        listed.add_row(*row)
    if listed.rows:
        yield Padding.indent(listed, 4)


def _with_details(head: Text, *more: tuple[str, str]) -> Group:
    """Return a line with the texts below it that are not empty, each with its style."""
    return Group(head, *(text(value, style) for value, style in more if value.strip("\r\n")))


def _criteria(criteria: Sequence[CriterionScore]) -> Iterator[tuple[Text, RenderableType]]:
    longest = _longest(criterion.id for criterion in criteria)
    for criterion, share in wording.with_shares(criteria):
        has_failed = criterion.gate == "failed"
        parts = [
            Text(_padded(criterion.id, longest), "strong"),
            Text(f"{wording.judged_words(criterion):<8}"),
            Text(wording.share_words(criterion.weight, share)),
            Text(wording.gate_words(criterion), "error" if has_failed else "faint"),
        ]
        head = Text("  ").join(part for part in parts if part)
        style = "removed" if has_failed else "added" if criterion.value == 1 else "warning"
        more = (criterion.outcome, ""), (criterion.reasoning, "faint")
        # Rounded down, so that only a full bar looks full.
        yield Text(_bar(int(criterion.value * _BAR_LENGTH)), style), _with_details(head, *more)


def _scorecard(scorecard: ScorecardResult) -> Iterator[RenderableType]:
    score = scorecard.score
    # A file of results may hold anything in the place of a grade.
    grade = "error" if score is None else harmless(f"{score.grade}  {score.final_score}  {score.label}")
    name = (harmless(wording.scorecard_name(scorecard)), "strong")
    yield Text.assemble("  ", name, "  ", (grade, "error" if score is None else "strong"))
    yield from _prose("" if score is None else score.description)
    yield from _prose(" · ".join(wording.provenance_words(scorecard)), "faint")
    yield from _prose(scorecard.error or "", "error")
    if score is not None:
        yield from _listed((*_dimensions(score), *_steps(score)))
        yield from _prose(score.overall_reasoning)
    flagged = scorecard.history is not None and bool(scorecard.history.flags)
    for sentence in wording.history_words(scorecard.history):
        yield from _prose(sentence, "warning" if flagged else "faint")


def _dimensions(score: ScorecardScore) -> Iterator[tuple[Text, RenderableType]]:
    longest = _longest(dimension.name for dimension in score.dimensions)
    for dimension in score.dimensions:
        weight = wording.share_words(dimension.weight, exact(dimension.weight))
        head = Text(f"{_padded(dimension.name, longest)}  {dimension.score:>2}  {weight}")
        yield Text(_bar(dimension.score)), _with_details(head, (dimension.reasoning, "faint"))


def _steps(score: ScorecardScore) -> Iterator[tuple[Text, RenderableType]]:
    for step in wording.pipeline(score):
        style = _STEP_STYLES[step.kind]
        yield (
            Text(f"{step.amount:>{_BAR_LENGTH}}", style),
            _with_details(text(step.label, style), (step.explanation, "faint")),
        )

"""Results as JUnit XML: a suite a file, a test case a case.

Whatever is not a pass is told as a failure, a borderline case and a scorecard below the minimum grade included, because
a command with such a case does not end with status 0 either. A case in error is an error; so is one whose scorecard is
in error while its verdict passes. A partial result is a failure where a criterion is not met, and skipped otherwise: it
never counts as passed.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from rubric_core.report.results.summary import low_grade, scorecard_error, state_of
from rubric_core.report.results.wording import (
    failed_gate_words,
    gate_words,
    history_words,
    judge_words,
    judged_words,
    partial_words,
    pipeline,
    score_words,
    scorecard_name,
)
from rubric_core.scoring.exact import decimal_text, fraction_text
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rubric_core.grading.results import CaseResult
    from rubric_core.report.results.summary import LowGrade
    from rubric_core.report.results.wording import PipelineStep

# XML 1.0 has no way to write these, not even escaped.
_NOT_IN_XML = lazily("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(results: Sequence[CaseResult], minimums: Mapping[str, str]) -> str:
    """Return the whole XML document. The cases of a file stand together, in the order in which they were graded.

    `minimums` has the lowest grade that is allowed in a file.
    """
    in_order = sorted(results, key=_suite_name)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="rubric grade" {_counts(results, minimums)}>',
        *(line for name, cases in groupby(in_order, key=_suite_name) for line in _suite(name, list(cases), minimums)),
        "</testsuites>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _suite_name(result: CaseResult) -> str:
    return result.file or result.dataset or "rubric"


def _kind(result: CaseResult, minimums: Mapping[str, str]) -> str:
    """Return the element that tells what is wrong with a case; nothing where it passed."""
    state = state_of(result)
    if state in ("fail", "borderline") or (state == "partial" and result.unmet):
        return "failure"
    if state == "partial":
        return "skipped"
    if state == "error" or scorecard_error(result):
        return "error"
    return "failure" if low_grade(result, minimums) else ""


def _counts(results: Sequence[CaseResult], minimums: Mapping[str, str]) -> str:
    kinds = [_kind(result, minimums) for result in results]
    time = sum((_seconds(result) for result in results), Decimal(0))
    return (
        f'tests="{len(results)}" failures="{kinds.count("failure")}" errors="{kinds.count("error")}" '
        f'skipped="{kinds.count("skipped")}" time="{time:.3f}"'
    )


def _seconds(result: CaseResult) -> Decimal:
    return Decimal(repr(result.duration))


def _suite(name: str, results: Sequence[CaseResult], minimums: Mapping[str, str]) -> Iterator[str]:
    timestamp = next((f" timestamp={_attribute(result.timestamp)}" for result in results if result.timestamp), "")
    yield f"  <testsuite name={_attribute(name)} {_counts(results, minimums)}{timestamp}>"
    for result in results:
        yield from _case(result, minimums)
    yield "  </testsuite>"


def _case(result: CaseResult, minimums: Mapping[str, str]) -> Iterator[str]:
    file = f" file={_attribute(result.file)}" if result.file else ""
    place = f"classname={_attribute(result.dataset or _suite_name(result))}{file}"
    yield f'    <testcase name={_attribute(result.eval_id)} {place} time="{_seconds(result):.3f}">'
    yield "      <properties>"
    for name, value in _properties(result):
        yield f"        <property name={_attribute(name)} value={_attribute(value)}/>"
    yield "      </properties>"
    kind = _kind(result, minimums)
    details = "\n".join(_details(result))
    if kind == "skipped":
        yield f"      <skipped message={_attribute(_message(result))}/>"
    elif kind:
        type_, message = _trouble(result, kind, low_grade(result, minimums))
        yield f"      <{kind} type={_attribute(type_)} message={_attribute(message)}>{_content(details)}</{kind}>"
    if details and kind in ("", "skipped"):
        yield f"      <system-out>{_content(details)}</system-out>"
    yield "    </testcase>"


def _trouble(result: CaseResult, kind: str, low: LowGrade | None) -> tuple[str, str]:
    """Return the type and the message of a case that did not pass: its verdict, or else what its scorecard says."""
    is_passed = state_of(result) in ("pass", "no verdict")
    if is_passed and kind == "error":
        return "error", f"scorecard: {scorecard_error(result)}"
    grade = f"scorecard: the grade {low.grade} is below the minimum grade {low.minimum}" if low else ""
    if is_passed:
        return "low grade", grade
    return state_of(result), "; ".join(part for part in (_message(result), grade) if part)


def _message(result: CaseResult) -> str:
    """Return in one line why a case did not pass."""
    if result.error is not None or result.score is None:
        return result.error or partial_words(result)
    said = (f"score {score_words(result.score)}", failed_gate_words(result), partial_words(result))
    return "; ".join(part for part in said if part)


def _properties(result: CaseResult) -> Iterator[tuple[str, str]]:
    yield "verdict", state_of(result)
    if result.score is not None:
        yield "score", decimal_text(result.score)
        yield "score_exact", fraction_text(result.score)
    for evaluator in result.evaluators:
        for criterion in evaluator.criteria:
            yield f"criterion.{evaluator.name}.{criterion.id}", judged_words(criterion)
    score = None if result.scorecard is None else result.scorecard.score
    if score is not None:
        yield "scorecard.composite", str(score.composite)
        yield "scorecard.final_score", str(score.final_score)
        yield "scorecard.grade", score.grade
        for step in pipeline(score):
            if step.kind in ("deduction", "bonus"):
                yield f"scorecard.{step.kind}.{step.label}", step.amount
    if result.target is not None:
        yield "target", result.target
    if result.judge is not None:
        yield "judge", judge_words(result.judge)
    yield "input_tokens", str(result.usage.input_tokens)
    yield "output_tokens", str(result.usage.output_tokens)


def _details(result: CaseResult) -> Iterator[str]:
    """Give a line for each thing that was judged."""
    for evaluator in result.evaluators:
        word = evaluator.status if evaluator.verdict is None else evaluator.verdict.value
        yield f"{evaluator.name} ({evaluator.type}): {': '.join(part for part in (word, evaluator.error) if part)}"
        for criterion in evaluator.criteria:
            parts = (judged_words(criterion), gate_words(criterion), criterion.outcome, criterion.reasoning)
            yield f"  {criterion.id}: {'; '.join(part for part in parts if part)}"
        yield from (f"  missed: {miss}" for miss in evaluator.misses if not evaluator.criteria)
        if evaluator.reasoning:
            yield f"  {evaluator.reasoning}"
    scorecard = result.scorecard
    if scorecard is not None:
        score = scorecard.score
        told = scorecard.error if score is None else f"{score.final_score} {score.grade} {score.label}"
        yield f"{scorecard_name(scorecard)}: {told}"
        if score is not None:
            yield from (f"  {line}" for line in (score.description, *map(_step, pipeline(score))) if line)
        yield from (f"  {sentence}" for sentence in history_words(scorecard.history))


def _step(step: PipelineStep) -> str:
    """Return a step from the composite to the final score: a flag or a bonus with its amount and its explanation."""
    amount = f"{step.label}: {step.amount}" if step.amount else step.label
    return f"{amount}; {step.explanation}" if step.explanation else amount


def _attribute(text: str) -> str:
    return quoteattr(_clean(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _content(text: str) -> str:
    return escape(_clean(text))


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)

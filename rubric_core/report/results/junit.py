"""Results as JUnit XML: a suite a file, a test case a case.

All but a pass is reported as a failure, a borderline case and a scorecard below the minimum grade included, because
a command with such a case does not end with status 0 either. A case in error is an error; so is one whose scorecard is
in error while its verdict passes. A partial result is a failure where a criterion is not met, and skipped otherwise: it
never counts as passed.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from xml.etree.ElementTree import Element

from rubric_core.grading.results import CaseResult
from rubric_core.report.junit import document, element
from rubric_core.report.results import wording
from rubric_core.scoring.exact import decimal_text, fraction_text


def render(results: Sequence[CaseResult], *, minimums: Mapping[str, str] = wording.NO_MINIMUMS) -> str:
    """Return the whole XML document, the cases of a file together; `minimums` has the lowest grade of a file."""
    in_order = sorted(results, key=_suite_name)
    suites = [_suite(name, list(cases), minimums) for name, cases in groupby(in_order, key=_suite_name)]
    return document(suites, name="rubric grade", **_counts(results, minimums))


def _suite_name(result: CaseResult) -> str:
    return result.file or result.dataset or "rubric"


def _kind(result: CaseResult, minimums: Mapping[str, str]) -> str:
    """Return the element of a case's failure or error; nothing if it passed."""
    state = wording.state_of(result)
    if state == "partial":
        return "failure" if result.unmet else "skipped"
    if state == "error" or (state in ("pass", "no verdict") and wording.scorecard_error(result)):
        return "error"
    return "failure" if state in ("fail", "borderline") or wording.low_grade(result, minimums) else ""


def _counts(results: Sequence[CaseResult], minimums: Mapping[str, str]) -> dict[str, object]:
    kinds = [_kind(result, minimums) for result in results]
    return {
        "tests": len(results),
        "failures": kinds.count("failure"),
        "errors": kinds.count("error"),
        "skipped": kinds.count("skipped"),
        "time": f"{sum((_seconds(result) for result in results), Decimal(0)):.3f}",
    }


def _seconds(result: CaseResult) -> Decimal:
    return Decimal(repr(result.duration))


def _suite(name: str, results: Sequence[CaseResult], minimums: Mapping[str, str]) -> Element:
    cases = [_case(result, minimums) for result in results]
    timestamp = next((result.timestamp for result in results if result.timestamp), None)
    return element("testsuite", *cases, name=name, **_counts(results, minimums), timestamp=timestamp)


def _case(result: CaseResult, minimums: Mapping[str, str]) -> Element:
    properties = [element("property", name=name, value=value) for name, value in _properties(result)]
    return element(
        "testcase",
        element("properties", *properties),
        *_outcome(result, minimums),
        name=result.eval_id,
        classname=result.dataset or _suite_name(result),
        file=result.file or None,
        time=f"{_seconds(result):.3f}",
    )


def _outcome(result: CaseResult, minimums: Mapping[str, str]) -> Iterator[Element]:
    """Yield what is wrong with a case, if anything is, and what was judged."""
    kind = _kind(result, minimums)
    details = "\n".join(_details(result))
    if kind == "skipped":
        yield element("skipped", message=_message(result))
    elif kind:
        type_, message = _trouble(result, kind, wording.low_grade(result, minimums))
        yield element(kind, text=details, type=type_, message=message)
    if details and kind in ("", "skipped"):
        yield element("system-out", text=details)


def _trouble(result: CaseResult, kind: str, low: wording.LowGrade | None) -> tuple[str, str]:
    """Return the type and the message of a case that did not pass, by its verdict or else its scorecard."""
    is_passed = wording.state_of(result) in ("pass", "no verdict")
    if is_passed and kind == "error":
        return "error", f"scorecard: {wording.scorecard_error(result)}"
    grade = f"scorecard: {low.words}" if low else ""
    if is_passed:
        return "low grade", grade
    return wording.state_of(result), _joined(_message(result), grade)


def _message(result: CaseResult) -> str:
    if result.error is not None or result.score is None:
        return result.error or wording.partial_words(result)
    score = f"score {wording.score_words(result.score)}"
    gates = wording.failed_gate_words(result), wording.shortfall_words(result)
    return _joined(score, *gates, wording.partial_words(result), wording.upstream_words(result))


def _joined(*parts: str | None) -> str:
    return "; ".join(part for part in parts if part)


def _properties(result: CaseResult) -> Iterator[tuple[str, str]]:
    yield "verdict", wording.state_of(result)
    if result.score is not None:
        yield "score", decimal_text(result.score)
        yield "score_exact", fraction_text(result.score)
    if result.upstream is not None:
        yield "upstream.score", str(result.upstream.score)
        yield "upstream.verdict", result.upstream.verdict.value
    for evaluator in (part for graded in result.evaluators for part in graded.parts):
        for criterion in evaluator.criteria:
            yield f"criterion.{evaluator.name}.{criterion.id}", wording.judged_words(criterion)
    if (score := result.card) is not None:
        yield "scorecard.composite", str(score.composite)
        yield "scorecard.final_score", str(score.final_score)
        yield "scorecard.grade", score.grade
        for step in wording.pipeline(score):
            if step.kind in ("deduction", "bonus"):
                yield f"scorecard.{step.kind}.{step.label}", step.amount
    if result.target is not None:
        yield "target", result.target
    if result.judge is not None:
        yield "judge", wording.judge_words(result.judge)
    yield "input_tokens", str(result.usage.input_tokens)
    yield "output_tokens", str(result.usage.output_tokens)


def _details(result: CaseResult) -> Iterator[str]:
    for evaluator, _ in wording.evaluators_with_shares(result):
        word = wording.evaluator_state(evaluator)
        yield f"{evaluator.name} ({evaluator.type}): {': '.join(part for part in (word, evaluator.error) if part)}"
        for criterion in evaluator.criteria:
            judged, gate = wording.judged_words(criterion), wording.gate_words(criterion)
            yield f"  {criterion.id}: {_joined(judged, gate, criterion.outcome, criterion.reasoning)}"
        yield from (f"  missed: {miss}" for miss in evaluator.misses if not evaluator.criteria)
        if evaluator.reasoning:
            yield f"  {evaluator.reasoning}"
    scorecard = result.scorecard
    if scorecard is not None:
        score = scorecard.score
        outcome = scorecard.error if score is None else f"{score.final_score} {score.grade} {score.label}"
        yield f"{wording.scorecard_name(scorecard)}: {outcome}"
        if score is not None:
            yield from (f"  {line}" for line in (score.description, *map(_step, wording.pipeline(score))) if line)
        yield from (f"  {sentence}" for sentence in wording.history_words(scorecard.history))


def _step(step: wording.PipelineStep) -> str:
    """Return a step from the composite to the final score: a flag or a bonus with its amount and its explanation."""
    return _joined(f"{step.label}: {step.amount}" if step.amount else step.label, step.explanation)

"""Results as one JSON value (the object of the only case, or all objects with a summary), or as JSON lines."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from rubric_core.grading import exact_json
from rubric_core.grading.result_json import json_line, to_json
from rubric_core.grading.results import CaseResult
from rubric_core.report.results.wording import NO_MINIMUMS, Summary, low_grade, summarize
from rubric_core.scoring.exact import fraction_text, json_number


def render(
    results: Sequence[CaseResult], *, asked: int | None = None, minimums: Mapping[str, str] = NO_MINIMUMS
) -> str:
    """Return the object of a single case as it is; any other number is under `results`, beside a `summary`.

    `asked` is the number of cases to grade, if known: so the form does not depend on how many were finished.
    A case whose scorecard is below the lowest grade of its file, of `minimums`, has a `low_grade`.
    """
    objects = [{**to_json(result), **_low_grade(result, minimums)} for result in results]
    if len(results) == 1 and asked in (None, 1):
        value: dict[str, Any] = objects[0]
    else:
        value = {"results": objects, "summary": _plain_summary(summarize(results, minimums))}
    return f"{exact_json.write(value, indent=2)}\n"


def render_lines(results: Sequence[CaseResult]) -> str:
    """Return one JSON object a line, as results are kept and read again."""
    return "".join(f"{json_line(result)}\n" for result in results)


def _low_grade(result: CaseResult, minimums: Mapping[str, str]) -> dict[str, Any]:
    low = low_grade(result, minimums)
    return {} if low is None else {"low_grade": low._asdict()}


def exact_fields(name: str, value: Fraction | None) -> dict[str, Any]:
    """Return the two fields of a number: as a decimal, and exactly as a fraction."""
    return {name: json_number(value), f"{name}_exact": None if value is None else fraction_text(value)}


def _plain_summary(summary: Summary) -> dict[str, Any]:
    return {
        "cases": summary.cases,
        **{state.replace(" ", "_"): number for state, number in summary.counts.items()},
        "scorecard_errors": summary.scorecard_errors,
        "low_grades": summary.low_grades,
        "scored": summary.scored,
        **exact_fields("mean_score", summary.mean_score),
        "usage": asdict(summary.usage),
    }

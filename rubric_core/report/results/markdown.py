"""Results in Markdown, for a comment on a pull request: a table of all cases, and details of those that failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from rubric_core.grading.results import CaseResult
from rubric_core.report.results import wording
from rubric_core.report.results.markdown_text import fenced, inline, table
from rubric_core.scoring.exact import exact
from rubric_core.text.writing import plural

if TYPE_CHECKING:
    from jinja2 import Template

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
    """Return the report. If it is too long for a comment, later cases lose their details first."""
    summary = wording.summarize(results, minimums)
    counts = ", ".join(words for _, words in wording.count_words(summary)) or "none"
    beside = "".join(f" · {words}" for words in wording.side_words(summary))
    title = f"## Rubric results\n\n**{plural(summary.cases, 'case')}: {counts}**{beside}\n\n"
    head, line, *rows = table("| | Case | Verdict | Score | Grade | |", [_row(result, minimums) for result in results])
    overview, rows_left = _fitting([f"{title}{head}\n{line}\n", *(f"{row}\n" for row in rows)], most_characters // 2)
    detailed = [result for result in results if len(results) == 1 or wording.needs_attention(result, minimums)]
    details = [f"\n{_details().render(result=result)}" for result in detailed]
    body, left = _fitting(details, most_characters - len(overview))
    if rows_left:
        overview += f"\nThe table ends here: {plural(rows_left, 'case')} more would make it too long.\n"
    if left:
        body += f"\nThe details of {plural(left, 'case')} are left out, which would make this too long.\n"
    return overview + body


def _fitting(texts: Sequence[str], most: int) -> tuple[str, int]:
    """Return as many texts as fit, at least the first, and the number of the others."""
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


@lru_cache(maxsize=1)
def _details() -> Template:
    """Return the template of a case's details below the table."""
    from jinja2 import Environment  # noqa: PLC0415 - few commands write Markdown.

    environment = Environment(trim_blocks=True, keep_trailing_newline=True)  # noqa: S701 - `inline` escapes.
    environment.filters["inline"] = inline
    environment.globals |= {"wording": wording, "signs": _SIGNS, "longest_answer": _LONGEST_ANSWER}
    environment.globals |= {"exact": exact, "plural": plural, "fenced": fenced}
    return environment.from_string(files(__package__).joinpath("details.jinja").read_text("utf-8"))

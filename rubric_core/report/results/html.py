"""Results as one HTML file: it needs no network and no script, and all text of answers is inert in it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias

from rubric_core.grading.results import NO_HISTORY, CaseKey, CaseResult, Evaluation, PastScore, ResultHistory
from rubric_core.report.results import wording
from rubric_core.report.results.page import charts
from rubric_core.report.results.page.markup import SIGNS, Html, content_of, slug, tone_of
from rubric_core.schema.scales import BORDERLINE_MARK, HIGHEST, LOWEST, PASS_MARK
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.exact import exact
from rubric_core.text.writing import plural, some_of
from rubric_core.views.amounts import percent

if TYPE_CHECKING:
    from jinja2 import Template

TITLE = "Rubric report"
_PAGE = files("rubric_core.report.results.page")
STYLE = f"\n{_PAGE.joinpath('style.css').read_text('utf-8')}"
# With more cases that need attention, the list comes first, with all cases folded.
_MOST_OPEN = 8
_MOST_NAMES = 3
_SHORTEST_SHOWN = 0.05
# One evaluation is a point, not a line.
_FEWEST = 2
_Case: TypeAlias = tuple[CaseResult, Sequence[PastScore], wording.LowGrade | None, bool]
"""A case with its last scores and a grade below the lowest that is allowed, and whether it is unfolded."""
_Scores: TypeAlias = tuple[str, Mapping[str, Decimal | int], bool]
"""The scores of an evaluation by name, with its label, and whether the results have it."""


def render(
    results: Sequence[CaseResult],
    *,
    history: ResultHistory = NO_HISTORY,
    minimums: Mapping[str, str] = wording.NO_MINIMUMS,
) -> str:
    """Return the page. `history` is what the charts show besides, `minimums` the lowest grade allowed in a file."""
    summary = wording.summarize(results, minimums)
    fingerprint = b64encode(sha256(STYLE.encode()).digest()).decode()
    page = _template().render(
        # Only this style sheet is allowed: no script, picture, font, link or form.
        policy=f"default-src 'none'; style-src 'sha256-{fingerprint}'; base-uri 'none'; form-action 'none'",
        style=Html(STYLE),
        title=TITLE,
        subjects=_subjects(results),
        summary=summary,
        counted=[(state, number) for state, number in summary.counts.items() if number],
        with_verdict=summary.cases - summary.counts["no verdict"] - summary.counts["partial"],
        tiles=_tiles(summary),
        spread=[(row.score, wording.state_of(row)) for row in results if row.score is not None and not row.partial],
        cases=_cases(results, history, minimums),
        skills=list(_skills(results, history.skills)),
    )
    return f"<!DOCTYPE html>\n{page}\n"


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, FunctionLoader  # noqa: PLC0415 - few commands write HTML.

    environment = Environment(autoescape=True, finalize=content_of, loader=FunctionLoader(_source))
    environment.globals |= {"wording": wording, "signs": SIGNS, "slug": slug, "tone_of": tone_of, "plural": plural}
    environment.globals |= {"percent": percent, "exact": exact, "round": round, "case_facts": _facts}
    environment.globals |= {"past_values": _past_values, "points_of": charts.points_of, "columns_of": charts.columns_of}
    environment.globals |= {"at": charts.at, "on_scale": charts.on_scale, "marks": (BORDERLINE_MARK, PASS_MARK)}
    # Each score has a cell.
    environment.globals["cells"] = HIGHEST - LOWEST + 1
    return environment.get_template("report.html")


def _source(name: str) -> str:
    """Return a template without its line breaks and indentation."""
    return "".join(map(str.strip, _PAGE.joinpath(name).read_text("utf-8").splitlines()))


def _subjects(results: Sequence[CaseResult]) -> list[str]:
    """Return the subject of the results; empty texts for unknown parts."""
    days = sorted({result.timestamp[:10] for result in results if result.timestamp})
    return [
        _named([result.file for result in results]),
        _named([wording.judge_words(result.judge) for result in results], "judge "),
        _named([result.target or "" for result in results], "target "),
        " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "",
    ]


def _named(names: Sequence[str], word: str = "") -> str:
    different = [name for name in dict.fromkeys(names) if name]
    return f"{word}{some_of(different, _MOST_NAMES)}" if different else ""


def _tiles(summary: wording.Summary) -> Iterator[tuple[str, str]]:
    usage = summary.usage
    if summary.mean_score is not None:
        yield wording.mean_name(summary), wording.score_words(summary.mean_score)
    if summary.scorecard_errors:
        yield "scorecards in error", f"{summary.scorecard_errors:,}"
    if summary.low_grades:
        yield "scorecards below the minimum grade", f"{summary.low_grades:,}"
    if usage.calls or usage.remembered:
        yield "calls", f"{usage.calls:,}" + (f" and {usage.remembered:,} cached" if usage.remembered else "")
    if usage.input_tokens or usage.output_tokens:
        yield "tokens in", f"{usage.input_tokens:,}"
        yield "tokens out", f"{usage.output_tokens:,}"


def _cases(results: Sequence[CaseResult], history: ResultHistory, minimums: Mapping[str, str]) -> Iterator[_Case]:
    wanting = [wording.needs_attention(result, minimums) for result in results]
    opens_wanting = sum(wanting) <= _MOST_OPEN
    for result, is_wanting in zip(results, wanting, strict=True):
        past = history.cases.get(CaseKey(result.file, result.eval_id), ())
        is_open = len(results) == 1 or (is_wanting and opens_wanting)
        yield result, past, wording.low_grade(result, minimums), is_open


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


def _past_values(result: CaseResult, past: Sequence[PastScore]) -> list[charts.Value]:
    return [(row.timestamp[:16].replace("T", " "), row.score, row.timestamp == result.timestamp) for row in past]


def _skills(
    results: Sequence[CaseResult], history: Mapping[str, Sequence[Evaluation]]
) -> Iterator[tuple[str, int, list[tuple[str, list[charts.Value]]]]]:
    """Yield each skill of the results that has a history, with its evaluations and a line for each."""
    cards = [result.scorecard for result in results if result.scorecard is not None]
    shown = {card.evaluation_id for card in cards if card.evaluation_id is not None}
    for skill in dict.fromkeys(card.skill for card in cards):
        evaluations = history.get(skill, ())
        if len(evaluations) >= _FEWEST:
            rows: list[_Scores] = [
                (row.timestamp[:10] or row.id, {"final score": row.final_score, **row.dimensions}, row.id in shown)
                for row in evaluations
            ]
            yield skill, len(rows), [(name, _values(name, rows)) for name in ("final score", *DIMENSIONS)]


def _values(name: str, rows: Iterable[_Scores]) -> list[charts.Value]:
    return [(label, scores[name], stands_out) for label, scores, stands_out in rows if name in scores]

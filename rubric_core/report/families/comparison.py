"""What changed between two gradings: the conclusion first, then regressions."""

from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter, itemgetter
from typing import Any

from rubric_core.grading.results import CaseResult
from rubric_core.report.families.compared import CasePair, ComparedResults
from rubric_core.report.layout import Block, Column, Conclusion, Family, ReportTable, Words
from rubric_core.report.results.json import exact_fields
from rubric_core.report.results.wording import gate_words, judged_words, score_words, short_score, state_of
from rubric_core.scoring.comparison import METHOD, CriterionChange, Interval
from rubric_core.scoring.exact import decimal_text, json_number, rounded
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import ScorecardScore
from rubric_core.terminal.display import Page
from rubric_core.text.writing import plural

_PLACES = 4
_ANSWERS = {"better": "Yes, it got better", "worse": "No, it got worse", "unclear": "No clear change"}
_STYLES = {"better": "help", "worse": "error", "unclear": "strong"}


def _blocks(compared: ComparedResults, _page: Page) -> Iterator[Block]:
    interval = compared.comparison.interval
    words = Words(headline(compared), "strong" if interval is None else _STYLES[interval.direction])
    has_flips = compared.regressions or compared.improvements
    note = "No verdict changed." if compared.pairs and not has_flips else ""
    subjects = tuple(zip(("before", "after"), compared.names, strict=True))
    yield Conclusion("Rubric comparison", subjects, words, note)
    yield from (section for section in _sections(compared) if section.rows)


def _sections(compared: ComparedResults) -> tuple[ReportTable, ...]:
    comparison, names = compared.comparison, compared.names
    changed = sorted((criterion for criterion in comparison.criteria if criterion.change), key=attrgetter("change"))
    errors = (_CASE, Column("why", "", lambda pair: _error_words(pair, names)))
    only = zip(names, (comparison.only_before, comparison.only_after), strict=True)
    return (
        ReportTable(_FLIPPED, compared.regressions, "Verdicts that got worse", "error", sign="❌ "),
        ReportTable(_FLIPPED, compared.improvements, "Verdicts that got better", "help", sign="✅ "),
        ReportTable((_CASE, _SCORE), compared.moved, "Other scores"),
        ReportTable(_CRITERIA, changed, "Criteria", suffix=", mean over their cases", separator=" "),
        ReportTable(_SCORECARDS, compared.scorecards, "Scorecards"),
        ReportTable(errors, compared.errors, "Errors"),
        ReportTable(_PARTIAL, tuple(compared.partial.items()), "Partial, not compared"),
        *(ReportTable(_ONLY, cases, f"Only in {name}") for name, cases in only),
    )


def headline(compared: ComparedResults) -> str:
    """Return the answer to the question in one sentence: did the change help, and how sure is that?"""
    interval = compared.comparison.interval
    if interval is None:
        pairs = sum(pair.change.difference is not None for pair in compared.pairs)
        return f"Too few cases: {plural(pairs, 'case')} with a score in both, but an interval needs 2."
    if not interval.low and not interval.high:
        return f"No change: all {plural(interval.cases, 'case')} have the same scores as before."
    bounds = f"95 % interval {_signed(interval.low)} to {_signed(interval.high)}, {plural(interval.cases, 'case')}"
    change = f"{'rose' if interval.mean > 0 else 'fell'} by {_short(abs(interval.mean))}"
    description = change if interval.mean else "stayed the same"
    return f"{_ANSWERS[interval.direction]}: the mean score {description} ({bounds})."


def _score_change(pair: CasePair) -> str:
    before, after = pair.before.score, pair.after.score
    if before is None or after is None:
        return " → ".join("no score" if score is None else score_words(score) for score in (before, after))
    return f"{score_words(before)} → {score_words(after)} ({_signed(rounded(after - before, _PLACES))})"


def _move_words(name: str, before: CriterionScore, after: CriterionScore) -> str:
    gate = f" ({gate_words(after) or 'no gate any more'})" if before.gate != after.gate else ""
    return f"{name}: {judged_words(before)} → {judged_words(after)}{gate}"


def _mean_words(criterion: CriterionChange) -> str:
    change = _signed(rounded(criterion.change, _PLACES))
    return f"{short_score(criterion.before)} → {short_score(criterion.after)} ({change})"


def _card_words(changed: tuple[str, ScorecardScore, ScorecardScore]) -> str:
    _, before, after = changed
    change = _signed(after.final_score - before.final_score)
    return f"{before.final_score} {before.grade} → {after.final_score} {after.grade} ({change})"


def _error_words(pair: CasePair, names: tuple[str, str]) -> str:
    sides = zip(names, (pair.before.error, pair.after.error), strict=True)
    return "; ".join(f"in error in {name}: {error}" for name, error in sides if error is not None)


def _short(number: Decimal) -> str:
    return decimal_text(Fraction(number))


def _signed(number: Decimal) -> str:
    return f"{'-' if number < 0 else '+'}{_short(abs(number))}"


_CASE, _SCORE = Column("", "name"), Column("score", "", _score_change)
_FLIPPED = (
    _CASE,
    Column("verdict", "", lambda pair: f"{state_of(pair.before)} → {state_of(pair.after)}"),
    _SCORE,
    Column("criteria", "moves", lambda moves: "\n".join(_move_words(*move) for move in moves), "details"),
)
_CRITERIA = (
    Column("", "criterion"),
    Column("mean value", "", _mean_words),
    Column("cases", "cases", lambda cases: plural(cases, "case")),
)
_SCORECARDS = (Column("", "", itemgetter(0)), Column("final score", "", _card_words))
_PARTIAL = (
    Column("", "", itemgetter(0)),
    Column("where", "", lambda partial: f"partial in {' and '.join(dict.fromkeys(partial[1]))}"),
)
_ONLY = (Column(""), Column("", "", lambda _: ""))


def _data(compared: ComparedResults) -> dict[str, Any]:
    return {
        "before": compared.names[0],
        "after": compared.names[1],
        "mean_change": _interval(compared.comparison.interval),
        "regressions": [pair.name for pair in compared.regressions],
        "improvements": [pair.name for pair in compared.improvements],
        "cases": [_pair(pair) for pair in compared.pairs],
        "criteria": [
            {
                "id": criterion.criterion,
                "cases": criterion.cases,
                "before": json_number(criterion.before),
                "after": json_number(criterion.after),
                **exact_fields("change", criterion.change),
            }
            for criterion in compared.comparison.criteria
        ],
        "scorecards": [
            {
                "eval_id": name,
                "before": {"final_score": before.final_score, "grade": before.grade},
                "after": {"final_score": after.final_score, "grade": after.grade},
                "change": after.final_score - before.final_score,
            }
            for name, before, after in compared.scorecards
        ],
        "partial": [{"eval_id": case, "where": list(where)} for case, where in compared.partial.items()],
        "only_before": list(compared.comparison.only_before),
        "only_after": list(compared.comparison.only_after),
    }


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else {**asdict(interval), "direction": interval.direction, "method": METHOD}


def _pair(pair: CasePair) -> dict[str, Any]:
    return {
        "eval_id": pair.name,
        "before": _side(pair.before),
        "after": _side(pair.after),
        **exact_fields("change", pair.change.difference),
        "flip": pair.change.flip,
        "regression": pair.is_regression,
        "criteria": [
            {"id": name, "before": _judged(before), "after": _judged(after)} for name, before, after in pair.moves
        ],
    }


def _side(result: CaseResult) -> dict[str, Any]:
    return {
        **exact_fields("score", result.score),
        "verdict": None if result.verdict is None else result.verdict.value,
        "error": result.error,
    }


def _judged(criterion: CriterionScore) -> dict[str, Any]:
    judged = {"satisfied": criterion.satisfied} if criterion.mode == "checklist" else {"score": criterion.score}
    return {**judged, "gate": criterion.gate}


FAMILY = Family(blocks=_blocks, data=_data)

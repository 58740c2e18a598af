"""The words and sections of a comparison, for the terminal and for Markdown."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from rubric_core.report.comparison.compared import CasePair, ComparedResults
from rubric_core.report.results.wording import gate_words, judged_words, score_words, short_score, state_of
from rubric_core.scoring.exact import decimal_text, rounded
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import ScorecardScore
from rubric_core.text.writing import plural

_PLACES = 4
_ANSWERS = {"better": "Yes, it got better", "worse": "No, it got worse", "unclear": "No clear change"}


class Section(NamedTuple):
    """A title and a table: a name, one or two cells, and in a fourth cell lines that say more.

    `columns` are the headings behind the name in Markdown, `sign` is before the title there, `style` and `suffix`
    belong to the title on a terminal.
    """

    title: str
    columns: str
    rows: Sequence[tuple[str, ...]]
    style: str = "strong"
    sign: str = ""
    suffix: str = ""
    separator: str = ", "


def sections(compared: ComparedResults) -> Iterator[Section]:
    """Yield the sections that have rows, the worst first."""
    comparison, names = compared.comparison, compared.names
    changed = sorted((each for each in comparison.criteria if each.change), key=lambda each: each.change)
    criteria = [
        (
            each.criterion,
            f"{short_score(each.before)} → {short_score(each.after)} ({_signed(rounded(each.change, _PLACES))})",
            plural(each.cases, "case"),
        )
        for each in changed
    ]
    scorecards = [
        (name, f"{_graded(before)} → {_graded(after)} ({_signed(after.final_score - before.final_score)})")
        for name, before, after in compared.scorecards
    ]
    partial = [(case, f"partial in {' and '.join(dict.fromkeys(where))}") for case, where in compared.partial.items()]
    verdict_columns = "Verdict | Score | Criteria"
    worse, better = _flipped(compared.regressions), _flipped(compared.improvements)
    only = zip(names, (comparison.only_before, comparison.only_after), strict=True)
    listed = [
        Section("Verdicts that got worse", verdict_columns, worse, "error", "❌ "),
        Section("Verdicts that got better", verdict_columns, better, "help", "✅ "),
        Section("Other scores", "Score", [(pair.name, _score_change(pair)) for pair in compared.moved]),
        Section("Criteria", "Mean value | Cases", criteria, suffix=", mean over their cases", separator=" "),
        Section("Scorecards", "Final score", scorecards),
        Section("Errors", "Why", [(pair.name, _error_words(pair, names)) for pair in compared.errors]),
        Section("Partial, not compared", "Where", partial),
        *(Section(f"Only in {name}", "", [(case, "") for case in cases]) for name, cases in only),
    ]
    return (section for section in listed if section.rows)


def _flipped(pairs: Sequence[CasePair]) -> list[tuple[str, ...]]:
    return [
        (
            pair.name,
            f"{state_of(pair.before)} → {state_of(pair.after)}",
            _score_change(pair),
            "\n".join(_move_words(*move) for move in pair.moves),
        )
        for pair in pairs
    ]


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


def _graded(score: ScorecardScore) -> str:
    return f"{score.final_score} {score.grade}"


def _error_words(pair: CasePair, names: tuple[str, str]) -> str:
    sides = zip(names, (pair.before.error, pair.after.error), strict=True)
    return "; ".join(f"in error in {name}: {error}" for name, error in sides if error is not None)


def _short(number: Decimal) -> str:
    return decimal_text(Fraction(number))


def _signed(number: Decimal) -> str:
    return f"{'-' if number < 0 else '+'}{_short(abs(number))}"

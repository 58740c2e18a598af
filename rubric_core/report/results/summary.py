"""What all results come to: how many cases passed, and what they cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple

from rubric_core.grading.results import CaseResult
from rubric_core.grading.usage import NOTHING_SPENT, Usage
from rubric_core.report.results.wording import short_score
from rubric_core.scoring.grades import is_below
from rubric_core.text.writing import plural

State = Literal["pass", "borderline", "fail", "error", "partial", "no verdict"]
STATES: tuple[State, ...] = ("pass", "borderline", "fail", "error", "partial", "no verdict")


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of cases by state, of scorecards, the mean score of the `scored` cases, and what was spent.

    A partial result has a score of some criteria and none of its case, so it is no part of the mean.
    """

    counts: Mapping[State, int]
    scorecard_errors: int
    low_grades: int
    scored: int
    mean_score: Fraction | None
    usage: Usage

    @property
    def cases(self) -> int:
        """Return the number of cases."""
        return sum(self.counts.values())


def state_of(result: CaseResult) -> State:
    """Return the state of a case in one word. A case with a scorecard alone has no verdict."""
    if result.error is not None:
        return "error"
    if result.partial:
        return "partial"
    return "no verdict" if result.verdict is None else result.verdict.value


class LowGrade(NamedTuple):
    """The grade of a scorecard, and the lowest one that is allowed."""

    grade: str
    minimum: str

    @property
    def words(self) -> str:
        """Return both in a sentence."""
        return f"the grade {self.grade} is below the minimum grade {self.minimum}"


NO_MINIMUMS: Mapping[str, str] = MappingProxyType({})


def low_grade(result: CaseResult, minimums: Mapping[str, str]) -> LowGrade | None:
    """Return the grade of a scorecard that is below the minimum of its file; None where it is not."""
    minimum = minimums.get(result.file)
    if minimum is None or result.card is None or not is_below(result.card.grade, minimum):
        return None
    return LowGrade(result.card.grade, minimum)


def summarize(results: Sequence[CaseResult], minimums: Mapping[str, str] = NO_MINIMUMS) -> Summary:
    """Count what all results come to. `minimums` has the lowest grade that is allowed in a file."""
    states = [state_of(result) for result in results]
    scores = [result.score for result in results if result.score is not None and not result.partial]
    return Summary(
        counts={state: states.count(state) for state in STATES},
        scorecard_errors=sum(scorecard_error(result) is not None for result in results),
        low_grades=sum(low_grade(result, minimums) is not None for result in results),
        scored=len(scores),
        mean_score=sum(scores, Fraction(0)) / len(scores) if scores else None,
        usage=sum((result.usage for result in results), NOTHING_SPENT),
    )


def scorecard_error(result: CaseResult) -> str | None:
    """Return why a scorecard has no grade; the verdict of its case stands all the same."""
    return None if result.scorecard is None else result.scorecard.error


def count_words(summary: Summary) -> tuple[tuple[State, str], ...]:
    """Return the counts that are not zero in words, each with its state."""
    return tuple((state, f"{number:,} {state}") for state, number in summary.counts.items() if number)


def mean_name(summary: Summary) -> str:
    """Return what the mean score is called, which says so where it is that of fewer cases than there are."""
    return "mean score" if summary.scored == summary.cases else f"mean of {summary.scored:,} graded"


def side_words(summary: Summary) -> tuple[str, ...]:
    """Return what there is to say beside the counts: scorecards in error or too low, the mean score, calls, tokens."""
    usage, mean = summary.usage, summary.mean_score
    colon = "" if summary.scored == summary.cases else ":"
    mean_words = "" if mean is None else f"{mean_name(summary)}{colon} {short_score(mean)}"
    said = [
        (summary.scorecard_errors, f"{plural(summary.scorecard_errors, 'scorecard')} in error"),
        (summary.low_grades, f"{plural(summary.low_grades, 'scorecard')} below the minimum grade"),
        (mean_words and summary.cases > 1, mean_words),
        (usage.calls, plural(usage.calls, "call")),
        (usage.remembered, f"{usage.remembered:,} cached"),
        (usage.input_tokens or usage.output_tokens, f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"),
    ]
    return tuple(words for is_worth_saying, words in said if is_worth_saying)

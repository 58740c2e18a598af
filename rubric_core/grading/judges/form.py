"""The form for a person who judges, at a terminal and in every editor, and the judgement from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from rubric_core.grading.exact_json import write
from rubric_core.grading.failures import JudgeFailed
from rubric_core.grading.judges.judge import Question
from rubric_core.grading.prompts.scorecard import DEFINITIONS
from rubric_core.model.criteria import Criterion, ScoreRange
from rubric_core.model.suite import Scorecard
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.scoring.scorecards import HIGHEST_DIMENSION_SCORE, LOWEST_DIMENSION_SCORE

ItemKind = Literal["criterion", "dimension", "red flag", "bonus", "answer"]

DECIMAL_PLACES = {"integer": 0, "number": 6}
_LABELS = {
    "criterion": ("met", "not met"),
    "red flag": ("present", "not present"),
    "bonus": ("earned", "not earned"),
}
_TENTHS = 10


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that can be chosen. `score_range` and `meaning` are those of the score range that contains it."""

    value: bool | int | Decimal
    label: str
    score_range: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One decision: yes or no, or a number from a range. `gate` is the effect of failing it in words, or empty."""

    kind: ItemKind
    id: str
    text: str
    answer: Literal["yes or no", "integer", "number"] = "yes or no"
    lowest: int = 0
    highest: int = 0
    bands: tuple[ScoreRange, ...] = ()
    gate: str = ""

    @property
    def choices(self) -> list[Choice]:
        """Return the values to choose from, the highest score first. Of a number, these are only the tenths."""
        if self.answer == "yes or no":
            yes, no = _LABELS[self.kind]
            return [Choice(value=True, label=yes), Choice(value=False, label=no)]
        if self.answer == "number":
            tenths = range(self.highest * _TENTHS, self.lowest * _TENTHS - 1, -1)
            return [Choice(value, str(value)) for value in (Decimal(tenth) / _TENTHS for tenth in tenths)]
        return [self._score(score) for score in range(self.highest, self.lowest - 1, -1)]

    @property
    def legal_number(self) -> str:
        """Return a description of the numbers that can be given."""
        places = DECIMAL_PLACES[self.answer]
        kind = f"a number with at most {places} decimal places" if places else "an integer"
        return f"{kind} from {self.lowest} to {self.highest}"

    def _score(self, score: int) -> Choice:
        for band in self.bands:
            if band.minimum <= score <= band.maximum:
                return Choice(score, str(score), f"{band.minimum}-{band.maximum}", band.expected_outcome)
        return Choice(score, str(score))


@dataclass(frozen=True, slots=True)
class Decision:
    """The value that a person chose for an item, with the reason where one was given."""

    value: bool | int | Decimal
    reasoning: str = ""


def sections_of(question: Question) -> list[tuple[str, str]]:
    """Return the sections that a person reads before deciding, as titles and texts. The answer is the last one."""
    sections = (
        ("Task", question.task),
        ("Expected outcome", question.expected_outcome),
        ("Reference", question.reference),
        ("Instructions", question.instructions),
        ("Answer to judge", question.answer if question.answer.strip() else "(empty)"),
    )
    return [(title, text) for title, text in sections if text.strip()]


def items_of(question: Question) -> tuple[Item, ...]:
    """Return the decisions that a question requires. Raises JudgeFailed for one that no person can answer."""
    if question.kind == "proposal":
        raise JudgeFailed("A person cannot propose criteria. Choose a model as the judge or the target.")
    if question.scorecard is not None:
        return tuple(_scorecard_items(question.scorecard))
    if question.kind == "rubric":
        return tuple(_criterion_item(criterion) for criterion in question.criteria)
    return (Item("answer", "score", "How far does the answer achieve what is expected?", "number", 0, 1),)


def judgement_text(question: Question, items: Sequence[Item], decisions: Sequence[Decision]) -> str:
    """Return decisions as the judgement that a model would have written."""
    decided = list(zip(items, decisions, strict=True))
    if question.kind == "free-form":
        return write(_with_reasoning({"score": decisions[0].value}, decisions[0]))
    if question.scorecard is None:
        checks = [
            _with_reasoning({"id": item.id, _VERDICTS[item.answer]: decision.value}, decision)
            for item, decision in decided
        ]
        return write({"checks": checks})
    dimensions = {
        item.id: _with_reasoning({"score": decision.value}, decision)
        for item, decision in decided
        if item.kind == "dimension"
    }
    return write({"dimensions": dimensions, **{name: _findings(decided, kind) for name, kind in _FINDINGS.items()}})


_VERDICTS = {"yes or no": "satisfied", "integer": "score"}
_FINDINGS: Mapping[str, ItemKind] = {"red_flags": "red flag", "bonuses": "bonus"}


def _criterion_item(criterion: Criterion) -> Item:
    if criterion.mode == "checklist":
        gate = "Required: the case fails if this is not met." if criterion.required else ""
        return Item("criterion", criterion.id, criterion.expected_outcome, gate=gate)
    lowest = criterion.required_min_score
    gate = f"Gate: the case fails if the score is below {lowest}." if lowest else ""
    text, bands = criterion.expected_outcome or "", criterion.score_ranges
    return Item("criterion", criterion.id, text, "integer", LOWEST, HIGHEST, bands, gate)


def _scorecard_items(scorecard: Scorecard) -> Iterable[Item]:
    for name, text in DEFINITIONS.items():
        yield Item("dimension", name, text, "integer", LOWEST_DIMENSION_SCORE, HIGHEST_DIMENSION_SCORE)
    for flag in scorecard.red_flags:
        yield Item("red flag", flag.id, flag.expected_outcome)
    for bonus in scorecard.bonuses:
        yield Item("bonus", bonus.id, bonus.expected_outcome)


def _findings(decided: Sequence[tuple[Item, Decision]], kind: ItemKind) -> list[dict[str, Any]]:
    return [
        {"id": item.id, "explanation": decision.reasoning}
        for item, decision in decided
        if item.kind == kind and decision.value
    ]


def _with_reasoning(entry: dict[str, Any], decision: Decision) -> dict[str, Any]:
    return {**entry, "reasoning": decision.reasoning} if decision.reasoning else entry

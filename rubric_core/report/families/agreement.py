"""Show how far each judge agrees with a person."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.store.pairs import PairedJudgement
from rubric_core.report.layout import Block, Column, Family, ReportTable, Words
from rubric_core.report.results.wording import judge_words
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.scoring.agreement import Agreement, agreement_of
from rubric_core.scoring.exact import json_number, rounded
from rubric_core.terminal.display import one_line
from rubric_core.text.patterns import lazily
from rubric_core.text.writing import plural
from rubric_core.views.amounts import percent

# From so many pairs on, one more hardly moves a kappa.
_ENOUGH = 30
# The generated id of a criterion without one: its place in the list of its case.
_GENERATED = lazily(r"rubric-[0-9]+")
_WITHOUT_ID = "(without an id)"
_UNDEFINED = "-"


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """How far a judge agrees with a person on one criterion, over all answers to all `cases` that both have judged.

    Those of several cases that were written without an id are shown together, and `criterion` is None.
    """

    evaluator: str
    criterion: str | None
    has_scores: bool
    cases: int
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How far a judge agrees with a person: on each criterion over its cases, and on all of one mode together."""

    judge: JudgeIdentity
    pairs: int
    criteria: tuple[CriterionAgreement, ...]
    checklist: Agreement | None
    scores: Agreement | None


def agreements(pairs: Iterable[PairedJudgement]) -> tuple[JudgeAgreement, ...]:
    """Return the agreement of each judge with the person, in the order in which they first come."""
    by_judge: dict[JudgeIdentity, list[PairedJudgement]] = {}
    for pair in pairs:
        by_judge.setdefault(pair.judge, []).append(pair)
    return tuple(_of_judge(judge, own) for judge, own in by_judge.items())


def _of_judge(judge: JudgeIdentity, pairs: Sequence[PairedJudgement]) -> JudgeAgreement:
    by_criterion: dict[tuple[str, str | None, bool], list[PairedJudgement]] = {}
    by_mode: dict[bool, list[PairedJudgement]] = {}
    has_shared_numbers = _cases([pair for pair in pairs if _GENERATED.fullmatch(pair.subject.criterion)]) > 1
    for pair in pairs:
        about, has_scores = pair.subject, not isinstance(pair.manual, bool)
        has_no_id = has_shared_numbers and _GENERATED.fullmatch(about.criterion)
        key = (about.evaluator, None if has_no_id else about.criterion, has_scores)
        by_criterion.setdefault(key, []).append(pair)
        by_mode.setdefault(has_scores, []).append(pair)
    totals = {has_scores: _agreement(own) for has_scores, own in by_mode.items()}
    criteria = tuple(CriterionAgreement(*key, _cases(own), _agreement(own)) for key, own in by_criterion.items())
    return JudgeAgreement(judge, len(pairs), criteria, totals.get(False), totals.get(True))


def _cases(pairs: Sequence[PairedJudgement]) -> int:
    return len({(pair.subject.file, pair.subject.case_id) for pair in pairs})


def _agreement(pairs: Sequence[PairedJudgement]) -> Agreement:
    return agreement_of([(pair.manual, pair.rating) for pair in pairs])


class _Row(NamedTuple):
    """A line of the table of a judge: a criterion, or all of one mode."""

    name: Words
    cases: int | None
    agreement: Agreement
    has_scores: bool


def _kappa(row: _Row, kappa: Fraction | None) -> Words:
    """Return a kappa: in brackets if it is from few pairs; a sign if it is undefined."""
    if kappa is None:
        return Words(_UNDEFINED, "faint")
    is_enough = row.agreement.pairs >= _ENOUGH
    return Words(str(rounded(kappa))) if is_enough else Words(f"({rounded(kappa)})", "faint")


_COLUMNS = (
    Column("criterion", "name"),
    Column("cases", "cases", "{:,}".format, "number"),
    Column("pairs", "agreement.pairs", "{:,}".format, "number"),
    Column("agreement", "agreement.raw", percent, "number"),
    Column("kappa", "", lambda row: _kappa(row, row.agreement.kappa), "number"),
)
_WEIGHTED = Column(
    "weighted kappa", "", lambda row: _kappa(row, row.agreement.weighted_kappa) if row.has_scores else "", "number"
)


def _blocks(judge: JudgeAgreement) -> Iterator[Block]:
    name = Words(one_line(judge_words(judge.judge)), "strong")
    yield name, Words(f" against manual judgements: {plural(judge.pairs, 'pair')}")
    yield ReportTable((*_COLUMNS, _WEIGHTED) if judge.scores else _COLUMNS, tuple(_rows(judge)))
    yield "\n".join(_remarks(judge))


def _rows(judge: JudgeAgreement) -> Iterator[_Row]:
    for criterion in judge.criteria:
        own = criterion.criterion or _WITHOUT_ID
        name = own if criterion.evaluator == INLINE_NAME else f"{criterion.evaluator}: {own}"
        yield _Row(Words(one_line(name)), criterion.cases, criterion.agreement, criterion.has_scores)
    totals = [("all that is met or not", judge.checklist, False), ("all scores", judge.scores, True)]
    for name, agreement, has_scores in totals if len(judge.criteria) > 1 else ():
        if agreement is not None:
            yield _Row(Words(name, "strong"), None, agreement, has_scores)


def _plain(judge: JudgeAgreement) -> dict[str, Any]:
    return {
        "judge": asdict(judge.judge),
        "pairs": judge.pairs,
        "enough": judge.pairs >= _ENOUGH,
        "checklist": judge.checklist and _plain_agreement(judge.checklist),
        "scores": judge.scores and _plain_agreement(judge.scores),
        "criteria": [
            {
                "evaluator": criterion.evaluator,
                "id": criterion.criterion,
                "mode": "score-range" if criterion.has_scores else "checklist",
                "cases": criterion.cases,
                **_plain_agreement(criterion.agreement),
            }
            for criterion in judge.criteria
        ],
    }


def _plain_agreement(agreement: Agreement) -> dict[str, Any]:
    values = {"agreement": agreement.raw, "kappa": agreement.kappa, "weighted_kappa": agreement.weighted_kappa}
    return {"pairs": agreement.pairs, **{name: json_number(value) for name, value in values.items()}}


def _remarks(judge: JudgeAgreement) -> Iterator[str]:
    yield "Kappa is the agreement beyond chance: 1 is full agreement, 0 is what chance gives."
    if judge.scores is not None:
        yield "Weighted kappa counts by the square of the distance, so that 7 against 8 is nearly agreement."
    agreements = [criterion.agreement for criterion in judge.criteria]
    if any(agreement.kappa is None for agreement in agreements):
        yield f"There is no kappa ({_UNDEFINED}) where both gave one and the same rating throughout."
    if any(agreement.pairs < _ENOUGH for agreement in agreements):
        yield f"A kappa in brackets comes from fewer than {_ENOUGH} pairs: the next one can change it a lot."
    if judge.pairs < _ENOUGH:
        pairs = f"{plural(judge.pairs, 'pair')} {'is' if judge.pairs == 1 else 'are'}"
        yield (
            f"{pairs} too few to estimate how reliable the judge is: judge {_ENOUGH - judge.pairs} more yourself, "
            "with `rubric grade FILE --judge manual`."
        )


FAMILY = Family(
    blocks=lambda judges, _: [block for judge in judges for block in _blocks(judge)],
    data=lambda judges: {"judges": [_plain(judge) for judge in judges]},
)

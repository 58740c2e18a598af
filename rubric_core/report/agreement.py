"""Show how far each judge agrees with a person."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rubric_core.grading import exact_json
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.store.pairs import PairedJudgement
from rubric_core.report.results.json import decimal_of
from rubric_core.report.results.wording import judge_words
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.scoring.agreement import Agreement, agreement_of
from rubric_core.scoring.exact import rounded
from rubric_core.terminal.display import Page, one_line
from rubric_core.terminal.drawing import draw, paragraph, table, text
from rubric_core.text.patterns import lazily
from rubric_core.text.writing import plural
from rubric_core.views.amounts import percent

# From so many pairs on, one more hardly moves a kappa.
_ENOUGH = 30
# The id of a criterion that was written without one: its place in the list of its case.
_GENERATED = lazily(r"rubric-[0-9]+")
_WITHOUT_ID = "(without an id)"
_UNDEFINED = "-"
_NUMBERS = ("cases", "pairs", "agreement", "kappa", "weighted kappa")


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """How far a judge agrees with a person on one criterion, over all answers to all `cases` that both have judged.

    Those of several cases that were written without an id have nothing but a number in common. They are shown together,
    and `criterion` is None.
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
    are_told_together = _cases([pair for pair in pairs if _GENERATED.fullmatch(pair.subject.criterion)]) > 1
    for pair in pairs:
        about, has_scores = pair.subject, not isinstance(pair.manual, bool)
        has_no_id = are_told_together and _GENERATED.fullmatch(about.criterion)
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


def render_json(judges: Sequence[JudgeAgreement]) -> str:
    """Return the agreement of each judge with all digits."""
    return f"{exact_json.write({'judges': [_plain(each) for each in judges]}, indent=2)}\n"


def _plain(each: JudgeAgreement) -> dict[str, Any]:
    return {
        "judge": asdict(each.judge),
        "pairs": each.pairs,
        "enough": each.pairs >= _ENOUGH,
        "checklist": each.checklist and _plain_agreement(each.checklist),
        "scores": each.scores and _plain_agreement(each.scores),
        "criteria": [
            {
                "evaluator": one.evaluator,
                "id": one.criterion,
                "mode": "score-range" if one.has_scores else "checklist",
                "cases": one.cases,
                **_plain_agreement(one.agreement),
            }
            for one in each.criteria
        ],
    }


def _plain_agreement(agreement: Agreement) -> dict[str, Any]:
    return {
        "pairs": agreement.pairs,
        "agreement": decimal_of(agreement.raw),
        "kappa": decimal_of(agreement.kappa),
        "weighted_kappa": decimal_of(agreement.weighted_kappa),
    }


def render_text(judges: Sequence[JudgeAgreement], *, page: Page) -> str:
    """Return a table for each judge, and what to think of its numbers."""
    parts = [part for each in judges for part in ("", *_judge_parts(each))]
    return draw(Group(*parts[1:]), page)


def _judge_parts(each: JudgeAgreement) -> Iterator[RenderableType]:
    judge = (one_line(judge_words(each.judge)), "strong")
    yield Text.assemble(judge, f" against manual judgements: {plural(each.pairs, 'pair')}")
    yield ""
    yield _table(each)
    yield ""
    yield paragraph(Text("\n".join(_remarks(each)), "faint"))


def _table(each: JudgeAgreement) -> Table:
    drawn = table("criterion", *_NUMBERS[: None if each.scores else -1], right=_NUMBERS)
    for one in each.criteria:
        own = one.criterion or _WITHOUT_ID
        name = own if one.evaluator == INLINE_NAME else f"{one.evaluator}: {own}"
        drawn.add_row(text(one_line(name)), f"{one.cases:,}", *_numbers(one.agreement, has_scores=one.has_scores))
    totals = [("all that is met or not", each.checklist, False), ("all scores", each.scores, True)]
    for name, agreement, has_scores in totals if len(each.criteria) > 1 else ():
        if agreement is not None:
            drawn.add_row(Text(name, "strong"), "", *_numbers(agreement, has_scores=has_scores))
    return drawn


def _numbers(agreement: Agreement, *, has_scores: bool) -> list[RenderableType]:
    shown = []
    for kappa in (agreement.kappa, agreement.weighted_kappa) if has_scores else (agreement.kappa,):
        if kappa is None:
            shown.append(Text(_UNDEFINED, "faint"))
        elif agreement.pairs >= _ENOUGH:
            shown.append(Text(str(rounded(kappa))))
        else:
            shown.append(Text(f"({rounded(kappa)})", "faint"))
    return [f"{agreement.pairs:,}", percent(agreement.raw), *shown]


def _remarks(each: JudgeAgreement) -> Iterator[str]:
    """Yield the sentences below a table: what the numbers mean, and their limits."""
    yield "Kappa is the agreement beyond chance: 1 is full agreement, 0 is what chance gives."
    if each.scores is not None:
        yield "Weighted kappa counts by the square of the distance, so that 7 against 8 is nearly agreement."
    judged = [one.agreement for one in each.criteria]
    if any(agreement.kappa is None for agreement in judged):
        yield f"There is no kappa ({_UNDEFINED}) where both gave one and the same rating throughout."
    if any(agreement.pairs < _ENOUGH for agreement in judged):
        yield f"A kappa in brackets comes from fewer than {_ENOUGH} pairs: the next one can change it a lot."
    if each.pairs < _ENOUGH:
        pairs = f"{plural(each.pairs, 'pair')} {'is' if each.pairs == 1 else 'are'}"
        yield (
            f"{pairs} too few to estimate how reliable the judge is: judge {_ENOUGH - each.pairs} more yourself, "
            "with `rubric grade FILE --judge manual`."
        )

"""A table for each judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from rubric_core.report.agreement.agreements import ENOUGH
from rubric_core.report.results.wording import judge_words
from rubric_core.report.text import many
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.scoring.exact import rounded
from rubric_core.terminal.drawing import draw, paragraph, table, text
from rubric_core.terminal.fitting import one_line
from rubric_core.views.amounts import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from rich.console import RenderableType
    from rich.table import Table

    from rubric_core.report.agreement.agreements import JudgeAgreement
    from rubric_core.scoring.agreement import Agreement
    from rubric_core.terminal.colours import Page

_WITHOUT_ID = "(without an id)"
_UNDEFINED = "-"
_NUMBERS = ("cases", "pairs", "agreement", "kappa", "weighted kappa")


def render(judges: Sequence[JudgeAgreement], page: Page) -> str:
    """Return a table for each judge, and what to think of its numbers."""
    parts = [part for each in judges for part in ("", *_judge(each))]
    return draw(Group(*parts[1:]), page)


def _judge(each: JudgeAgreement) -> Iterator[RenderableType]:
    judge = (one_line(judge_words(each.judge)), "strong")
    yield Text.assemble(judge, f" against manual judgements: {many(each.pairs, 'pair')}")
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
    if len(each.criteria) > 1:
        if each.checklist is not None:
            drawn.add_row(Text("all that is met or not", "strong"), "", *_numbers(each.checklist, has_scores=False))
        if each.scores is not None:
            drawn.add_row(Text("all scores", "strong"), "", *_numbers(each.scores, has_scores=True))
    return drawn


def _numbers(agreement: Agreement, *, has_scores: bool) -> list[RenderableType]:
    kappas = [agreement.kappa, *([agreement.weighted_kappa] if has_scores else [])]
    is_certain = agreement.pairs >= ENOUGH
    return [
        f"{agreement.pairs:,}",
        percent(agreement.raw),
        *(_kappa(kappa, is_certain=is_certain) for kappa in kappas),
    ]


def _kappa(kappa: Fraction | None, *, is_certain: bool) -> Text:
    if kappa is None:
        return Text(_UNDEFINED, "faint")
    shown = str(rounded(kappa))
    return Text(shown) if is_certain else Text(f"({shown})", "faint")


def _remarks(each: JudgeAgreement) -> Iterator[str]:
    """Give the sentences below a table: what the numbers mean, and what they cannot tell."""
    yield "Kappa is the agreement beyond chance: 1 is full agreement, 0 is what chance gives."
    if each.scores is not None:
        yield "Weighted kappa counts by the square of the distance, so that 7 against 8 is nearly agreement."
    judged = [one.agreement for one in each.criteria]
    if any(agreement.kappa is None for agreement in judged):
        yield f"There is no kappa ({_UNDEFINED}) where both gave one and the same rating throughout."
    if any(agreement.pairs < ENOUGH for agreement in judged):
        yield f"A kappa in brackets comes from fewer than {ENOUGH} pairs: the next one can change it a lot."
    if each.pairs < ENOUGH:
        yield (
            f"{many(each.pairs, 'pair')} {'is' if each.pairs == 1 else 'are'} too few to tell how far the judge can be "
            f"trusted: judge {ENOUGH - each.pairs} more yourself, with `rubric grade FILE --judge manual`."
        )

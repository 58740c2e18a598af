"""Copy a named scorecard into the case, where it can be changed for this case alone. The named one stays for others."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import (
    is_movable,
    is_own_text,
    moved_below,
    named_scorecards,
    scorecard_at,
    step_of,
)
from rubric_core.assist.refactors.refactor import Nature, Refactor, RefactorProposal, proposal
from rubric_core.rules.problem import Severity
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.nodes import Mapping, Pair, Scalar
from rubric_core.text.lines import line_end
from rubric_core.text.spans import Edit, Span


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on the name of a scorecard."""
    pair = scorecard_at(cursor)
    if pair is None or not isinstance(pair.value, Scalar) or not is_own_text(pair.value):
        return None
    present = named_scorecards(cursor)
    cards = present.pair.value if present is not None else None
    named = cards.index.get(pair.value.value) if isinstance(cards, Mapping) else None
    if present is None or named is None or not is_own_text(named.key) or not is_movable(named.value):
        return None
    if _has_errors(cursor, present.chunk, named):
        # They would be there twice.
        return None
    edits = _copy(cursor, pair, present.chunk.text, named)
    return proposal(cursor, f"Copy the scorecard `{named.name}` into this case", edits)


def _has_errors(cursor: Cursor, chunk: Chunk, named: Pair) -> bool:
    analysis = cursor.analysis
    start = analysis.document.start_of(analysis.document.index_of(chunk))
    analysis.attend(Span(start, start))
    return any(
        problem.severity is Severity.ERROR and named.span.start <= problem.span.start <= named.span.end
        for problem in analysis.chunk_problems(chunk)
    )


def _copy(cursor: Cursor, pair: Pair, source: str, named: Pair) -> list[Edit]:
    text, value, card = cursor.text, pair.value, named.value
    case = cursor.case.node if cursor.case is not None else None
    written = moved_below(source, named, column_of(text, pair.key.start), step_of(source, named), cursor.line_break)
    if isinstance(card, Mapping) and card.flow:
        return [Edit(value.start, value.end, written.removeprefix(" "))]
    if case is None or case.flow:
        return []
    end = line_end(text, value.end)
    return [Edit(text.index(":", pair.key.end) + 1, value.end, ""), Edit(end, end, written)]


REFACTOR = Refactor("inline-scorecard", propose, Nature.INLINE, reaches_suite=True)

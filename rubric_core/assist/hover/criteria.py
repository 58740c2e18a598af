"""A criterion: how much it counts, what failing it does to the verdict, and the ruler of its score ranges."""

from decimal import Decimal
from fractions import Fraction
from itertools import groupby

from rubric_core.assist.cursor import Cursor, CursorPart
from rubric_core.assist.hover.cases import judging_parts
from rubric_core.assist.hover.markup import Blocks, Markup, bullets, code, first_of, joined, line, listing, strong
from rubric_core.assist.ruler import ruler_of
from rubric_core.assist.words import case_noun, evaluator_noun
from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import in_words
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.scoring.grades import Verdict, verdict_of
from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.amounts import counted, percent, score_in_words
from rubric_core.views.bands import Form
from rubric_core.views.criteria import CriteriaView, CriterionView, Mode, shares_of
from rubric_core.views.texts import capitalised

_KINDS = {Mode.CHECKLIST: "checklist criterion, met or not", Mode.SCORE_RANGE: "score-range criterion, 0 to 10"}
_MOST_SHOWN = 12
_ON_ITSELF = ("id", "weight", "required")
_RANGES, _BOUNDS = "score_ranges", "score_range"


def about_criterion(cursor: Cursor) -> Blocks:
    """Return what a criterion counts and decides, on its dash, its string, or one of the keys about it."""
    criteria, criterion = cursor.criteria, cursor.criterion
    if criteria is None or criterion is None or criteria.is_single or cursor.last.record is None:
        return ()
    if not cursor.is_on(criterion.node, (*_ON_ITSELF, cursor.dialect.gate_key)):
        return ()
    pair = criterion.pair("id")
    generated = " (a generated id)" if pair is None or is_blank(pair.value) else ""
    head = line(strong("Criterion"), " ", code(criterion.identifier), f"{generated}: {_KINDS[criterion.mode]}.")
    lines = _lines(criteria, criterion)
    if len(lines) > 1 and cursor.case is not None and len(judging_parts(cursor, cursor.case)) > 1:
        case, others = case_noun(cursor.dialect), evaluator_noun(cursor.dialect)
        lines.append(f"Other {others}s of the {case} count beside this list, so the {case}'s score moves less.")
    return head, bullets(lines)


def about_criteria(cursor: Cursor) -> Blocks:
    """Return what each criterion of a list counts and which of them are gates, on the key of the list."""
    node, _, pair, field = cursor.last
    is_list = cursor.part is CursorPart.KEY and field is not None and field.record == "criterion"
    if not is_list or pair is None or not isinstance(node, Mapping):
        return ()
    criteria = cursor.criteria
    if criteria is None or criteria.pair is not pair or criteria.is_single:
        return ()
    shares = {id(share.criterion): percent(share.part) for share in shares_of(criteria)}
    lines = [
        line(code(criterion.identifier), f": {shares.get(id(criterion), 'no share')}{_gate_in_words(criterion)}")
        for criterion in criteria.readable
    ]
    return (bullets(first_of(lines, _MOST_SHOWN)),) if lines else ()


def _gate_in_words(criterion: CriterionView) -> str:
    if criterion.mode is Mode.CHECKLIST:
        return ", required" if criterion.is_required else ""
    gate = _gate_of(criterion)
    return f", {criterion.dialect.table.gates.written(gate)} or more required" if gate else ""


def _gate_of(criterion: CriterionView) -> int | Decimal | None:
    """Return the lowest score of a score-range criterion that does not fail it, if there is one."""
    of_required = criterion.dialect.table.gates.of_required if criterion.required else None
    return of_required if criterion.minimum is None else criterion.minimum


def _verdict(score: Fraction, dialect: Dialect, *, gates_hold: bool = True) -> Verdict:
    return verdict_of(score, gates_hold=gates_hold, marks=dialect.table.marks)


def _consequence(dialect: Dialect, others: str) -> str:
    """Return what a gate fails and what follows; `others` is what does not count where the case fails by it."""
    if dialect.table.gates.fails == "case":
        return f", whatever the {others}"
    evaluator, case = evaluator_noun(dialect), case_noun(dialect)
    in_tool = f"In {dialect.tool} the {case} keeps its score and may pass"
    return f" of the {evaluator}, and of the {case} in Rubric. {in_tool}"


def _lines(criteria: CriteriaView, criterion: CriterionView) -> list[str | Markup]:
    """Return what a criterion counts, and what failing it does."""
    shares = shares_of(criteria)
    share = next((row for row in shares if row.criterion is criterion), None)
    is_readable = all(other.is_readable and other.weight is not None for other in criteria.criteria)
    if share is not None:
        counts = f"{capitalised(counted(share.weight, share.total))}."
    elif is_readable:
        counts = "No effect on the score: its weight is 0."
    else:
        counts = "Its share is unknown: a criterion or a weight of its list cannot be read."
    # Without any weight there is no score; a criterion of weight 0 beside others takes nothing away.
    part = share.part if share is not None else Fraction(0) if is_readable and shares else None
    lines = _checklist_lines if criterion.mode is Mode.CHECKLIST else _range_lines
    return [counts, *lines(criterion, part)]


def _checklist_lines(criterion: CriterionView, part: Fraction | None) -> list[str | Markup]:
    if criterion.is_required:
        why = "Required" if criterion.pair("required") is not None else "Required, which is the default"
        left = f" All others alone give {score_in_words(1 - part)}." if part is not None else ""
        return [line(f"{why}: failing it is a ", strong("fail"), f"{_consequence(criterion.dialect, 'score')}.{left}")]
    if part is None:
        return []
    name = _verdict(1 - part, criterion.dialect).value
    failing = "below 0.6" if criterion.dialect.table.marks.borderline else "below 0.8"
    limit = {"pass": "0.8 or more", "borderline": "from 0.6 to below 0.8", "fail": failing}[name]
    return [line(f"If only it fails, the score is {score_in_words(1 - part)}: ", strong(name), f" ({limit}).")]


def _range_lines(criterion: CriterionView, part: Fraction | None) -> list[str | Markup]:
    gate, dialect = _gate_of(criterion), criterion.dialect
    lines: list[str | Markup] = []
    if gate:
        below = f"Gate: a score below {dialect.table.gates.written(gate)} here is a "
        lines.append(line(below, strong("fail"), f"{_consequence(dialect, 'rest')}."))
    if part is None:
        return lines
    by_score = [
        (score, _verdict(1 - part + part * Fraction(score, HIGHEST), dialect, gates_hold=score >= (gate or LOWEST)))
        for score in range(LOWEST, HIGHEST + 1)
    ]
    parts: list[Markup] = []
    for verdict, group in groupby(by_score, key=lambda entry: entry[1]):
        scores = [score for score, _ in group]
        parts.append(line(f"{in_words(scores[0], scores[-1])} ", strong(verdict.value)))
    limits = "pass starts at 0.8, borderline at 0.6" if dialect.table.marks.borderline else "pass starts at 0.8"
    rest = f". A 0 leaves {score_in_words(1 - part)}; {limits}."
    return [*lines, line("With all else perfect: ", joined(parts), rest)]


def about_bands(cursor: Cursor) -> Blocks:
    """Return the ruler where the cursor is on score ranges, on the bounds of a band or on the gate."""
    index = _ranges_step(cursor)
    if index is None:
        return ()
    criterion = CriterionView(cursor.steps[index].node, 1, cursor.version, cursor.dialect)
    bands, inner = criterion.bands, cursor.steps[index + 1 :]
    marked = None
    # Without inner steps: on the key itself, on the gate beside it, or on an alias of the ranges.
    if inner:
        is_map_key = bands is not None and bands.form is Form.MAP and cursor.part is CursorPart.KEY and len(inner) == 1
        is_item = isinstance(inner[0].node, Sequence) and len(inner) == 1
        if not (is_map_key or is_item or any(step.pair is not None and step.pair.name == _BOUNDS for step in inner)):
            return ()
        whole = inner[0].pair if isinstance(inner[0].node, Mapping) else cursor.node_below(index + 1)
        marked = next((band for band in (bands.bands if bands is not None else ()) if band.whole is whole), None)
    ruler = ruler_of(criterion, cursor.text, marked)
    if ruler is not None:
        return listing(str(ruler)), *((line(" ".join(ruler.notes)),) if ruler.notes else ())
    if bands is None or bands.form is not None or is_blank(bands.node):
        return (line("There are no bands yet."),)
    return (line("The bands cannot be read: this is neither a mapping nor a list."),)


def _ranges_step(cursor: Cursor) -> int | None:
    """Return which step leads into score ranges, or to the gate of a criterion that has some."""
    for index, step in enumerate(cursor.steps):
        name = step.pair.name if step.pair is not None else None
        if step.record is not None and step.record.name == "criterion":
            is_gate = name == cursor.dialect.gate_key and isinstance(step.node, Mapping) and _RANGES in step.node.index
            if name == _RANGES or is_gate:
                return index
    return None

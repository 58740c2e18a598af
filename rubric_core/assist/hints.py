"""Inlay hints: implied values. The extent of bands, shares, gates, generated ids."""

from collections.abc import Collection, Generator, Iterator, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import ByTree, ChunkView
from rubric_core.assist.case_grades import Grades, current_grades, first_line, places_at
from rubric_core.assist.includes import Includes
from rubric_core.assist.words import case_noun, evaluator_noun
from rubric_core.rules.messages import in_words
from rubric_core.schema.scales import HIGHEST, LOWEST, PASS_MARK_DECIMAL
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.text.writing import plural
from rubric_core.views.amounts import counted, describe, exact_sum, percent
from rubric_core.views.bands import Form
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView, CriterionView, Mode, shares_of
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.judging_parts import gate_of, includes_of_case, own_pass_mark, parts_of_case, skips_suite

_COLON = lazily(r"[ \t]*:")
_FEWEST_SIBLINGS = 2


class HintKind(Enum):
    """The kinds of hints; each can be switched off."""

    EXTENT = "the scores that a key of a score map covers"
    SHARE = "the share of the weight of a criterion or an evaluator"
    GATE = "what a gate does to the case"
    IDENTIFIER = "the id that a criterion without one gets"
    GRADE = "the last judgement of a criterion"


class Hint(NamedTuple):
    """A few words shown at an offset, before or behind what they belong to; `detail` is for the tooltip."""

    offset: int
    label: str
    kind: HintKind
    detail: str = ""
    is_before: bool = False

    @property
    def tooltip(self) -> str:
        """Return a sentence that explains the label."""
        return _TOOLTIPS[self.kind].format(label=self.label, detail=self.detail)


_TOOLTIPS = {
    HintKind.EXTENT: "This band covers {label}: up to the next key minus 1, the last band up to 10.",
    HintKind.SHARE: "{detail}.",
    HintKind.GATE: "{detail}",
    HintKind.GRADE: "Last judgement: {label}. {detail}",
    HintKind.IDENTIFIER: "Results call this criterion `{label}`, after its position; add an `id` to name it.",
}


def hints(
    analysis: Analysis, span: Span, kinds: Collection[HintKind] = tuple(HintKind), grades: Grades = MappingProxyType({})
) -> Generator[None, None, list[Hint]]:
    """Return the hints of a stretch, in the order of the text; it reads only the chunks there and yields after each."""
    shown: list[Hint] = []
    if not kinds or not analysis.is_ours():
        return shown
    document, includes = analysis.document, Includes(analysis)
    index, start = 0, span.start
    while start <= span.end and index < len(document.chunks):
        if document.chunks[document.chunk_at(start)] not in analysis.facts.by_chunk:
            # Reading a chunk may join it with the next one, so that its place is looked up afterwards.
            analysis.check_first(Span(start, start))
        index = document.chunk_at(start)
        chunk, base = document.chunks[index], document.start_of(index)
        if analysis.owns(chunk):
            cached = _hints.of(analysis, index)
            here = (*cached.hints, *_of_evaluators(analysis, index, cached, includes))
            shown += [hint._replace(offset=hint.offset + base) for hint in here if hint.kind in kinds]
            if grades and HintKind.GRADE in kinds:
                shown += _grades(analysis, index, base, grades)
        index, start = index + 1, base + len(chunk.text)
        yield
    return sorted((hint for hint in shown if span.start <= hint.offset <= span.end), key=lambda hint: hint.offset)


class _EvaluatorShare(NamedTuple):
    """The weight of evaluators of a case, and of all that it has itself; the suite may add more to these."""

    offset: int
    weight: Decimal
    total: Decimal
    adds_suite: bool
    includes: tuple[str, ...]
    what: str
    is_before: bool = False


class _EvaluatorGate(NamedTuple):
    """The score below which an evaluator fails its case; None means the pass mark of the suite."""

    offset: int
    score: Decimal | None


class _ChunkHints(NamedTuple):
    """The hints of a chunk, and the facts about its evaluators."""

    hints: tuple[Hint, ...]
    evaluators: tuple[_EvaluatorShare | _EvaluatorGate, ...]


def _of_evaluators(analysis: Analysis, index: int, chunk_hints: _ChunkHints, includes: Includes) -> Iterator[Hint]:
    """Yield the hints for evaluators, which depend on the suite as well."""
    if not chunk_hints.evaluators:
        return
    noun = case_noun(analysis.facts.dialect)
    suite = [part.weight for part in includes.of_suite(analysis.document.chunks[index].section)]
    for row in chunk_hints.evaluators:
        if isinstance(row, _EvaluatorGate):
            score = describe(row.score or analysis.facts.suite.inherited.pass_mark or PASS_MARK_DECIMAL)
            detail = f"Required: with a score below {score} the {noun} gets 0, whatever else is good."
            yield Hint(row.offset, f"below {score} the {noun} gets 0", HintKind.GATE, detail)
            continue
        more = [*(suite if row.adds_suite else ()), *map(includes.weight_of, row.includes)]
        others = [weight for weight in more if weight is not None]
        total = row.total + exact_sum(others)
        if len(others) == len(more) and row.weight < total:
            words = counted(row.weight, total, f"the {noun}'s score")
            label = percent(Fraction(row.weight) / Fraction(total))
            yield Hint(row.offset, label, HintKind.SHARE, f"{row.what} {words}", row.is_before)


def _read_evaluators(case: CaseView) -> Iterator[_EvaluatorShare | _EvaluatorGate]:
    parts = parts_of_case(case)
    evaluators = [part.what for part in parts if isinstance(part.what, EvaluatorView) and part.node.origin is None]
    # Without a pass mark of its own, the case takes that of the suite, which is looked up when hints are asked for.
    mark = own_pass_mark(case) or Decimal(0)
    for evaluator in evaluators:
        gate = gate_of(evaluator, case.version, mark)
        pair = evaluator.node.index.get("min_score") or evaluator.node.index.get("required")
        if gate is not None and pair is not None and pair.key.origin is None:
            yield _EvaluatorGate(pair.value.end, gate or None)
    weights = [part.weight for part in parts if part.weight is not None]
    is_uneven = len(set(weights)) > 1 or any("weight" in evaluator.node.index for evaluator in evaluators)
    if not is_uneven or len(weights) < len(parts):
        return
    total, adds, includes = exact_sum(weights), not skips_suite(case), includes_of_case(case)
    for part in parts:
        if part.weight and part.what is not case.criteria and part.node.origin is None:
            fields = part.what.node if isinstance(part.what, EvaluatorView) else None
            keys = ("weight", part.what.record.name_key, "type") if isinstance(part.what, EvaluatorView) else ()
            offset, is_before = _place_of_share(part.node, fields, keys)
            what = f"This {evaluator_noun(case.dialect)} has"
            if isinstance(part.what, CriteriaView):
                what = f"The {plural(len(part.what.criteria), 'string')} of this list have, as one rubric,"
            yield _EvaluatorShare(offset, part.weight, total, adds, includes, what, is_before)


def _hints_of_chunk(view: ChunkView) -> _ChunkHints:
    text = view.chunk.text
    cases = [case for case in view.cases() if case.node.origin is None]
    lists = [criteria for case in cases for criteria in case.all_criteria()]
    hints_here: list[Hint] = []
    for criteria in (*lists, *view.suite_criteria()):
        # Behind an alias all criteria are in one place, where nothing can be distinguished.
        if criteria.pair.key.origin is None and criteria.node.origin is None:
            hints_here += _identifiers(criteria, text)
            hints_here += _shares(criteria)
            for criterion in criteria.criteria:
                hints_here += _extents(criterion, text)
                hints_here += _criterion_gate(criterion)
    evaluators = tuple(row for case in cases for row in _read_evaluators(case))
    return _ChunkHints(tuple(hints_here), evaluators)


_hints = ByTree(_hints_of_chunk)


def _grades(analysis: Analysis, index: int, base: int, grades: Grades) -> Iterator[Hint]:
    """Yield the judgements of the criteria whose text has not changed since they were graded."""
    text = analysis.document.chunks[index].text
    for place in places_at(analysis, index):
        for grade in current_grades(place, grades.get(place.case_id, ())):
            yield Hint(first_line(grade.span, text).end + base, grade.label, HintKind.GRADE, " ".join(grade.sentences))


def _identifiers(criteria: CriteriaView, text: str) -> Iterator[Hint]:
    for criterion in criteria.readable:
        pair = criterion.pair("id")
        if pair is not None and not is_blank(pair.value):
            continue
        label = criterion.identifier
        if pair is not None and pair.key.origin is None:
            # An `id:` without a value.
            yield Hint(_behind_colon(text, pair), label, HintKind.IDENTIFIER)
        else:
            yield Hint(criterion.node.start, label, HintKind.IDENTIFIER, is_before=True)


def _shares(criteria: CriteriaView) -> Iterator[Hint]:
    """Yield the share of each criterion if a weight is written: without one, all count the same, as expected."""
    has_weight = any(criterion.pair("weight") is not None for criterion in criteria.criteria)
    shares = shares_of(criteria) if has_weight else []
    for share in shares if len(shares) >= _FEWEST_SIBLINGS else ():
        offset, is_before = _place_of_share(share.criterion.node, share.criterion.fields, ("weight", "id"))
        words = f"This criterion has {counted(share.weight, share.total)}"
        yield Hint(offset, percent(share.part), HintKind.SHARE, words, is_before)


def _place_of_share(node: Node, fields: Mapping | None, keys: Sequence[str]) -> tuple[int, bool]:
    """Return where a share is: behind the value of one of the keys or behind a string, else before the node."""
    for pair in (fields.index[key] for key in keys if fields is not None and key in fields.index):
        # Keys from a merge key are written elsewhere.
        if pair.key.origin is None and not is_blank(pair.value):
            return pair.value.end, False
    is_string = fields is None and not isinstance(node, BlockScalar)
    return (node.end, False) if is_string or node.origin is not None else (node.start, True)


def _extents(criterion: CriterionView, text: str) -> Iterator[Hint]:
    """Yield the extent of each band of a map; none where a key cannot be read, since it may end the band before it."""
    bands = criterion.bands
    if bands is None or bands.form is not Form.MAP or not bands.is_readable or bands.node.origin is not None:
        return
    for band in bands.bands:
        extent = band.extent if band.lower is not None and LOWEST <= band.lower <= HIGHEST else None
        # A single score is the key itself.
        is_longer = extent is not None and extent[0] < extent[1]
        if extent is not None and is_longer and isinstance(band.whole, Pair) and band.whole.key.origin is None:
            yield Hint(_behind_colon(text, band.whole), in_words(*extent), HintKind.EXTENT)


def _criterion_gate(criterion: CriterionView) -> Iterator[Hint]:
    """Yield what a gate does, in a dialect whose tool does not let it fail the case."""
    dialect = criterion.dialect
    pair = criterion.gate if criterion.mode is Mode.SCORE_RANGE else None
    if dialect.table.gates.fails == "case" or pair is None or pair.key.origin is not None or not criterion.minimum:
        return
    evaluator, case = evaluator_noun(dialect), case_noun(dialect)
    detail = (
        f"With a score below this the {evaluator} fails, and in Rubric the {case} with it, unless the {evaluator} is "
        f"negated. In {dialect.tool} the {case} keeps its score and may pass."
    )
    yield Hint(pair.value.end, f"{dialect.tool} fails the {evaluator} only", HintKind.GATE, detail)


def _behind_colon(text: str, pair: Pair) -> int:
    """Return the offset behind the colon of a pair, or behind its key if the colon is not on the same line."""
    colon = _COLON.match(text, pair.key.end)
    return colon.end() if colon is not None else pair.key.end

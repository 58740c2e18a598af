"""Find the cases of a file that lack rubrics, and why some of them cannot get any."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import Project
from rubric_core.config.config import Config
from rubric_core.dialects.eval_files import document_of
from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.generation.insertion import USUAL_STEP, Indents, InsertionPlace
from rubric_core.grading.questions import prevents_grading
from rubric_core.model.evaluators import CompositeEvaluator, Evaluator, LlmJudge
from rubric_core.model.load import CannotLoad, load_text
from rubric_core.model.outline import outlines
from rubric_core.model.suite import EvalCase, Suite
from rubric_core.rules.problem import Problem
from rubric_core.syntax.document import Document, Located
from rubric_core.syntax.edits import column_of, dash_of, own_pairs
from rubric_core.syntax.nodes import Mapping, Node, Sequence, children, walk
from rubric_core.text.lines import line_start
from rubric_core.text.spans import Span

Number = tuple[int, int]
"""Which suite of a file, and which of its cases, both from 0."""

_NARROWEST_ITEM = 2


@dataclass(frozen=True, slots=True)
class SuiteReading:
    """The suites of a text and its problems."""

    text: str
    path: str
    suites: tuple[Suite, ...]
    problems: tuple[Problem, ...]

    @property
    def cases(self) -> dict[Number, EvalCase]:
        """Return all cases in the order of the text."""
        return {
            (place, number): case for place, suite in enumerate(self.suites) for number, case in enumerate(suite.cases)
        }


@dataclass(frozen=True, slots=True)
class Candidate:
    """A case that lacks rubrics and can get them; `number` is its position in the file."""

    number: Number
    case: EvalCase
    place: InsertionPlace
    indents: Indents

    @property
    def offset(self) -> int:
        """Return where the case starts in the text."""
        return self.place.base + self.place.node.start


@dataclass(frozen=True, slots=True)
class Skipped:
    """A case that gets no rubrics, and why in one sentence. Without an id it is text that cannot be read."""

    case_id: str
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class Survey:
    """The cases of a file that have no rubrics: those that can get some, and the others in the order of the text."""

    reading: SuiteReading
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]


def survey(text: str, path: str, config: Config, project: Project, *, is_named: bool = False) -> Survey:
    """Look for the cases of a file that have an expected outcome and no rubrics.

    Raises CannotGrade if the text is not an eval file.
    """
    reading = read_suites(text, path, config, project, is_named=is_named)
    nodes = _FileNodes(reading, document_of(text, path, config.limits))
    candidates: list[Candidate] = []
    # The cases of a text that cannot be read are unknown.
    skipped = [Skipped("", error.span.start, error.message) for outline in nodes.outlines for error in outline.broken]
    for number, case in reading.cases.items():
        if has_rubrics(case):
            continue
        suite = reading.suites[number[0]]
        dialect = BY_NAME[suite.dialect]
        if not dialect.table.proposals_key:
            sentence = f"The file is written for {dialect.title}, for which no criteria are generated yet."
            skipped.append(Skipped(case.id, suite.spans["cases", number[1]].start, sentence))
            continue
        place = nodes.place(number)
        # A case that `rubric grade` would refuse is not sent to a model either.
        stopping = next((problem for problem in case.problems if prevents_grading(problem)), None)
        reason = nodes.reason_against(number, case, place, stopping)
        if reason is None:
            candidates.append(Candidate(number, case, place, nodes.indents(place)))
        else:
            offset = place.base + place.node.start if stopping is None else stopping.span.start
            skipped.append(Skipped(case.id, offset, reason))
    return Survey(reading, tuple(candidates), tuple(sorted(skipped, key=lambda case: case.offset)))


def read_suites(text: str, path: str, config: Config, project: Project, *, is_named: bool = False) -> SuiteReading:
    """Read a text with the problems that `rubric check` would show.

    Raises CannotGrade if it is not an eval file.
    """
    checked = check_text(text, path=path, config=config, project=project, is_named=is_named)
    if checked.not_checked is not None:
        raise CannotGrade(checked.not_checked.reason)
    try:
        suites = load_text(text, path, problems=checked.problems, config=config)
    except CannotLoad as error:
        raise CannotGrade(error.reason) from None
    return SuiteReading(text, path, suites, checked.problems)


def has_rubrics(case: EvalCase) -> bool:
    """Return whether a case has criteria, of its own or of an evaluator."""
    return any(_has_criteria(evaluator) for evaluator in case.evaluators)


def _has_criteria(evaluator: Evaluator) -> bool:
    if isinstance(evaluator, CompositeEvaluator):
        return any(_has_criteria(member) for member in evaluator.evaluators)
    return isinstance(evaluator, LlmJudge) and bool(evaluator.criteria)


class _FileNodes:
    """The nodes of a file, and the facts of the whole file that are needed for changing a case."""

    def __init__(self, reading: SuiteReading, document: Document) -> None:
        self._reading = reading
        self._document = document
        self.outlines = [outline for outline in outlines(document) if outline.cases is not None]
        self._places = self._places_of(located for outline in self.outlines for located in outline.cases or ())
        self._aliases = frozenset(_aliases(document))
        # The dictionary is filled in reverse, so the first case of equal ids counts.
        self._first_of_id = {case.id: number for number, case in reversed(reading.cases.items())}

    def _places_of(self, cases: Iterable[Located]) -> dict[Span, InsertionPlace]:
        chunks = self._document.chunks
        return {
            case.span: InsertionPlace(chunks[self._document.chunk_at(case.span.start)].text, case.base, case.node)
            for case in cases
            if isinstance(case.node, Mapping)
        }

    def place(self, number: Number) -> InsertionPlace:
        """Return where a case is written."""
        return self._places[self._reading.suites[number[0]].spans["cases", number[1]]]

    def reason_against(
        self, number: Number, case: EvalCase, place: InsertionPlace, stopping: Problem | None
    ) -> str | None:
        """Return why a case without rubrics cannot get any."""
        if not case.expected_outcome:
            return "It has no expected_outcome that criteria could be made of; write one first."
        if stopping is not None:
            return f"Correct its {stopping.severity.value} {stopping.code} first: {stopping.message}"
        if self._first_of_id[case.id] != number:
            return "An earlier case has the same id, so it is ambiguous where to insert criteria; rename one of them."
        return self._reason_of_place(place)

    def _reason_of_place(self, place: InsertionPlace) -> str | None:
        """Return why a change of a case's text would change more than this case."""
        if place.node.origin is not None:
            return "It repeats another case through an alias, so criteria would count for both; write them by hand."
        empty = place.empty_rubrics
        own = (place.node, empty.value) if empty is not None else (place.node,)
        for anchor in self._aliases & {node.meta.anchor for node in own if node.meta is not None}:
            return f"Its anchor `&{anchor}` is used elsewhere, where criteria would count too; write them by hand."
        return None

    def indents(self, place: InsertionPlace) -> Indents:
        """Return the indentation of a case: by its contents, the rest of the file, and its list."""
        seen = _seen_in(place.text, place.node)
        if len(seen) < len(Indents._fields):
            seen = {**_seen_around(place), **self._seen_anywhere, **seen}
        # Missing indents are derived from the others.
        step = seen.get("step") or seen.get("dash") or USUAL_STEP
        return Indents(step, seen.get("dash", step), seen.get("width") or _NARROWEST_ITEM)

    @cached_property
    def _seen_anywhere(self) -> dict[str, int]:
        seen: dict[str, int] = {}
        others = self._places_of(located for outline in self.outlines for located in outline.values.values())
        for place in (*self._places.values(), *others.values()):
            if len(seen) < len(Indents._fields) and place.node.origin is None:
                seen = {**_seen_in(place.text, place.node), **seen}
        return seen


def _aliases(document: Document) -> Iterator[str]:
    """Yield the name of every alias, including those behind merge keys."""
    for chunk in document.chunks:
        root = chunk.tree.root if chunk.tree is not None and "*" in chunk.text else None
        for node in walk(root) if root is not None else ():
            merges = node.meta.merges if node.meta else ()
            for part in (node, *(below for merge in merges for below in walk(merge.value))):
                if part.meta and part.meta.alias:
                    yield part.meta.alias


def _seen_around(place: InsertionPlace) -> dict[str, int]:
    """Return the indents of the list that contains a case, whose key is in column 0."""
    dash = -1 if place.node.flow else dash_of(place.text, place.node)
    if dash < 0:
        return {}
    columns = column_of(place.text, dash)
    first = own_pairs(place.node)[0].key.start if own_pairs(place.node) else dash
    is_beside = not place.text[dash + 1 : first].strip(" ")
    return {"dash": columns, **({"width": column_of(place.text, first) - columns} if is_beside else {})}


def _seen_in(text: str, node: Node) -> dict[str, int]:
    """Return the fields of `Indents` that a node and its descendants show; the outermost ones count."""
    columns_by_kind: dict[str, int] = {}
    level = [node]
    while level and len(columns_by_kind) < len(Indents._fields):
        for collection in level:
            for kind, columns in _offsets(text, collection):
                columns_by_kind.setdefault(kind, columns)
        # Copies of aliases are elsewhere, and the indentation in brackets is arbitrary.
        level = [
            child
            for collection in level
            for child in children(collection)
            if isinstance(child, (Mapping, Sequence)) and not child.flow and child.origin is None
        ]
    return columns_by_kind


def _offsets(text: str, node: Node) -> Iterator[tuple[str, int]]:
    """Yield the offsets in a collection in block style: the columns by which each part is indented."""
    if isinstance(node, Sequence) and not node.flow:
        dashes = column_of(text, node.start)
        for item in node.items:
            # An item below its dash does not show the distance of text from a dash.
            is_beside = text[line_start(text, item.start) : item.start].strip("\ufeff ") == "-"
            if isinstance(item, Mapping) and not item.flow and item.origin is None and is_beside:
                yield "width", max(column_of(text, item.start) - dashes, _NARROWEST_ITEM)
    elif isinstance(node, Mapping) and not node.flow:
        for pair in node.pairs:
            value = pair.value
            if pair.key.origin is None and value.origin is None and value.start > pair.key.end:
                columns = column_of(text, value.start) - column_of(text, pair.key.start)
                if isinstance(value, Sequence) and not value.flow and columns >= 0:
                    yield "dash", columns
                elif isinstance(value, Mapping) and not value.flow and columns > 0:
                    yield "step", columns

"""Apply the steps of a migration to a text, pass by pass, each on the text as the one before it left it."""

import sys
from bisect import bisect_left, bisect_right, insort
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rubric_core.migration.places import FILE, Place, places_of
from rubric_core.migration.steps import Change, Kind, Step
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Mapping, SyntaxProblem, collector_paused
from rubric_core.text.spans import Edit, Span, apply_edits

Pass = tuple[Step, ...]
# Each round of a pass changes what no longer has to be changed afterwards; more rounds than these are a loop.
_MOST_ROUNDS = 200
_BROKEN = "The migrated text would not be YAML, so nothing is changed; please report this file."


@dataclass(frozen=True, slots=True)
class Shape:
    """How a text is read: as JSON lines, as one case, and up to which limits."""

    json_lines: bool = False
    is_one_case: bool = False
    limits: Limits = DEFAULT_LIMITS


class MigrationFinding(NamedTuple):
    """Something to review or to confirm, at an offset of the text before the migration."""

    offset: int
    kind: Kind
    reason: str


class Migrated(NamedTuple):
    """A text after a migration, with everything applied that can be; or the problem that keeps it from being read."""

    text: str
    findings: tuple[MigrationFinding, ...] = ()
    problem: SyntaxProblem | None = None

    def has(self, kind: Kind) -> bool:
        """Return whether something of a kind was found."""
        return any(each.kind is kind for each in self.findings)


def migrate(text: str, passes: Iterable[Pass], shape: Shape = Shape()) -> Migrated:  # noqa: B008 - it is never changed.
    """Return a text after all passes."""
    work = migrating(text, passes, shape)
    result: list[Migrated] = []
    for _ in _collected(work, result):
        pass
    return result[0]


def _collected(work: Generator[None, None, Migrated], result: list[Migrated]) -> Iterator[None]:
    result.append((yield from work))


def migrating(text: str, passes: Iterable[Pass], shape: Shape) -> Generator[None, None, Migrated]:
    """Migrate a text in steps, between which an editor can do other work."""
    with collector_paused():
        state = _State(text, shape)
    if state.problem is not None:
        return Migrated(text, problem=state.problem)
    for steps in passes:
        yield from _run(state, steps)
    if state.problem is not None:
        return Migrated(text, problem=SyntaxProblem(Span(0, 0), _BROKEN))
    return Migrated(state.text, tuple(sorted(state.findings.values(), key=lambda each: each.offset)))


def changes_in(text: str, steps: Pass, shape: Shape) -> Iterator[tuple[Step, Change]]:
    """Yield what steps find in a text; offsets count in the whole of it."""
    yield from _changes(_read(text, shape).parts, steps)


class _Part(NamedTuple):
    """The places of one YAML document, or of one line, and where that starts."""

    base: int
    places: list[Place]


class _Reading(NamedTuple):
    """The parts of a text, and the first problem that keeps it from being read as a whole."""

    parts: list[_Part]
    problem: SyntaxProblem | None


def _read(text: str, shape: Shape) -> _Reading:
    document = Document(text, json_lines=shape.json_lines, limits=shape.limits, is_one_case=True)
    if document.problems:
        return _Reading([], document.problems[0])
    is_case = shape.json_lines or shape.is_one_case
    parts: list[_Part] = []
    problem: SyntaxProblem | None = None
    line, head = 0, ""
    for index, each in enumerate(document.chunks):
        tree, base = document.tree(index), document.start_of(index)
        line += shape.json_lines and isinstance(tree.root, Mapping)
        root = tree.root if isinstance(tree.root, Mapping) else Mapping(0, flow=False)
        if each.kind is ChunkKind.PREFIX:
            head = each.text
        places = [
            Place(FILE, root, each.text, head=each.text if each.kind is ChunkKind.PREFIX else ""),
            *places_of(tree.root, each.text, is_case=is_case, line=line, head=head),
        ]
        parts.append(_Part(base, places))
        if tree.problems and problem is None:
            problem = tree.problems[0]._replace(span=tree.problems[0].span.shifted(base))
    return _Reading(parts, problem)


def _changes(parts: list[_Part], steps: Pass) -> Iterator[tuple[Step, Change]]:
    for base, places in parts:
        for step in steps:
            for place in places:
                if place.record in step.records:
                    yield from ((step, _shifted(found, base)) for found in step.find(place))


def _shifted(found: Change, by: int) -> Change:
    edits = None if found.edits is None else tuple(edit.shifted(by) for edit in found.edits)
    moves = None if found.moves is None else found.moves + by
    return found._replace(at=found.at + by, edits=edits, moves=moves)


class _State:
    """A text under way: what was found so far, and how its offsets relate to the text before."""

    def __init__(self, text: str, shape: Shape) -> None:
        self.text = text
        self._shape = shape
        self.parts, self.problem = _read(text, shape)
        self.findings: dict[tuple[int, Kind], MigrationFinding] = {}
        self._history: list[_Round] = []

    def apply(self, edits: list[Edit]) -> None:
        """Apply the edits of one round."""
        self.text = apply_edits(self.text, edits)
        # The old trees are large; they go before the new ones come.
        self.parts = []
        self.parts, self.problem = _read(self.text, self._shape)
        self._history.append(_Round(edits))

    def note(self, step: Step, found: Change) -> None:
        """Record a change to review; safe changes are not recorded."""
        kind = found.kind or step.kind
        if kind is not Kind.SAFE:
            finding = MigrationFinding(self._origin(found.at), kind, found.reason or step.reason)
            # The reason of a specific step replaces the general one for a key.
            self.findings.setdefault((finding.offset, kind), finding)

    def _origin(self, offset: int) -> int:
        """Return where something stood in the text before the migration."""
        for each in reversed(self._history):
            offset = each.before(offset)
        return offset


class _Round:
    """The edits of one round, in the order of the text, and where what they wrote starts afterwards."""

    def __init__(self, edits: list[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: edit[:2])
        self._starts: list[int] = []
        shift = 0
        for edit in self._edits:
            self._starts.append(edit.start + shift)
            shift += len(edit.text) - (edit.end - edit.start)

    def before(self, offset: int) -> int:
        """Return an offset after the edits as one before them; what was inserted is where it was inserted."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        edit, start = self._edits[at], self._starts[at]
        behind = start + len(edit.text)
        return edit.end + offset - behind if offset >= behind else min(edit.start + offset - start, edit.end)


def _run(state: _State, steps: Pass) -> Iterator[None]:
    """Apply steps until none of them finds anything to change."""
    for _ in range(_MOST_ROUNDS):
        yield
        with collector_paused():
            if not _has_changed(state, steps):
                return


def _has_changed(state: _State, steps: Pass) -> bool:
    """Apply one round of steps and return whether they found anything to change."""
    idle: list[tuple[Step, Change]] = []
    chosen = _Chosen()
    for step, found in _changes(state.parts, steps):
        if found.edits is None:
            idle.append((step, found))
        elif found.edits and chosen.has_room_for(found):
            chosen.add(found)
            state.note(step, found)
    if chosen.edits:
        state.apply(chosen.edits)
        return True
    for step, found in idle:
        state.note(step, found)
    return False


class _Chosen:
    """The edits of one round, in the order of the text; no two of them touch unless they belong together.

    Keys that move take their lines along. Nobody else may insert a line there meanwhile: it would get no indentation.
    """

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._moved: set[int] = set()
        self._regions: list[tuple[int, int]] = []
        self._line_breaks: list[int] = []

    def has_room_for(self, found: Change) -> bool:
        """Return whether the edits of a change disturb none of those chosen before."""
        edits = found.edits or ()
        if any(map(self._touches, edits)) or any(map(self._is_in_region, _line_breaks_in(edits))):
            return False
        return found.moves is None or not (found.moves in self._moved or self._is_busy(_region_of(edits)))

    def add(self, found: Change) -> None:
        """Choose the edits of a change."""
        edits = found.edits or ()
        for edit in edits:
            insort(self.edits, edit)
        for offset in _line_breaks_in(edits):
            insort(self._line_breaks, offset)
        if found.moves is not None:
            self._moved.add(found.moves)
            insort(self._regions, _region_of(edits))

    def _touches(self, edit: Edit) -> bool:
        at = bisect_right(self.edits, (edit.end, sys.maxsize, ""))
        near = self.edits[max(at - 2, 0) : at + 1]
        return any(edit.start <= other.end and other.start <= edit.end for other in near)

    def _is_in_region(self, offset: int) -> bool:
        at = bisect_right(self._regions, (offset, sys.maxsize))
        return at > 0 and offset <= self._regions[at - 1][1]

    def _is_busy(self, region: tuple[int, int]) -> bool:
        """Return whether other keys move in a region, around it or across its ends, or a line is inserted in it."""
        start, end = region
        at = bisect_right(self._regions, (end, sys.maxsize))
        has_line = bisect_right(self._line_breaks, end) > bisect_left(self._line_breaks, start)
        return has_line or (at > 0 and start <= self._regions[at - 1][1])


def _region_of(edits: Iterable[Edit]) -> tuple[int, int]:
    return min(edit.start for edit in edits), max(edit.end for edit in edits)


def _line_breaks_in(edits: Iterable[Edit]) -> list[int]:
    """Return where lines are inserted."""
    return [edit.start for edit in edits if "\n" in edit.text or "\r" in edit.text]

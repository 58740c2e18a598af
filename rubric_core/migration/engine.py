"""Apply the steps of a migration to a text, pass by pass, each to the result of the one before."""

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
# No round of a pass repeats a change; more rounds than these mean an endless loop.
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
    """A text after a migration with all possible changes, or the problem that prevents reading it."""

    text: str
    findings: tuple[MigrationFinding, ...] = ()
    problem: SyntaxProblem | None = None

    def has(self, kind: Kind) -> bool:
        """Return whether there are findings of a kind."""
        return any(finding.kind is kind for finding in self.findings)


def migrate(text: str, passes: Iterable[Pass], shape: Shape = Shape()) -> Migrated:  # noqa: B008 - it is never changed.
    """Return a text after all passes."""
    work = migrating(text, passes, shape)
    try:
        while True:
            next(work)
    except StopIteration as end:
        migrated: Migrated = end.value
    return migrated


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
    return Migrated(state.text, tuple(sorted(state.findings.values(), key=lambda finding: finding.offset)))


def changes_in(text: str, steps: Pass, shape: Shape) -> Iterator[tuple[Step, Change]]:
    """Yield the changes that steps find in a text, with offsets from its start."""
    yield from _changes(_read(text, shape).parts, steps)


class _Part(NamedTuple):
    """The places of one chunk, and the offset of its start."""

    base: int
    places: list[Place]


class _Reading(NamedTuple):
    """The parts of a text, and the first problem that prevents reading it as a whole."""

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
    for index, chunk in enumerate(document.chunks):
        tree, base = document.tree(index), document.start_of(index)
        line += shape.json_lines and isinstance(tree.root, Mapping)
        root = tree.root if isinstance(tree.root, Mapping) else Mapping(0, flow=False)
        is_prefix = chunk.kind is ChunkKind.PREFIX
        head = chunk.text if is_prefix else head
        file = Place(FILE, root, chunk.text, head=head if is_prefix else "")
        places = places_of(tree.root, chunk.text, is_case=is_case, line=line, head=head)
        parts.append(_Part(base, [file, *places]))
        if tree.problems and problem is None:
            problem = tree.problems[0]._replace(span=tree.problems[0].span.shifted(base))
    return _Reading(parts, problem)


def _changes(parts: list[_Part], steps: Pass) -> Iterator[tuple[Step, Change]]:
    for base, places in parts:
        for step in steps:
            for place in places:
                if place.record in step.records:
                    yield from ((step, _shifted(change, base)) for change in step.find(place))


def _shifted(change: Change, by: int) -> Change:
    edits = None if change.edits is None else tuple(edit.shifted(by) for edit in change.edits)
    moves = None if change.moves is None else change.moves + by
    return change._replace(at=change.at + by, edits=edits, moves=moves)


class _State:
    """The text after the rounds so far, what is to be reviewed, and where its offsets were in the original text."""

    def __init__(self, text: str, shape: Shape) -> None:
        self.text = text
        self._shape = shape
        self.parts, self.problem = _read(text, shape)
        self.findings: dict[tuple[int, Kind], MigrationFinding] = {}
        self._history: list[_Round] = []

    def apply(self, edits: list[Edit]) -> None:
        """Apply the edits of one round."""
        self.text = apply_edits(self.text, edits)
        # The old trees are large, so they are freed before the new ones are made.
        self.parts = []
        self.parts, self.problem = _read(self.text, self._shape)
        self._history.append(_Round(edits))

    def note(self, step: Step, change: Change) -> None:
        """Record a change to review; safe changes are not recorded."""
        kind = change.kind or step.kind
        if kind is not Kind.SAFE:
            offset = change.at
            for past in reversed(self._history):
                offset = past.before(offset)
            # The first finding at a key is that of a specific step; a general one comes later and is dropped.
            self.findings.setdefault((offset, kind), MigrationFinding(offset, kind, change.reason or step.reason))


class _Round:
    """The edits of one round, in the order of the text, and where their new texts start after the round."""

    def __init__(self, edits: list[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: edit[:2])
        self._starts: list[int] = []
        shift = 0
        for edit in self._edits:
            self._starts.append(edit.start + shift)
            shift += len(edit.text) - (edit.end - edit.start)

    def before(self, offset: int) -> int:
        """Map an offset after the edits to the one before them; inserted text maps to its insertion."""
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
    for step, change in _changes(state.parts, steps):
        if change.edits is None:
            idle.append((step, change))
        elif change.edits and chosen.has_room_for(change):
            chosen.add(change)
            state.note(step, change)
    if chosen.edits:
        state.apply(chosen.edits)
        return True
    for step, change in idle:
        state.note(step, change)
    return False


class _Chosen:
    """The edits of one round, in the order of the text; no two of them touch unless they belong together.

    Keys are moved with their lines, so no other change may insert a line there: it would keep its old indentation.
    """

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._moved: set[int] = set()
        self._regions: list[tuple[int, int]] = []
        self._line_breaks: list[int] = []

    def has_room_for(self, change: Change) -> bool:
        """Return whether the edits of a change are compatible with those chosen before."""
        edits = change.edits or ()
        if any(map(self._touches, edits)) or any(map(self._is_in_region, _line_breaks_in(edits))):
            return False
        return change.moves is None or not (change.moves in self._moved or self._is_busy(_region_of(edits)))

    def add(self, change: Change) -> None:
        """Choose the edits of a change."""
        edits = change.edits or ()
        for edit in edits:
            insort(self.edits, edit)
        for offset in _line_breaks_in(edits):
            insort(self._line_breaks, offset)
        if change.moves is not None:
            self._moved.add(change.moves)
            insort(self._regions, _region_of(edits))

    def _touches(self, edit: Edit) -> bool:
        at = bisect_right(self.edits, (edit.end, sys.maxsize, ""))
        near = self.edits[max(at - 2, 0) : at + 1]
        return any(edit.start <= other.end and other.start <= edit.end for other in near)

    def _is_in_region(self, offset: int) -> bool:
        at = bisect_right(self._regions, (offset, sys.maxsize))
        return at > 0 and offset <= self._regions[at - 1][1]

    def _is_busy(self, region: tuple[int, int]) -> bool:
        """Return whether other keys move in, around or across a region, or a line is inserted in it."""
        start, end = region
        at = bisect_right(self._regions, (end, sys.maxsize))
        has_line = bisect_right(self._line_breaks, end) > bisect_left(self._line_breaks, start)
        return has_line or (at > 0 and start <= self._regions[at - 1][1])


def _region_of(edits: Iterable[Edit]) -> tuple[int, int]:
    return min(edit.start for edit in edits), max(edit.end for edit in edits)


def _line_breaks_in(edits: Iterable[Edit]) -> list[int]:
    """Return where lines are inserted."""
    return [edit.start for edit in edits if "\n" in edit.text or "\r" in edit.text]

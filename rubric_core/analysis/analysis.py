"""The problems of one document, kept up to date by difference."""

from collections.abc import Callable, Iterable
from functools import partial
from operator import itemgetter

from rubric_core.analysis.chunk_facts import ChunkFacts, top_of
from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.analysis.file_facts import FileFacts
from rubric_core.analysis.file_recognition import Ownership
from rubric_core.analysis.project import NO_PROJECT, Project
from rubric_core.analysis.rule_runner import FileChecker, failures
from rubric_core.analysis.suppression_filter import SuppressionFilter
from rubric_core.analysis.verified import Trials, verified_anchor_fixes
from rubric_core.config.config import DEFAULT, Config
from rubric_core.rules.problem import Fix, Problem, Related, in_order
from rubric_core.rules.suppressions import FILE_ONLY
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Tree, collector_paused
from rubric_core.text.spans import Edit, Span

# Facts of chunks by number; and a function that starts such work in another process: it returns a function that waits
# for the outcome, None after a failure.
FactsByNumber = dict[int, ChunkFacts]
Background = Callable[[Callable[[], FactsByNumber | None]], Callable[[], FactsByNumber | None]]

# At most this many chunks are checked again at once; more of them wait until the rest of the file is read.
_FEW = 32
# Fewer cases than this take less time than starting a second process.
_WORTH_SHARING = 200


class Analysis:
    """A document together with its problems.

    Problems are stored with their chunk and computed again only when its text, or a fact of the file that rules depend
    on, has changed. The remaining work is done in small steps, so that the caller can do other work in between;
    `refresh` takes all steps at once.
    """

    def __init__(  # noqa: PLR0913 - a document, and what counts for it.
        self,
        document: Document,
        *,
        path: str = "",
        config: Config = DEFAULT,
        project: Project = NO_PROJECT,
        background: Background | None = None,
        is_named: bool = False,
    ) -> None:
        self.document = document
        self.path = path
        self.config = config
        self.project = project
        self.facts = FileFacts(document, path, config, project)
        self.checker = FileChecker(document, self.facts, path, config, project)
        self._suppression_filter = SuppressionFilter()
        self._background = background
        self._ownership = Ownership(path, config, is_named=is_named)
        # A file that was an eval file remains one while it is open, so that breaking it does not hide its problems.
        self._ours: set[int] = set()
        # Chunks that are not read yet, and read ones that have to be checked again with other facts. The last one comes
        # first: taking the first entry of a dictionary is slow after many have been taken from the front.
        self._unread: dict[Chunk, None] = {}
        self._unchecked: dict[Chunk, None] = {}
        # The problems of single chunks, and the facts of the file that these were checked with.
        self._own: dict[Chunk, tuple[Problem, ...]] = {}
        self._checked_with: tuple[object, ...] = ()
        # The problems of the file as a whole.
        self._whole: dict[Chunk, tuple[Problem, ...]] = {}
        self._whole_is_stale = True
        # The last list of problems to show, and the places of the chunks at that time.
        self._shown: tuple[dict[Chunk, int], list[tuple[int, Chunk, tuple[Problem, ...]]]] | None = None
        # While this many chunks wait to be checked, the trees of cases without problems are not kept.
        self._many = 32
        # The chunks at the top of the file, where some comments count only.
        self._top: list[Chunk] = []

    def edit(self, edits: Iterable[Edit]) -> None:
        """Change the text; each edit refers to the text after the edit before it."""
        self.document.edit(edits)

    def is_ours(self) -> bool:
        """Return whether the file is an eval file, reading as little of it as possible."""
        # Any top-level key may belong to another tool.
        self.read_top_entries_first()
        while not self.owns_anything and self._unread:
            self.step()
        return self.owns_anything

    @property
    def owns_anything(self) -> bool:
        """Return whether any chunk that was read is part of an eval suite."""
        self._follow()
        return self._everything or bool(self._ours)

    def owns(self, chunk: Chunk) -> bool:
        """Return whether a chunk is in a YAML document that is an eval suite; a file may have others beside it."""
        return self._everything or chunk.section in self._ours

    @property
    def _everything(self) -> bool:
        """Return whether each YAML document of the file is an eval suite, whatever is in it."""
        return self._ownership.has_everything(self.facts)

    # The remaining work

    def refresh(self) -> None:
        """Check the changed chunks, or all chunks if a fact of the file changed."""
        with collector_paused():
            if self._background is not None:
                background, self._background = self._background, None
                self._share(background)
            while self.step():
                pass

    def step(self) -> bool:
        """Do the next step of the remaining work; return whether there was any."""
        self._follow()
        if self._top_level_waits():
            self._read(_last(self._unread))
        elif self._unchecked and (len(self._unchecked) <= _FEW or not self._unread):
            self._check_again(_last(self._unchecked))
        elif self._unread:
            self._read(_last(self._unread))
        elif self._whole_is_stale or self.facts.whole_changed():
            self._whole = self.checker.check_whole(None if self._everything else self._ours)
            self._shown = None
            self._whole_is_stale = False
            self.facts.whole_was_checked()
        else:
            return False
        return True

    @property
    def is_complete(self) -> bool:
        """Return whether no work remains."""
        waiting = self.document.has_changes or self._unread or self._unchecked
        return not (waiting or self._whole_is_stale or self.facts.whole_changed())

    def check_first(self, span: Span) -> None:
        """Check the chunks at a span before the rest of the remaining work."""
        self._follow()
        for _, chunk in self._chunks_at(span):
            if chunk in self._unread:
                self._read(chunk)
            if chunk in self._unchecked:
                self._check_again(chunk)

    def read_top_entries_first(self) -> None:
        """Read the top-level entries before the rest of the remaining work; assistance depends on them."""
        self._follow()
        for chunk in [chunk for chunk in self._unread if chunk.kind not in CASES_IN_LISTS]:
            if chunk in self._unread:
                self._read(chunk)

    def _follow(self) -> None:
        """Record which chunks were added and removed; top-level entries are read first, since cases depend on them."""
        document = self.document
        if not document.has_changes:
            return
        removed, fresh = document.take_changes()
        before, self._top = self._top, top_of(document.chunks)
        moved = [chunk for chunk in (*before, *self._top) if (chunk in before) is not (chunk in self._top)]
        gone = frozenset(removed)
        unread = dict.fromkeys(chunk for chunk in (*moved, *fresh) if chunk not in gone)
        for chunk in (*removed, *unread):
            self.facts.remove(chunk)
        self.facts.follow(removed, fresh)
        for chunk in removed:
            self._unread.pop(chunk, None)
            self._unchecked.pop(chunk, None)
            self._forget(chunk)
        if gone:
            self._forget_problems_about(gone, unread)
        in_order_of_reading = sorted(unread, key=lambda chunk: chunk.kind in CASES_IN_LISTS)
        for chunk in reversed(in_order_of_reading):
            self._unchecked.pop(chunk, None)
            self._unread.pop(chunk, None)
            self._unread[chunk] = None
        if gone and not self._unread:
            # No other chunk will be read that would detect the facts lost with them.
            self._compare_facts()

    def _read(self, chunk: Chunk) -> None:
        """Parse a chunk, take in its facts and check it."""
        tree = self.document.tree(self.document.index_of(chunk))
        if self.document.has_changes:
            # It was joined with others, and the joined chunk is read in its turn.
            self._follow()
            if chunk in self._unread and chunk.tree is None:
                return
            tree = chunk.tree or tree
        if chunk not in self._unread:
            return
        del self._unread[chunk]
        self.facts.add(chunk, tree, starts_file=chunk in self._top)
        if chunk.kind not in CASES_IN_LISTS and self._top_level_waits():
            # Each of the others may change the facts that all are checked with.
            self._unchecked[chunk] = None
            return
        is_owner = chunk.section in self._ours or chunk.section not in self.facts.ours
        if not is_owner:
            self._take_ownership(chunk.section)
        if self._compare_facts() and (is_owner or self._everything):
            self._note(chunk, tree)

    def _top_level_waits(self) -> bool:
        """Return whether a top-level entry is the next chunk to read."""
        return bool(self._unread) and _last(self._unread).kind not in CASES_IN_LISTS

    def _take_ownership(self, section: int) -> None:
        """Record that a YAML document is an eval suite, so that its chunks have to be checked."""
        self._ours.add(section)
        self._whole_is_stale = True
        if self._everything:
            return
        first, stop = self.document.section_bounds(section)
        for chunk in reversed(self.document.chunks[first:stop]):
            if chunk in self.facts.by_chunk:
                self._unchecked.pop(chunk, None)
                self._unchecked[chunk] = None

    def _compare_facts(self) -> bool:
        """Return whether the facts are unchanged; if not, all chunks that were read have to be checked again."""
        checked_with = self.facts.suite, self._everything, self.facts.over_limit > 0
        if checked_with == self._checked_with:
            return True
        self._checked_with = checked_with
        self._unchecked = dict.fromkeys(reversed(self.facts.by_chunk))
        self._whole_is_stale = True
        return False

    def _check_again(self, chunk: Chunk) -> None:
        # Unread chunks may bring back facts that were removed with them.
        self._compare_facts()
        del self._unchecked[chunk]
        self._note(chunk, self.document.tree_of(chunk))

    def _note(self, chunk: Chunk, tree: Tree) -> None:
        """Check a chunk and keep its problems."""
        failed_before = failures()
        problems = self.checker.check(chunk, tree, self.facts.by_chunk[chunk]) if self.owns(chunk) else ()
        if problems:
            self._own[chunk] = problems
            self._shown = None
            return
        self._forget(chunk)
        is_needed = tree.problems or tree.anchors or tree.external or tree.repeats or failures() != failed_before
        # If many are checked, the tree of a case without problems is not kept: parsing it again takes 0.2 ms.
        is_one_of_many = len(self._unread) + len(self._unchecked) >= self._many
        if is_one_of_many and chunk.kind in CASES_IN_LISTS and not is_needed:
            chunk.tree = None

    def _forget(self, chunk: Chunk) -> None:
        """Drop the problems of a chunk."""
        if self._own.pop(chunk, None) is not None or chunk in self._whole:
            self._shown = None

    def _forget_problems_about(self, gone: frozenset[Chunk], unread: Iterable[Chunk]) -> None:
        """Drop problems that name a place in a removed chunk; their chunks are checked again in their turn."""
        for chunk in unread:
            if any(problem.names_place_in(gone) for problem in self._own.get(chunk, ())):
                self._forget(chunk)
        for chunk, problems in list(self._whole.items()):
            if chunk in gone or any(problem.names_place_in(gone) for problem in problems):
                del self._whole[chunk]
                self._whole_is_stale, self._shown = True, None

    def _share(self, background: Background) -> None:
        """Check the second half of the cases in another process while the first half is checked here.

        Of cases without problems there, the facts are used; the rest is read here as well.
        """
        self._follow()
        while self._top_level_waits():
            self.step()
        while self._unchecked:
            self._check_again(_last(self._unchecked))
        cases = list(reversed(self._unread))
        half = len(cases) // 2
        if len(cases) < _WORTH_SHARING:
            return
        wait = background(lambda: self._sound_ones(cases[half:]))
        count = len(self.document.chunks)
        self._unread = dict.fromkeys(reversed(cases[:half]))
        while self._unread or self._unchecked:
            self.step()
        sound = wait() if len(self.document.chunks) == count else None
        self._unread = dict.fromkeys(reversed(cases[half:]))
        for number, outline in (sound or {}).items():
            self.document.pass_over(cases[half + number])
            self.facts.add_facts(cases[half + number], outline)
            del self._unread[cases[half + number]]
        for section in self.facts.ours - self._ours:
            self._take_ownership(section)
        self._compare_facts()

    def _sound_ones(self, cases: list[Chunk]) -> FactsByNumber | None:
        """Return the facts of the cases without problems, by their number; None if chunks had to be joined."""
        count = len(self.document.chunks)
        self._unread = dict.fromkeys(reversed(cases))
        self._many = 0
        while self._unread or self._unchecked:
            self.step()
        if len(self.document.chunks) != count:
            return None
        outlines = self.facts.by_chunk
        return {number: outlines[chunk] for number, chunk in enumerate(cases) if chunk.tree is None}

    # Problems

    def chunk_problems(self, chunk: Chunk) -> tuple[Problem, ...]:
        """Return the problems of one chunk, offsets counting from its start; suppressions are not applied."""
        own = self._own.get(chunk, ())
        return (*own, *self._whole[chunk]) if chunk in self._whole else own

    def troubled_chunks(self) -> set[Chunk]:
        """Return the chunks that have problems."""
        return {*self._own, *self._whole}

    def shown(self) -> list[tuple[int, Chunk, tuple[Problem, ...]]]:
        """Return the chunks with problems that no comment suppresses, in order; offsets count from the chunk."""
        indices = self.document.indices
        if self.facts.with_directives:
            troubled = {*self._own, *self._whole, *self.facts.with_directives}
            return self._suppression_filter.shown(self, sorted([(indices[chunk], chunk) for chunk in troubled]))
        if self._shown is not None and self._shown[0] is indices:
            return self._shown[1]
        whole = self._whole
        shown = [(indices[chunk], chunk, problems) for chunk, problems in self._own.items() if chunk not in whole]
        shown += [(indices[chunk], chunk, self.chunk_problems(chunk)) for chunk in whole]
        shown.sort(key=itemgetter(0))
        self._shown = indices, shown
        return shown

    def problems(self) -> list[Problem]:
        """Return all problems of the document with offsets in the whole text, in the order of the text."""
        self.refresh()
        with collector_paused():
            return self._made_absolute(self.shown())

    def problems_at(self, span: Span) -> list[Problem]:
        """Return the problems of the chunks that a stretch of the text touches."""
        self.check_first(span)
        return self._made_absolute(self._suppression_filter.shown(self, self._chunks_at(span)))

    def _chunks_at(self, span: Span) -> list[tuple[int, Chunk]]:
        first, last = self.document.chunk_at(span.start), self.document.chunk_at(span.end)
        return list(enumerate(self.document.chunks[first : last + 1], first))

    def _made_absolute(self, shown: list[tuple[int, Chunk, tuple[Problem, ...]]]) -> list[Problem]:
        placed = [(chunk, self.document.start_of(index), problems) for index, chunk, problems in shown]
        return in_order([self.absolute(problem, chunk, start) for chunk, start, own in placed for problem in own])

    def absolute(self, problem: Problem, chunk: Chunk, base: int) -> Problem:
        """Return a problem with offsets in the whole text. It is constructed: `replace` is twice as slow."""
        related = problem.related and self._absolute_places(problem.related, base)
        return Problem(
            problem.code,
            problem.name,
            problem.severity,
            problem.span.shifted(base),
            problem.message,
            related,
            partial(self.fixes_of, problem, chunk, base) if problem.fixes or problem.anchor_fixes else None,
            problem.deprecated,
            problem.prevents_grading,
            problem.message_with_lines,
        )

    def _absolute_places(self, places: tuple[Related, ...], base: int) -> tuple[Related, ...]:
        return tuple(Related(place.span.shifted(self.start_of(place.chunk, base)), place.message) for place in places)

    def start_of(self, chunk: object | None, base: int) -> int:
        """Return the start of the chunk of a place that a problem names: by default the problem's own."""
        return self.document.start_of(self.document.index_of(chunk)) if isinstance(chunk, Chunk) else base

    def fixes_of(self, problem: Problem, chunk: Chunk, base: int, trials: Trials | None = None) -> list[Fix]:
        """Return the fixes of a problem with offsets in the whole text; `trials` are those of its chunk, if any."""
        if problem.fixes is None and problem.anchor_fixes is not None:
            anchored = problem.anchor_fixes.origin.chunk
            target = anchored if isinstance(anchored, Chunk) else chunk
            self.document.tree_of(target)
            start = self.start_of(target, base)
            return [fix.shifted(start) for fix in verified_anchor_fixes(self, target, problem.anchor_fixes)]
        if problem.code in FILE_ONLY and problem.fixes is not None:
            # Rules do not check comments, so there is nothing to try.
            return [fix.shifted(base) for fix in problem.fixes()]
        # The chunk of a problem of the file as a whole may have lost its tree.
        self.document.tree_of(chunk)
        return [fix.shifted(base) for fix in (trials or Trials(self, chunk)).fixes(problem)]


def _last(chunks: dict[Chunk, None]) -> Chunk:
    """Return the last key, by popping and inserting it: an iterator would walk over all deleted entries behind it."""
    chunk, _ = chunks.popitem()
    chunks[chunk] = None
    return chunk

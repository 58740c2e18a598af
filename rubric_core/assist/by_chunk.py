"""Results that are computed chunk by chunk, and cached for each chunk.

The text of a chunk never changes: an edit replaces the chunk. A result for a chunk is therefore valid as long as the
chunk exists, and after a keystroke only one chunk has to be computed again.

A result must not refer to its chunk, directly or through a node: the result lives as long as the chunk, so both would
be kept for ever.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import cases_of
from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.dialects.dialect import Dialect
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Mapping, Tree
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.evaluators import EvaluatorsView, read_evaluators

Outcome = TypeVar("Outcome")


def read_all(analysis: Analysis) -> Generator[None, None, bool]:
    """Read the rest of a file that was just opened, in small steps, and return whether it is an eval file."""
    while analysis.step():
        yield
    return analysis.owns_anything


def own_chunks(analysis: Analysis) -> Iterator[tuple[int, Chunk]]:
    """Yield the chunks of eval suites with their indices; a chunk may be joined with the next one in between."""
    index = 0
    while index < len(analysis.document.chunks):
        chunk = analysis.document.chunks[index]
        if analysis.owns(chunk):
            yield index, chunk
        index += 1


class ChunkView(NamedTuple):
    """A parsed chunk, with its dialect and YAML version."""

    chunk: Chunk
    tree: Tree
    version: YamlVersion
    dialect: Dialect

    def cases(self) -> Iterator[CaseView]:
        """Yield the cases that are mappings, also such as an alias repeats."""
        cases = cases_of(self.chunk, self.tree.root)[1]
        return (CaseView(case, self.version, self.dialect) for case in cases if isinstance(case, Mapping))

    @property
    def suite(self) -> Mapping | None:
        """Return the entries of the suite; None if the chunk has only cases."""
        root = self.tree.root
        return root if isinstance(root, Mapping) and self.chunk.kind not in CASES_IN_LISTS else None

    def suite_evaluators(self) -> list[EvaluatorsView]:
        """Return the lists of the suite's own evaluators."""
        suite, dialect = self.suite, self.dialect
        return read_evaluators(suite, dialect.suite, self.version, dialect) if suite is not None else []

    def suite_criteria(self) -> Iterator[CriteriaView]:
        """Yield the lists of criteria of the suite's own evaluators."""
        for evaluators in self.suite_evaluators():
            yield from evaluators.all_criteria()


Work = Callable[[ChunkView], Outcome]


def on_tree(analysis: Analysis, index: int, work: Work[Outcome]) -> Outcome:
    """Return a result computed from the tree of a chunk; a tree that is parsed only for this is dropped again."""
    document = analysis.document
    was_there = document.chunks[index].tree is not None
    index = document.read(index)
    tree, chunk = document.tree(index), document.chunks[index]
    outcome = work(ChunkView(chunk, tree, document.version(chunk), analysis.facts.dialect))
    # Trees with anchors are kept for look-ups, and those of broken text because parsing it again would be useless.
    if not (was_there or tree.anchors or tree.external or tree.problems):
        chunk.tree = None
    return outcome


class ByTree(Generic[Outcome]):
    """Results that are computed from the tree of each chunk, cached as long as the chunk exists."""

    def __init__(self, work: Work[Outcome]) -> None:
        self._work = work
        self._cache: WeakKeyDictionary[Chunk, tuple[YamlVersion, Dialect, Outcome]] = WeakKeyDictionary()

    def of(self, analysis: Analysis, index: int) -> Outcome:
        """Return the outcome for a chunk."""
        document = analysis.document
        chunk = document.chunks[index]
        cached = self._cache.get(chunk)
        # A new or removed directive, or a mark of another dialect, changes the meaning of the same text.
        if cached is not None and cached[0] is document.version(chunk) and cached[1] is analysis.facts.dialect:
            return cached[2]
        return on_tree(analysis, index, self._remember)

    def _remember(self, view: ChunkView) -> Outcome:
        outcome = self._work(view)
        # A result that depends on an anchor in another chunk may change without this chunk.
        if not view.tree.external:
            self._cache[view.chunk] = (view.version, view.dialect, outcome)
        return outcome

"""Work that goes over all chunks of a document, remembered by chunk.

A chunk never changes its text: an edit puts another chunk in its place. What was worked out for a chunk is therefore
right as long as the chunk is there, and asking again after a keystroke costs the work for one of them.

An outcome must not hold its chunk, directly or through a node: the outcome is kept as long as the chunk is, so both
would be kept for ever.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.facts import CASES_IN_LISTS
from rubric_core.analysis.outline import cases_of
from rubric_core.schema.dialects import AGENTV_2
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Node, Tree
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.evaluators import read_evaluators

Outcome = TypeVar("Outcome")


def read_all(analysis: Analysis) -> Generator[None, None, bool]:
    """Read what is left of a file that was just opened, in small steps, and tell whether it is ours."""
    while analysis.step():
        yield
    return analysis.owns_anything


def on_tree(document: Document, index: int, work: Callable[[Chunk, Tree, YamlVersion], Outcome]) -> Outcome:
    """Work something out from the tree of a chunk. A tree that was not there before is let go again."""
    was_there = document.chunks[index].tree is not None
    index = document.read(index)
    tree, chunk = document.tree(index), document.chunks[index]
    outcome = work(chunk, tree, document.version(chunk))
    # Others look up anchors in the trees that define them, and a broken text would be read in vain again.
    if not (was_there or tree.anchors or tree.external or tree.problems):
        chunk.tree = None
    return outcome


def cases_in(chunk: Chunk, root: Node | None, version: YamlVersion) -> Iterator[CaseView]:
    """Yield the cases of a chunk that are mappings, also such as an alias repeats."""
    return (CaseView(case, version, AGENTV_2) for case in cases_of(chunk, root)[1] if isinstance(case, Mapping))


def suite_of(chunk: Chunk, root: Node | None) -> Mapping | None:
    """Return the entries of the suite in a chunk; None where the chunk holds nothing but cases."""
    return root if isinstance(root, Mapping) and chunk.kind not in CASES_IN_LISTS else None


def criteria_of_suite(chunk: Chunk, root: Node | None, version: YamlVersion) -> Iterator[CriteriaView]:
    """Yield the lists of criteria of the suite's own evaluators."""
    suite = suite_of(chunk, root)
    for evaluators in read_evaluators(suite, AGENTV_2.suite, version, AGENTV_2) if suite is not None else ():
        yield from (each.criteria for each in evaluators.evaluators if each.criteria is not None)


class ByTree(Generic[Outcome]):
    """What is worked out from the tree of each chunk, kept as long as the chunk."""

    def __init__(self, work: Callable[[Chunk, Tree, YamlVersion], Outcome]) -> None:
        self._work = work
        self._known: WeakKeyDictionary[Chunk, tuple[YamlVersion, Outcome]] = WeakKeyDictionary()

    def of(self, document: Document, index: int) -> Outcome:
        """Return the outcome for a chunk."""
        chunk = document.chunks[index]
        known = self._known.get(chunk)
        # A directive that was typed or removed gives the same text another meaning.
        if known is not None and known[0] is document.version(chunk):
            return known[1]
        return on_tree(document, index, self._remember)

    def _remember(self, chunk: Chunk, tree: Tree, version: YamlVersion) -> Outcome:
        outcome = self._work(chunk, tree, version)
        # What depends on an anchor elsewhere may change without the chunk.
        if not tree.external:
            self._known[chunk] = (version, outcome)
        return outcome

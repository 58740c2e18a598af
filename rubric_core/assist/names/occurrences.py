"""Where names stand in one chunk, and what each of them is a name of.

Definition, references, highlights and rename all start from here, so that they agree on what is under the cursor.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.outline import cases_of
from rubric_core.assist.by_chunk import ByTree
from rubric_core.assist.names.anchors import anchor_places
from rubric_core.assist.names.broken import broken_names
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, children
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import EvaluatorsView, read_evaluators
from rubric_core.views.references import References, references_of_case, references_of_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.document import Document
    from rubric_core.syntax.nodes import Origin, Tree
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.views.criteria import CriteriaView

_QUOTED = frozenset({ScalarStyle.SINGLE, ScalarStyle.DOUBLE})
NOWHERE = -1


class NameKind(Enum):
    """What a name is given to. The value is how messages call it."""

    CASE = "case"
    CRITERION = "criterion"
    EVALUATOR = "evaluator"
    SCORECARD = "scorecard"
    TARGET = "target"
    ANCHOR = "anchor"


class Occurrence(NamedTuple):
    """One place at which a name stands. Offsets count from the start of its chunk.

    `span` leaves out quotes and, for anchors, the sign; `whole` has them. `scope` is where the list starts in which the
    name is unique, and `owner` where the case starts that it belongs to; both are -1 for names of the whole file.
    `origin` tells that an alias or a merge key brings the name here from another place. `is_shared` tells that the
    name has an anchor, so that other places may repeat it. `is_broken` tells that the text around it cannot be read.
    """

    kind: NameKind
    name: str
    span: Span
    whole: Span
    style: ScalarStyle = ScalarStyle.PLAIN
    defines: bool = False
    scope: int = NOWHERE
    owner: int = NOWHERE
    origin: Origin | None = None
    is_shared: bool = False
    is_broken: bool = False


def occurrences_of(document: Document, index: int) -> tuple[Occurrence, ...]:
    """Return the names in a chunk."""
    return _occurrences.of(document, index)


def _read(chunk: Chunk, tree: Tree, version: YamlVersion) -> tuple[Occurrence, ...]:
    root = tree.root
    if root is None:
        return tuple(_broken(chunk)) if tree.problems else ()
    found: list[Occurrence] = []
    if "&" in chunk.text or "*" in chunk.text:
        found += _anchors(chunk, root)
    in_list = chunk.kind is ChunkKind.ITEM or chunk.kind is ChunkKind.LINE
    if isinstance(root, Mapping) and not in_list:
        found += _names_of_suite(root, version)
    for case in cases_of(chunk, root)[1]:
        if isinstance(case, Mapping):
            found += _names_of_case(CaseView(case, version))
    return tuple(found)


_occurrences = ByTree(_read)


def _broken(chunk: Chunk) -> Iterator[Occurrence]:
    for word, name, span, whole in broken_names(chunk):
        yield Occurrence(_BROKEN_KINDS[word], name, span, whole, defines=word in {"&", "id"}, is_broken=True)


_BROKEN_KINDS = {
    "&": NameKind.ANCHOR,
    "*": NameKind.ANCHOR,
    "id": NameKind.CASE,
    "scorecard": NameKind.SCORECARD,
    "target": NameKind.TARGET,
}


def _anchors(chunk: Chunk, root: Node) -> Iterator[Occurrence]:
    for name, whole, defines in anchor_places(chunk.text, root):
        yield Occurrence(NameKind.ANCHOR, name, Span(whole.start + 1, whole.end), whole, defines=defines)


def _names_of_suite(root: Mapping, version: YamlVersion) -> Iterator[Occurrence]:
    evaluators = read_evaluators(root, version)
    yield from _evaluators(evaluators, NOWHERE)
    for pair in root.pairs:
        if pair.name == "scorecards" and isinstance(pair.value, Mapping):
            keys = [named.key for named in pair.value.pairs if isinstance(named.key, Scalar)]
            yield from (_at(NameKind.SCORECARD, key, defines=True) for key in keys)
        elif pair.name in {"execution", "target"}:
            yield from _references(references_of_entry(pair.name, pair.value, evaluators), NOWHERE)


def _names_of_case(case: CaseView) -> Iterator[Occurrence]:
    owner = case.node.start
    if case.identifier is not None:
        yield _at(NameKind.CASE, case.identifier, defines=True)
    if case.criteria is not None:
        yield from _criteria(case.criteria, owner)
    yield from _evaluators(case.evaluators, owner)
    yield from _references(references_of_case(case), owner)


def _references(references: References, owner: int) -> Iterator[Occurrence]:
    for kind, nodes in ((NameKind.TARGET, references.targets), (NameKind.SCORECARD, references.scorecards)):
        for node in nodes:
            occurrence = _at(kind, node, owner=owner)
            yield occurrence._replace(name=occurrence.name.strip())


def _criteria(criteria: CriteriaView, owner: int) -> Iterator[Occurrence]:
    for criterion in criteria.criteria:
        pair = criterion.pair("id")
        if pair is not None and isinstance(pair.value, Scalar) and not is_blank(pair.value):
            yield _at(NameKind.CRITERION, pair.value, defines=True, scope=criteria.node.start, owner=owner)


def _evaluators(lists: list[EvaluatorsView], owner: int) -> Iterator[Occurrence]:
    for evaluators in lists:
        scope = evaluators.pair.value.start
        for evaluator in evaluators.evaluators:
            if evaluator.name is not None:
                yield _at(NameKind.EVALUATOR, evaluator.name, defines=True, scope=scope, owner=owner)
            if evaluator.criteria is not None:
                yield from _criteria(evaluator.criteria, owner)
            yield from _weights_of_members(evaluator.node, owner)


def _weights_of_members(composite: Mapping, owner: int) -> Iterator[Occurrence]:
    """Give the names by which a composite weights its members."""
    members, aggregator = composite.index.get("evaluators"), composite.get("aggregator")
    weights = aggregator.get("weights") if isinstance(aggregator, Mapping) else None
    if members is None or not isinstance(weights, Mapping):
        return
    for pair in weights.pairs:
        if isinstance(pair.key, Scalar):
            yield _at(NameKind.EVALUATOR, pair.key, scope=members.value.start, owner=owner)


def _at(
    kind: NameKind, node: Scalar, *, defines: bool = False, scope: int = NOWHERE, owner: int = NOWHERE
) -> Occurrence:
    meta = node.meta
    return Occurrence(
        kind=kind,
        name=node.value,
        span=content_of(node),
        whole=node.span,
        style=node.style,
        defines=defines,
        scope=scope,
        owner=owner,
        origin=node.origin,
        is_shared=meta is not None and meta.anchor is not None,
    )


def content_of(node: Scalar) -> Span:
    """Return a scalar without its quotes."""
    if node.style in _QUOTED and node.origin is None:
        return Span(node.start + 1, max(node.start + 1, node.end - 1))
    return node.span


def value_of_key(root: Node | None, span: Span) -> Pair | None:
    """Return the pair whose value stands at a place."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            for pair in node.pairs:
                if pair.value.span == span and pair.value.origin is None:
                    return pair
        stack += [child for child in children(node) if child.start <= span.start and span.end <= child.end]
    return None

"""The names in one chunk, with their spans: definition, references, highlights and rename start from here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import scenarios_of
from rubric_core.assist.broken_text import broken_cases
from rubric_core.assist.by_chunk import ByTree, ChunkView
from rubric_core.dialects.parts import NOTES
from rubric_core.schema.fields import Role
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.comments import ScalarSpans
from rubric_core.syntax.nodes import (
    BlockScalar,
    Mapping,
    Node,
    Origin,
    Pair,
    Scalar,
    ScalarStyle,
    Sequence,
    children,
    walk,
)
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView
from rubric_core.views.references import References, references_of_case, references_of_suite
from rubric_core.views.templates import template_names

if TYPE_CHECKING:
    from rubric_core.assist.notes import Notes

ITEMS, KEYS = "[]", "{}"
"""Steps of a path: to each item of a list, and to each key of a mapping. All others are keys."""
NamePath = tuple[str, ...]
_IDENTIFIER = lazily(r"(?<![\w.$])[A-Za-z_]\w*")
QUOTED = frozenset({ScalarStyle.SINGLE, ScalarStyle.DOUBLE})
WHOLE_FILE = -1
_ANCHOR = lazily(r"&([^\s,\[\]{}]+)")
_ANCHOR_OR_ALIAS = lazily(r"(?:^|(?<=[\s\[{,]))([&*])([\w-]+)", re.MULTILINE)
_USE = lazily(
    r"""(?:^|[\s{,"'])(scorecard|target)["']?[ ]*:[ ]+(["']?)([^\s"'#{}\[\],&*|>][^\s"'{}\[\],]*)""", re.MULTILINE
)
_COMMENT_LINE = lazily(r"[ \t]*#|.*[ \t]#")
_COMMENT = lazily(r"(?:(?<=[ \t\r\n\ufeff])|\A)#")


class NameKind(Enum):
    """The kind of a named thing. The value is its noun in messages."""

    CASE = "case"
    CRITERION = "criterion"
    EVALUATOR = "evaluator"
    SCORECARD = "scorecard"
    TARGET = "target"
    ANCHOR = "anchor"
    VARIABLE = "variable"
    PROMPT = "prompt"


class NamePlace(NamedTuple):
    """Where a suite, a scenario or a case has names of a kind, and whether these define something."""

    kind: NameKind
    path: NamePath
    defines: bool = False


SCORECARDS = NamePlace(NameKind.SCORECARD, ("scorecards", KEYS), defines=True)


class Name(NamedTuple):
    """One occurrence of a name.

    `span` leaves out quotes and, for anchors, the sign; `whole` has them. `scope` is where the list starts in which the
    name is unique, and `WHOLE_FILE` for names of the whole file. `origin` means that an alias or a merge key brings the
    name here from another place. `is_shared` means that the name has an anchor, so that other places may repeat it.
    `is_broken` means that the text around it cannot be read, `is_hidden` that escapes in it or an alias leave no place
    for the name alone. The cached names of a chunk count from its start, see `placed`.
    """

    kind: NameKind
    text: str
    span: Span
    whole: Span
    style: ScalarStyle = ScalarStyle.PLAIN
    defines: bool = False
    scope: int = WHOLE_FILE
    origin: Origin | None = None
    is_shared: bool = False
    is_broken: bool = False
    is_hidden: bool = False
    chunk_index: int = -1

    def placed(self, chunk_index: int, base: int) -> Name:
        """Return the name of a chunk with offsets in the whole text; `base` is where the chunk starts."""
        span, whole = self.span.shifted(base), self.whole.shifted(base)
        return self._replace(span=span, whole=whole, chunk_index=chunk_index)


def names_called(analysis: Analysis, index: int, kind: NameKind, text: str) -> list[Name]:
    """Return the places in a chunk that have a name, with offsets in the whole text."""
    base = analysis.document.start_of(index)
    names = names_in_chunk(analysis, index)
    return [name.placed(index, base) for name in names if name.kind is kind and name.text == text]


def _read(view: ChunkView) -> tuple[Name, ...]:
    chunk, root = view.chunk, view.tree.root
    if root is None:
        return tuple(_broken(chunk)) if view.tree.problems else ()
    names: list[Name] = []
    if "&" in chunk.text or "*" in chunk.text:
        names += sorted(_anchors(chunk.text, root), key=lambda anchor: anchor.whole)
    notes, scenarios = NOTES.of(view.dialect), scenarios_of(chunk, root)
    if view.suite is not None:
        names += _names_of_suite(view.suite, view.suite_evaluators(), chunk.text, notes)
    if notes.metric and notes.metric in chunk.text:
        names += _metrics_elsewhere(view, scenarios, notes)
    for scenario in scenarios:
        names += _names_at(scenario, notes.scenario_names)
    for case in view.cases():
        names += _names_of_case(case, notes)
    if notes.variables:
        names += _variables_used(chunk.text, root)
    return tuple(names)


names_in_chunk = ByTree(_read).of
"""Return the names in a chunk, with offsets that count from its start."""


def _broken(chunk: Chunk) -> Iterator[Name]:
    """Yield the names of a text that cannot be parsed."""
    text = chunk.text
    for case in broken_cases(chunk):
        if case.name:
            yield Name(NameKind.CASE, case.name, case.place, case.place, defines=True, is_broken=True)
    for match in _ANCHOR_OR_ALIAS.finditer(text):
        if not _COMMENT_LINE.match(text, line_start(text, match.start()), match.start()):
            yield _anchor(match[2], match.start(1), defines=match[1] == "&")._replace(is_broken=True)
    for match in _USE.finditer(text):
        if not _COMMENT_LINE.match(text, line_start(text, match.start(1)), match.start(1)):
            whole = Span(match.start(2), match.end() + len(match[2]))
            yield Name(NameKind(match[1]), match[3], Span(*match.span(3)), whole, is_broken=True)


def _anchors(text: str, root: Node) -> Iterator[Name]:
    names: set[str] = set()
    for node in _written_nodes(root):
        meta = node.meta
        if meta is not None and meta.anchor is not None:
            names.add(meta.anchor)
        if meta is not None and meta.alias is not None:
            yield _anchor(meta.alias, node.start, defines=False)
    # The span of an anchor is not part of its node; it is somewhere between the scalars of the text.
    scalars = ScalarSpans(text, root) if names else None
    for match in _ANCHOR.finditer(text) if scalars is not None else ():
        at = match.start()
        name = match[1] if match[1] in names else match[1].rstrip(":")
        if scalars is not None and name in names and scalars.is_comment(at):
            comments = _COMMENT.finditer(text, line_start(text, at), at)
            if not any(scalars.is_comment(comment.start()) for comment in comments):
                yield _anchor(name, at, defines=True)


def _anchor(name: str, at: int, *, defines: bool) -> Name:
    end = at + 1 + len(name)
    return Name(NameKind.ANCHOR, name, Span(at + 1, end), Span(at, end), defines=defines)


def _written_nodes(root: Node) -> Iterator[Node]:
    """Yield the nodes that are in the text themselves, merge keys included: an alias, but not what it repeats."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if _is_alias(node):
            continue
        stack += [child for child in children(node) if child.origin is None or _is_alias(child)]
        if isinstance(node, Mapping) and node.meta is not None:
            # What is in braces behind a merge key is among the pairs already.
            values = (merge.value for merge in node.meta.merges)
            stack += [value for value in values if not isinstance(value, Mapping) or value.origin]


def _is_alias(node: Node) -> bool:
    return node.meta is not None and node.meta.alias is not None


def nodes_at(node: Node | None, path: NamePath) -> Iterator[Scalar]:
    """Yield the scalars that a path leads to, without those that are blank."""
    if not path:
        if isinstance(node, Scalar) and not is_blank(node):
            yield node
    elif path[0] == ITEMS:
        for item in node.items if isinstance(node, Sequence) else ():
            yield from nodes_at(item, path[1:])
    elif isinstance(node, Mapping) and path[0] == KEYS:
        yield from (pair.key for pair in node.pairs if isinstance(pair.key, Scalar) and pair.key.value)
    elif isinstance(node, Mapping):
        yield from nodes_at(node.get(path[0]), path[1:])


def _names_at(owner: Mapping, places: Iterable[NamePlace]) -> Iterator[Name]:
    for kind, path, defines in places:
        yield from (_at(kind, node, defines=defines) for node in nodes_at(owner, path))


def _names_of_suite(root: Mapping, evaluators: list[EvaluatorsView], text: str, notes: Notes) -> Iterator[Name]:
    yield from _evaluators(evaluators, notes)
    yield from _names_at(root, (SCORECARDS, *notes.suite_names))
    for formula in (node for path in notes.formulas for node in nodes_at(root, path)):
        yield from _metrics_of_formula(formula, text)
    yield from _references(references_of_suite(root, evaluators))


def _metrics_of_formula(formula: Scalar, text: str) -> Iterator[Name]:
    names = [match.group() for match in _IDENTIFIER.finditer(formula.value)]
    start = line_end(text, formula.start) if isinstance(formula, BlockScalar) else formula.start
    matches = list(_IDENTIFIER.finditer(text, start, formula.end)) if formula.origin is None else []
    spans = [Span(*match.span()) for match in matches]
    if formula.meta is not None or [match.group() for match in matches] != names:
        yield from (Name(NameKind.EVALUATOR, name, formula.span, formula.span, is_hidden=True) for name in names)
    else:
        yield from (Name(NameKind.EVALUATOR, *place) for place in zip(names, spans, spans, strict=True))


def _metrics_elsewhere(view: ChunkView, scenarios: Iterable[Mapping], notes: Notes) -> Iterator[Name]:
    """Yield the metrics in the settings of scenarios, and below keys that only aliases and references read."""
    keys = {place.path[0] for place in notes.scenario_names}
    parts: list[Node | None] = [scenario.get(key) for scenario in scenarios for key in keys]
    if view.suite is not None:
        parts += [pair.value for pair in view.suite.pairs if pair.name not in view.dialect.suite.by_key]
    for node in (node for part in parts if part is not None for node in walk(part)):
        if isinstance(node, Mapping) and not notes.beside_metric.isdisjoint(node.index):
            yield from _names_at(node, (NamePlace(NameKind.EVALUATOR, (notes.metric,), defines=True),))


def _variables_used(text: str, root: Node) -> Iterator[Name]:
    """Yield the variables that the templates of a chunk use."""
    used = list(template_names(text))
    scalars = ScalarSpans(text, root) if used else None
    for name in used:
        if scalars is not None and not scalars.is_comment(name.start):
            span = Span(name.start, name.start + len(name.text))
            yield Name(NameKind.VARIABLE, name.text, span, span)


def _names_of_case(case: CaseView, notes: Notes) -> Iterator[Name]:
    if case.identifier is not None:
        yield _at(NameKind.CASE, case.identifier, defines=True)
    yield from _names_at(case.node, notes.case_names)
    if case.criteria is not None:
        yield from _criteria(case.criteria)
    yield from _evaluators(case.evaluators, notes)
    yield from _references(references_of_case(case))


def _references(references: References) -> Iterator[Name]:
    for kind, nodes in ((NameKind.TARGET, references.targets), (NameKind.SCORECARD, references.scorecards)):
        for node in nodes:
            name = _at(kind, node)
            yield name._replace(text=name.text.strip())


def _criteria(criteria: CriteriaView) -> Iterator[Name]:
    for criterion in criteria.criteria:
        for identifier in nodes_at(criterion.fields, ("id",)):
            yield _at(NameKind.CRITERION, identifier, defines=True, scope=criteria.node.start)


def _evaluators(lists: list[EvaluatorsView], notes: Notes) -> Iterator[Name]:
    for evaluators in lists:
        scope = evaluators.pair.value.start
        for evaluator in evaluators.evaluators:
            if evaluator.name is not None:
                # Results put the scores of a metric together, wherever it is.
                is_metric = evaluator.record.name_key == notes.metric
                yield _at(NameKind.EVALUATOR, evaluator.name, defines=True, scope=WHOLE_FILE if is_metric else scope)
            if evaluator.criteria is not None:
                yield from _criteria(evaluator.criteria)
            yield from _weights_of_members(evaluator, notes)


def _weights_of_members(composite: EvaluatorView, notes: Notes) -> Iterator[Name]:
    """Yield the names by which an evaluator weights its members."""
    index = composite.node.index
    lists = (index[key].value for key in composite.record.keys_of(Role.EVALUATORS) if key in index)
    members = next(lists, None)
    if members is not None and notes.member_weights:
        for key in nodes_at(composite.node, notes.member_weights):
            yield _at(NameKind.EVALUATOR, key, scope=members.start)


def _at(kind: NameKind, node: Scalar, *, defines: bool = False, scope: int = WHOLE_FILE) -> Name:
    is_shared = node.meta is not None and node.meta.anchor is not None
    return Name(kind, node.value, content_of(node), node.span, node.style, defines, scope, node.origin, is_shared)


def content_of(node: Scalar) -> Span:
    """Return a scalar without its quotes."""
    if node.style in QUOTED and node.origin is None:
        return Span(node.start + 1, max(node.start + 1, node.end - 1))
    return node.span


def value_of_key(root: Node | None, span: Span) -> Pair | None:
    """Return the pair whose value is at a place."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            for pair in node.pairs:
                if pair.value.span == span and pair.value.origin is None:
                    return pair
        stack += [child for child in children(node) if child.start <= span.start and span.end <= child.end]
    return None

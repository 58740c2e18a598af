"""The names in one chunk: their spans, and what each of them names.

Definition, references, highlights and rename all start from here, so that they agree on what is under the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import scenarios_of
from rubric_core.assist.broken_text import broken_cases
from rubric_core.assist.by_chunk import ByTree, ChunkView
from rubric_core.dialects.eval_files import PROVIDERS
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
from rubric_core.views.evaluators import EvaluatorsView
from rubric_core.views.references import References, references_of_case, references_of_suite
from rubric_core.views.templates import template_names

_VARS = "vars"
_PROMPTS = "prompts"
METRIC = "metric"
# The keys of what is computed from metrics in all dialects.
_DERIVED_METRICS = frozenset({"derived_metrics", "derivedMetrics"})
# What an assertion has beside its metric.
_ASSERTED = frozenset({"type", "$ref"})
_IDENTIFIER = lazily(r"(?<![\w.$])[A-Za-z_]\w*")
_MEMBERS = ("evaluators", "assertions", "assert")
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
    """What a name is given to. The value is how messages call it."""

    CASE = "case"
    CRITERION = "criterion"
    EVALUATOR = "evaluator"
    SCORECARD = "scorecard"
    TARGET = "target"
    ANCHOR = "anchor"
    VARIABLE = "variable"
    PROMPT = "prompt"


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


def names_in_chunk(analysis: Analysis, index: int) -> tuple[Name, ...]:
    """Return the names in a chunk, with offsets that count from its start."""
    return _names.of(analysis, index)


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
    if view.suite is not None:
        names += _names_of_suite(view.suite, view.suite_evaluators(), chunk.text)
    if METRIC in chunk.text and "derived-metric" in view.dialect.records:
        names += _metrics_elsewhere(view)
    for case in view.cases():
        names += _names_of_case(case)
    if _VARS in view.dialect.case.by_key:
        names += _variables(view)
    return tuple(names)


_names = ByTree(_read)


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
    # A node does not know where its own anchor is: somewhere between the scalars of the text.
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


def _names_of_suite(root: Mapping, evaluators: list[EvaluatorsView], text: str) -> Iterator[Name]:
    yield from _evaluators(evaluators)
    for pair in root.pairs:
        if pair.name == "scorecards" and isinstance(pair.value, Mapping):
            keys = [named.key for named in pair.value.pairs if isinstance(named.key, Scalar)]
            yield from (_at(NameKind.SCORECARD, key, defines=True) for key in keys)
        elif pair.name in PROVIDERS:
            yield from (_at(NameKind.TARGET, label, defines=True) for label in labels_of(pair.value))
            for provider in pair.value.items if isinstance(pair.value, Sequence) else ():
                yield from _named_prompts(provider)
        elif pair.name == _PROMPTS:
            yield from (_at(NameKind.PROMPT, label, defines=True) for label in labels_of(pair.value))
        elif pair.name in _DERIVED_METRICS:
            yield from _metrics_in(pair.value, text)
        elif pair.name == "defaults" and isinstance(pair.value, Mapping):
            named = [pair.value.get(key) for key in ("provider", "grader")]
            yield from (_at(NameKind.TARGET, node) for node in named if isinstance(node, Scalar) and node.value)
    yield from _references(references_of_suite(root, evaluators))


def _metrics_in(derived: Node, text: str) -> Iterator[Name]:
    """Yield the names of derived metrics, and the metrics that these are computed from."""
    for item in derived.items if isinstance(derived, Sequence) else ():
        name, written = (item.get("name"), item.get("value")) if isinstance(item, Mapping) else (None, None)
        if isinstance(name, Scalar) and not is_blank(name):
            yield _at(NameKind.EVALUATOR, name, defines=True)
        if isinstance(written, Scalar):
            yield from _metrics_of_formula(written, text)


def _metrics_of_formula(formula: Scalar, text: str) -> Iterator[Name]:
    names = [match.group() for match in _IDENTIFIER.finditer(formula.value)]
    start = line_end(text, formula.start) if isinstance(formula, BlockScalar) else formula.start
    matches = list(_IDENTIFIER.finditer(text, start, formula.end)) if formula.origin is None else []
    spans = [Span(*match.span()) for match in matches]
    if formula.meta is not None or [match.group() for match in matches] != names:
        yield from (Name(NameKind.EVALUATOR, name, formula.span, formula.span, is_hidden=True) for name in names)
    else:
        yield from (Name(NameKind.EVALUATOR, *place) for place in zip(names, spans, spans, strict=True))


def _metrics_elsewhere(view: ChunkView) -> Iterator[Name]:
    """Yield the metrics in the settings of scenarios, and below keys that only aliases and `$ref` read."""
    parts: list[Node | None] = [scenario.get("config") for scenario in scenarios_of(view.chunk, view.tree.root)]
    if view.suite is not None:
        parts += [pair.value for pair in view.suite.pairs if pair.name not in view.dialect.suite.by_key]
    for node in (node for part in parts if part is not None for node in walk(part)):
        metric = node.get(METRIC) if isinstance(node, Mapping) and not _ASSERTED.isdisjoint(node.index) else None
        if isinstance(metric, Scalar) and not is_blank(metric):
            yield _at(NameKind.EVALUATOR, metric, defines=True)


def _named_prompts(owner: Node) -> Iterator[Name]:
    """Yield the prompts that a test or a provider names."""
    named = owner.get(_PROMPTS) if isinstance(owner, Mapping) else None
    for node in named.items if isinstance(named, Sequence) else ():
        if isinstance(node, Scalar) and not is_blank(node):
            yield _at(NameKind.PROMPT, node)


def labels_of(listed: Node) -> Iterator[Scalar]:
    """Yield the names of the providers, or of the prompts, that a suite describes itself."""
    for item in listed.items if isinstance(listed, Sequence) else ():
        label = item.get("label") if isinstance(item, Mapping) else None
        if isinstance(label, Scalar) and not is_blank(label):
            yield label


def _variables(view: ChunkView) -> Iterator[Name]:
    """Yield the variables that a chunk defines, and those that its templates use."""
    chunk, root = view.chunk, view.tree.root
    owners: list[Node | None] = [case.node for case in view.cases()]
    if view.suite is not None:
        starts = (field.name for field in view.dialect.suite.fields if field.record == "default-test")
        owners += [view.suite.get(key) for key in starts]
    for scenario in scenarios_of(chunk, root):
        config = scenario.get("config")
        owners += config.items if isinstance(config, Sequence) else []
    for owner in owners:
        values = owner.get(_VARS) if isinstance(owner, Mapping) else None
        for pair in values.pairs if isinstance(values, Mapping) else ():
            if isinstance(pair.key, Scalar) and pair.key.value:
                yield _at(NameKind.VARIABLE, pair.key, defines=True)
    used = list(template_names(chunk.text))
    scalars = ScalarSpans(chunk.text, root) if used and root is not None else None
    for name in used:
        if scalars is not None and not scalars.is_comment(name.start):
            span = Span(name.start, name.start + len(name.text))
            yield Name(NameKind.VARIABLE, name.text, span, span)


def _names_of_case(case: CaseView) -> Iterator[Name]:
    if case.identifier is not None:
        yield _at(NameKind.CASE, case.identifier, defines=True)
    before = case.node.get("depends_on") if "depends_on" in case.dialect.case.by_key else None
    for node in before.items if isinstance(before, Sequence) else ():
        if isinstance(node, Scalar) and not is_blank(node):
            yield _at(NameKind.CASE, node)
    if _PROMPTS in case.dialect.case.by_key:
        yield from _named_prompts(case.node)
    options = case.node.get("options")
    judge = options.get("provider") if isinstance(options, Mapping) else None
    if isinstance(judge, Scalar) and not is_blank(judge):
        yield _at(NameKind.TARGET, judge)
    if case.criteria is not None:
        yield from _criteria(case.criteria)
    yield from _evaluators(case.evaluators)
    yield from _references(references_of_case(case))


def _references(references: References) -> Iterator[Name]:
    for kind, nodes in ((NameKind.TARGET, references.targets), (NameKind.SCORECARD, references.scorecards)):
        for node in nodes:
            name = _at(kind, node)
            yield name._replace(text=name.text.strip())


def _criteria(criteria: CriteriaView) -> Iterator[Name]:
    for criterion in criteria.criteria:
        pair = criterion.pair("id")
        if pair is not None and isinstance(pair.value, Scalar) and not is_blank(pair.value):
            yield _at(NameKind.CRITERION, pair.value, defines=True, scope=criteria.node.start)


def _evaluators(lists: list[EvaluatorsView]) -> Iterator[Name]:
    for evaluators in lists:
        scope = evaluators.pair.value.start
        for evaluator in evaluators.evaluators:
            if evaluator.name is not None:
                # Results put the scores of a metric together, wherever it is.
                is_metric = evaluator.record.name_key == METRIC
                yield _at(NameKind.EVALUATOR, evaluator.name, defines=True, scope=WHOLE_FILE if is_metric else scope)
            if evaluator.criteria is not None:
                yield from _criteria(evaluator.criteria)
            yield from _weights_of_members(evaluator.node)


def _weights_of_members(composite: Mapping) -> Iterator[Name]:
    """Yield the names by which a composite weights its members."""
    members = next((composite.index[key] for key in _MEMBERS if key in composite.index), None)
    aggregator = composite.get("aggregator")
    weights = aggregator.get("weights") if isinstance(aggregator, Mapping) else None
    if members is None or not isinstance(weights, Mapping):
        return
    for pair in weights.pairs:
        if isinstance(pair.key, Scalar):
            yield _at(NameKind.EVALUATOR, pair.key, scope=members.value.start)


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

"""The mappings of a file to which steps apply. Between two passes, a file has mappings of both dialects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from rubric_core.dialects.registry import CASE_LIST_NAMES, DIALECTS
from rubric_core.schema.fields import Role
from rubric_core.syntax.edits import Data, insert_key, is_merged, remove_pair
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, children
from rubric_core.syntax.scalars import as_boolean, as_number
from rubric_core.text.spans import Edit

FILE, SUITE, CASE, RAW_CASE = "file", "suite", "case", "raw-case"
EVALUATOR, CRITERION, RANGE = "evaluator", "criterion", "score-range"
SUITE_EXECUTION, EXECUTION, TURN, DEFAULT_TEST = "suite-execution", "execution", "turn", "default-test"
OPTIONS, EVALUATE_OPTIONS, PROMPT, SCENARIO = "options", "evaluate-options", "prompt", "scenario"
DEFINITION = "target"
ANY_CASE = (CASE, RAW_CASE)
WITH_LISTS = (SUITE, *ANY_CASE, TURN, DEFAULT_TEST, EXECUTION)
"""The mappings that have lists of evaluators, where these are not members of a group."""

LISTS = tuple(dict.fromkeys(key for dialect in DIALECTS for key in dialect.case.keys_of(Role.EVALUATORS)))
"""The keys of lists of evaluators, in any dialect."""
_DEFAULT_TESTS = tuple(
    field.name for dialect in DIALECTS for field in dialect.suite.fields if field.record == "default-test"
)
CRITERIA_LISTS = ("rubrics", "criteria", "value")
JUDGES = frozenset(
    {
        kind
        for dialect in DIALECTS
        for kind in (*dialect.types, *dialect.old_types, *dialect.removed_types)
        if "rubric" in kind or "llm" in kind
    }
)
"""The types of evaluators that have criteria, under all of their names."""
_CASE_KEYS = frozenset({"rubrics", "input_messages", "expected_outcome", "input", "criteria"})


@dataclass(frozen=True, slots=True)
class Place:
    """A mapping of a file. `around` is the place that contains it, and `siblings` the list that it is an item of.

    `line` counts the lines of JSON lines that have a mapping, from 1 on; elsewhere it is 0. `head` is the text before
    `---`, for a suite and for that text itself.
    """

    record: str
    node: Mapping
    text: str
    around: Place | None = None
    siblings: Sequence | None = None
    line: int = 0
    head: str = ""

    def __contains__(self, name: str) -> bool:
        """Return whether the mapping has a key."""
        return name in self.node.index

    def own(self, name: str) -> Pair | None:
        """Return a key with its value, unless it comes from an alias or a merge key."""
        pair = self.node.index.get(name)
        return None if pair is None or is_merged(self.node, pair) else pair

    def below(self, name: str) -> Mapping | None:
        """Return the mapping under a key, unless it is behind an alias."""
        node = self.node.get(name)
        return node if isinstance(node, Mapping) and not node.origin else None

    def inner(self, name: str, key: str) -> Pair | None:
        """Return a key of the mapping under a key, unless that is behind an alias."""
        below = self.below(name)
        return below.index.get(key) if below is not None else None

    def word(self, name: str) -> str | None:
        """Return the text of a key's value, where it is a single value."""
        node = self.node.get(name)
        return node.value if isinstance(node, Scalar) else None

    def has(self, name: str, inner: str) -> bool:
        """Return whether the mapping under a key has another key."""
        node = self.node.get(name)
        return isinstance(node, Mapping) and inner in node.index

    def number(self, name: str) -> Decimal | None:
        """Return the number under a key."""
        node = self.node.get(name)
        return as_number(node) if node is not None else None

    def is_true(self, name: str) -> bool:
        """Return whether the value of a key is `true`."""
        node = self.node.get(name)
        return node is not None and as_boolean(node) is True

    def sequence(self, *names: str) -> Sequence | None:
        """Return the first list under one of some keys."""
        return next((node for name in names if isinstance(node := self.node.get(name), Sequence)), None)

    def items(self, name: str) -> list[Node]:
        """Return the items of a list under a key, or its only value, unless they come from an alias."""
        pair = self.own(name)
        if pair is None or pair.value.origin:
            return []
        return list(pair.value.items) if isinstance(pair.value, Sequence) else [pair.value]

    def removal(self, pair: Pair) -> Edit | None:
        """Return the edit that removes a key, or None where it cannot be removed."""
        return remove_pair(self.text, self.node, pair)

    def insertion(self, key: str, value: Data, after: Pair | None = None) -> Edit | None:
        """Return the edit that inserts a key, or None if the style does not allow it."""
        return insert_key(self.text, self.node, key, value, after=after)

    def top(self) -> Place:
        """Return the outermost place: the suite, or a case in a file of cases."""
        place = self
        while place.around is not None:
            place = place.around
        return place

    def test(self) -> Place | None:
        """Return the case that the place belongs to, if any."""
        place: Place | None = self
        while place is not None and place.record not in ANY_CASE:
            place = place.around
        return place


def places_of(root: Node | None, text: str, *, is_case: bool = False, line: int = 0, head: str = "") -> Iterator[Place]:
    """Yield every place below the root of a file. `is_case`: the root is one case, on a `line` of JSON lines if any."""
    if isinstance(root, Sequence):
        for item in root.items:
            if isinstance(item, Mapping) and not item.origin:
                yield from _case(Place(RAW_CASE, item, text, None, root))
    elif isinstance(root, Mapping):
        has_list = any(key in root.index for key in (*CASE_LIST_NAMES, "scenarios"))
        is_part = not has_list and (root.index.keys() <= {*LISTS} or not _CASE_KEYS.isdisjoint(root.index))
        if is_case or is_part:
            yield from _case(Place(RAW_CASE, root, text, line=line))
        else:
            yield from _suite(Place(SUITE, root, text, head=head))


def _suite(suite: Place) -> Iterator[Place]:
    yield suite
    yield from _lists(suite)
    yield from _mapping(suite, "execution", SUITE_EXECUTION)
    for key in _DEFAULT_TESTS:
        for place in _mapping(suite, key, DEFAULT_TEST):
            yield place
            if place.record == DEFAULT_TEST:
                yield from _mapping(place, "options", OPTIONS)
    for key in ("evaluateOptions", "evaluate_options"):
        yield from _mapping(suite, key, EVALUATE_OPTIONS)
    for key in ("targets", "providers"):
        yield from _items(suite, key, DEFINITION)
    yield from _items(suite, "prompts", PROMPT)
    for key in CASE_LIST_NAMES:
        for case in _items(suite, key, CASE):
            yield from _case(case)
    for scenario in _items(suite, "scenarios", SCENARIO):
        yield scenario
        for key in ("config", "tests"):
            for case in _items(scenario, key, CASE):
                yield from _case(case)


def _case(case: Place) -> Iterator[Place]:
    yield case
    yield from _criteria(case, "rubrics")
    yield from _lists(case)
    yield from _mapping(case, "execution", EXECUTION)
    yield from _mapping(case, "options", OPTIONS)
    for turn in _items(case, "turns", TURN):
        yield turn
        yield from _lists(turn)


def _mapping(around: Place, key: str, record: str) -> Iterator[Place]:
    node = around.below(key) if around.own(key) is not None else None
    if node is not None:
        place = Place(record, node, around.text, around)
        yield place
        yield from _lists(place)


def _lists(around: Place) -> Iterator[Place]:
    for key in LISTS:
        for evaluator in _items(around, key, EVALUATOR):
            yield evaluator
            yield from _lists(evaluator)
            if evaluator.word("type") in {None, *JUDGES}:
                for criteria in CRITERIA_LISTS:
                    yield from _criteria(evaluator, criteria)


def _criteria(around: Place, key: str) -> Iterator[Place]:
    node = around.below(key) if around.own(key) is not None else None
    single = () if node is None else (Place(CRITERION, node, around.text, around),)
    for criterion in (*single, *_items(around, key, CRITERION)):
        yield criterion
        yield from _items(criterion, "score_ranges", RANGE)


def _items(around: Place, key: str, record: str) -> Iterator[Place]:
    """Yield the mappings of a list, without those of aliases."""
    siblings = around.sequence(key) if around.own(key) is not None else None
    for item in siblings.items if siblings is not None and not siblings.origin else ():
        if isinstance(item, Mapping) and not item.origin:
            yield Place(record, item, around.text, around, siblings)


def own_scalars(node: Node | None) -> Iterator[Scalar]:
    """Yield the scalar values below a node, without those of aliases and without keys."""
    stack = [node] if node is not None else []
    while stack:
        top = stack.pop()
        if top.origin is not None:
            continue
        if isinstance(top, Scalar):
            yield top
        elif isinstance(top, Mapping):
            stack.extend(pair.value for pair in reversed(top.pairs) if pair.key.origin is None)
        else:
            stack.extend(reversed(list(children(top))))

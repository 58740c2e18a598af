"""The mappings of a file that steps apply to, whatever its dialect: a file halfway between two has places of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rubric_core.dialects.registry import CASE_LIST_NAMES, DIALECTS
from rubric_core.schema.fields import Role
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, children

FILE, SUITE, CASE, RAW_CASE, EVALUATOR, CRITERION, RANGE = (
    *("file", "suite", "case", "raw-case", "evaluator", "criterion", "score-range"),
)
SUITE_EXECUTION, EXECUTION, TURN, DEFAULT_TEST = "suite-execution", "execution", "turn", "default-test"
OPTIONS, EVALUATE_OPTIONS, PROMPT, SCENARIO = "options", "evaluate-options", "prompt", "scenario"
DEFINITION = "target"
ANY_CASE = (CASE, RAW_CASE)

LISTS = tuple(dict.fromkeys(key for each in DIALECTS for key in each.case.keys_of(Role.EVALUATORS)))
"""The keys under which lists of evaluators stand, in any dialect."""
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
    """A mapping of a file. `around` is the place that it belongs to, and `siblings` is the list that it is in.

    `line` counts the lines of JSON lines that have a mapping, from 1 on; elsewhere it is 0. `head` is
    what is before `---`: the text of the file before a suite, or that text itself.
    """

    record: str
    node: Mapping
    text: str
    around: Place | None = None
    siblings: Sequence | None = None
    line: int = 0
    head: str = ""

    def own(self, name: str) -> Pair | None:
        """Return a key with its value, unless an alias or a merge key brings it."""
        pair = self.node.index.get(name)
        if pair is None or pair.key.origin is not None:
            return None
        merges = self.node.meta.merges if self.node.meta else ()
        return None if any(each.key.start <= pair.key.start < each.value.end for each in merges) else pair

    def below(self, name: str) -> Mapping | None:
        """Return the mapping under a key, unless it is behind an alias."""
        node = self.node.get(name)
        return node if isinstance(node, Mapping) and not node.origin else None

    def word(self, name: str) -> str | None:
        """Return the text of a key's value, where it is a single value."""
        node = self.node.get(name)
        return node.value if isinstance(node, Scalar) else None

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
    """Yield every place below the root of a file; `is_case` means that the root is one case, perhaps on a `line`."""
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
        yield from (Place(DEFINITION, *each) for each in _items(suite, key))
    yield from (Place(PROMPT, *each) for each in _items(suite, "prompts"))
    for key in CASE_LIST_NAMES:
        for each in _items(suite, key):
            yield from _case(Place(CASE, *each))
    for each in _items(suite, "scenarios"):
        scenario = Place(SCENARIO, *each)
        yield scenario
        for key in ("config", "tests"):
            for inner in _items(scenario, key):
                yield from _case(Place(CASE, *inner))


def _case(case: Place) -> Iterator[Place]:
    yield case
    yield from _criteria(case, "rubrics")
    yield from _lists(case)
    yield from _mapping(case, "execution", EXECUTION)
    yield from _mapping(case, "options", OPTIONS)
    for each in _items(case, "turns"):
        turn = Place(TURN, *each)
        yield turn
        yield from _lists(turn)


def _mapping(around: Place, key: str, record: str) -> Iterator[Place]:
    pair = around.own(key)
    if pair is not None and isinstance(pair.value, Mapping) and not pair.value.origin:
        place = Place(record, pair.value, around.text, around)
        yield place
        yield from _lists(place)


def _lists(around: Place) -> Iterator[Place]:
    for key in LISTS:
        for each in _items(around, key):
            evaluator = Place(EVALUATOR, *each)
            yield evaluator
            yield from _lists(evaluator)
            if evaluator.word("type") in {None, *JUDGES}:
                for listed in CRITERIA_LISTS:
                    yield from _criteria(evaluator, listed)


def _criteria(around: Place, key: str) -> Iterator[Place]:
    pair = around.own(key)
    single = pair is not None and isinstance(pair.value, Mapping) and not pair.value.origin
    nodes = [(pair.value, around.text, around)] if single and pair is not None else _items(around, key)
    for each in nodes:
        criterion = Place(CRITERION, *each)
        yield criterion
        yield from (Place(RANGE, *inner) for inner in _items(criterion, "score_ranges"))


def _items(around: Place, key: str) -> Iterator[tuple[Mapping, str, Place, Sequence]]:
    """Yield the mappings of a list that are in the text themselves."""
    pair = around.own(key)
    listed = pair.value if pair is not None else None
    if isinstance(listed, Sequence) and not listed.origin:
        for item in listed.items:
            if isinstance(item, Mapping) and not item.origin:
                yield item, around.text, around, listed


def own_scalars(node: Node | None) -> Iterator[Scalar]:
    """Yield the values below a node that are in the text themselves; keys are none."""
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

"""What the tables from promptfoo to AgentV 5 and back share: names, ids of tests, marks of files, and thresholds."""

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from rubric_core.dialects.dialect import Dialect
from rubric_core.migration.places import (
    ANY_CASE,
    CASE,
    DEFAULT_TEST,
    DEFINITION,
    EVALUATE_OPTIONS,
    EVALUATOR,
    FILE,
    RAW_CASE,
    SCENARIO,
    SUITE,
    Place,
    own_scalars,
)
from rubric_core.migration.shared_steps import record_of
from rubric_core.migration.steps import Change, Find, Kind, Step, at_key, listed
from rubric_core.nunjucks.markup import has_templates
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import Data, insert_first_key, insert_key, is_json, own_pairs
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.text.lines import line_break_of
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

ALL_RECORDS = (SUITE, *ANY_CASE, DEFAULT_TEST, EVALUATE_OPTIONS, EVALUATOR, SCENARIO, DEFINITION)
"""The mappings whose keys are looked at, whatever becomes of them."""


def _snake_cased(*names: str) -> dict[str, str]:
    return {name: re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name) for name in names}


SUITE_NAMES = _snake_cased("defaultTest", "evaluateOptions", "derivedMetrics", "nunjucksFilters", "outputPath")
"""The keys of a file that have another spelling in AgentV 5."""
OPTION_NAMES = _snake_cased("maxConcurrency", "timeoutMs", "maxEvalTimeMs", "generateSuggestions", "filterRange")
"""The same of `evaluateOptions`."""
NOT = "not-"
JUDGES = frozenset({"llm-rubric", "agent-rubric"})
CODE = frozenset({"javascript", "python", "webhook"})
_DEFAULT_TESTS = ("defaultTest", "default_test")
_MET_OR_NOT = ("contains", "icontains", "equals", "regex", "starts-with", "ends-with", "is-json", "latency", "cost")
_MET_OR_NOT_TOO = ("skill-used", "trajectory:")
_MODELINE = "# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json"
_ANY_MODELINE = lazily(r"#[^\r\n]*\$schema=\S*promptfoo\S*config-schema\.json[^\r\n]*")
_PIN_5 = "# rubric: dialect=agentv-5"
_WHOLE_PIN = lazily(r"#[ \t]*rubric:[ \t]*dialect[ \t]*=[ \t]*agentv-5[ \t]*(?=[\r\n]|\Z)")
_ANY_PIN = lazily(r"#[ \t]*rubric:[ \t]*dialect[ \t]*=")


def base_type(place: Place) -> str:
    """Return the type of an assertion without `not-`."""
    return (place.word("type") or "").removeprefix(NOT)


def is_judge(place: Place) -> bool:
    """Return whether a model judges by a text."""
    return base_type(place) in JUDGES


def is_cost(place: Place) -> bool:
    """Return whether an assertion limits what an answer costs."""
    return base_type(place) == "cost"


def is_member(place: Place) -> bool:
    """Return whether an assertion is in a set, where AgentV 5 reads neither `negate` nor gates."""
    return place.around is not None and place.around.record == EVALUATOR


def is_file(node: Node | None) -> bool:
    """Return whether a value is a reference to a file."""
    return isinstance(node, Scalar) and node.value.startswith(FILE_URL)


def noted(
    step: str, records: tuple[str, ...], find: Callable[[Place], Iterable[Node]], reason: str, kind: Kind
) -> Step:
    """Return the step that only lists places, each with the same reason."""
    return Step(
        records, step, "", lambda place: (Change(node.start, None) for node in find(place)), kind, reason=reason
    )


def keys_where(key: str, where: Callable[[Place, Pair], bool]) -> Callable[[Place], Iterable[Node]]:
    """Return the function, for `noted`, that yields a key if a condition holds."""
    return lambda place: [pair.key] if (pair := place.own(key)) is not None and where(place, pair) else []


def read_only_by_target(source: Dialect, target: Dialect) -> Step:
    """Return the step that reports every key which the source dialect ignores and the target dialect reads."""

    def find(place: Place) -> Iterator[Change]:
        old, new = record_of(source, place), record_of(target, place)
        if old is not None and new is not None:
            for pair in place.node.pairs:
                if old.get(pair.name or "") is None and new.get(pair.name or "") is not None:
                    yield listed(pair, f"`{pair.name}`: {reason}", Kind.ASK)

    reason = f"{source.title} does not read it here, and {target.title} does"
    return Step(ALL_RECORDS, f"a key that only {target.title} reads", "the same", find, Kind.ASK, reason=reason)


# The comment that names the dialect.


def _replaces(old: re.Pattern[str], new: str) -> Find:
    """Replace the comment that names the dialect, even before `---`, or insert one."""

    def find(place: Place) -> Iterator[Change]:
        is_head = place.record == FILE
        comment = old.search(place.head) if is_head else old.search(place.text, 0, place.node.start)
        if comment is not None:
            yield Change(comment.start(), (Edit(*comment.span(), new),))
        elif not is_head and place.node.pairs and not is_json(place.node) and not old.search(place.head):
            others = [pattern for pattern in (_ANY_PIN, _ANY_MODELINE) if pattern is not old]
            if not any(pattern.search(text) for pattern in others for text in (place.text, place.head)):
                at = int(place.text.startswith("\ufeff"))
                yield Change(0, (Edit(at, at, f"{new}{line_break_of(place.text)}"),))

    return find


_FIRST_LINE = "without one, the comment is the first line; not in JSON"
TO_PIN = Step((SUITE, FILE), "the comment that names promptfoo's schema", f"`{_PIN_5}`",
              _replaces(_ANY_MODELINE, _PIN_5), when=_FIRST_LINE)  # fmt: skip
TO_MODELINE = Step((SUITE, FILE), f"`{_PIN_5}`", f"`{_MODELINE}`",
                   _replaces(_WHOLE_PIN, _MODELINE), when=_FIRST_LINE)  # fmt: skip


# The ids of tests.


def numbered_tests(place: Place) -> Iterator[tuple[int, Mapping]]:
    """Yield the tests of a suite with their numbers, or those of a list of tests at its first one."""
    if place.line:
        yield place.line, place.node
        return
    pair = place.own("tests")
    tests: Node | None = place.siblings if place.record == RAW_CASE else pair.value if pair is not None else None
    if not isinstance(tests, Sequence) or (place.record == RAW_CASE and tests.items[0] is not place.node):
        return
    for number, item in enumerate(tests.items, start=1):
        if isinstance(item, Mapping) and not item.origin and "path" not in item.index:
            yield number, item


def made_id(number: int) -> str:
    """Return the id for a test without one."""
    return f"test-{number}"


# Thresholds: promptfoo asks that every assertion passes, AgentV 5 that the mean score reaches a threshold.


def tests_of(suite: Place) -> Iterator[Place]:
    """Yield the tests of a suite, including those of its scenarios."""
    nodes = suite.items("tests")
    for node in suite.items("scenarios"):
        if isinstance(node, Mapping):
            scenario = Place(SCENARIO, node, suite.text, suite)
            nodes += [*scenario.items("config"), *scenario.items("tests")]
    yield from (Place(CASE, node, suite.text, suite) for node in nodes if isinstance(node, Mapping))


def default_test(suite: Place) -> Place | None:
    """Return the default test, under either name."""
    for key in _DEFAULT_TESTS:
        node = suite.node.get(key)
        if isinstance(node, Mapping):
            return Place(DEFAULT_TEST, node, suite.text, suite)
    return None


def default_has(suite: Place, key: str) -> bool:
    """Return whether the default test has a key."""
    default = default_test(suite)
    return default is not None and key in default


def _assertions(place: Place) -> Iterator[Node]:
    stack = place.items("assert")
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Mapping):
            stack += Place(EVALUATOR, node, place.text).items("assert")


def _all_assertions(suite: Place) -> Iterator[Node]:
    default = default_test(suite)
    for place in (suite, *([default] if default else ()), *tests_of(suite)):
        yield from _assertions(place)


def has_assertions(suite: Place) -> bool:
    """Return whether something judges an output, or may do so in another file."""
    return next(_all_assertions(suite), None) is not None or has_other_files(suite)


def has_other_files(suite: Place) -> bool:
    """Return whether tests of the suite are in other files."""
    return any(isinstance(item, Scalar) and item.value for item in suite.items("tests") + suite.items("scenarios"))


def first_graded(suite: Place) -> Node | None:
    """Return the first assertion that may score between 0 and 1, or that is a text."""
    graded = [node for node in _all_assertions(suite) if not _is_met_or_not(node)]
    return min(graded, key=lambda node: node.start, default=None)


def _is_met_or_not(node: Node) -> bool:
    kind = node.get("type") if isinstance(node, Mapping) else None
    if not isinstance(kind, Scalar):
        return False
    word = kind.value.removeprefix(NOT)
    plain = word.removesuffix("-any").removesuffix("-all")
    return plain in _MET_OR_NOT or word.startswith(_MET_OR_NOT_TOO)


def _has_no_weight(node: Node) -> bool:
    return isinstance(node, Mapping) and Place(EVALUATOR, node, "").number("weight") == 0


@at_key("assert")
def _without_weights(place: Place, pair: Pair) -> Iterator[Change]:
    assertions = place.items("assert")
    if assertions and all(map(_has_no_weight, assertions)):
        is_set = place.record == EVALUATOR
        yield listed(pair, _NO_SCORE, Kind.NO) if is_set else Change(pair.key.start, None)


_NO_SCORE = "every `weight` in this set is 0: promptfoo gives it the score 0, and AgentV 5 none; give one a weight"
NO_WEIGHT = Step(
    (*ANY_CASE, EVALUATOR),
    "every `weight` is 0",
    "",
    _without_weights,
    Kind.ASK,
    "in a set: no",
    reason="every `weight` is 0: promptfoo passes the test, unless it has a `threshold`; AgentV 5 gives it 0",
)
SET_WITHOUT_WEIGHT = "`weight: 0` of a set: promptfoo still fails the test with it, and AgentV 5 does not"


def _weightless_sets(place: Place) -> Iterator[Node]:
    if place.word("type") == "assert-set" and _has_no_weight(place.node):
        yield place.node.index["weight"].key


WEIGHTLESS_SETS = noted("`weight: 0` of an `assert-set`", (EVALUATOR,), _weightless_sets, SET_WITHOUT_WEIGHT, Kind.ASK)


def templates_in_assert(place: Place) -> Iterator[Node]:
    """Yield the texts of assertions that have templates."""
    pair = place.own("assert")
    if pair is not None:
        yield from (node for node in own_scalars(pair.value) if has_templates(node.value))


REPEATS = keys_where("repeat", lambda place, _: (place.number("repeat") or 0) > 1)
"""Yields the key that lets a test run more than once."""


def insert_before_tests(suite: Place, key: str, value: str, lines: list[str] | None = None) -> Edit | None:
    """Insert a key before the tests of a suite and before the default test."""
    own = own_pairs(suite.node)
    stops = {*_DEFAULT_TESTS, "scenarios", "tests", "assert"}
    at = next((number for number, pair in enumerate(own) if pair.name in stops), len(own))
    data: Data = Decimal(value) if lines is None else {"threshold": Decimal(value)}
    if at > 0:
        edit = insert_key(suite.text, suite.node, key, data, after=own[at - 1], lines=lines)
        if edit is not None:
            return edit
    if lines is None or suite.node.flow:
        return insert_first_key(suite.text, suite.node, key, data)
    first = own[0].key.start if own else suite.node.start
    written = line_break_of(suite.text).join([f"{key}:", *lines, ""])
    return Edit(first, first, written)

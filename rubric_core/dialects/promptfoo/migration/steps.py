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
from rubric_core.migration.shared_steps import number_under, record_of
from rubric_core.migration.steps import Change, Kind, Step
from rubric_core.nunjucks.markup import has_templates
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import Data, insert_first_key, insert_key, is_json, own_pairs
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.text.lines import line_break_of
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

ALL_RECORDS = (SUITE, *ANY_CASE, DEFAULT_TEST, EVALUATE_OPTIONS, EVALUATOR, SCENARIO, DEFINITION)
"""The mappings whose keys are looked at, whatever becomes of them."""
SUITE_NAMES = {
    "defaultTest": "default_test",
    "evaluateOptions": "evaluate_options",
    "derivedMetrics": "derived_metrics",
    "nunjucksFilters": "nunjucks_filters",
    "outputPath": "output_path",
}
"""The keys of a file that have another spelling in AgentV 5."""
OPTION_NAMES = {
    "maxConcurrency": "max_concurrency",
    "timeoutMs": "timeout_ms",
    "maxEvalTimeMs": "max_eval_time_ms",
    "generateSuggestions": "generate_suggestions",
    "filterRange": "filter_range",
}
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
    """Return the type of an assertion without what turns it around."""
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


def items_under(place: Place, key: str) -> list[Node]:
    """Return the items of a list, or the only value, under a key of a place."""
    pair = place.own(key)
    if pair is None or pair.value.origin:
        return []
    return list(pair.value.items) if isinstance(pair.value, Sequence) else [pair.value]


def noted(
    step: str, records: tuple[str, ...], find: Callable[[Place], Iterable[Node]], reason: str, kind: Kind
) -> Step:
    """Return the step that only names places, each with the same reason."""

    def found(place: Place) -> Iterator[Change]:
        yield from (Change(node.start, None) for node in find(place))

    return Step(records, step, "", found, kind, reason=reason)


def read_only_by_target(source: Dialect, target: Dialect) -> Step:
    """Return the step that reports every key which the source dialect ignores and the target dialect reads."""

    def find(place: Place) -> Iterator[Change]:
        old, new = record_of(source, place), record_of(target, place)
        for pair in place.node.pairs if old is not None and new is not None else ():
            name = pair.name or ""
            if old is not None and new is not None and old.get(name) is None and new.get(name) is not None:
                reason = f"`{name}`: {source.title} does not read it here, and {target.title} does"
                yield Change(pair.key.start, None, reason=reason)

    reason = f"{source.title} does not read it here, and {target.title} does"
    return Step(ALL_RECORDS, f"a key that only {target.title} reads", "the same", find, Kind.ASK, reason=reason)


# The comment that names the dialect.


def _is_suite(place: Place) -> bool:
    return bool(place.node.pairs) and not is_json(place.node)


def _first_line(place: Place, written: str) -> Edit:
    at = int(place.text.startswith("\ufeff"))
    return Edit(at, at, f"{written}{line_break_of(place.text)}")


def _to_pin(place: Place) -> Iterator[Change]:
    yield from _replaced(place, _ANY_MODELINE, _PIN_5)


def _to_modeline(place: Place) -> Iterator[Change]:
    yield from _replaced(place, _WHOLE_PIN, _MODELINE)


def _replaced(place: Place, old: re.Pattern[str], new: str) -> Iterator[Change]:
    """Replace the comment that names the dialect, before `---` too, or write it where there is none."""
    is_head = place.record == FILE
    found = old.search(place.head) if is_head else old.search(place.text, 0, place.node.start)
    if found is not None:
        yield Change(found.start(), (Edit(found.start(), found.end(), new),))
    elif not is_head and _is_suite(place) and not old.search(place.head):
        others = [each for each in (_ANY_PIN, _ANY_MODELINE) if each is not old]
        if not any(each.search(text) for each in others for text in (place.text, place.head)):
            yield Change(0, (_first_line(place, new),))


TO_PIN = Step(
    (SUITE, FILE),
    "the comment that names promptfoo's schema",
    f"`{_PIN_5}`",
    _to_pin,
    when="without one, the comment is the first line; not in JSON",
)
TO_MODELINE = Step(
    (SUITE, FILE),
    f"`{_PIN_5}`",
    f"`{_MODELINE}`",
    _to_modeline,
    when="without one, the comment is the first line; not in JSON",
)


# The ids of tests.


def numbered_tests(place: Place) -> Iterator[tuple[int, Mapping]]:
    """Yield the tests of a suite with their numbers, or those of a list of tests at its first one."""
    if place.line:
        yield place.line, place.node
        return
    if place.record == RAW_CASE:
        listed = place.siblings
        if listed is None or listed.items[0] is not place.node:
            return
    else:
        pair = place.own("tests")
        listed = pair.value if pair is not None and isinstance(pair.value, Sequence) else None
    for number, item in enumerate(listed.items if listed is not None else (), start=1):
        if isinstance(item, Mapping) and not item.origin and "path" not in item.index:
            yield number, item


def made_id(number: int) -> str:
    """Return the id that a test gets which has none."""
    return f"test-{number}"


def _ids(place: Place) -> Iterator[Change]:
    for number, test in numbered_tests(place):
        if "id" not in test.index:
            yield Change(test.start, (insert_first_key(place.text, test, "id", made_id(number)),))


IDS = Step(
    (SUITE, RAW_CASE),
    "a test without `id`",
    "`id: test-1` and so on, by its place",
    _ids,
    when="AgentV 5 skips a test without one",
)


# Thresholds: promptfoo asks that every assertion passes, AgentV 5 that the mean score reaches a threshold.


def tests_of(suite: Place) -> Iterator[Place]:
    """Yield the tests of a suite, those of its scenarios too."""
    for item in items_under(suite, "tests"):
        if isinstance(item, Mapping):
            yield Place(CASE, item, suite.text, suite)
    for each in items_under(suite, "scenarios"):
        if isinstance(each, Mapping):
            scenario = Place(SCENARIO, each, suite.text, suite)
            for key in ("config", "tests"):
                for item in items_under(scenario, key):
                    if isinstance(item, Mapping):
                        yield Place(CASE, item, suite.text, suite)


def default_test(suite: Place) -> Place | None:
    """Return what every test starts from, under either name."""
    for key in _DEFAULT_TESTS:
        node = suite.node.get(key)
        if isinstance(node, Mapping):
            return Place(DEFAULT_TEST, node, suite.text, suite)
    return None


def _assertions(place: Place) -> Iterator[Node]:
    stack: list[Node] = list(items_under(place, "assert"))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Mapping):
            stack += items_under(Place(EVALUATOR, node, place.text), "assert")


def _all_assertions(suite: Place) -> Iterator[Node]:
    default = default_test(suite)
    for each in (suite, *([default] if default else ()), *tests_of(suite)):
        yield from _assertions(each)


def has_assertions(suite: Place) -> bool:
    """Return whether something judges an output, or may do so in another file."""
    return next(_all_assertions(suite), None) is not None or has_other_files(suite)


def has_other_files(suite: Place) -> bool:
    """Return whether tests of the suite are in other files."""
    listed = (*items_under(suite, "tests"), *items_under(suite, "scenarios"))
    return any(isinstance(item, Scalar) and item.value for item in listed)


def first_graded(suite: Place) -> Node | None:
    """Return the first assertion that may score between 0 and 1, or that is a text."""
    found = [node for node in _all_assertions(suite) if not _is_met_or_not(node)]
    return min(found, key=lambda node: node.start, default=None)


def _is_met_or_not(node: Node) -> bool:
    kind = node.get("type") if isinstance(node, Mapping) else None
    if not isinstance(kind, Scalar):
        return False
    word = kind.value.removeprefix(NOT)
    plain = word.removesuffix("-any").removesuffix("-all")
    return plain in _MET_OR_NOT or word.startswith(_MET_OR_NOT_TOO)


def _has_no_weight(node: Node) -> bool:
    return isinstance(node, Mapping) and number_under(Place(EVALUATOR, node, ""), "weight") == 0


def _without_weights(place: Place) -> Iterator[Change]:
    listed = items_under(place, "assert")
    if listed and all(map(_has_no_weight, listed)):
        is_set = place.record == EVALUATOR
        at = place.node.index["assert"].key.start
        yield Change(at, None, Kind.NO if is_set else None, _NO_SCORE if is_set else "")


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


def repeats(place: Place) -> Iterator[Node]:
    """Yield the key that lets a test run more than once."""
    pair = place.own("repeat")
    if pair is not None and (number_under(place, "repeat") or 0) > 1:
        yield pair.key


def insert_before_tests(suite: Place, key: str, value: str, lines: list[str] | None = None) -> Edit | None:
    """Insert a key before the tests of a suite and before what they start from."""
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

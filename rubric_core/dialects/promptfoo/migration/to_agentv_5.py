"""promptfoo to AgentV 5: names in snake case, ids for tests, `negate` for `not-`, and a threshold for all tests."""

from collections.abc import Iterator

from rubric_core.dialects.promptfoo import DIALECT as PROMPTFOO
from rubric_core.dialects.promptfoo.migration import steps as shared
from rubric_core.dialects.promptfoo.migration.prompts import PROMPTS_TO_5
from rubric_core.dialects.promptfoo.migration.providers import PROVIDERS_TO_5
from rubric_core.dialects.promptfoo.migration.steps import keys_where, noted
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Pass
from rubric_core.migration.places import (
    ANY_CASE,
    DEFAULT_TEST,
    DEFINITION,
    EVALUATE_OPTIONS,
    EVALUATOR,
    FILE,
    OPTIONS,
    RAW_CASE,
    SCENARIO,
    SUITE,
    Place,
    own_scalars,
)
from rubric_core.migration.shared_steps import left_over, lifts, pinned, renames_both, sinks
from rubric_core.migration.steps import Change, Kind, Step, at_key, change, listed, lists, of_type, renames
from rubric_core.nunjucks.markup import has_templates
from rubric_core.syntax.edits import insert_first_key, rename_key, replace_node, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import as_text
from rubric_core.text.patterns import lazily

AGENTV_5 = BY_NAME["agentv-5"]
_TEXT_TYPES = frozenset({"contains", "icontains", "equals", "regex", "starts-with"})
_LIST_TYPES = frozenset(f"{case}contains-{which}" for case in ("", "i") for which in ("any", "all"))
_READ_OPTIONS = frozenset({"provider", "transform", "repeat", "rubric_prompt", "rubricPrompt", "postprocess"})
_MOVED_OPTIONS = frozenset({"disableDefaultAsserts", "providers"})
_READ_FILES = lazily(r"(?:file://)?[^\s:]+\.(?:ya?ml|jsonl?|csv|[cm]?js|py)(?::\w+)?\Z|file://[^\s.]+\Z")
_MOST_AT_ONCE = 50
_GATE = "`threshold` becomes a gate: below it the test gets 0, and above it the score counts as it is"
_NO_GATE = "`threshold` becomes `min_score`, which AgentV 5 does not read in a set"
_UNTURNED = "AgentV 5 does not read `negate` in a set; put the assertion beside the set"
_UNJUDGED = "nothing judges it, so that it passes in AgentV 5 too, whatever the output is; add an assertion"
_FULL_SCORE = "promptfoo asks that this assertion passes, and AgentV 5 with `threshold: 1` that its score is 1"
_FULL_SCORES = "promptfoo asks that the assertions of these files pass, and AgentV 5 that their scores are 1"


def _ids(place: Place) -> Iterator[Change]:
    for number, test in shared.numbered_tests(place):
        if "id" not in test.index:
            yield Change(test.start, (insert_first_key(place.text, test, "id", shared.made_id(number)),))


def _threshold(place: Place) -> Iterator[Change]:
    """Write a threshold of 1, which is reached if every assertion passes."""
    if "threshold" in place or shared.default_has(place, "threshold") or not shared.has_assertions(place):
        return
    is_elsewhere = shared.has_other_files(place)
    if not is_elsewhere and all("threshold" in test or test.has("run", "threshold") for test in shared.tests_of(place)):
        return
    edit, graded = shared.insert_before_tests(place, "threshold", "1"), shared.first_graded(place)
    if edit is None:
        return
    if graded is not None:
        yield Change(graded.start, (edit,), Kind.ASK, _FULL_SCORE)
    elif is_elsewhere:
        at = place.node.index["tests" if "tests" in place else "scenarios"].key.start
        yield Change(at, (edit,), Kind.ASK, _FULL_SCORES)
    else:
        yield Change(place.node.start, (edit,))


@at_key("type")
def _negated(place: Place, kind: Pair) -> Iterator[Change]:
    word, base = place.word("type") or "", shared.base_type(place)
    if base != word and "negate" not in place and word not in AGENTV_5.types and base in AGENTV_5.types:
        inserted = place.insertion("negate", value=True, after=kind)
        asks = Kind.ASK if shared.is_member(place) else None
        yield from change(kind, replace_text(kind.value, base), inserted, kind=asks, reason=_UNTURNED)


@of_type("g-eval")
def _g_eval(_place: Place, kind: Pair) -> Iterator[Change]:
    yield Change(kind.key.start, (replace_text(kind.value, "llm-rubric"),))


def _quoted(place: Place) -> Iterator[Change]:
    """Write numbers that are searched for as texts."""
    if shared.base_type(place) not in _TEXT_TYPES | _LIST_TYPES or shared.base_type(place) == "equals":
        return
    for node in place.items("value"):
        if isinstance(node, Scalar) and node.is_plain and node.value and not node.origin and as_text(node) is None:
            written = place.text[node.start : node.end]
            yield Change(node.start, (replace_node(node, f'"{written}"'),))


def _values(place: Place) -> Iterator[Change]:
    """List the values that AgentV 5 and promptfoo read differently."""
    kind, pair = shared.base_type(place), place.own("value")
    if kind in shared.JUDGES and "value" not in place:
        reason = f"AgentV 5 drops `{kind}` without a `value`; write what the judge checks"
        yield listed(place.node.index["type"], reason)
    if pair is None:
        return
    node = pair.value
    if shared.is_file(node) and AGENTV_5.type_of(kind) is not None:
        yield listed(pair, f"`value`: AgentV 5 does not read a file for `{kind}`; write the value itself")
    elif kind in shared.JUDGES and not isinstance(node, Scalar):
        reason = "`value`: promptfoo shows it to the judge as JSON, and AgentV 5 may take it for a list of criteria"
        yield listed(pair, reason, Kind.ASK)
    elif kind in _LIST_TYPES and isinstance(node, Scalar):
        yield listed(pair, f"`value`: AgentV 5 reads a list of texts for `{kind}`; write one")
    elif (kind in _TEXT_TYPES and _is_no_text(node)) or (kind == "similar" and not isinstance(node, Scalar)):
        yield listed(pair, f"`value`: AgentV 5 reads one text for `{kind}`; write one")
    elif kind in shared.CODE and isinstance(node, Scalar) and "context" in node.value:
        yield listed(pair, "`value`: `context` has no `vars` in AgentV 5, and other names than here", Kind.ASK)


def _is_no_text(node: Node) -> bool:
    return not isinstance(node, Scalar) or (as_text(node) is None and bool(node.value))


@at_key("threshold")
def _judge_threshold(place: Place, pair: Pair) -> Iterator[Change]:
    share = place.number("threshold")
    if not shared.is_judge(place) or "min_score" in place:
        return
    if share is None or not 0 < share <= 1:
        yield listed(pair, "`threshold`: `min_score` of AgentV 5 is above 0 and at most 1")
        return
    inserted = place.insertion("required", value=True, after=pair)
    reason = _NO_GATE if shared.is_member(place) else _GATE
    yield from change(pair, rename_key(pair, "min_score"), inserted, kind=Kind.ASK, reason=reason)


@at_key("rubricPrompt")
def _judge_prompt(place: Place, pair: Pair) -> Iterator[Change]:
    if isinstance(pair.value, Scalar) and shared.is_judge(place) and "prompt" not in place:
        yield Change(pair.key.start, (rename_key(pair, "prompt"),))
    else:
        yield listed(pair, "`rubricPrompt`: AgentV 5 reads one text or file, for a rubric only")


@at_key("weight")
def _weights(place: Place, pair: Pair) -> Iterator[Change]:
    weight = place.number("weight")
    if weight is not None and weight < 0:
        yield listed(pair, "`weight`: AgentV 5 skips a test with a negative one")
    elif weight == 0 and place.word("type") == "assert-set":
        yield listed(pair, shared.SET_WITHOUT_WEIGHT, Kind.ASK)
    elif weight == 0:
        yield listed(pair, "`weight: 0`: it is measured and never counts, in AgentV 5 too", Kind.ASK)


def _unjudged(place: Place) -> Iterator[Node]:
    """Yield the tests without assertions, or the key of their list if that is all of them."""
    pair = place.own("tests")
    tests = [item for item in place.items("tests") if isinstance(item, Mapping) and "path" not in item.index]
    if pair is None or shared.default_has(place, "assert"):
        return
    unjudged = [test for test in tests if "assert" not in test.index]
    yield from [pair.key] if len(unjudged) == len(tests) and unjudged else unjudged


@at_key("vars")
def _variables(_place: Place, pair: Pair) -> Iterator[Change]:
    if not isinstance(pair.value, Mapping):
        yield listed(pair, "`vars`: AgentV 5 reads no files of variables; write them here")
        return
    for variable in pair.value.pairs:
        name, node = f"`vars.{variable.name}`", variable.value
        if isinstance(node, Sequence) and not (node.items and isinstance(node.items[0], Mapping)):
            reason = "AgentV 5 renders the prompt before a list makes several tests; write a test for each value"
            yield listed(variable, f"{name}: {reason}")
        elif shared.is_file(node):
            yield listed(variable, f"{name}: AgentV 5 does not read a file here; write its text")
        elif any(has_templates(text.value) for text in own_scalars(node)):
            yield listed(variable, f"{name}: AgentV 5 does not render templates in variables", Kind.ASK)


def _unread_options(place: Place) -> Iterator[Change]:
    for pair in place.node.pairs:
        name = pair.name or ""
        if place.own(name) is pair and name not in _READ_OPTIONS | _MOVED_OPTIONS:
            yield listed(pair, f"`options.{name}`: AgentV 5 does not have it")


def _is_in_default_test(place: Place) -> bool:
    return place.around is not None and place.around.record == DEFAULT_TEST


def _too_many(place: Place) -> Iterator[Node]:
    for name in ("maxConcurrency", "max_concurrency"):
        pair = place.own(name)
        if pair is not None and (place.number(name) or 0) > _MOST_AT_ONCE:
            yield pair.key


def _test_files(place: Place) -> Iterator[Node]:
    """Yield the tests that a function makes, and those of files that AgentV 5 does not read."""
    for node in place.items("tests"):
        is_made = isinstance(node, Mapping) and "path" in node.index
        if is_made or (isinstance(node, Scalar) and node.value and not _READ_FILES.match(node.value)):
            yield node


def _setting_files(place: Place) -> Iterator[Node]:
    for key in ("config", "tests"):
        yield from (node for node in place.items(key) if isinstance(node, Scalar))


def _references(place: Place) -> Iterator[Node]:
    stack: list[Node] = [place.node]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping) and not node.origin:
            yield from (pair.key for pair in node.pairs if pair.name == "$ref" and not pair.key.origin)
            stack.extend(pair.value for pair in node.pairs)
        elif isinstance(node, Sequence) and not node.origin:
            stack.extend(node.items)


@at_key("type")
def _unknown_types(place: Place, kind: Pair) -> Iterator[Change]:
    word = place.word("type")
    if word and PROMPTFOO.type_of(word) is None and word not in AGENTV_5.removed_types:
        yield listed(kind, f"promptfoo has no type `{word}`, and AgentV 5 takes it for a script of the project's")


_DEFAULTED = (*ANY_CASE, DEFAULT_TEST)
STEPS: tuple[Pass, ...] = (
    (
        shared.read_only_by_target(PROMPTFOO, AGENTV_5),
        Step((EVALUATOR,), "an unknown type", "", _unknown_types, Kind.NO, reason="promptfoo has no such type"),
    ),
    (
        pinned("promptfoo", "agentv-5"),
        renames((SUITE,), ("targets",), "providers"),
        *(renames((SUITE,), (old,), new) for old, new in shared.SUITE_NAMES.items()),
        *(renames((EVALUATE_OPTIONS,), (old,), new) for old, new in shared.OPTION_NAMES.items()),
        renames((OPTIONS,), ("rubricPrompt",), "rubric_prompt", where=_is_in_default_test,
                when="under `defaultTest`"),
        renames((OPTIONS,), ("postprocess",), "transform"),
        Step((SUITE, RAW_CASE), "a test without `id`", "`id: test-1` and so on, by its place", _ids,
             when="AgentV 5 skips a test without one"),
        Step((SUITE,), "no `threshold` in some test", "`threshold: 1` of the suite", _threshold,
             when="promptfoo asks that every assertion passes; with scores between 0 and 1: ask"),
        *PROMPTS_TO_5,
    ),
    (
        shared.TO_PIN,
        renames_both(ANY_CASE, ("options", "disableDefaultAsserts"), ("execution", "skip_defaults")),
        lifts(ANY_CASE, "options", ("disableDefaultAsserts",), "skip_defaults"),
        sinks(ANY_CASE, "threshold", "run", "threshold"),
        Step((EVALUATOR,), "`type: not-contains` and the like", "`type: contains` and `negate: true`", _negated,
             when="AgentV 5 has the type, and not its `not-` form; in a set: ask"),
        Step((EVALUATOR,), "`type: g-eval`", "`type: llm-rubric`", _g_eval, Kind.ASK,
             reason="`llm-rubric` is judged by other instructions than `g-eval`, and not from 0.7 on"),
        Step((EVALUATOR,), "`value: 5`", '`value: "5"`', _quoted, when="a text is looked for, and it is a number"),
        renames((EVALUATOR,), ("threshold",), "budget", where=shared.is_cost, when="in a `cost`"),
        Step((EVALUATOR,), "`threshold` of a rubric", "`min_score` and `required: true`", _judge_threshold, Kind.ASK,
             "above 0; others: no", _GATE),
        Step((EVALUATOR,), "`rubricPrompt` of a rubric", "`prompt`", _judge_prompt, Kind.ASK,
             "a text, or a file; others: no",
             "`prompt`: AgentV 5 renders an inline text with the variables of the test, which empties `{{ output }}`"),
    ),
    (sinks(ANY_CASE, "skip_defaults", "execution", "skip_defaults"),),
    (
        Step((EVALUATOR,), "a `value` of another shape", "", _values, Kind.NO,
             reason="AgentV 5 does not read it as promptfoo does"),
        Step((EVALUATOR,), "a negative `weight`, or 0", "", _weights, Kind.NO,
             reason="AgentV 5 counts it in another way"),
        noted("a test without assertions", (SUITE,), _unjudged, _UNJUDGED, Kind.NO),
        shared.NO_WEIGHT,
        Step(_DEFAULTED, "files, lists and templates in `vars`", "", _variables, Kind.NO,
             reason="AgentV 5 does not read them as promptfoo does"),
        noted("`{{ x }}` in an assertion", (DEFAULT_TEST,), shared.templates_in_assert,
              "AgentV 5 does not render the assertions of `default_test`", Kind.ASK),
        *PROVIDERS_TO_5,
        noted("`rubricPrompt` of a test's `options`", (OPTIONS,),
              keys_where("rubricPrompt", lambda place, _: not _is_in_default_test(place)),
              "`options.rubricPrompt`: AgentV 5 reads it under `default_test` only", Kind.NO),
        Step((OPTIONS,), "any other key of `options`", "", _unread_options, Kind.NO,
             reason="AgentV 5 does not have it"),
        noted("`repeat: 2` or more", (OPTIONS, EVALUATE_OPTIONS), shared.REPEATS,
              "`repeat`: promptfoo counts every run, and AgentV 5 the best one", Kind.ASK),
        noted("`maxConcurrency: 51` or more", (EVALUATE_OPTIONS,), _too_many,
              f"AgentV 5 runs at most {_MOST_AT_ONCE} tests at the same time", Kind.NO),
        noted("`tests` that a function makes, or that stand in a table or at an address", (SUITE,), _test_files,
              "AgentV 5 does not read tests from there; write them into a YAML, JSON or CSV file", Kind.NO),
        noted("files in a scenario", (SCENARIO,), _setting_files,
              "AgentV 5 reads no files in a scenario; write the tests here", Kind.NO),
        noted("`$ref`", (FILE,), _references, "AgentV 5 does not read `$ref`; write what it stands for", Kind.NO),
        lists((*ANY_CASE, DEFAULT_TEST), ("providerOutput",),
              "AgentV 5 has no outputs in tests; use a provider that gives a fixed answer"),
        lists((*ANY_CASE, DEFAULT_TEST), ("assertScoringFunction",), "AgentV 5 does not run it; write a `script`"),
        lists((*ANY_CASE, DEFAULT_TEST), ("prompts",),
              "promptfoo reads labels of prompts here, and AgentV 5 prompts; name them in the providers"),
        lists((EVALUATOR,), ("contextTransform",), "AgentV 5 does not have it; judge with a `script`"),
        lists((DEFINITION,), ("name", "provider", "container", "install"),
              "AgentV 5 refuses it in a provider; write `id` and `label`"),
        lists((SUITE,), ("redteam", "plugins", "strategies"), "AgentV 5 has no red team"),
        lists((SUITE,), ("commandLineOptions",), "AgentV 5 reads no options of the command line from a file"),
        left_over(PROMPTFOO, AGENTV_5, records=shared.ALL_RECORDS, names_unknown=True,
                  advice_for_types="describe it in an `llm-rubric`, or judge it with a `script`"),
    ),
)  # fmt: skip
"""The passes, and the order in which they run: names first, what cannot be migrated last."""

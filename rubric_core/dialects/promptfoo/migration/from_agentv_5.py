"""AgentV 5 to promptfoo: names in camel case, `not-` for `negate`, and thresholds under `defaultTest`."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from rubric_core.dialects.promptfoo import DIALECT as PROMPTFOO
from rubric_core.dialects.promptfoo.assertions import IGNORES_NEGATION
from rubric_core.dialects.promptfoo.migration import steps as shared
from rubric_core.dialects.promptfoo.migration.prompts import PROMPTS_TO_PROMPTFOO
from rubric_core.dialects.promptfoo.migration.providers import PROVIDERS_TO_PROMPTFOO
from rubric_core.dialects.promptfoo.migration.steps import keys_where, noted
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Pass
from rubric_core.migration.moves import STEP, sink, unwrap_item, wrap_in_item, written_key
from rubric_core.migration.places import (
    ANY_CASE,
    CASE,
    DEFAULT_TEST,
    EVALUATE_OPTIONS,
    EVALUATOR,
    OPTIONS,
    RAW_CASE,
    SUITE,
    Place,
    own_scalars,
)
from rubric_core.migration.shared_steps import LISTED_TWICE, left_over, lifts, pinned, renames_both, sinks
from rubric_core.migration.steps import Change, Kind, Step, at_key, change, listed, lists, moved, renames
from rubric_core.nunjucks.markup import has_templates
from rubric_core.schema.scales import PASS_MARK_DECIMAL
from rubric_core.syntax.edits import column_of, rename_key, replace_text
from rubric_core.syntax.indentation import shift_lines
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import as_boolean, as_text, is_null
from rubric_core.text.lines import line_break_of
from rubric_core.text.spans import Edit

AGENTV_5 = BY_NAME["agentv-5"]
_NOBODY_READS = ("name", "version", "author", "license", "category", "requires", "governance")
_TOGETHER = "the texts of this list were judged together, and promptfoo judges each by itself"
_TURNED = "AgentV 5 does not read `negate` in a set, and promptfoo turns the assertion around"
_WITH_LISTS = (SUITE, *ANY_CASE, DEFAULT_TEST)


def _ids(place: Place) -> Iterator[Change]:
    """Remove the ids that only number the tests; others become the description, or stay among the metadata."""
    for number, test in shared.numbered_tests(place):
        case = Place(CASE, test, place.text, place)
        pair = case.own("id")
        if pair is not None and case.word("id") == shared.made_id(number):
            removed = case.removal(pair)
            if removed is not None:
                yield Change(pair.key.start, (removed,))
        elif pair is not None and "description" not in test.index:
            yield Change(pair.key.start, (rename_key(pair, "description"), *_as_text(pair)))


def _as_text(pair: Pair) -> tuple[Edit, ...]:
    node = pair.value
    if not isinstance(node, Scalar) or is_null(node) or as_text(node) is not None:
        return ()
    return (Edit(node.start, node.end, f'"{node.value}"'),)


@at_key("id")
def _kept_id(place: Place, pair: Pair) -> Iterator[Change]:
    if "description" in place:
        yield from moved(place, pair, sink(place.text, place.node, pair, "metadata", "id"))
    else:
        yield Change(pair.key.start, (rename_key(pair, "description"), *_as_text(pair)))


def _default_threshold(place: Place) -> Iterator[Change]:
    """Write the default threshold of AgentV 5 if there is none."""
    default = shared.default_test(place)
    if "threshold" in place or shared.default_has(place, "threshold") or not shared.has_assertions(place):
        return
    if all("threshold" in test for test in shared.tests_of(place)):
        return
    mark = f"{PASS_MARK_DECIMAL:f}"
    if default is not None:
        edit = default.insertion("threshold", PASS_MARK_DECIMAL)
    elif isinstance(place.node.get("defaultTest"), Scalar):
        return
    else:
        edit = shared.insert_before_tests(place, "defaultTest", mark, [f"{' ' * STEP}threshold: {mark}"])
    if edit is not None:
        yield Change(place.node.start, (edit,))


@at_key("threshold")
def _threshold(place: Place, pair: Pair) -> Iterator[Change]:
    """Move the threshold of the suite to where promptfoo reads it; one of 1 is promptfoo's default."""
    removed = place.removal(pair)
    if shared.default_has(place, "threshold"):
        yield from change(pair, removed)
    elif place.number("threshold") == Decimal(1) and removed is not None:
        reason = "`threshold: 1` asked for a score of 1, and promptfoo asks without one that every assertion passes"
        yield from change(pair, removed, kind=Kind.ASK if shared.first_graded(place) else None, reason=reason)
    else:
        yield from moved(place, pair, sink(place.text, place.node, pair, "defaultTest", "threshold"))


@at_key("negate")
def _negated(place: Place, pair: Pair) -> Iterator[Change]:
    kind, word, removed = place.own("type"), place.word("type"), place.removal(pair)
    if kind is None or word is None:
        return
    negated = f"{shared.NOT}{word}"
    if as_boolean(pair.value) is False:
        yield from change(pair, removed)
    elif place.is_true("negate") and negated in PROMPTFOO.types and negated not in IGNORES_NEGATION:
        asks = Kind.ASK if shared.is_member(place) else None
        yield from change(pair, replace_text(kind.value, negated), removed, kind=asks, reason=_TURNED)


@at_key("assert")
def _strings(place: Place, pair: Pair) -> Iterator[Change]:
    """Write each string of a list of assertions as a rubric of its own."""
    assertions = pair.value
    if not isinstance(assertions, Sequence) or assertions.origin:
        return
    texts = [node for node in assertions.items if isinstance(node, Scalar) and not node.origin and node.value]
    for node in texts if all(node.meta is None for node in texts) else ():
        # One finding for each list is enough, and a single text was judged by itself.
        is_listed = node is texts[0] and len(texts) > 1
        yield Change(node.start, _as_rubric(place, assertions, node), Kind.ASK if is_listed else Kind.SAFE, _TOGETHER)


def _as_rubric(place: Place, assertions: Sequence, node: Scalar) -> tuple[Edit, ...]:
    if assertions.flow:
        names = [written_key(place.node, name) for name in ("type", "llm-rubric", "value")]
        head = f"{{{names[0]}: {names[1]}, {names[2]}: "
        return Edit(node.start, node.start, head), Edit(node.end, node.end, "}")
    indent = " " * column_of(place.text, node.start)
    head = f"type: llm-rubric{line_break_of(place.text)}{indent}value: "
    return Edit(node.start, node.start, head), *shift_lines(place.text, node.start, node.end, STEP)


@at_key("criteria")
def _criteria(place: Place, pair: Pair) -> Iterator[Change]:
    top = place.top()
    is_judged = "assert" in place or "assert" in top.node.index or place.has("execution", "assert")
    if is_judged or (top.record == SUITE and shared.default_has(top, "assert")):
        return
    yield from moved(place, pair, wrap_in_item(place.text, place.node, pair, "assert", "llm-rubric"))


@at_key("assert")
def _suite_assert(place: Place, pair: Pair) -> Iterator[Change]:
    if shared.default_has(place, "assert"):
        yield listed(pair, f"`assert`: {LISTED_TWICE}")
    else:
        yield from moved(place, pair, sink(place.text, place.node, pair, "defaultTest", "assert"))


@at_key("min_score")
def _min_score(place: Place, pair: Pair) -> Iterator[Change]:
    gate = place.own("required")
    if not shared.is_judge(place) or "threshold" in place:
        return
    if gate is None or place.is_true("required"):
        removed = () if gate is None else place.removal(gate)
        yield from change(pair, rename_key(pair, "threshold"), removed)


@at_key("required")
def _required(place: Place, pair: Pair) -> Iterator[Change]:
    if as_boolean(pair.value) is False:
        yield from change(pair, place.removal(pair))


@at_key("prompt")
def _judge_prompt(place: Place, pair: Pair) -> Iterator[Change]:
    if shared.is_judge(place) and isinstance(pair.value, Scalar) and "rubricPrompt" not in place:
        yield Change(pair.key.start, (rename_key(pair, "rubricPrompt"),))


def _values(place: Place) -> Iterator[Change]:
    kind, pair = place.word("type") or "", place.own("value")
    if shared.is_judge(place) and pair is not None and not isinstance(pair.value, Scalar):
        is_plain = all(isinstance(item, Scalar) for item in place.items("value"))
        reason = "`value`: promptfoo shows the criteria to the judge as one JSON text"
        more = "" if is_plain else ", without weights and gates; write each as an assertion"
        yield listed(pair, f"{reason}{more}", Kind.ASK if is_plain else Kind.NO)
    elif shared.is_judge(place) and "value" not in place:
        reason = f"AgentV 5 drops `{kind}` without a `value`, and promptfoo judges by an empty one"
        yield listed(place.node.index["type"], reason, Kind.ASK)
    elif kind in shared.CODE and pair is not None and isinstance(pair.value, Scalar) and "context" in pair.value.value:
        yield listed(pair, "`value`: `context` has other names in promptfoo", Kind.ASK)
    elif pair is not None and shared.is_file(pair.value):
        yield listed(pair, "`value`: it was a text, and promptfoo reads the file", Kind.ASK)


def _members(place: Place) -> Iterator[Node]:
    if place.word("type") == "assert-set":
        for node in place.items("assert"):
            kind = node.get("type") if isinstance(node, Mapping) else None
            if isinstance(kind, Scalar) and kind.value == "assert-set":
                yield node


@at_key("vars")
def _variables(_place: Place, pair: Pair) -> Iterator[Change]:
    for variable in pair.value.pairs if isinstance(pair.value, Mapping) else ():
        name, node = f"`vars.{variable.name}`", variable.value
        if isinstance(node, Sequence):
            reason = "promptfoo runs the test once for each item; set `options.disableVarExpansion` to send the list"
            yield listed(variable, f"{name}: {reason}")
        elif shared.is_file(node):
            yield listed(variable, f"{name}: it was a text, and promptfoo reads the file", Kind.ASK)
        elif any(has_templates(text.value) for text in own_scalars(node)):
            yield listed(variable, f"{name}: promptfoo renders templates in variables", Kind.ASK)


@at_key("vars")
def _one_message(place: Place, pair: Pair) -> Iterator[Change]:
    """Replace a single message of the user by its text."""
    below = pair.value
    if not isinstance(below, Mapping) or below.origin:
        return
    for variable in below.pairs:
        messages = variable.value
        if not isinstance(messages, Sequence) or len(messages.items) != 1 or messages.origin:
            continue
        message = messages.items[0]
        if isinstance(message, Mapping) and message.index.keys() == {"role", "content"}:
            role, content = message.get("role"), message.index["content"]
            if isinstance(role, Scalar) and role.value == "user" and isinstance(content.value, Scalar):
                edits = unwrap_item(place.text, below, variable, message, content, variable.name or "")
                if edits is not None:
                    yield Change(variable.key.start, edits)


_NEVER_PASSES = "every `weight` is 0: the test never passes, in promptfoo as in AgentV 5; give one a weight"


STEPS: tuple[Pass, ...] = (
    (
        shared.read_only_by_target(AGENTV_5, PROMPTFOO),
        noted("`{{ x }}` in an assertion of the suite or of `default_test`", (SUITE, DEFAULT_TEST),
              shared.templates_in_assert, "promptfoo renders this text, and AgentV 5 does not", Kind.ASK),
    ),
    (
        lifts((*ANY_CASE,), "run", ("threshold",), "threshold"),
        lifts((*ANY_CASE,), "execution", ("threshold",), "threshold"),
        lifts((*ANY_CASE,), "execution", ("assert",), "assert"),
        renames_both(ANY_CASE, ("execution", "skip_defaults"), ("options", "disableDefaultAsserts")),
        lifts(ANY_CASE, "execution", ("skip_defaults",), "disableDefaultAsserts"),
        *(sinks((RAW_CASE,), key, "vars", key) for key in ("input", "expected_output")),
        Step((*ANY_CASE, DEFAULT_TEST), "one message of `role: user` in `vars`", "its `content`", _one_message),
        Step((CASE,), "`criteria`", "`assert` with an `llm-rubric`", _criteria, when="nothing else judges the test"),
    ),
    (
        *(renames((SUITE,), (new,), old) for old, new in shared.SUITE_NAMES.items()),
        *(renames((EVALUATE_OPTIONS,), (new,), old) for old, new in shared.OPTION_NAMES.items()),
        renames((OPTIONS,), ("rubric_prompt",), "rubricPrompt"),
        sinks(ANY_CASE, "disableDefaultAsserts", "options", "disableDefaultAsserts"),
        Step((SUITE, RAW_CASE), "`id: test-1` and the like; another `id`", "removed; `description`", _ids,
             when="the number is that of the test; there is no `description`"),
        Step(_WITH_LISTS, "a text in `assert`", "an `llm-rubric` with this `value`", _strings,
             when="several in a list: ask"),
        *PROMPTS_TO_PROMPTFOO,
    ),
    (
        Step(ANY_CASE, "`id`", "`metadata.id`", _kept_id, when="there is a `description`, which else it becomes"),
        Step((SUITE,), "`assert`", "`defaultTest.assert`", _suite_assert, when="there are no assertions in it"),
        *(sinks((SUITE,), key, "metadata", key, words="promptfoo does not read it") for key in _NOBODY_READS),
        Step((EVALUATOR,), "`negate: true`", "`not-` before the type", _negated,
             when="promptfoo has that form; in a set: ask"),
        Step((EVALUATOR,), "`required: false`", "", _required),
        renames((EVALUATOR,), ("budget",), "threshold", where=shared.is_cost, when="in a `cost`"),
        Step((EVALUATOR,), "`min_score` and `required: true` of a rubric", "`threshold`", _min_score,
             Kind.ASK, reason="`min_score` becomes the `threshold` from which the assertion passes, and fails the test "
             "only where that has no threshold"),
        Step((EVALUATOR,), "`prompt` of a rubric", "`rubricPrompt`", _judge_prompt, Kind.ASK, "a text, or a file",
             "`prompt`: the judge's prompt has `{{ output }}` and `{{ rubric }}` in promptfoo, and no other names"),
    ),
    (
        Step((SUITE,), "no `threshold`", "`defaultTest.threshold: 0.8`", _default_threshold,
             when="some test has none of its own: AgentV 5 takes 0.8, and promptfoo asks that every assertion passes"),
    ),
    (
        Step((SUITE,), "`threshold`", "`defaultTest.threshold`", _threshold,
             when="1 is removed, since promptfoo asks for that; with scores between 0 and 1: ask"),
    ),
    (shared.TO_MODELINE,),
    (
        pinned("agentv-5", "promptfoo"),
        Step((EVALUATOR,), "a `value` that is a list of criteria, a file, or none", "the same", _values, Kind.ASK,
             reason="promptfoo does not read it as AgentV 5 does"),
        noted("an `assert-set` in another", (EVALUATOR,), _members, "promptfoo refuses a set in a set", Kind.NO),
        noted("`include`", (EVALUATOR,), keys_where("include", lambda place, _: "type" not in place),
              "`include`: promptfoo reads no files of assertions here", Kind.NO),
        lists((EVALUATOR,), ("required", "min_score"), "promptfoo has no gates"),
        lists((EVALUATOR,), ("negate",), "promptfoo has no `not-` form that it honours; turn the value around"),
        Step((*ANY_CASE, DEFAULT_TEST), "lists, files and templates in `vars`", "", _variables, Kind.NO,
             reason="promptfoo does not read them as AgentV 5 does"),
        *PROVIDERS_TO_PROMPTFOO,
        noted("`repeat: 2` or more", (OPTIONS, EVALUATE_OPTIONS), shared.REPEATS,
              "`repeat`: AgentV 5 counts the best run, and promptfoo every one", Kind.ASK),
        shared.WEIGHTLESS_SETS,
        replace(shared.NO_WEIGHT, kind=Kind.NO, when="", reason=_NEVER_PASSES),
        noted("`tags` as a list", (SUITE,), keys_where("tags", lambda _, pair: isinstance(pair.value, Sequence)),
              "`tags`: promptfoo reads a mapping", Kind.NO),
        lists((*ANY_CASE, DEFAULT_TEST), ("prompts",), "promptfoo reads labels of prompts here"),
        lists(ANY_CASE, ("criteria",), "promptfoo does not show it to judges; write it into a rubric"),
        left_over(AGENTV_5, PROMPTFOO, records=shared.ALL_RECORDS, names_unknown=True,
                  advice_for_types="describe it in an `llm-rubric`, or judge it with `javascript` or `python`"),
    ),
)  # fmt: skip
"""The passes, and the order in which they run: names first, what cannot be migrated last."""

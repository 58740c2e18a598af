"""AgentV 5 to AgentV 4: variables that are whole prompts become `input`, and rubrics get their old types."""

from collections.abc import Iterator
from typing import TypeGuard

from rubric_core.dialects.agentv.migration.template_texts import (
    ENV_TO_SHELL,
    RAW_TEMPLATE,
    rendered_assertions,
    unprotect,
)
from rubric_core.dialects.agentv_5 import DIALECT as AGENTV_5
from rubric_core.dialects.agentv_5.migration.from_agentv_4 import VALUE_BESIDE_PROMPT
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Pass
from rubric_core.migration.moves import lift
from rubric_core.migration.places import ANY_CASE, CASE, CRITERION, EVALUATOR, FILE, RAW_CASE, SUITE, TURN, Place
from rubric_core.migration.shared_steps import is_group, kinds, left_over, lifts, pinned, sinks
from rubric_core.migration.steps import Change, Kind, Step, at_key, change, listed, lists, moved, of_type, renames
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import rename_key, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

AGENTV_4 = BY_NAME["agentv-4"]
_WHOLE_VARIABLE = lazily(r"\{\{\s*(\w+)\s*\}\}\Z")


def _only_prompt(place: Place) -> Scalar | None:
    """Return the prompt of a suite or a test if it is a single text."""
    node = place.node.get("prompts")
    if isinstance(node, Sequence) and len(node.items) == 1:
        node = node.items[0]
    return node if isinstance(node, Scalar) and not node.value.startswith(FILE_URL) else None


def _prompt_of_suite(place: Place) -> tuple[Scalar | None, str | None]:
    """Return the only prompt of the suite, and the name of the variable that it consists of."""
    suite = place.top()
    prompt = _only_prompt(suite) if suite.record == SUITE else None
    variable = _WHOLE_VARIABLE.match(prompt.value.strip()) if prompt is not None else None
    return prompt, variable[1] if variable else None


@at_key("vars")
def _input(place: Place, outer: Pair) -> Iterator[Change]:
    _, name = _prompt_of_suite(place)
    below = outer.value
    if name is None or not {"input", "prompts"}.isdisjoint(place.node.index) or not isinstance(below, Mapping):
        return
    pair = below.index.get(name)
    if pair is None or pair.key.origin:
        return
    if isinstance(pair.value, Sequence) and all(isinstance(item, Scalar) for item in pair.value.items):
        yield listed(pair, f"`vars.{name}`: a list of texts makes a test of each; write these tests out")
    else:
        yield from moved(place, pair, lift(place.text, place.node, outer, pair, "input"))


def _rendered_input(place: Place) -> Iterator[Change]:
    """Write the prompt of the suite, which names variables, as the input of each test."""
    prompt, name = _prompt_of_suite(place)
    if prompt is None or name is not None or not {"input", "prompts"}.isdisjoint(place.node.index):
        return
    edit = place.insertion("input", prompt.value, place.own("id"))
    if edit is not None:
        yield Change(place.node.start, (edit,))


@at_key("prompts")
def _own_prompts(place: Place, pair: Pair) -> Iterator[Change]:
    node = pair.value
    if "input" in place:
        return
    items = node.items if isinstance(node, Sequence) else []
    is_chat = bool(items) and all(isinstance(item, Mapping) and "role" in item.index for item in items)
    if isinstance(node, Scalar) or is_chat:
        yield Change(pair.key.start, (rename_key(pair, "input"),))
    elif (only := _only_prompt(place)) is not None:
        written = Edit(node.start, node.end, place.text[only.start : only.end])
        yield Change(pair.key.start, (rename_key(pair, "input"), written))


@at_key("prompts")
def _prompts(place: Place, pair: Pair) -> Iterator[Change]:
    """Remove the prompts of the suite when every test has an input."""
    tests = place.node.get("tests")
    items = tests.items if isinstance(tests, Sequence) else []
    cases = [item for item in items if isinstance(item, Mapping)]
    if cases and all("input" in case.index or "turns" in case.index for case in cases):
        yield from change(pair, place.removal(pair))


@of_type("llm-rubric")
def _rubric(place: Place, kind: Pair) -> Iterator[Change]:
    value, prompt = place.own("value"), place.own("prompt")
    at, grader = kind.key.start, replace_text(kind.value, "llm-grader")
    if value is None:
        yield Change(at, (grader,))
    elif isinstance(value.value, Sequence):
        to, key = ("rubrics", "criteria") if prompt is None else ("llm-grader", "rubrics")
        yield Change(at, (replace_text(kind.value, to), rename_key(value, key)))
    elif prompt is None and isinstance(value.value, Scalar) and "score_ranges" not in place:
        reason = "the `value` becomes the whole prompt of an `llm-grader`"
        yield Change(at, (grader, rename_key(value, "prompt")), Kind.ASK, reason)
    elif prompt is not None and place.word("value") == VALUE_BESIDE_PROMPT:
        yield from change(kind, grader, place.removal(value))
    else:
        reason = "`value`: AgentV 4 has nothing for it beside `prompt` or `score_ranges`; write a list of criteria"
        yield listed(kind, reason)


@of_type("assert-set")
def _aggregator(place: Place, kind: Pair) -> Iterator[Change]:
    retyped, limit = replace_text(kind.value, "composite"), place.own("threshold")
    if limit is None:
        yield from change(kind, retyped, place.insertion("aggregator", {"type": "weighted_average"}, kind))
        return
    written = place.text[limit.value.start : limit.value.end]
    edit = Edit(limit.key.start, limit.span.end, f"aggregator: {{type: threshold, threshold: {written}}}")
    reason = "`threshold` was compared with the mean score and counts passing members in AgentV 4"
    yield from change(kind, (retyped, edit), kind=Kind.ASK, reason=reason)


@of_type("skill-used", "not-skill-used")
def _skill(place: Place, kind: Pair) -> Iterator[Change]:
    value, word = place.own("value"), place.word("type")
    if value is None or not isinstance(value.value, Scalar):
        yield listed(kind, f"a `skill-trigger` has one skill, and this `{word}` has more to say")
        return
    is_used = word == "skill-used"
    inserted = () if is_used else place.insertion("should_trigger", value=False, after=value)
    yield from change(kind, replace_text(kind.value, "skill-trigger"), rename_key(value, "skill"), inserted)


@at_key("min_score")
def _whole_gate(place: Place, pair: Pair) -> Iterator[Change]:
    if "score_ranges" in place and place.is_true("required") and place.number("min_score") == 1:
        yield from change(pair, place.removal(pair))


@at_key("required")
def _required_ranges(place: Place, pair: Pair) -> Iterator[Change]:
    if "score_ranges" in place and place.is_true("required") and "min_score" not in place:
        yield from change(pair, place.removal(pair))


@at_key("providers")
def _target(place: Place, pair: Pair) -> Iterator[Change]:
    node = pair.value
    if "target" in place:
        return
    if isinstance(node, Scalar) and node.value:
        yield Change(pair.key.start, (rename_key(pair, "target"),))
    elif _is_one_label(node):
        start = node.items[0].start
        edit = Edit(pair.key.start, start, "target: ")
        yield from change(pair, None if "#" in place.text[pair.key.end : start] else edit)


def _is_one_label(node: Node) -> TypeGuard[Sequence]:
    return isinstance(node, Sequence) and len(node.items) == 1 and not node.flow and isinstance(node.items[0], Scalar)


def _are_labels(place: Place) -> bool:
    node = place.node.get("providers")
    if not isinstance(node, Sequence) or _is_one_label(node):
        return False
    return all(isinstance(item, Scalar) for item in node.items)


STEPS: tuple[Pass, ...] = (
    (
        Step(ANY_CASE, "`{{ x }}` in an assertion", "the same text", rendered_assertions, Kind.ASK,
             reason="AgentV 4 does not render assertions, so the judge sees these braces"),
    ),
    (
        Step((CRITERION,), "`required: true` beside `score_ranges`", "", _required_ranges,
             when="there is no `min_score`: AgentV 5 ignores it, AgentV 4 demands 10 of 10"),
    ),
    (
        pinned("agentv-5", "agentv-4"),
        Step((FILE,), RAW_TEMPLATE, "`{{ x }}`", unprotect),
        ENV_TO_SHELL,
        Step((CASE,), "`vars.input`", "`input`", _input, when="the only prompt is `{{ input }}`, or another variable"),
        Step((CASE,), "`prompts` of a test", "`input`", _own_prompts, when="one text, or one list of messages"),
        Step((CASE,), "one prompt with variables", "`input` of each test", _rendered_input),
    ),
    (
        Step((SUITE,), "`prompts`", "", _prompts, when="every test has an `input`"),
        lifts(ANY_CASE, "vars", ("expected_output",), "expected_output"),
        lifts((RAW_CASE,), "vars", ("input",), "input", kind=Kind.ASK,
              reason="`vars.input` becomes the `input`, as if the prompt of the suite were `{{ input }}`"),
    ),
    (
        renames((SUITE, *ANY_CASE, TURN), ("assert",), "assertions"),
        lifts(ANY_CASE, "execution", ("assert",), "assertions"),
        Step((EVALUATOR,), "`type: llm-rubric` and `value`", "`type: rubrics` and `criteria`", _rubric,
             when="a list; a text becomes the `prompt` of an `llm-grader`: ask"),
        *kinds({"script": "code-grader"}),
        renames((EVALUATOR,), ("assert",), "assertions", where=is_group),
        Step((EVALUATOR,), "`type: assert-set`", "`type: composite` and `aggregator`", _aggregator,
             when="with a `threshold`: ask"),
        Step((EVALUATOR,), "`type: skill-used`, `not-skill-used` and `value`",
             "`type: skill-trigger`, `skill` and `should_trigger`", _skill),
        renames((EVALUATOR,), ("provider",), "target"),
        renames((EVALUATOR,), ("metric",), "name"),
        Step((CRITERION,), "`min_score: 1` beside `required: true` and `score_ranges`", "", _whole_gate,
             when="AgentV 4 demands 10 of 10 there by itself"),
    ),
    (
        Step(ANY_CASE, "`description`", "`criteria`", renames(ANY_CASE, ("description",), "criteria").find, Kind.ASK,
             "there is no `criteria`", "the judge sees `criteria`, and did not see the `description`"),
        sinks((SUITE,), "providers", "execution", "targets", when=_are_labels, words="a list of labels"),
        Step((SUITE,), "`providers`", "`target`", _target, when="one label"),
        sinks((SUITE,), "threshold", "execution", "threshold"),
        sinks((SUITE,), "target", "execution", "target"),
        lifts((SUITE,), "evaluate_options", ("budget_usd",), "budget_usd"),
        lifts((SUITE,), "evaluate_options", ("max_concurrency",), "workers"),
    ),
    (
        sinks((SUITE,), "budget_usd", "execution", "budget_usd"),
        sinks((SUITE,), "workers", "execution", "workers"),
    ),
    (
        lists((SUITE, CASE), ("prompts",), "AgentV 4 has one input a test; write it as `input` of each"),
        left_over(AGENTV_5, AGENTV_4),
    ),
)  # fmt: skip

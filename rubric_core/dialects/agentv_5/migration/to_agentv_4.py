"""AgentV 5 to AgentV 4: variables that are the whole prompt become `input`, and rubrics get their old types."""

from collections.abc import Iterator

from rubric_core.dialects.agentv.migration.template_texts import ENV_TO_SHELL, RENDERED_ASSERTIONS, UNPROTECT
from rubric_core.dialects.agentv_5 import DIALECT as AGENTV_5
from rubric_core.dialects.agentv_5.migration.from_agentv_4 import VALUE_BESIDE_PROMPT
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Pass
from rubric_core.migration.moves import lift
from rubric_core.migration.places import ANY_CASE, CASE, CRITERION, EVALUATOR, RAW_CASE, SUITE, TURN, Place
from rubric_core.migration.shared_steps import (
    has_ranges,
    insertion,
    is_group,
    is_true,
    kinds,
    left_over,
    lifts,
    number_under,
    pinned,
    removal,
    sinks,
)
from rubric_core.migration.steps import Change, Kind, Step, change, lists, moved, renames
from rubric_core.syntax.edits import insert_key, rename_key, replace_text
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

AGENTV_4 = BY_NAME["agentv-4"]
_WHOLE_VARIABLE = lazily(r"\{\{\s*(\w+)\s*\}\}\Z")


def _only_prompt(place: Place) -> Scalar | None:
    """Return the prompt of a suite or a test, where it is a single text."""
    node = place.node.get("prompts")
    if isinstance(node, Sequence) and len(node.items) == 1:
        node = node.items[0]
    is_text = isinstance(node, Scalar) and not node.value.startswith("file://")
    return node if is_text and isinstance(node, Scalar) else None


def _variable(place: Place) -> str | None:
    suite = place.top()
    prompt = _only_prompt(suite) if suite.record == SUITE else None
    found = _WHOLE_VARIABLE.match(prompt.value.strip()) if prompt is not None else None
    return found[1] if found else None


def _input(place: Place) -> Iterator[Change]:
    name, outer = _variable(place), place.own("vars")
    below = outer.value if outer is not None else None
    if outer is None or name is None or "prompts" in place.node.index or not isinstance(below, Mapping):
        return
    pair = below.index.get(name)
    if pair is not None and not pair.key.origin and "input" not in place.node.index:
        if isinstance(pair.value, Sequence) and all(isinstance(item, Scalar) for item in pair.value.items):
            reason = f"`vars.{name}`: a list of texts makes a test of each; write these tests out"
            yield Change(pair.key.start, None, Kind.NO, reason)
        else:
            yield from moved(place, pair, lift(place.text, place.node, outer, pair, "input"))


def _rendered_input(place: Place) -> Iterator[Change]:
    """Write the prompt of the suite, which names variables, as the input of each test."""
    suite = place.top()
    prompt = _only_prompt(suite) if suite.record == SUITE else None
    if prompt is None or _variable(place) is not None or not {"input", "prompts"}.isdisjoint(place.node.index):
        return
    edits = insertion(place, "input", prompt.value, place.own("id"))
    if edits is not None:
        yield Change(place.node.start, edits)


def _own_prompts(place: Place) -> Iterator[Change]:
    pair = place.own("prompts")
    if pair is None or "input" in place.node.index:
        return
    node = pair.value
    is_chat = (
        isinstance(node, Sequence)
        and bool(node.items)
        and all(isinstance(item, Mapping) and "role" in item.index for item in node.items)
    )
    if isinstance(node, Scalar) or is_chat:
        yield Change(pair.key.start, (rename_key(pair, "input"),))
    elif (only := _only_prompt(place)) is not None:
        written = Edit(node.start, node.end, place.text[only.start : only.end])
        yield Change(pair.key.start, (rename_key(pair, "input"), written))


def _prompts(place: Place) -> Iterator[Change]:
    """Remove the prompts of the suite when every test has an input."""
    pair, tests = place.own("prompts"), place.node.get("tests")
    if pair is None or not isinstance(tests, Sequence):
        return
    cases = [item for item in tests.items if isinstance(item, Mapping)]
    if cases and all("input" in case.index or "turns" in case.index for case in cases):
        yield from change(pair, removal(place, pair))


def _rubric(place: Place) -> Iterator[Change]:
    kind, value, prompt = place.own("type"), place.own("value"), place.own("prompt")
    if kind is None or place.word("type") != "llm-rubric" or not isinstance(kind.value, Scalar):
        return
    at = kind.key.start
    grader = replace_text(kind.value, "llm-grader")
    if value is None:
        yield Change(at, (grader,))
    elif isinstance(value.value, Sequence):
        to, key = ("rubrics", "criteria") if prompt is None else ("llm-grader", "rubrics")
        yield Change(at, (replace_text(kind.value, to), rename_key(value, key)))
    elif prompt is None and isinstance(value.value, Scalar) and not has_ranges(place):
        reason = "the `value` becomes the whole prompt of an `llm-grader`"
        yield Change(at, (grader, rename_key(value, "prompt")), Kind.ASK, reason)
    elif prompt is not None and place.word("value") == VALUE_BESIDE_PROMPT:
        removed = removal(place, value)
        yield from change(kind, None if removed is None else (grader, *removed))
    else:
        reason = "`value`: AgentV 4 has nothing for it beside `prompt` or `score_ranges`; write a list of criteria"
        yield Change(at, None, Kind.NO, reason)


def _aggregator(place: Place) -> Iterator[Change]:
    kind = place.own("type")
    if kind is None or place.word("type") != "assert-set" or not isinstance(kind.value, Scalar):
        return
    retyped, limit = replace_text(kind.value, "composite"), place.own("threshold")
    if limit is None:
        inserted = insert_key(place.text, place.node, "aggregator", {"type": "weighted_average"}, after=kind)
        yield from change(kind, None if inserted is None else (retyped, inserted))
        return
    written = place.text[limit.value.start : limit.value.end]
    edit = Edit(limit.key.start, limit.span.end, f"aggregator: {{type: threshold, threshold: {written}}}")
    reason = "`threshold` was compared with the mean score and counts passing members in AgentV 4"
    yield from change(kind, (retyped, edit), Kind.ASK, reason)


def _skill(place: Place) -> Iterator[Change]:
    kind, value = place.own("type"), place.own("value")
    word = place.word("type")
    if kind is None or word not in {"skill-used", "not-skill-used"} or not isinstance(kind.value, Scalar):
        return
    if value is None or not isinstance(value.value, Scalar):
        yield Change(
            kind.key.start, None, Kind.NO, f"a `skill-trigger` has one skill, and this `{word}` has more to say"
        )
        return
    edits = (replace_text(kind.value, "skill-trigger"), rename_key(value, "skill"))
    if word == "skill-used":
        yield Change(kind.key.start, edits)
    else:
        inserted = insertion(place, "should_trigger", value=False, after=value)
        yield from change(kind, None if inserted is None else (*edits, *inserted))


def _whole_gate(place: Place) -> Iterator[Change]:
    pair = place.own("min_score")
    if pair is not None and has_ranges(place) and is_true(place, "required") and number_under(place, "min_score") == 1:
        yield from change(pair, removal(place, pair))


def _required_ranges(place: Place) -> Iterator[Change]:
    pair = place.own("required")
    if pair is not None and has_ranges(place) and is_true(place, "required") and "min_score" not in place.node.index:
        yield from change(pair, removal(place, pair))


def _target(place: Place) -> Iterator[Change]:
    pair = place.own("providers")
    node = pair.value if pair is not None else None
    if pair is None or "target" in place.node.index:
        return
    if isinstance(node, Scalar) and node.value:
        yield Change(pair.key.start, (rename_key(pair, "target"),))
    elif isinstance(node, Sequence) and _is_one_label(node):
        item = node.items[0]
        if "#" in place.text[pair.key.end : item.start]:
            yield from change(pair, None)
        else:
            yield Change(pair.key.start, (Edit(pair.key.start, item.start, "target: "),))


def _is_one_label(node: Sequence) -> bool:
    return len(node.items) == 1 and not node.flow and isinstance(node.items[0], Scalar)


def _are_labels(place: Place) -> bool:
    node = place.node.get("providers")
    if not isinstance(node, Sequence) or _is_one_label(node):
        return False
    return all(isinstance(item, Scalar) for item in node.items)


STEPS: tuple[Pass, ...] = (
    (RENDERED_ASSERTIONS,),
    (
        Step((CRITERION,), "`required: true` beside `score_ranges`", "", _required_ranges,
             when="there is no `min_score`: AgentV 5 ignores it, AgentV 4 demands 10 of 10"),
    ),
    (
        pinned("agentv-5", "agentv-4"),
        UNPROTECT,
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

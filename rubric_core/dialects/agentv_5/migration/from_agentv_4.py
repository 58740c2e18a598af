"""AgentV 4 to AgentV 5: `input` becomes a variable that `prompts` render, and every rubric an `llm-rubric`."""

from collections.abc import Iterator
from decimal import Decimal

from rubric_core.dialects.agentv.migration import NO_SCORECARDS
from rubric_core.dialects.agentv.migration.template_texts import RAW_TEMPLATE, SHELL_TO_ENV, protect, uses_variables
from rubric_core.dialects.agentv_5 import DIALECT as AGENTV_5
from rubric_core.dialects.agentv_5.migration.inputs import input_files, suite_input, trials
from rubric_core.dialects.agentv_5.migration.trajectories import trajectory
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Pass
from rubric_core.migration.moves import STEP, behind_colon, sink, wrap_in_item, written_key
from rubric_core.migration.places import ANY_CASE, CASE, CRITERION, EVALUATOR, SUITE, WITH_LISTS, Place
from rubric_core.migration.shared_steps import is_code, is_group, kinds, left_over, lifts, pinned, retypes, sinks
from rubric_core.migration.steps import Change, Kind, Step, at_key, change, listed, lists, moved, of_type, renames
from rubric_core.nunjucks.markup import has_templates
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import column_of, insert_key, rename_key, replace_node, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.text.lines import line_break_of
from rubric_core.text.spans import Edit

AGENTV_4 = BY_NAME["agentv-4"]
PROMPT = "{{ input }}"
VALUE_BESIDE_PROMPT = "The answer meets the instructions of the prompt"
"""What a rubric checks that has a prompt only; without a `value`, AgentV 5 drops it."""
_MATCHES = "Matches the reference answer: {{ expected_output }}"


@at_key("rubrics")
def _inline_rubrics(place: Place, pair: Pair) -> Iterator[Change]:
    if isinstance(pair.value, Sequence):
        yield from moved(place, pair, wrap_in_item(place.text, place.node, pair, "assert", "llm-rubric"))


@of_type("llm-grader", "llm_grader", "rubric")
def _grader(place: Place, kind: Pair) -> Iterator[Change]:
    retyped, rubrics, prompt = replace_text(kind.value, "llm-rubric"), place.own("rubrics"), place.own("prompt")
    text = prompt.value if prompt is not None else None
    if rubrics is not None:
        yield Change(kind.key.start, (retyped, rename_key(rubrics, "value")))
    elif prompt is None:
        yield _grader_without_prompt(place, kind, retyped)
    elif isinstance(text, Scalar) and not text.value.startswith(FILE_URL) and not has_templates(text.value):
        reason = "the text of `prompt` becomes what an `llm-rubric` checks"
        yield Change(kind.key.start, (retyped, rename_key(prompt, "value")), Kind.ASK, reason)
    else:
        value = place.insertion("value", VALUE_BESIDE_PROMPT, prompt)
        reason = "AgentV 5 drops a rubric with a `prompt` and no `value`, so a general one is written; make it exact"
        if value is not None:
            yield Change(kind.key.start, (retyped, value), Kind.ASK, reason)


def _grader_without_prompt(place: Place, kind: Pair, retyped: Edit) -> Change:
    case = place.test()
    criteria = None if case is None else case.word("criteria") or case.word("description")
    value = None if criteria is None else place.insertion("value", criteria, kind)
    if value is None:
        return listed(kind, "nothing says what this judge checks; write it under `value` of an `llm-rubric`")
    reason = "the judge checked the `criteria` of the test, so that text becomes its `value`"
    return Change(kind.key.start, (retyped, value), Kind.ASK, reason)


@at_key("aggregator")
def _weights(place: Place, pair: Pair) -> Iterator[Change]:
    """Move the weights of an aggregator to the members of its group, one at a time, and then remove it."""
    below = place.below("aggregator")
    if below is None or not is_group(place):
        return
    kind, removed = below.get("type"), place.removal(pair)
    word = kind.value if isinstance(kind, Scalar) else "weighted_average"
    if word == "threshold":
        share = below.get("threshold")
        if isinstance(share, Scalar) and removed is not None:
            edit = None if place.node.flow else Edit(pair.key.start, pair.span.end, f"threshold: {share.value}")
            reason = "`threshold` counted passing members and is compared with their mean score in AgentV 5"
            yield from change(pair, edit, kind=Kind.ASK, reason=reason)
    elif word == "weighted_average":
        yield from change(pair, removed, *_member_weights(place, below.get("weights")))
    else:
        yield listed(pair, f"an `assert-set` has no aggregator of the type `{word}`")


def _member_weights(place: Place, weights: Node | None) -> Iterator[Edit]:
    members = place.sequence("assert", "assertions", "evaluators")
    for item in members.items if members is not None and isinstance(weights, Mapping) else ():
        if isinstance(item, Mapping) and isinstance(weights, Mapping) and "weight" not in item.index:
            name = item.get("name") or item.get("metric")
            weight = weights.get(name.value) if isinstance(name, Scalar) else None
            edit = insert_key(place.text, item, "weight", Decimal(weight.value)) if isinstance(weight, Scalar) else None
            yield from () if edit is None else (edit,)


@of_type("skill-trigger", "skill_trigger")
def _skill(place: Place, kind: Pair) -> Iterator[Change]:
    skill, triggers = place.own("skill"), place.own("should_trigger")
    is_used = triggers is None or place.is_true("should_trigger")
    retyped = replace_text(kind.value, "skill-used" if is_used else "not-skill-used")
    renamed = () if skill is None else rename_key(skill, "value")
    yield from change(kind, retyped, renamed, () if triggers is None else place.removal(triggers))


@at_key("required")
def _numeric_required(place: Place, pair: Pair) -> Iterator[Change]:
    share = place.number("required")
    if share is not None and "min_score" not in place:
        inserted = place.insertion("min_score", share, pair)
        yield from change(pair, replace_node(pair.value, "true"), inserted)


@at_key("required")
def _required_ranges(place: Place, pair: Pair) -> Iterator[Change]:
    if "score_ranges" in place and place.is_true("required") and "min_score" not in place:
        yield from change(pair, place.insertion("min_score", 1, pair))


def is_judged(place: Place) -> bool:
    """Return whether something other than `criteria` judges a case."""
    suite = place.top()
    theirs = suite.record == SUITE and ("assert" in suite or "default_test" in suite)
    return "assert" in place or place.has("execution", "assert") or theirs


def _criteria(place: Place) -> Iterator[Change]:
    pair = place.own("criteria") or place.own("expected_outcome")
    if pair is None or not is_judged(place):
        return
    if "description" in place:
        edits = sink(place.text, place.node, pair, "metadata", "criteria")
        reason = (
            "AgentV 5 has no `criteria` beside `assert`, and `description` is taken, so it is kept under `metadata`"
        )
        for move in moved(place, pair, edits):
            yield move._replace(kind=move.kind or Kind.ASK, reason=move.reason or reason)
    else:
        yield Change(pair.key.start, (rename_key(pair, "description"),))


@at_key("input")
def _input(place: Place, pair: Pair) -> Iterator[Change]:
    if not uses_variables(place):
        yield from moved(place, pair, sink(place.text, place.node, pair, "vars", "input"))


@at_key("input")
def _input_with_variables(place: Place, pair: Pair) -> Iterator[Change]:
    if uses_variables(place) and "prompts" not in place:
        yield Change(pair.key.start, (rename_key(pair, "prompts"),))


@at_key("expected_output")
def _expected_output(place: Place, pair: Pair) -> Iterator[Change]:
    node = pair.value
    if isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items):
        reason = "`expected_output`: a list of texts under `vars` would make a test of each; write a mapping around it"
        yield listed(pair, reason)
    elif _compares_fields(place):
        yield listed(pair, "`expected_output`: `field-accuracy` finds it in files of cases only; move the test to one")
    elif not is_judged(place) and "criteria" not in place:
        lines = [f'  - {{type: llm-rubric, value: "{_MATCHES}"}}']
        added = insert_key(place.text, place.node, "assert", [{"type": "llm-rubric", "value": _MATCHES}], lines=lines)
        if added is not None:
            reason = "the implicit judge of the reference answer becomes an `llm-rubric`"
            yield Change(pair.key.start, (added,), Kind.ASK, reason)
    else:
        yield from moved(place, pair, sink(place.text, place.node, pair, "vars", "expected_output"))


def _compares_fields(place: Place) -> bool:
    assertions = [item for around in (place, place.top()) if (own := around.sequence("assert")) for item in own.items]
    types = [item.get("type") for item in assertions if isinstance(item, Mapping)]
    return any(isinstance(kind, Scalar) and kind.value == "field-accuracy" for kind in types)


@at_key("tests")
def _prompts(place: Place, tests: Pair) -> Iterator[Change]:
    """Insert `prompts` before the tests if a test has its input among its variables."""
    node = place.node
    if "prompts" in node.index or not isinstance(tests.value, Sequence):
        return
    cases = [Place(CASE, item, place.text) for item in tests.value.items if isinstance(item, Mapping)]
    if not any(case.has("vars", "input") for case in cases):
        return
    at = tests.key.start
    behind = ", " if node.flow else line_break_of(place.text) + " " * column_of(place.text, at)
    yield Change(at, (Edit(at, at, f'{written_key(node, "prompts")}: ["{PROMPT}"]{behind}'),))


@at_key("target")
def _target(place: Place, pair: Pair) -> Iterator[Change]:
    """Turn a target into a list with one provider."""
    colon = behind_colon(place.text, pair)
    if colon is None or "providers" in place or not isinstance(pair.value, Scalar):
        return
    renamed = rename_key(pair, "providers")
    if place.node.flow:
        end = pair.span.end
        yield Change(pair.key.start, (renamed, Edit(colon, colon, " ["), Edit(end, end, "]")))
    else:
        indent = " " * (column_of(place.text, pair.key.start) + STEP)
        item = Edit(colon, colon, f"{line_break_of(place.text)}{indent}-")
        # A text over several lines would need more indentation; on one line it means the same.
        is_long = len(place.text[slice(*pair.value.span)].splitlines()) > 1
        name = (replace_text(pair.value, pair.value.value),) if is_long else ()
        yield Change(pair.key.start, (renamed, item, *name))


STEPS: tuple[Pass, ...] = (
    (lists((SUITE, *ANY_CASE), ("prompts",), "AgentV 4 does not read it, and AgentV 5 sends it", Kind.ASK),),
    (
        Step((CASE,), "`input_files` beside a text as `input`", "a message whose `content` has the files and the text",
             input_files),
    ),
    (
        Step((SUITE,), "`input` of the suite",
             "its messages before those of each test, whose text becomes the `content` of one", suite_input, Kind.ASK,
             "not in a test with `skip_defaults`",
             "AgentV 5 has no `input` in a suite, so its messages are written before those of each test"),
        Step((SUITE,), "`execution.trials.count`", "`execution.repeat`", trials, Kind.ASK,
             "the strategy is `pass_at_k`; others: no", "`execution.trials.count` becomes `evaluate_options.repeat`"),
    ),
    (
        pinned("agentv-4", "agentv-5"),
        Step(ANY_CASE, "`{{ x }}`, `{% x %}` or `{# x #}` in a text", RAW_TEMPLATE, protect, Kind.ASK,
             reason="AgentV 5 renders this text, so `raw` is written around its braces"),
    ),
    (
        SHELL_TO_ENV,
        lifts((SUITE, *ANY_CASE), "execution", ("assertions", "evaluators"), "assert"),
        renames(WITH_LISTS, ("assertions", "evaluators"), "assert"),
        renames((EVALUATOR,), ("assertions", "evaluators"), "assert", where=is_group),
    ),
    (
        Step(ANY_CASE, "`rubrics`", "`assert` with an `llm-rubric`, and its `value`", _inline_rubrics),
        Step((CRITERION,), "`required: true` beside `score_ranges`", "`min_score: 1` too", _required_ranges,
             when="there is no `min_score`; AgentV 5 ignores `required` there"),
    ),
    (
        retypes(("rubrics", "criteria"), ("llm-rubric", "value")),
        Step((EVALUATOR,), "`type: llm-grader` with `rubrics` or `prompt`", "`type: llm-rubric` with `value`", _grader,
             when="with `rubrics`: safe; with a `prompt`, or with neither: ask"),
        *kinds({"code-grader": "script", "code_grader": "script"}),
        renames((EVALUATOR,), ("script",), "command", where=is_code),
        Step((EVALUATOR,), "`aggregator` of a `composite`, and its `weights`",
             "a `weight` in each member, or `threshold`", _weights,
             when="weighted: safe; threshold: ask; others: no"),
        *kinds({"composite": "assert-set"}, lambda place: "aggregator" not in place,
               "its aggregator can be migrated"),
        Step((EVALUATOR,), "`type: skill-trigger`, `skill` and `should_trigger`",
             "`type: skill-used`, `not-skill-used` and `value`", _skill),
        Step((EVALUATOR,), "`type: tool-trajectory` with `mode`, and `minimums` or a `tool` in each of `expected`",
             "`type: trajectory:tool-used` or `trajectory:tool-sequence` with `value`", trajectory, Kind.ASK,
             "no arguments are compared; several tools with `minimums` become an `assert-set`",
             "a `tool-trajectory` is scored in parts, and a `trajectory:` assertion is met or not"),
        renames((EVALUATOR,), ("target",), "provider"),
        renames((EVALUATOR,), ("name",), "metric"),
        Step((EVALUATOR,), "`required: 0.6`", "`required: true` and `min_score: 0.6`", _numeric_required),
    ),
    (
        Step(ANY_CASE, "`criteria`", "`description`", _criteria, Kind.ASK, "beside assertions; alone it stays",
             "AgentV 5 has no `criteria` beside `assert`; as a `description` the judge does not see it"),
        Step((CASE,), "`input` with variables", "`prompts` of the test", _input_with_variables, Kind.ASK,
             reason="`input` names variables, so it becomes the prompt of this test"),
        Step((CASE,), "`input`", "`vars.input`", _input),
        Step((CASE,), "`expected_output`", "`vars.expected_output`", _expected_output,
             when="not a list of texts, and no `field-accuracy` reads it"),
    ),
    (
        Step((SUITE,), "tests with `vars.input`", f'`prompts: ["{PROMPT}"]`', _prompts),
        lifts((SUITE,), "execution", ("targets",), "providers"),
        lifts((SUITE,), "execution", ("target",), "target"),
        Step((SUITE,), "`target`", "`providers` with one item", _target),
        lifts((SUITE,), "execution", ("threshold",), "threshold", kind=Kind.ASK,
              reason="`execution.threshold` becomes the `threshold` of the suite"),
        lifts((SUITE,), "execution", ("budget_usd", "budgetUsd"), "budget_usd", kind=Kind.ASK,
              reason="`execution.budget_usd` becomes `evaluate_options.budget_usd`"),
        lifts((SUITE,), "execution", ("workers",), "workers", kind=Kind.ASK,
              reason="`execution.workers` becomes `evaluate_options.max_concurrency`"),
        lifts((SUITE,), "execution", ("repeat",), "repeat"),
    ),
    (
        sinks((SUITE,), "budget_usd", "evaluate_options", "budget_usd"),
        sinks((SUITE,), "workers", "evaluate_options", "max_concurrency"),
        sinks((SUITE,), "repeat", "evaluate_options", "repeat"),
    ),
    (
        *NO_SCORECARDS,
        left_over(AGENTV_4, AGENTV_5),
    ),
)  # fmt: skip

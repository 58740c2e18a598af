"""AgentV 2 to AgentV 4: `evalcases` become `tests`; `rubrics` stay where they are."""

from collections.abc import Iterator
from decimal import Decimal

from rubric_core.dialects.agentv.migration import NO_SCORECARDS
from rubric_core.dialects.agentv_4 import DIALECT as AGENTV_4
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Pass
from rubric_core.migration.places import ANY_CASE, CASE, CRITERION, EVALUATOR, FILE, RANGE, SUITE, Place, own_scalars
from rubric_core.migration.shared_steps import (
    KEBAB,
    is_code,
    is_group,
    kinds,
    left_over,
    lifts,
    pinned,
    renames_in_prompt,
    retypes,
    retypes_aggregator,
    sinks,
    with_value,
)
from rubric_core.migration.steps import Change, Kind, Step, at_key, change, listed, of_type, renames
from rubric_core.schema.scales import FILE_URL, HIGHEST
from rubric_core.syntax.edits import replace_text
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.text.patterns import lazily

AGENTV_2 = BY_NAME["agentv-2"]
_PATH = lazily(r"[^\s{}]+\.(?:md|txt|yaml|yml|json|jinja|j2|prompt|liquid)\Z")
_ONLY_LLM_GRADER = frozenset({"prompt", "model", "config"})


@at_key("required_min_score")
def _gate(place: Place, pair: Pair) -> Iterator[Change]:
    score = place.number("required_min_score")
    if score is None or "min_score" in place:
        return
    if score == 0:
        yield from change(pair, place.removal(pair))
    elif 0 < score <= HIGHEST and score == int(score):
        yield from change(pair, with_value(pair, "min_score", f"{(score / Decimal(HIGHEST)).normalize():f}"))
    else:
        yield listed(pair, f"`required_min_score: {score}` is not an integer from 0 to {HIGHEST}")


def has_strings(place: Place) -> bool:
    """Return whether some criteria of an evaluator are strings, and only a rubric judges."""
    rubrics = place.node.get("rubrics")
    return (
        isinstance(rubrics, Sequence)
        and any(isinstance(item, Scalar) for item in rubrics.items)
        and _ONLY_LLM_GRADER.isdisjoint(place.node.index)
    )


def _is_rubric(place: Place) -> bool:
    return place.word("type") == "rubric" or (place.word("type") == "llm_judge" and has_strings(place))


@at_key("prompt")
def _prompt_path(_place: Place, pair: Pair) -> Iterator[Change]:
    node = pair.value
    if not isinstance(node, Scalar) or node.origin or node.value.startswith(FILE_URL):
        return
    if _PATH.match(node.value):
        yield Change(pair.key.start, (replace_text(node, FILE_URL + node.value),))


@at_key("assertions")
def _skip_defaults(place: Place, own: Pair) -> Iterator[Change]:
    suite, execution = place.top(), place.own("execution")
    if suite.record != SUITE or suite.sequence("assertions") is None:
        return
    if execution is None:
        yield from change(own, place.insertion("execution", {"skip_defaults": True}, own))
    elif isinstance(execution.value, Mapping) and "skip_defaults" not in execution.value.index:
        inner = Place("execution", execution.value, place.text, place)
        yield from change(own, inner.insertion("skip_defaults", value=True))


@of_type("tool_trajectory", "tool-trajectory", "expected_tool_calls")
def _no_mode(place: Place, kind: Pair) -> Iterator[Change]:
    if "mode" not in place:
        yield Change(kind.key.start, None)


def _environment(place: Place) -> Iterator[Change]:
    yield from (Change(node.start, None) for node in own_scalars(place.node) if "${{" in node.value)


STEPS: tuple[Pass, ...] = (
    (
        pinned("agentv-2", "agentv-4"),
        renames((SUITE,), ("evalcases", "eval_cases", "cases"), "tests"),
        renames(ANY_CASE, ("expected_outcome", "outcome"), "criteria"),
        renames(ANY_CASE, ("input_messages",), "input"),
        renames(ANY_CASE, ("expected_messages",), "expected_output"),
        renames((CRITERION, RANGE), ("expected_outcome", "description"), "outcome"),
        Step((CRITERION,), "`required_min_score: 7`", "`min_score: 0.7`", _gate, when="0 is removed: it is no gate"),
        retypes(("rubric", "rubrics"), ("rubrics", "criteria"), _is_rubric,
                "also for `llm_judge` whose `rubrics` have strings"),
        *kinds({"llm_judge": "llm-grader"}, lambda place: not has_strings(place)),
        *kinds({"code_judge": "code-grader", "code": "code-grader"}),
        *kinds({**KEBAB, "expected_tool_calls": "tool-trajectory"}),
        renames((EVALUATOR,), ("script",), "command", where=is_code),
        renames((EVALUATOR,), ("evaluators",), "assertions", where=is_group, when="in a `composite`"),
        retypes_aggregator({"llm_judge": "llm-grader", "code_judge": "code-grader"}),
        Step((EVALUATOR,), "`prompt: judge.md`", "`prompt: file://judge.md`", _prompt_path, when="it is a path"),
        renames_in_prompt("script", "command"),
        Step((FILE,), "`${{ X }}`", "", _environment, Kind.ASK,
             reason="`${{ X }}` was text and is replaced with an environment variable from AgentV 2.17 on"),
        *(sinks(ANY_CASE, key, "metadata", key, words="nobody reads it") for key in ("note", "question")),
        sinks(ANY_CASE, "reference_answer", "metadata", "reference_answer", kind=Kind.ASK,
              reason="AgentV 4 has no `reference_answer`, so it is kept under `metadata`; judges see the "
              "`expected_output`"),
        sinks((SUITE,), "dataset", "metadata", "dataset", kind=Kind.ASK,
              reason="AgentV 4 has no `dataset`, so it is kept under `metadata`; results show `name`"),
        Step((EVALUATOR,), "`type: tool_trajectory` without `mode`", "", _no_mode, Kind.NO,
             reason="AgentV 4 needs the `mode` of a `tool-trajectory`; add it"),
        *NO_SCORECARDS,
    ),
    (
        lifts((SUITE, *ANY_CASE), "execution", ("evaluators",), "assertions"),
        renames((SUITE, *ANY_CASE), ("evaluators",), "assertions"),
    ),
    (
        Step((CASE,), "a list of a case beside one of the suite", "`execution.skip_defaults: true`", _skip_defaults,
             when="AgentV 4 would use both lists"),
    ),
    (left_over(AGENTV_2, AGENTV_4),),
)  # fmt: skip

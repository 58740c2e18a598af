"""AgentV 4 to AgentV 2: assertions become evaluators, a list that is one rubric becomes `rubrics`."""

from collections.abc import Iterator
from decimal import ROUND_CEILING

from rubric_core.dialects.agentv_4 import DIALECT as AGENTV_4
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Pass
from rubric_core.migration.moves import sink, unwrap_item
from rubric_core.migration.places import ANY_CASE, CASE, CRITERION, EVALUATOR, RANGE, SUITE, Place
from rubric_core.migration.shared_steps import (
    KEBAB,
    is_code,
    is_group,
    kinds,
    left_over,
    pinned,
    renames_in_prompt,
    retypes,
    retypes_aggregator,
    skips_defaults,
    with_value,
)
from rubric_core.migration.steps import Change, Kind, Step, at_key, change, listed, lists, moved, renames
from rubric_core.schema.fields import CRITERION_PLACEHOLDER
from rubric_core.schema.scales import FILE_URL, HIGHEST
from rubric_core.syntax.edits import column_of, remove_entry, remove_pair, rename_key, replace_text
from rubric_core.syntax.entries import number_of
from rubric_core.syntax.indentation import shifted
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.text.lines import line_break_of, line_end, line_start
from rubric_core.text.spans import Edit

AGENTV_2 = BY_NAME["agentv-2"]
_LISTS = ("assertions", "assert", "evaluators")
_RUBRIC_KEYS = {"type", "criteria"}


def _list_of(place: Place) -> Pair | None:
    return next((pair for key in _LISTS if (pair := place.own(key)) is not None), None)


def _messages(key: str, new: str) -> Step:
    """Return the step for messages: a list gets the main name, anything else is legal under the same name."""

    @at_key(key)
    def find(place: Place, pair: Pair) -> Iterator[Change]:
        node = pair.value
        if new in place or not isinstance(node, Sequence):
            return
        if all(isinstance(item, Mapping) and "role" in item.index for item in node.items):
            yield Change(pair.key.start, (rename_key(pair, new),))

    return Step(ANY_CASE, f"`{key}`", f"`{new}`", find, when="it is a list of messages; a text stays as it is")


@at_key("tests")
def _tests(place: Place, pair: Pair) -> Iterator[Change]:
    if "evalcases" in place:
        return
    items = pair.value.items if isinstance(pair.value, Sequence) else [pair.value]
    if all(isinstance(item, Mapping) for item in items):
        yield Change(pair.key.start, (rename_key(pair, "evalcases"),))
    else:
        yield listed(pair, "AgentV 2 has no references to files of tests; copy them here")


@at_key("min_score")
def _gate(place: Place, pair: Pair) -> Iterator[Change]:
    share = place.number("min_score")
    if share is None or "required_min_score" in place:
        return
    score = share * HIGHEST
    whole = score.to_integral_value(ROUND_CEILING)
    edits = with_value(pair, "required_min_score", str(int(whole)))
    if score == whole:
        yield from change(pair, edits)
    else:
        reason = f"`min_score: {share}` is between two scores and becomes {int(whole)} of {HIGHEST}"
        yield from change(pair, edits, kind=Kind.ASK, reason=reason)


@at_key("operator")
def _operator(place: Place, pair: Pair) -> Iterator[Change]:
    operator, removed = place.word("operator"), place.removal(pair)
    if operator == "correctness":
        yield from change(pair, removed)
        return
    text = place.own("outcome") or place.own("expected_outcome") or place.own("criteria")
    if text is not None and isinstance(text.value, Scalar) and operator == "contradiction" and removed:
        text_edit = replace_text(text.value, f"Does not contradict: {text.value.value}")
        reason = "`operator: contradiction` becomes a part of the text, since AgentV 2 has no operators"
        yield Change(pair.key.start, (removed, text_edit), Kind.ASK, reason)


def _inline_rubric(place: Place) -> Iterator[Change]:
    pair = _list_of(place)
    items = pair.value if pair is not None else None
    if pair is None or not isinstance(items, Sequence) or not items.items or "rubrics" in place:
        return
    first = items.items[0]
    if not isinstance(first, Mapping) or set(first.index) != _RUBRIC_KEYS:
        return
    kind = first.get("type")
    if not isinstance(kind, Scalar) or kind.value != "rubrics":
        return
    if len(items.items) == 1 and skips_defaults(place) and place.top().sequence(*_LISTS) is not None:
        # Without a list of its own, the case would get the suite's.
        return
    edits = unwrap_item(place.text, place.node, pair, first, first.index["criteria"], "rubrics")
    if edits is not None:
        yield from moved(place, pair, edits)


def _only_strings(place: Place) -> Iterator[Change]:
    pair = _list_of(place)
    items = pair.value.items if pair is not None and isinstance(pair.value, Sequence) else []
    strings = [item for item in items if isinstance(item, Scalar)]
    if pair is not None and strings and len(strings) == len(items) and "rubrics" not in place:
        yield Change(pair.key.start, (rename_key(pair, "rubrics"),))
    elif strings:
        yield listed(strings[0], "AgentV 2 has no strings among evaluators; write them under `rubrics`")


@at_key("prompt")
def _prompt_file(_place: Place, pair: Pair) -> Iterator[Change]:
    node = pair.value
    if isinstance(node, Scalar) and not node.origin and node.value.startswith(FILE_URL):
        yield Change(pair.key.start, (replace_text(node, node.value.removeprefix(FILE_URL)),))


@at_key("type")
def _name(place: Place, kind: Pair) -> Iterator[Change]:
    siblings = place.siblings
    if "name" in place or siblings is None:
        return
    names = [item.get("name") for item in siblings.items if isinstance(item, Mapping)]
    taken = {name.value for name in names if isinstance(name, Scalar)}
    stem = str(place.word("type"))
    name = stem if stem not in taken else f"{stem}-{number_of(place.node, siblings.items) + 1}"
    yield from change(kind, place.insertion("name", name, kind))


def _both_lists(place: Place) -> Iterator[Change]:
    """Copy the list of the suite into each case with its own list."""
    own, suite = _list_of(place), place.top()
    theirs = _list_of(suite) if suite.record == SUITE else None
    if own is None or theirs is None or skips_defaults(place):
        return
    items, more = own.value, theirs.value
    if not isinstance(items, Sequence) or not isinstance(more, Sequence) or not more.items:
        return
    if items.flow or more.flow or items.meta is not None or more.origin is not None:
        yield from change(own, None)
        return
    text, line_break = place.text, line_break_of(place.text)
    by = column_of(text, items.start) - column_of(text, more.start)
    start = line_start(text, more.start)
    lines = shifted(text[start : line_end(text, more.end)], by).lstrip(" ")
    at = line_end(text, items.end)
    copied = Edit(at, at, f"{line_break}{' ' * column_of(text, items.start)}{lines}")
    execution = place.own("execution")
    if execution is None:
        key = own.key.start
        indent = f"{line_break}{' ' * column_of(text, key)}"
        yield from change(own, (copied, Edit(key, key, f"execution:{indent}  skip_defaults: true{indent}")))
    elif isinstance(execution.value, Mapping):
        inner = Place("execution", execution.value, text, place)
        yield from change(own, copied, inner.insertion("skip_defaults", value=True))


@at_key("execution")
def _skip_defaults(place: Place, execution: Pair) -> Iterator[Change]:
    below = execution.value
    if not isinstance(below, Mapping) or not skips_defaults(place):
        return
    pair = below.index["skip_defaults"]
    if _list_of(place) is None and place.top().sequence(*_LISTS) is not None:
        reason = "`skip_defaults`: AgentV 2 uses the suite's evaluators in every case without some of its own"
        yield listed(pair, reason)
    elif len(below.pairs) > 1:
        yield from change(pair, remove_pair(place.text, below, pair))
    else:
        # The mapping is removed with its last key.
        removed = remove_entry(place.text, execution) if len(place.node.pairs) == 1 else None
        yield from change(pair, place.removal(execution) or removed)


def _to_execution(place: Place) -> Iterator[Change]:
    pair = _list_of(place)
    if pair is not None and isinstance(pair.value, (Sequence, Mapping)):
        yield from moved(place, pair, sink(place.text, place.node, pair, "execution", "evaluators"))


def _in_execution(place: Place) -> Iterator[Change]:
    pair = place.own("assertions") or place.own("assert")
    if pair is not None and "evaluators" not in place:
        yield Change(pair.key.start, (rename_key(pair, "evaluators"),))


def _missing_outcome(place: Place) -> Iterator[Change]:
    keys = place.node.index.keys()
    if keys.isdisjoint({"id", "input", "input_messages"}) or not keys.isdisjoint(AGENTV_2.case_text_keys):
        return
    rubrics = place.sequence("rubrics")
    first = rubrics.items[0] if rubrics is not None and rubrics.items else None
    node = first.get("expected_outcome") if isinstance(first, Mapping) else first
    outcome = node.value if isinstance(node, Scalar) and node.value.strip() else CRITERION_PLACEHOLDER
    edit = place.insertion("expected_outcome", outcome, place.own("id"))
    if edit is not None:
        yield Change(place.node.start, (edit,))


STEPS: tuple[Pass, ...] = (
    (
        pinned("agentv-4", "agentv-2"),
        Step((SUITE,), "`tests`", "`evalcases`", _tests, when="references to files of tests: no"),
        renames(ANY_CASE, ("criteria",), "expected_outcome"),
        _messages("input", "input_messages"),
        _messages("expected_output", "expected_messages"),
        Step((CRITERION,), "`operator`", "", _operator, when="`contradiction` is written into the text: ask"),
        renames((CRITERION,), ("outcome", "criteria"), "expected_outcome"),
        renames((RANGE,), ("outcome",), "expected_outcome"),
        Step((CRITERION,), "`min_score: 0.7`", "`required_min_score: 7`", _gate, when="between two scores: ask"),
    ),
    (
        Step(ANY_CASE, "a list that starts with a `rubrics` without a name", "`rubrics`", _inline_rubric),
        Step(ANY_CASE, "a list of strings", "`rubrics`", _only_strings, Kind.ASK,
             reason="the strings weighed as many as they are beside other assertions; `rubrics` weigh 1"),
    ),
    (
        retypes(("rubrics", "criteria"), ("llm_judge", "rubrics")),
        *kinds({"llm-grader": "llm_judge", "llm_grader": "llm_judge"}),
        *kinds({"code-grader": "code_judge", "code_grader": "code_judge"}),
        *kinds({new: old for old, new in KEBAB.items()}),
        renames((EVALUATOR,), ("command",), "script", where=is_code),
        renames((EVALUATOR,), ("assertions", "assert"), "evaluators", where=is_group, when="in a `composite`"),
        retypes_aggregator({"llm-grader": "llm_judge", "code-grader": "code_judge"}),
        Step((EVALUATOR,), "`prompt: file://judge.md`", "`prompt: judge.md`", _prompt_file),
        renames_in_prompt("command", "script"),
        Step((EVALUATOR,), "an assertion without `name`", "`name` with its type", _name),
    ),
    (
        Step((CASE,), "lists of the suite and of a case", "both in `execution.evaluators` of the case", _both_lists),
    ),
    (
        Step(ANY_CASE, "`execution.skip_defaults: true`", "", _skip_defaults, when="the case has a list of its own"),
    ),
    (
        Step((SUITE, *ANY_CASE), "`assertions`, `assert`, `evaluators`", "`execution.evaluators`", _to_execution),
        Step(("execution", "suite-execution"), "`execution.assertions`", "`execution.evaluators`", _in_execution),
    ),
    (
        Step(ANY_CASE, "a case without `criteria`", "`expected_outcome` with the first criterion", _missing_outcome,
             Kind.ASK, reason="AgentV 2 needs an `expected_outcome`; check the text"),
    ),
    (
        lists((EVALUATOR,), ("required", "min_score"), "AgentV 2 has no gates of evaluators"),
        lists((EVALUATOR,), ("negate",), "AgentV 2 cannot turn a result around"),
        left_over(AGENTV_4, AGENTV_2),
    ),
)  # fmt: skip

"""Steps and helpers that the tables of several migrations share."""

import re
from collections.abc import Callable, Iterator

from rubric_core.dialects.dialect import Dialect
from rubric_core.migration.moves import Edits, lift, sink
from rubric_core.migration.places import (
    ANY_CASE,
    CRITERION,
    DEFAULT_TEST,
    DEFINITION,
    EVALUATOR,
    EXECUTION,
    FILE,
    RANGE,
    RAW_CASE,
    SUITE,
    SUITE_EXECUTION,
    TURN,
    Place,
)
from rubric_core.migration.steps import Change, Find, Kind, Step, at_key, listed, moved, names, of_type
from rubric_core.schema.fields import Record
from rubric_core.syntax.edits import rename_key, replace_node, replace_text
from rubric_core.syntax.nodes import Mapping, Pair, Scalar
from rubric_core.text.spans import Edit

KEBAB = {
    kind: kind.replace("_", "-") for kind in ("tool_trajectory", "field_accuracy", "token_usage", "execution_metrics")
}
_PIN = r"(#[ \t]*rubric:[ \t]*dialect[ \t]*=[ \t]*){name}(?![\w-])"
LISTED_TWICE = "a list of another name is there too; put the two together"


def pinned(source: str, target: str) -> Step:
    """Return the step that changes the comment which names the dialect of a file."""
    pattern = re.compile(_PIN.format(name=re.escape(source)))

    def find(place: Place) -> Iterator[Change]:
        for comment in pattern.finditer(place.text):
            start = comment.end(1)
            yield Change(start, (Edit(start, comment.end(), target),))

    return Step((FILE,), f"`# rubric: dialect={source}`", f"`# rubric: dialect={target}`", find)


def kinds(types: dict[str, str], when: Callable[[Place], bool] | None = None, words: str = "") -> Iterator[Step]:
    """Yield a step for each new name of a type."""
    for new in dict.fromkeys(types.values()):
        old = tuple(kind for kind, name in types.items() if name == new)
        shown = ", ".join(f"`type: {kind}`" for kind in old)
        yield Step((EVALUATOR,), shown, f"`type: {new}`", _retype(old, new, when), when=words)


def _retype(old: tuple[str, ...], new: str, when: Callable[[Place], bool] | None) -> Find:
    @of_type(*old)
    def find(place: Place, pair: Pair) -> Iterator[Change]:
        node = pair.value
        if not node.origin and (when is None or when(place)):
            quote = {'"': '"', "'": "'"}.get(place.text[node.start : node.start + 1], "")
            yield Change(pair.key.start, (Edit(node.start, node.end, f"{quote}{new}{quote}"),))

    return find


def retypes(
    old: tuple[str, str], new: tuple[str, str], where: Callable[[Place], bool] | None = None, when: str = ""
) -> Step:
    """Return the step that changes the type of an evaluator, and renames its list of criteria accordingly."""

    @at_key("type")
    def find(place: Place, kind: Pair) -> Iterator[Change]:
        criteria = place.own(old[1])
        if place.word("type") == old[0] if where is None else where(place):
            renamed = () if criteria is None else (rename_key(criteria, new[1]),)
            yield Change(kind.key.start, (replace_text(kind.value, new[0]), *renamed))

    return Step((EVALUATOR,), "`type: {}` and `{}`".format(*old), "`type: {}` and `{}`".format(*new), find, when=when)


def retypes_aggregator(types: dict[str, str]) -> Step:
    """Return the step that renames the types of the aggregator of a group."""

    def find(place: Place) -> Iterator[Change]:
        pair = place.inner("aggregator", "type")
        if pair is not None and isinstance(pair.value, Scalar) and pair.value.value in types:
            yield Change(pair.key.start, (replace_text(pair.value, types[pair.value.value]),))

    return Step((EVALUATOR,), f"`aggregator.type: {'`, `'.join(types)}`", names(*types.values()), find)


def renames_in_prompt(old: str, new: str) -> Step:
    """Return the step that renames the command which prints a judge's prompt."""

    def find(place: Place) -> Iterator[Change]:
        pair = place.inner("prompt", old)
        if pair is not None:
            yield Change(pair.key.start, (rename_key(pair, new),))

    return Step((EVALUATOR,), f"`prompt.{old}`", f"`prompt.{new}`", find)


def lifts(  # noqa: PLR0913 - what, where to, and why.
    records: tuple[str, ...],
    outer: str,
    keys: tuple[str, ...],
    new: str,
    *,
    kind: Kind = Kind.SAFE,
    reason: str = "",
) -> Step:
    """Return the step that moves the first of some keys from inside a mapping to beside it."""

    def find(place: Place) -> Iterator[Change]:
        around, below = place.own(outer), place.below(outer)
        if around is None or below is None:
            return
        pair = next((below.index[key] for key in keys if key in below.index), None)
        if pair is None or pair.key.origin:
            return
        if new in place:
            yield listed(pair, f"`{outer}.{pair.name}`: {LISTED_TWICE}")
        else:
            yield from moved(place, pair, lift(place.text, place.node, around, pair, new))

    return Step(records, ", ".join(f"`{outer}.{key}`" for key in keys), f"`{new}`", find, kind, reason=reason)


def renames_both(records: tuple[str, ...], old: tuple[str, str], new: tuple[str, str]) -> Step:
    """Return the step that renames a mapping with one key, and this key, without moving anything."""

    def find(place: Place) -> Iterator[Change]:
        outer, below = place.own(old[0]), place.below(old[0])
        if outer is None or below is None or new[0] in place:
            return
        if [pair.name for pair in below.pairs] == [old[1]] and not below.pairs[0].key.origin:
            yield Change(outer.key.start, (rename_key(outer, new[0]), rename_key(below.pairs[0], new[1])))

    when = f"`{old[0]}` has no other key, and there is no `{new[0]}`"
    return Step(records, f"`{'.'.join(old)}`", f"`{'.'.join(new)}`", find, when=when)


def sinks(  # noqa: PLR0913 - what, where, and when.
    records: tuple[str, ...],
    old: str,
    outer: str,
    new: str,
    *,
    kind: Kind = Kind.SAFE,
    when: Callable[[Place], bool] | None = None,
    words: str = "",
    reason: str = "",
) -> Step:
    """Return the step that puts a key below another one."""

    @at_key(old)
    def find(place: Place, pair: Pair) -> Iterator[Change]:
        if when is None or when(place):
            yield from moved(place, pair, sink(place.text, place.node, pair, outer, new))

    return Step(records, f"`{old}`", f"`{outer}.{new}`", find, kind, words, reason)


def skips_defaults(place: Place) -> bool:
    """Return whether a case excludes the list of the suite."""
    execution = place.node.get("execution")
    return isinstance(execution, Mapping) and Place(EXECUTION, execution, place.text).is_true("skip_defaults")


def with_value(pair: Pair, name: str, value: str) -> Edits:
    """Return the edits that rename a key and replace its value."""
    return rename_key(pair, name), replace_node(pair.value, value)


def is_code(place: Place) -> bool:
    """Return whether a command judges, in any dialect."""
    return place.word("type") in {"code_judge", "code", "code-judge", "code-grader", "code_grader", "script"}


def is_group(place: Place) -> bool:
    """Return whether an evaluator has members, in any dialect."""
    return place.word("type") in {"composite", "assert-set"}


_LEFT_OVER = (SUITE, *ANY_CASE, SUITE_EXECUTION, EXECUTION, EVALUATOR, CRITERION, RANGE, TURN, DEFAULT_TEST)


def left_over(
    source: Dialect,
    target: Dialect,
    *,
    records: tuple[str, ...] = _LEFT_OVER,
    names_unknown: bool = False,
    advice_for_types: str = "describe it in a criterion",
) -> Step:
    """Return the step that lists every key and type of the old dialect that the new one does not have.

    `names_unknown` means that it also lists those that neither dialect has.
    """

    def find(place: Place) -> Iterator[Change]:
        old, new = record_of(source, place), record_of(target, place)
        if old is None or new is None:
            return
        kind = place.word("type") if place.record == EVALUATOR else None
        if kind is not None and target.type_of(kind) is None and not _is_custom(kind, source, target):
            old_type = target.removed_types.get(kind)
            instead = f"use `{old_type.instead}`" if old_type is not None and old_type.instead else ""
            advice = ", and ".join(filter(None, (instead, old_type and old_type.advice))) or advice_for_types
            yield listed(place.node.index["type"], f"{target.title} has no type `{kind}`; {advice}")
            return
        for pair in place.node.pairs:
            name = pair.name or ""
            if new.get(name) is not None or place.own(name) is not pair:
                continue
            removed = new.removed.get(name)
            if removed is not None or (not new.open and (names_unknown or old.get(name) is not None)):
                advice = (removed and removed.advice) or "remove it, or keep what it says elsewhere"
                yield listed(pair, f"`{name}`: {target.title} does not have it; {advice}")

    return Step(records, "any other key or type", "", find, Kind.NO, reason=f"{target.title} does not have it")


def record_of(dialect: Dialect, place: Place) -> Record | None:
    """Return the record of a dialect for a place, or None if the dialect has no such place."""
    if place.record == EVALUATOR:
        return dialect.evaluator(place.word("type"))
    if place.record == RAW_CASE:
        return dialect.raw_case
    if place.record == DEFINITION:
        provider = dialect.records.get("provider")
        return provider if provider is not None and provider.condition.holds(place.node.index) else None
    if place.record == SUITE_EXECUTION:
        return dialect.records.get(SUITE_EXECUTION, dialect.records["execution"])
    return dialect.records.get(place.record)


def _is_custom(kind: str, source: Dialect, target: Dialect) -> bool:
    """Return whether a type may be defined by the project."""
    return bool(target.table.types.own_folder) and source.type_of(kind) is None and kind not in target.removed_types

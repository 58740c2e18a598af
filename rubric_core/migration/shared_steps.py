"""Steps and helpers that the tables of several migrations share."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

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
from rubric_core.migration.steps import Change, Kind, Step, moved, names
from rubric_core.schema.fields import Record
from rubric_core.syntax.edits import Data, insert_key, remove_entry, remove_pair, rename_key, replace_node, replace_text
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import as_boolean, as_number
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

SNAKE_TYPES = ("tool_trajectory", "field_accuracy", "token_usage", "execution_metrics")
KEBAB = {kind: kind.replace("_", "-") for kind in SNAKE_TYPES}
TEMPLATE = lazily(r"\{\{|\{%|\{#")
SHELL_VARIABLE = lazily(r"\$\{\{")
_PIN = r"(#[ \t]*rubric:[ \t]*dialect[ \t]*=[ \t]*){name}(?![\w-])"
LISTED_TWICE = "a list of another name is there too; put the two together"


def pinned(source: str, target: str) -> Step:
    """Return the step that changes the comment which names the dialect of a file."""
    pattern = re.compile(_PIN.format(name=re.escape(source)))

    def find(place: Place) -> Iterator[Change]:
        for found in pattern.finditer(place.text):
            start = found.end(1)
            yield Change(start, (Edit(start, found.end(), target),))

    return Step((FILE,), f"`# rubric: dialect={source}`", f"`# rubric: dialect={target}`", find)


def kinds(types: dict[str, str], when: Callable[[Place], bool] | None = None, words: str = "") -> Iterator[Step]:
    """Yield a step for each new name of a type."""
    for new in dict.fromkeys(types.values()):
        old = tuple(kind for kind, name in types.items() if name == new)
        yield Step(
            (EVALUATOR,),
            ", ".join(f"`type: {each}`" for each in old),
            f"`type: {new}`",
            _retype(dict.fromkeys(old, new), when),
            when=words,
        )


def retypes(
    old: tuple[str, str], new: tuple[str, str], where: Callable[[Place], bool] | None = None, when: str = ""
) -> Step:
    """Return the step that gives an evaluator another type, and its list of criteria the name that it has there."""

    def find(place: Place) -> Iterator[Change]:
        kind, listed = place.own("type"), place.own(old[1])
        matches_type = place.word("type") == old[0] if where is None else where(place)
        if kind is not None and isinstance(kind.value, Scalar) and matches_type:
            edits = (replace_text(kind.value, new[0]),)
            yield Change(kind.key.start, (*edits, rename_key(listed, new[1])) if listed is not None else edits)

    return Step((EVALUATOR,), "`type: {}` and `{}`".format(*old), "`type: {}` and `{}`".format(*new), find, when=when)


def retypes_aggregator(types: dict[str, str]) -> Step:
    """Return the step that gives the aggregator of a group the new names of its types."""

    def find(place: Place) -> Iterator[Change]:
        below = place.below("aggregator")
        pair = below.index.get("type") if below is not None else None
        if pair is not None and isinstance(pair.value, Scalar) and pair.value.value in types:
            yield Change(pair.key.start, (replace_text(pair.value, types[pair.value.value]),))

    return Step((EVALUATOR,), f"`aggregator.type: {'`, `'.join(types)}`", names(*types.values()), find)


def renames_in_prompt(old: str, new: str) -> Step:
    """Return the step that gives the command which prints a judge's prompt another name."""

    def find(place: Place) -> Iterator[Change]:
        below = place.below("prompt")
        pair = below.index.get(old) if below is not None else None
        if pair is not None:
            yield Change(pair.key.start, (rename_key(pair, new),))

    return Step((EVALUATOR,), f"`prompt.{old}`", f"`prompt.{new}`", find)


def _retype(types: dict[str, str], when: Callable[[Place], bool] | None) -> Callable[[Place], Iterator[Change]]:
    def find(place: Place) -> Iterator[Change]:
        pair = place.own("type")
        node = pair.value if pair is not None else None
        if pair is None or not isinstance(node, Scalar) or node.origin or node.value not in types:
            return
        if when is None or when(place):
            quote = {'"': '"', "'": "'"}.get(place.text[node.start : node.start + 1], "")
            yield Change(pair.key.start, (Edit(node.start, node.end, f"{quote}{types[node.value]}{quote}"),))

    return find


def lifts(  # noqa: PLR0913 - what, where to, and why.
    records: tuple[str, ...],
    outer: str,
    keys: tuple[str, ...],
    new: str,
    *,
    kind: Kind = Kind.SAFE,
    reason: str = "",
) -> Step:
    """Return the step that takes the first of some keys out of a mapping and puts it beside that."""

    def find(place: Place) -> Iterator[Change]:
        around, below = place.own(outer), place.below(outer)
        if around is None or below is None:
            return
        pair = next((below.index[key] for key in keys if key in below.index), None)
        if pair is None or pair.key.origin:
            return
        if new in place.node.index:
            yield Change(pair.key.start, None, Kind.NO, f"`{outer}.{pair.name}`: {LISTED_TWICE}")
        else:
            yield from moved(place, pair, lift(place.text, place.node, around, pair, new))

    return Step(records, ", ".join(f"`{outer}.{key}`" for key in keys), f"`{new}`", find, kind, reason=reason)


def renames_both(records: tuple[str, ...], old: tuple[str, str], new: tuple[str, str]) -> Step:
    """Return the step that gives a mapping with one key, and this key, other names; nothing has to move for that."""

    def find(place: Place) -> Iterator[Change]:
        outer, below = place.own(old[0]), place.below(old[0])
        if outer is None or below is None or new[0] in place.node.index:
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

    def find(place: Place) -> Iterator[Change]:
        pair = place.own(old)
        if pair is not None and (when is None or when(place)):
            yield from moved(place, pair, sink(place.text, place.node, pair, outer, new))

    return Step(records, f"`{old}`", f"`{outer}.{new}`", find, kind, words, reason)


def removal(place: Place, pair: Pair) -> Edits | None:
    """Return the edit that removes a key; the last key of a mapping goes with the mapping."""
    edit = remove_pair(place.text, place.node, pair)
    return None if edit is None else (edit,)


def removal_from(place: Place, outer: Pair, pair: Pair) -> Edits | None:
    """Return the edit that removes a key from the mapping below another one, which goes with its last key."""
    below = outer.value
    if not isinstance(below, Mapping):
        return None
    if len(below.pairs) > 1:
        edit = remove_pair(place.text, below, pair)
    else:
        edit = remove_pair(place.text, place.node, outer) or (
            remove_entry(place.text, outer) if len(place.node.pairs) == 1 else None
        )
    return None if edit is None else (edit,)


def has_ranges(place: Place) -> bool:
    """Return whether a criterion has score ranges."""
    return "score_ranges" in place.node.index


def skips_defaults(place: Place) -> bool:
    """Return whether a case does not get the list of the suite."""
    execution = place.node.get("execution")
    return isinstance(execution, Mapping) and is_true(Place(EXECUTION, execution, place.text), "skip_defaults")


def number_under(place: Place, key: str) -> Decimal | None:
    """Return the number under a key."""
    node = place.node.get(key)
    return as_number(node) if node is not None else None


def is_true(place: Place, key: str) -> bool:
    """Return whether the value of a key is `true`."""
    node = place.node.get(key)
    return node is not None and as_boolean(node) is True


def with_value(pair: Pair, name: str, value: str) -> Edits:
    """Return the edits that give a key another name and another value."""
    return rename_key(pair, name), replace_node(pair.value, value)


def plain_number(value: Decimal) -> str:
    """Return a number as people write it."""
    return f"{value.normalize():f}"


def insertion(place: Place, key: str, value: Data, after: Pair | None = None) -> Edits | None:
    """Return the edit that inserts a key."""
    edit = insert_key(place.text, place.node, key, value, after=after)
    return None if edit is None else (edit,)


def items_of(place: Place, *keys: str) -> Sequence | None:
    """Return the first list under one of the keys."""
    for key in keys:
        node = place.node.get(key)
        if isinstance(node, Sequence):
            return node
    return None


CODE_TYPES = frozenset({"code_judge", "code", "code-judge", "code-grader", "code_grader", "script"})


def is_code(place: Place) -> bool:
    """Return whether a command judges, in any dialect."""
    return place.word("type") in CODE_TYPES


def is_group(place: Place) -> bool:
    """Return whether an evaluator has members, in any dialect."""
    return place.word("type") in {"composite", "assert-set"}


LEFT_OVER = (SUITE, *ANY_CASE, SUITE_EXECUTION, EXECUTION, EVALUATOR, CRITERION, RANGE, TURN, DEFAULT_TEST)
DESCRIBE = "describe it in a criterion"


def left_over(
    source: Dialect,
    target: Dialect,
    *,
    records: tuple[str, ...] = LEFT_OVER,
    names_unknown: bool = False,
    advice_for_types: str = DESCRIBE,
) -> Step:
    """Return the step that names every key and every type that the old dialect has and the new one has not.

    `names_unknown` means that it names those that the old dialect does not have either.
    """

    def find(place: Place) -> Iterator[Change]:
        old, new = record_of(source, place), record_of(target, place)
        if old is None or new is None:
            return
        kind = place.word("type") if place.record == EVALUATOR else None
        if kind is not None and target.type_of(kind) is None and not _is_custom(kind, source, target):
            removed = target.removed_types.get(kind)
            advice = advice_for_types
            if removed is not None:
                named = f"use `{removed.instead}`" if removed.instead else ""
                advice = ", and ".join(filter(None, (named, removed.advice))) or advice
            at = place.node.index["type"].key.start
            yield Change(at, None, reason=f"{target.title} has no type `{kind}`; {advice}")
            return
        for pair in place.node.pairs:
            name = pair.name or ""
            if new.get(name) is not None or place.own(name) is not pair:
                continue
            removed = new.removed.get(name)
            if removed is not None or (not new.open and (names_unknown or old.get(name) is not None)):
                advice = (
                    removed.advice
                    if removed is not None and removed.advice
                    else "remove it, or keep what it says elsewhere"
                )
                yield Change(pair.key.start, None, reason=f"`{name}`: {target.title} does not have it; {advice}")

    return Step(records, "any other key or type", "", find, Kind.NO, reason=f"{target.title} does not have it")


def record_of(dialect: Dialect, place: Place) -> Record | None:
    """Return the record of a dialect for a place, or None where it has no such place."""
    if place.record == EVALUATOR:
        return dialect.evaluator(place.word("type"))
    if place.record == RAW_CASE:
        return dialect.raw_case
    if place.record == DEFINITION:
        provider = dialect.records.get("provider")
        return provider if provider is not None and provider.is_of(place.node.index) else None
    if place.record == SUITE_EXECUTION:
        return dialect.records.get(SUITE_EXECUTION, dialect.records["execution"])
    return dialect.records.get(place.record)


def _is_custom(kind: str, source: Dialect, target: Dialect) -> bool:
    """Return whether a type may be one of the project's own."""
    return bool(target.table.types.own_folder) and source.type_of(kind) is None and kind not in target.removed_types

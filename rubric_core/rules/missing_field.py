"""
## What it does
Finds a case without `id`, `expected_outcome` or `input_messages`, and an evaluator without `name` or `type`. A field
that is null or blank counts as missing. In AgentV 4 it also finds a member of a composite without `name`, and in 4 and
5 an assertion that limits something and has no limit.

## Why is this bad?
A case that lacks one of them cannot be run or judged. Loaders skip it without a word, so the suite reports on fewer
cases than it holds.

## Example
```yaml
evalcases:
  - id: port
    input_messages:
      - role: user
        content: Which port?
```

Use instead:
```yaml
evalcases:
  - id: port
    expected_outcome: Names port 8080
    input_messages:
      - role: user
        content: Which port?
```

## Fix safety
The fix inserts the field with a placeholder that starts with `TODO`. Only you know what belongs there, so the fix is
unsafe.
"""

from functools import partial

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import first_key, gist, is_misnamed, noun
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Field, Record, Role
from rubric_core.syntax.edits import Data, insert_first_key, insert_key, is_json, read_data, render, replace_node
from rubric_core.syntax.nodes import Mapping, Pair, Scalar
from rubric_core.syntax.scalars import is_blank, is_null
from rubric_core.text.patterns import lazily
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView
from rubric_core.views.records import RecordView
from rubric_core.views.texts import content_rank

_FIRST = frozenset({"id", "name"})
_WORD = lazily(r"[a-z0-9]+")
_WORDS_OF_ID = 4
_CASES = frozenset({"case", "raw-case"})


def check(view: RecordView, context: Context) -> Problems:
    record = view.record
    # Criteria, ranges, messages and scorecards have rules of their own for missing fields.
    is_ours = record.name in _CASES or record.name.startswith("evaluator") or record.reports_missing
    if not is_ours:
        return
    if view.lacks_all:
        first = record.by_key[record.one_of[0]]
        names = " or ".join(f"`{name}`" for name in record.one_of)
        yield RULE.at(
            first_key(view.mapping),
            f"{noun(record).capitalize()} needs {names}, or the file cannot be loaded; add it: {gist(first)}.",
            fixes=partial(_insert, record, view.mapping, first, context),
        )
    reports_misspelt = record.other_keys.misspelt == "error"
    for field in view.missing:
        pairs = view.pairs_of(field)
        # If an alias fills the field, RB006 reports a conflict.
        is_filled = any(not is_blank(pair.value) for pair in pairs)
        if is_filled or (reports_misspelt and is_misnamed(field.name, record, view.mapping)):
            continue
        if pairs:
            empty = pairs[0]
            yield RULE.at(
                empty.key if is_null(empty.value) else empty.value,
                f"`{empty.name}` is empty; fill it in: {gist(field)}.",
                fixes=partial(_fill, record, view.mapping, field, empty),
            )
        else:
            yield RULE.at(
                first_key(view.mapping),
                f"{noun(record).capitalize()} needs `{field.name}`; add it: {gist(field)}.",
                fixes=partial(_insert, record, view.mapping, field, context),
            )


def check_members(evaluators: EvaluatorsView, context: Context) -> Problems:
    needed = context.suite.dialect.table.member_keys if evaluators.composite is not None else ()
    for member in evaluators.evaluators if needed else ():
        if member.name is None and member.record.name_key in needed:
            field = member.record.by_key[member.record.name_key]
            yield RULE.at(
                first_key(member.node),
                f"A member of a composite needs `{field.name}`, or it is dropped; add it: {gist(field)}.",
                fixes=partial(_insert, member.record, member.node, field, context),
            )


def check_limits(evaluator: EvaluatorView, _context: Context) -> Problems:
    if evaluator.lacks_all:
        every = ", ".join(f"`{name}`" for name in evaluator.record.one_of)
        yield RULE.at(
            evaluator.type_place if evaluator.type_pair is not None else first_key(evaluator.node),
            f"{noun(evaluator.record).capitalize()} needs at least one of {every}, or it is dropped; add one.",
        )


def _placeholder(record: Record, mapping: Mapping, field: Field) -> Data:
    """Return the text to insert. An id is made from the outcome of the case, since ids must differ."""
    for key in record.keys_of(Role.TEXT) if field.name == "id" else ():
        outcome = mapping.get(key)
        says_something = outcome is not None and content_rank(outcome) > 1
        words = _WORD.findall(outcome.value.lower()) if isinstance(outcome, Scalar) and says_something else []
        if words:
            return "-".join(("TODO", *words[:_WORDS_OF_ID]))
    if field.placeholder is not None:
        return read_data(field.placeholder)
    return f"TODO-{field.name}" if field.name in _FIRST else "TODO"


def _insert(record: Record, mapping: Mapping, field: Field, context: Context) -> list[Fix | None]:
    text, dialect = context.text, context.suite.dialect
    if field.name == "type" and field.placeholder and not _suffices(field.placeholder, mapping, dialect):
        return []
    value = _placeholder(record, mapping, field)
    own = [pair for pair in mapping.pairs if pair.key.origin is None]
    title = f"Insert `{field.name}`"
    if field.name in _FIRST and own:
        return [Fix(title, (insert_first_key(text, mapping, field.name, value),))]
    behind = next((pair for key in _keys_before(record, field) for pair in own if pair.name == key), None)
    return [Fix.of(title, insert_key(text, mapping, field.name, value, after=behind))]


def _keys_before(record: Record, field: Field) -> tuple[str, ...]:
    """Return the keys behind which a new field can go, the best one first."""
    if field.role in {Role.TEXT, Role.INPUT}:
        return (*(record.keys_of(Role.TEXT) if field.role is Role.INPUT else ()), "id")
    return ("name",) if field.name == "type" else ()


def _suffices(kind: str, mapping: Mapping, dialect: Dialect) -> bool:
    """Return whether a mapping has the text that its type needs, or needs none."""
    fields = dialect.records[f"evaluator:{kind}"].by_role[Role.CRITERIA]
    return not (dialect.table.rubric_keys and fields) or fields[0].name in mapping.index


def _fill(record: Record, mapping: Mapping, field: Field, empty: Pair) -> list[Fix]:
    written = render(_placeholder(record, mapping, field), flow=mapping.flow, as_json=is_json(mapping))
    return [Fix(f"Fill in `{empty.name}`", (replace_node(empty.value, written),))]


_ALSO = ((Subject.EVALUATORS, check_members), (Subject.EVALUATOR, check_limits))
RULE = Rule("RB005", "missing-field", Severity.ERROR, Subject.RECORD, check, fixes_are_safe=False, also=_ALSO)

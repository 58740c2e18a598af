"""
## What it does
Finds a value of the wrong kind: text where a number belongs, a mapping where a list belongs, and so on.

## Why is this bad?
Loaders drop such a value without a word, or take it for something else. In YAML 1.2 `no` is a string and not false, so
`required: no` leaves a criterion required.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    required: no
    weight: "2"
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    required: false
    weight: 2
```

## Fix safety
The fixes write what the text plainly says: `no` as false, `"2"` as 2, and a number as a string where a string belongs.
They are safe. A percentage becomes a fraction, `25%` for one 0.25, which is unsafe: other weights of the list may be on
another scale. `0%` gets no fix. Text under `input_messages` can be moved under `input`, which reads it as a message of
the user; that fix is unsafe. So are those that put a mapping into a list and make an assertion of the name of a type.
"""

import re
from decimal import Decimal
from functools import partial

from rubric_core.rules.messages import place_of_item, renaming
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import FieldType, Record, Role, describe_type
from rubric_core.syntax.edits import rename_key, render, replace_node
from rubric_core.syntax.nodes import Mapping, Node, Scalar, ScalarStyle
from rubric_core.syntax.scalars import ScalarKind, is_blank, resolve
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span
from rubric_core.views.records import Mistyped, RecordView

# Fields whose wrong values are found by a rule of their own, by record and field.
_SPECIFIC = frozenset(
    {
        # RB105 and RB108.
        ("score-range", "score_range"),
        # RB207.
        ("criterion", "required_min_score"),
        ("criterion", "min_score"),
        # RB505.
        ("message", "role"),
        ("message", "content"),
        ("content-part", "type"),
        ("content-part", "value"),
        # RB605.
        ("red-flag", "deduction"),
    }
)
_WORDS = {
    **dict.fromkeys(("true", "yes", "on", "y"), True),
    **dict.fromkeys(("false", "no", "off", "n"), False),
}
_PERCENTAGE = lazily(r"[0-9]{1,6}(?:\.[0-9]{1,6})?[ ]*%\Z")
_LONGEST_QUOTE = 30


def check(view: RecordView, context: Context) -> Problems:
    for wrong in view.mistyped:
        if _has_own_rule(view, wrong):
            continue
        instead = _instead(wrong, context)
        yield RULE.at(
            _place(wrong, context.text),
            _message(view.record, wrong, instead),
            fixes=partial(_fixes, view, wrong, instead, context),
        )


def _has_own_rule(view: RecordView, wrong: Mistyped) -> bool:
    name = wrong.field.name
    if (view.record.name, name) in _SPECIFIC:
        return True
    if name == "score_ranges":
        # RB108 reports an item that is no range.
        return wrong.key is None
    if wrong.field.role is Role.CRITERIA or name in {"red_flags", "bonuses"}:
        # RB201 reports a blank criterion, red flag or bonus.
        return wrong.key is None and is_blank(wrong.value)
    if name == "min_score" and view.record.name.startswith("evaluator:"):
        # RB710, where it is a scalar.
        return isinstance(wrong.value, Scalar)
    # RB501 reports everything that is no evaluator type.
    return name == "type" and view.record.name.startswith("evaluator")


def _place(wrong: Mistyped, text: str) -> Node | Span:
    """Return the value, or its key if the value is a collection, which may span lines."""
    if wrong.key is None:
        return place_of_item(text, wrong.value)
    return wrong.value if isinstance(wrong.value, Scalar) else wrong.key.key


def _message(record: Record, wrong: Mistyped, instead: str | None) -> str:
    name = wrong.key.name if wrong.key is not None else wrong.field.name
    what = f"`{name}` must be" if wrong.key is not None else f"Each item of `{name}` must be"
    if record.name == "score-map":
        what = f"The text of score {name} must be"
    advice = f"; write `{instead}`" if instead is not None else ""
    return f"{what} {describe_type(wrong.accepted)}, not {_found(wrong)}{advice}."


def _found(wrong: Mistyped) -> str:
    """Return the actual value in words."""
    kind = "a boolean" if wrong.shape is FieldType.BOOLEAN else describe_type(wrong.shape)
    value = wrong.value
    is_short = isinstance(value, Scalar) and 0 < len(value.value) <= _LONGEST_QUOTE and value.value.isprintable()
    if not is_short or not isinstance(value, Scalar) or wrong.shape is FieldType.NULL:
        return kind
    return f"{kind.replace('a ', 'the ').replace('an ', 'the ')} `{value.value}`"


def _instead(wrong: Mistyped, context: Context) -> str | None:
    """Return the value written with the right type, if that is unambiguous."""
    value = wrong.value
    if not isinstance(value, Scalar) or value.origin is not None or (value.meta is not None and value.meta.tag):
        return None
    if wrong.shape is not FieldType.STRING:
        is_text_wanted = FieldType.STRING in wrong.accepted and wrong.shape is not FieldType.NULL
        return render(value.value, as_json=True) if is_text_wanted else None
    word = value.value.strip()
    if FieldType.BOOLEAN in wrong.accepted and word.lower() in _WORDS:
        return render(_WORDS[word.lower()])
    if FieldType.FLOAT in wrong.accepted and _PERCENTAGE.match(word):
        share = Decimal(word.rstrip("% ")).scaleb(-2)
        # A weight of 0 is a problem too, whose fix removes it, so that it would count as 1 in the end.
        return f"{share.normalize():f}" if share else None
    return word if _is_number(word, wrong.accepted, context) else None


def _is_number(word: str, accepted: FieldType, context: Context) -> bool:
    resolved = resolve(Scalar(0, 0, word, ScalarStyle.PLAIN), context.version)
    if resolved.kind is ScalarKind.INTEGER:
        return FieldType.INTEGER in accepted
    return isinstance(resolved.value, Decimal) and resolved.value.is_finite() and FieldType.FLOAT in accepted


def _fixes(view: RecordView, wrong: Mistyped, instead: str | None, context: Context) -> list[Fix]:
    """Write the value with the right type, or put it under the alias of its field that takes a value like this."""
    if instead is not None:
        # Beside weights that are not percentages, the meaning of a percentage is unclear.
        is_plain = not (isinstance(wrong.value, Scalar) and wrong.value.value.rstrip().endswith("%"))
        is_safe = is_plain or FieldType.STRING in wrong.accepted
        return [Fix(f"Write `{instead}`", (replace_node(wrong.value, instead),), safe=is_safe)]
    pair, reshaped = wrong.key, _reshaped(wrong, context)
    if reshaped is not None:
        return [reshaped]
    written = view.mapping.get("type")
    if wrong.shape is FieldType.SEQUENCE and isinstance(written, Scalar):
        several = f"{written.value}-any"
        if context.suite.dialect.type_of(several) is not None:
            return renaming(written, several)
    aliases = [alias for alias, accepted in wrong.field.aliases.types if accepted.value & wrong.shape.value]
    if pair is None or pair.key.origin is not None:
        return []
    return [Fix(f"Rename to `{alias}`", (rename_key(pair, alias),)) for alias in aliases if alias != pair.name]


def _reshaped(wrong: Mistyped, context: Context) -> Fix | None:
    """Return the fix that puts a mapping into a list, or turns a type into an evaluator."""
    value, dialect = wrong.value, context.suite.dialect
    record = dialect.records.get(wrong.field.record or "")
    if record is None or value.origin is not None:
        return None
    if isinstance(value, Mapping):
        is_item = FieldType.SEQUENCE in wrong.accepted and not record.by_key.keys().isdisjoint(value.index)
        return Fix("Put it into a list", _as_list(value, context.text)) if is_item else None
    if wrong.field.role is not Role.EVALUATORS or not isinstance(value, Scalar):
        return None
    kind = dialect.records.get(f"evaluator:{value.value}")
    if kind is None or any(field.required and field.name != "type" for field in kind.fields):
        return None
    written = render({"type": value.value}, flow=True, as_json=value.style is ScalarStyle.DOUBLE)
    edit = replace_node(value, written if wrong.key is None else f"[{written}]")
    return Fix(f"Write `type: {value.value}`", (edit,))


def _as_list(value: Mapping, text: str) -> tuple[Edit, ...]:
    """Return the edits that make a list with one item of a mapping."""
    if value.flow:
        return (Edit(value.start, value.start, "["), Edit(value.end, value.end, "]"))
    breaks = re.finditer(r"\n(?=[^\r\n])", text[value.start : value.end])
    starts = [value.start + line_break.end() for line_break in breaks]
    return (Edit(value.start, value.start, "- "), *(Edit(start, start, "  ") for start in starts))


RULE = Rule("RB004", "wrong-type", Severity.ERROR, Subject.RECORD, check, fixes_are_safe=True)

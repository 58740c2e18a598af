"""
## What it does
Finds a message whose role or content cannot be used. The role is `system`, `user`, `assistant` or `tool`. The content
is a string, a list of parts, or a mapping as structured output; beside `tool_calls` it may be absent. A part is
`{type: text, value: the text}` or `{type: file, value: path of a file}`.

## Why is this bad?
A message that cannot be read is not sent, or is sent as something else than what was meant. Either way the case no
longer asks what it was written to ask.

## Example
```yaml
expected_messages:
  - role: asistant
    content:
      - type: text
        text: The server listens on port 8080
```

Use instead:
```yaml
expected_messages:
  - role: assistant
    content:
      - type: text
        value: The server listens on port 8080
```

## Fix safety
The fixes guess which role or key is meant, put a number in quotes, or insert text that is still to be written. All of
them are unsafe.
"""

import collections.abc

from rubric_core.rules.messages import first_word, place_of_missing, renaming
from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import ROLES
from rubric_core.schema.suggest import closest
from rubric_core.syntax.edits import insert_first_key, insert_key, rename_key, render_text, replace_node
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.syntax.scalars import ScalarKind, is_blank, is_null, is_text, kind_of
from rubric_core.views.cases import CaseView, MessageView
from rubric_core.views.records import shape_of

# Looking up a member of an Enum takes as long as the rest of checking a sound message.
_STRING = ScalarKind.STRING
_TEXT = "TODO: what is said"
_VALUE = "TODO: the text, or the path of a file"
# Other names of roles.
_OTHER_ROLES = {"human": "user", "ai": "assistant", "bot": "assistant", "model": "assistant", "developer": "system"}
# Other names of the value of a part.
_OTHER_VALUES = ("text", "content", "path", "file")


def check(message: MessageView, context: Context) -> Problems:
    if message.role is None and message.content is None and not message.calls_tools:
        yield RULE.at(
            place_of_missing(message.node),
            f"This message has neither `role` nor `content`; write who speaks, {_any_of(ROLES)}, and what is said.",
        )
        return
    role = message.role.value if message.role is not None else None
    if not isinstance(role, Scalar) or role.value not in ROLES:
        yield from _check_role(message, context)
    content = message.content.value if message.content is not None else None
    if not isinstance(content, Scalar) or kind_of(content, context.version) is not _STRING:
        yield from _check_content(message, context)


def _check_role(message: MessageView, context: Context) -> Problems:
    pair = message.role
    if pair is None or is_blank(pair.value):
        yield RULE.at(
            place_of_missing(message.node, pair),
            f"This message has no `role`; write who speaks: {_any_of(ROLES)}.",
            fixes=lambda: [_insertion(context, message.node, pair, "role", role) for role in ("user", "assistant")],
        )
    else:
        yield _unknown_word(pair, "The role", "a role", ROLES, _OTHER_ROLES)


def _check_content(message: MessageView, context: Context) -> Problems:
    pair = message.content
    node = pair.value if pair is not None else None
    if node is None or is_null(node) or (isinstance(node, Sequence) and not node.items):
        if not message.calls_tools:
            yield RULE.at(
                place_of_missing(message.node, pair),
                "This message has no `content`; write what is said, or the `tool_calls` that it makes.",
                fixes=lambda: [_insertion(context, message.node, pair, "content", _TEXT)],
            )
    elif isinstance(node, Sequence):
        for part in node.items:
            yield from _check_part(part, context)
    elif isinstance(node, Scalar):
        yield _not_text(node, "The content of a message", context)


def _check_part(part: Node, context: Context) -> Problems:
    records = context.suite.dialect.records
    if not isinstance(part, Mapping):
        items = records["message"].by_key["content"].items
        if items is None or not items & shape_of(part, context.version):
            yield RULE.at(
                first_word(part),
                "A part of the content is a mapping with `type` and `value`; write `{type: text, value: ...}`.",
                fixes=lambda: _wrapped(part, context),
            )
        return
    types = records["content-part"].by_key["type"].values
    kind, value = part.index.get("type"), part.index.get("value")
    if kind is None and value is None:
        yield RULE.at(
            place_of_missing(part),
            "This part has neither `type` nor `value`; write `type: text` and its text, or `type: file` and its path.",
        )
    elif kind is None or is_blank(kind.value):
        yield RULE.at(
            place_of_missing(part, kind),
            "This part has no `type`; write `type: text` or `type: file`.",
            fixes=lambda: [_insertion(context, part, kind, "type", name) for name in ("text", "file")],
        )
    elif not isinstance(kind.value, Scalar) or kind.value.value not in types:
        # The valid keys of a part of an unknown type are unknown.
        yield _unknown_word(kind, "The type of a part", "a type of content", types, {})
        return
    if kind is not None or value is not None:
        yield from _check_value(part, kind, value, context)


def _unknown_word(
    pair: Pair, what: str, noun: str, words: tuple[str, ...], other_words: collections.abc.Mapping[str, str]
) -> Problem:
    """Return the problem of a value that is not one of some words; `other_words` are synonyms."""
    node, every = pair.value, _any_of(words)
    if not isinstance(node, Scalar):
        # A list or a mapping may span lines, so its key is the place.
        return RULE.at(pair.key, f"{what} is one word; write {every}.")
    intended = other_words.get(node.value.casefold()) or closest(node.value, words)
    advice = f"did you mean `{intended}`?" if intended else f"write {every}."
    return RULE.at(node, f"`{node.value}` is not {noun}; {advice}", fixes=lambda: renaming(node, intended))


def _any_of(words: tuple[str, ...]) -> str:
    return f"{', '.join(f'`{word}`' for word in words[:-1])} or `{words[-1]}`"


def _check_value(part: Mapping, kind: Pair | None, value: Pair | None, context: Context) -> Problems:
    # An empty text can be intended, in a case about empty input; an empty path cannot.
    is_file = kind is not None and isinstance(kind.value, Scalar) and kind.value.value == "file"
    if value is None or is_null(value.value) or (is_file and is_blank(value.value)):
        what = "the path of the file" if is_file else "the text"
        yield RULE.at(
            place_of_missing(part, value),
            f"This part has no `value`; write {what} there.",
            fixes=lambda: _value_fixes(part, value, context),
        )
    elif not isinstance(value.value, Scalar):
        yield RULE.at(value.key, "The `value` of a part is text, not a list or a mapping; write the text or the path.")
    elif not is_text(value.value, context.version):
        yield _not_text(value.value, "The `value` of a part", context)


def _not_text(node: Scalar, what: str, context: Context) -> Problem:
    return RULE.at(
        node,
        f"{what} is text, but `{node.value}` is not; put it in quotes.",
        fixes=lambda: [Fix("Put it in quotes", (replace_node(node, f'"{context.text[node.start : node.end]}"'),))],
    )


def _insertion(context: Context, mapping: Mapping, pair: Pair | None, key: str, value: str) -> Fix | None:
    """Return the fix that inserts a key with its value, or the value of an existing key."""
    title = f"Insert `{key}`" if value.startswith("TODO") else f"Insert `{key}: {value}`"
    if pair is not None:
        return Fix(title, (replace_node(pair.value, f'"{value}"' if mapping.flow else render_text(value)),))
    if not mapping.pairs or mapping.pairs[0].key.origin is not None:
        return None
    insert = insert_first_key if key in {"role", "type"} else insert_key
    return Fix.of(title, insert(context.text, mapping, key, value))


def _value_fixes(part: Mapping, value: Pair | None, context: Context) -> list[Fix | None]:
    other = next((pair for pair in part.pairs if pair.name in _OTHER_VALUES), None)
    if other is not None and value is None and isinstance(other.value, Scalar) and other.key.origin is None:
        return [Fix(f"Rename `{other.name}` to `value`", (rename_key(other, "value"),))]
    return [_insertion(context, part, value, "value", _VALUE)]


def _wrapped(part: Node, context: Context) -> list[Fix]:
    """Return the fix that makes a text part of a string on one line."""
    if not isinstance(part, Scalar) or isinstance(part, BlockScalar) or not is_text(part, context.version):
        return []
    if part.style is ScalarStyle.DOUBLE:
        # If these quotes are JSON's, every other string needs quotes, too.
        text = f'{{"type": "text", "value": {context.text[part.start : part.end]}}}'
    else:
        text = f"{{type: text, value: {render_text(part.value, flow=True)}}}"
    return [Fix("Make it a text part", (replace_node(part, text),))]


def check_sent(case: CaseView, context: Context) -> Problems:
    """Find a variable that is a whole prompt and has an invalid value for one."""
    variables = case.node.get("vars")
    if not isinstance(variables, Mapping):
        return
    for name in sorted(context.suite.inherited.sent_vars & variables.index.keys()):
        pair = variables.index[name]
        if _cannot_be_sent(pair.value, context):
            yield RULE.at(
                pair.value if isinstance(pair.value, Scalar) else pair.key,
                f"`{name}` is all of the prompt, so the test is not run; write a text or a list of messages.",
            )


def _cannot_be_sent(node: Node, context: Context) -> bool:
    if isinstance(node, Sequence):
        # A list of strings is found by RB708.
        return any(isinstance(item, Sequence) or _is_number(item, context) for item in node.items)
    return _is_number(node, context)


def _is_number(node: Node, context: Context) -> bool:
    """Return whether a value is a number or a boolean."""
    return isinstance(node, Scalar) and not is_null(node) and not is_text(node, context.version)


_ALSO = ((Subject.CASE, check_sent),)
RULE = Rule("RB505", "invalid-message", Severity.ERROR, Subject.MESSAGE, check, fixes_are_safe=False, also=_ALSO)

"""What is sent for a case: the input of the suite, then its own or its prompt's, behind its files."""

import json
from collections.abc import Mapping as PlainMapping
from typing import NamedTuple

from rubric_core.model.builder import text_of
from rubric_core.model.render import NameReplacer, mapping, sequence, text_node
from rubric_core.schema.fields import Record, Role
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import is_null
from rubric_core.views.texts import first_filled

_FILES = "input_files"
_INPUT = "input"


class CaseInput(NamedTuple):
    """The messages of a case as a list, None where they are read from the case as it is; and why they are missing."""

    item: Located | None
    reason: str | None = None


def case_input(
    item: Located,
    record: Record,
    prompt: Located | None,
    shared: PlainMapping[str, Located],
    replacer: NameReplacer | None,
) -> CaseInput:
    """Return what is sent for a case. `shared` are the values of the suite, where they count for the case."""
    node = item.node
    assert isinstance(node, Mapping)  # noqa: S101 - only cases have input.
    found = first_filled(node, record.keys_of(Role.INPUT))
    own = prompt or (item._replace(node=found.value) if found is not None else None)
    if own is None:
        return CaseInput(None)
    files = _files(node, shared, replacer)
    first = shared.get(_INPUT) if prompt is None and _INPUT in record.by_key else None
    if prompt is None and files is None and first is None:
        return CaseInput(None)
    if files is not None and not isinstance(own.node, Scalar):
        return CaseInput(None, "Beside `input_files` the input must be a text, so AgentV does not run the test.")
    sent = _messages(own.node, files, is_prompt=prompt is not None)
    if first is not None and not is_null(first.node):
        before = replacer.render(first.node) if replacer is not None else first.node
        sent = sequence(own.node, [*_messages(before, None, is_prompt=False).items, *sent.items])
    return CaseInput(own._replace(node=sent))


def _files(node: Mapping, shared: PlainMapping[str, Located], replacer: NameReplacer | None) -> list[str] | None:
    """Return the files that are sent with the text: the case's own, else the suite's."""
    found = node.get(_FILES)
    if found is None and _FILES in shared:
        found = shared[_FILES].node if replacer is None else replacer.render(shared[_FILES].node)
    if not isinstance(found, Sequence):
        return None
    return [each.value for each in found.items if isinstance(each, Scalar)] or None


def _messages(node: Node, files: list[str] | None, *, is_prompt: bool) -> Sequence:
    """Return the messages that an input stands for: one of the user, unless it is a list or a message already."""
    text = text_of(node)
    if files is not None and text is not None:
        parts: list[Node] = [_part(node, "file", path) for path in files]
        return sequence(node, [_message(node, sequence(node, [*parts, _part(node, "text", text)]))])
    if isinstance(node, Sequence):
        return node
    if isinstance(node, Mapping) and "role" in node.index:
        return sequence(node, [node])
    chat = _chat(node, text) if is_prompt and text is not None and text.lstrip().startswith("[") else None
    return chat or sequence(node, [_message(node, node)])


def _chat(place: Node, text: str) -> Sequence | None:
    """Return the messages of a prompt that is rendered as JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    root = parse(text.strip()).root
    is_chat = (
        isinstance(root, Sequence)
        and root.items
        and all(isinstance(each, Mapping) and "role" in each.index for each in root.items)
    )
    return sequence(place, list(root.items)) if is_chat and isinstance(root, Sequence) else None


def _message(place: Node, content: Node) -> Mapping:
    return mapping(place, {"role": text_node(place, "user"), "content": content})


def _part(place: Node, kind: str, value: str) -> Mapping:
    return mapping(place, {"type": text_node(place, kind), "value": text_node(place, value)})

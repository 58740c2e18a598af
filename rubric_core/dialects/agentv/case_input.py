"""The input of a case: that of the suite, then the files, then its own input or its prompt's."""

from collections.abc import Mapping as PlainMapping
from typing import NamedTuple

from rubric_core.dialects.agentv.name_replacer import NameReplacer
from rubric_core.model.builder import text_of
from rubric_core.model.prompts import messages_of, messages_of_prompt, user_message
from rubric_core.model.render import mapping, sequence, text_node
from rubric_core.schema.fields import Record, Role
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import is_null
from rubric_core.views.texts import first_filled

_FILES = "input_files"
_INPUT = "input"


class CaseInput(NamedTuple):
    """The messages of a case as a list, None if they are read from the case as it is; and why they are missing."""

    item: Located | None
    reason: str | None = None


def case_input(
    item: Located,
    record: Record,
    prompt: Located | None,
    shared: PlainMapping[str, Located],
    replacer: NameReplacer | None,
) -> CaseInput:
    """Return the input of a case. `shared` are the values of the suite that apply to the case."""
    node = item.node
    assert isinstance(node, Mapping)  # noqa: S101 - only cases have input.
    pair = first_filled(node, record.keys_of(Role.INPUT))
    own = prompt or (item._replace(node=pair.value) if pair is not None else None)
    if own is None:
        return CaseInput(None)
    files = _files(node, shared, replacer)
    first = shared.get(_INPUT) if prompt is None and _INPUT in record.by_key else None
    if prompt is None and files is None and first is None:
        return CaseInput(None)
    if files is not None and not isinstance(own.node, Scalar):
        return CaseInput(None, "Beside `input_files` the input must be a text, so AgentV does not run the test.")
    text = text_of(own.node)
    if files is not None and text is not None:
        sent = _with_files(own.node, text, files)
    else:
        sent = messages_of(own.node) if prompt is None else messages_of_prompt(own.node)
    if first is not None and not is_null(first.node):
        before = replacer.render(first.node) if replacer is not None else first.node
        sent = sequence(own.node, [*messages_of(before).items, *sent.items])
    return CaseInput(own._replace(node=sent))


def _files(node: Mapping, shared: PlainMapping[str, Located], replacer: NameReplacer | None) -> list[str] | None:
    """Return the files that are sent with the text: the case's own, else the suite's."""
    files = node.get(_FILES)
    if files is None and _FILES in shared:
        files = shared[_FILES].node if replacer is None else replacer.render(shared[_FILES].node)
    if not isinstance(files, Sequence):
        return None
    return [file.value for file in files.items if isinstance(file, Scalar)] or None


def _with_files(node: Node, text: str, files: list[str]) -> Sequence:
    """Return the message of a text behind its files."""
    parts: list[Node] = [_part(node, "file", path) for path in files]
    return sequence(node, [user_message(node, sequence(node, [*parts, _part(node, "text", text)]))])


def _part(place: Node, kind: str, value: str) -> Mapping:
    return mapping(place, {"type": text_node(place, kind), "value": text_node(place, value)})

"""The cases of a suite before they are built: their nodes, their input, and rendering failures."""

from collections.abc import Mapping as PlainMapping
from typing import Any, NamedTuple, Protocol

from rubric_core.model.build_evaluators import Placed
from rubric_core.model.builder import Elsewhere
from rubric_core.model.render import Failure
from rubric_core.schema.fields import Record
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Node
from rubric_core.text.spans import Span


class PlacedFailure(NamedTuple):
    """A part that could not be rendered or read: its place, and why in one sentence."""

    span: Span
    reason: str


class CaseItem(NamedTuple):
    """A case of a suite: its node and record, its id if that is not in the node, and its other file.

    `test_id` is the id of the test as it is written, before it became several cases.
    """

    item: Located
    record: Record
    case_id: str = ""
    elsewhere: Elsewhere | None = None
    test_id: str = ""
    # The input if it is not under a key of the case, and the failures of rendering.
    input: Located | None = None
    failures: tuple[PlacedFailure, ...] = ()
    # The suffix that distinguishes the copies of a test with one id.
    variant: str = ""
    # The evaluators that the test starts from, where they get its values.
    defaults: tuple[Placed, ...] = ()
    # The provider that answers, if it is not a target, and the data that a command gets besides the prompt: the options
    # of the provider, and those of the test.
    target: str | None = None
    call: tuple[dict[str, Any], PlainMapping[str, Any]] | None = None

    @property
    def origin(self) -> tuple[str, int]:
        """Return the place of the test."""
        return ("" if self.elsewhere is None else self.elsewhere.file, self.item.span.start)


class NodeRenderer(Protocol):
    """Renders the texts of nodes, and records failures."""

    failures: list[Failure]

    def render(self, node: Node) -> Node:
        """Return a node with its texts rendered; without templates, the node itself."""


def failures_of(renderer: NodeRenderer, item: Located) -> list[PlacedFailure]:
    """Return the failures of a renderer for an item, with their places."""
    return [PlacedFailure(failure.node.span.shifted(item.base), failure.reason) for failure in renderer.failures]

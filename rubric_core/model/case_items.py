"""What a suite makes cases of: their nodes, what is sent for each, and what could not be rendered."""

from collections.abc import Mapping as PlainMapping
from typing import Any, NamedTuple

from rubric_core.model.build_evaluators import Placed
from rubric_core.model.builder import Elsewhere
from rubric_core.model.render import NodeRenderer
from rubric_core.schema.fields import Record
from rubric_core.syntax.document import Located
from rubric_core.text.spans import Span


class PlacedFailure(NamedTuple):
    """What could not be rendered or read: its place, and why in one sentence."""

    span: Span
    reason: str


class CaseItem(NamedTuple):
    """A case that a suite has: its node and record, its id where something else gives it one, and its other file.

    `test_id` is the id of the test as it is written, before it became several cases.
    """

    item: Located
    record: Record
    case_id: str = ""
    elsewhere: Elsewhere | None = None
    test_id: str = ""
    # What is sent where that is not under a key of the case, and what could not be rendered.
    input: Located | None = None
    failures: tuple[PlacedFailure, ...] = ()
    # The suffix that distinguishes the copies of a test with one id.
    variant: str = ""
    # The evaluators that the test starts from, where they get its values.
    defaults: tuple[Placed, ...] = ()
    # What answers, where that is not a target by its name, and the data that a command gets besides the prompt: the
    # options of what answers, and those of the test.
    target: str | None = None
    call: tuple[dict[str, Any], PlainMapping[str, Any]] | None = None

    @property
    def origin(self) -> tuple[str, int]:
        """Return where the test is written."""
        return ("" if self.elsewhere is None else self.elsewhere.file, self.item.span.start)


def failures_of(renderer: NodeRenderer, item: Located) -> list[PlacedFailure]:
    """Return what a renderer could not render of an item, with its places."""
    return [PlacedFailure(failure.node.span.shifted(item.base), failure.reason) for failure in renderer.failures]

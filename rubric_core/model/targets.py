"""Targets, which answer or judge the cases, from a targets file."""

from pydantic import Field, ValidationError

from rubric_core.model.base import JsonValue, Model, Text
from rubric_core.model.builder import plain_mapping, reason_of
from rubric_core.model.outline import SuiteOutline
from rubric_core.syntax.nodes import Mapping, Node

_OWN_KEYS = ("name", "provider", "judge_target")


class Target(Model):
    """One target. `settings` are the provider's own keys as written: `${{ NAME }}` is not replaced here.

    They may hold secrets, so they are never part of the printed form.
    """

    name: Text
    provider: Text | None = None
    judge_target: Text | None = None
    settings: dict[str, JsonValue] = Field(default_factory=dict, repr=False)


def build_targets(outline: SuiteOutline) -> tuple[Target, ...]:
    """Build the entries of `targets`. Raises ValueError with one sentence if the file has no valid list of them."""
    listed = outline.items("targets")
    if listed is None:
        raise ValueError("There is no list under the key targets.")
    return tuple(_build_target(place, item.node) for place, item in enumerate(listed, start=1))


def _build_target(place: int, node: Node) -> Target:
    if not isinstance(node, Mapping):
        raise ValueError(f"Target {place} is not a mapping.")  # noqa: TRY004 - the type is the user's.
    entries = plain_mapping(node)
    values = {key: entries.pop(key) for key in _OWN_KEYS if key in entries}
    try:
        return Target(**values, settings=entries)
    except ValidationError as error:
        raise ValueError(f"Target {place} cannot be used. {reason_of(error)}") from None

"""What a rule may know beyond the node that it looks at. All of it is plain values: rules read no files."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.schema.dialects import RUBRICS, Dialect
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.scalars import YamlVersion

if TYPE_CHECKING:
    from collections.abc import Mapping


class SuiteFacts(NamedTuple):
    """What the cases of a file need to know of the file as a whole."""

    dialect: Dialect = RUBRICS
    # The names under the suite's `scorecards`.
    scorecards: tuple[str, ...] = ()
    # Anchors that some alias of the file uses.
    used_anchors: frozenset[str] = frozenset()


_NO_FACTS = SuiteFacts()


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of one check."""

    # The text of the chunk that the nodes come from.
    text: str = ""
    version: YamlVersion = YamlVersion.V1_2
    suite: SuiteFacts = _NO_FACTS
    # The names in the targets file; None where there is no such file.
    targets: frozenset[str] | None = None
    # Whether each referenced path exists; None where that must not be looked at.
    files: Mapping[str, bool | None] = field(default_factory=lambda: MappingProxyType({}))
    limits: Limits = DEFAULT_LIMITS

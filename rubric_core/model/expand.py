"""The cases of a suite as it lists them, which is the default; a dialect may make more of them."""

from rubric_core.dialects.parts import Expansion
from rubric_core.model.builder import Builder
from rubric_core.model.case_items import CaseItem
from rubric_core.model.copies import with_test_id
from rubric_core.model.listed import default_case, listed_cases
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.render import EnvironmentRenderer, NodeRenderer
from rubric_core.syntax.document import Located


class AsListed(Expansion):
    """The list as it is written, of which nothing is rendered."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the cases of the list; the columns of a CSV file are keys."""
        return [with_test_id(case) for case in listed_cases(builder, outline, lambda row, _number: dict(row))]

    def shared_renderer(self, builder: Builder) -> NodeRenderer:  # noqa: ARG002 - others render with values.
        """Return what changes nothing."""
        return NodeRenderer()


class FromDefaultCase(AsListed):
    """Cases that start from what is under a top-level key, or in the file that is named there."""

    def __init__(self, default_key: str) -> None:
        self._default_key = default_key

    def default_case(self, builder: Builder, outline: SuiteOutline) -> CaseItem | None:
        """Return what every case starts from."""
        return default_case(builder, outline, self._default_key)

    def top_level(self, builder: Builder, outline: SuiteOutline, key: str) -> Located | None:
        """Return a top-level value, from the file that it names."""
        default = self.default_case(builder, outline) if key == self._default_key else None
        return outline.values.get(key) if default is None else default.item

    def shared_renderer(self, builder: Builder) -> NodeRenderer:
        """Return what renders only what is allowed of the environment."""
        return EnvironmentRenderer(builder.environment)


AS_LISTED = AsListed()

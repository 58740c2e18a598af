"""Which evaluators judge a case of AgentV 2: one list alone, and that of the suite only where a case has none."""

from rubric_core.dialects.parts import T
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.judging_parts import MergedLists


class FirstList(MergedLists):
    """The list of `execution` before that of the case, with the names that are written."""

    def in_order(self, own: T, execution: T) -> tuple[T, T]:
        """Return the places of lists in the order in which the first one counts."""
        return execution, own

    def takes_suite(self, case: Mapping, version: YamlVersion, own: object | None) -> bool:  # noqa: ARG002 - others ask the case.
        """Return whether the evaluators of the suite judge a case."""
        return own is None

    def name(self, name: str, unnamed: str, taken: set[str]) -> str:  # noqa: ARG002 - others count.
        """Return the name as written."""
        return name

    def reason_against_members(self, members: object) -> str | None:  # noqa: ARG002 - others need some.
        """Return nothing: a set may be empty."""
        return None


FIRST_LIST = FirstList()

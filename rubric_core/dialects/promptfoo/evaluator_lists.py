"""Which evaluators judge a test of promptfoo, and what results call them."""

from rubric_core.views.judging_parts import MergedLists, numbered_name


class RepeatedNames(MergedLists):
    """Evaluators that may share a name on purpose, so equal names are numbered as well."""

    def name(self, name: str, unnamed: str, taken: set[str]) -> str:  # noqa: ARG002 - every name is numbered.
        """Return the name with a number from the second evaluator of this name on."""
        return numbered_name(name, name, taken)


REPEATED_NAMES = RepeatedNames()

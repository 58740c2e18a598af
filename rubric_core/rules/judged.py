"""What judges tests: the assertions of a test, or of what every test starts from, for rules that look at both."""

from collections.abc import Iterator
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.rule import Context
from rubric_core.syntax.nodes import Mapping, Node
from rubric_core.views.cases import CaseView, skips_defaults
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView, read_evaluators
from rubric_core.views.files import FileView

DEFAULT_TEST = "default-test"


class Judged(NamedTuple):
    """A test or the default one, with its lists of assertions, the text around it, and its chunk where that is known.

    `gets_more` tells that assertions from elsewhere count too.
    """

    node: Mapping
    lists: list[EvaluatorsView]
    dialect: Dialect
    text: str
    chunk: object | None = None
    gets_more: bool = False

    @property
    def is_default(self) -> bool:
        """Return whether every test starts from it."""
        return self.chunk is not None

    def assertions(self) -> Iterator[EvaluatorView]:
        """Yield the assertions, those in sets too."""
        for each in self.lists:
            yield from each.evaluators

    def option(self, name: str) -> Node | None:
        """Return one of the options."""
        options = self.node.get("options")
        return options.get(name) if isinstance(options, Mapping) else None


def judged_case(case: CaseView, context: Context) -> Judged:
    """Return what judges a test."""
    gets_more = context.suite.has_assertions and not skips_defaults(case.node, case.version)
    return Judged(case.node, case.evaluators, case.dialect, context.text, gets_more=gets_more)


def judged_defaults(file: FileView, context: Context) -> Iterator[Judged]:
    """Yield what every test of a file starts from."""
    record = file.dialect.records.get(DEFAULT_TEST)
    for chunk, pair in (entry for entries in file.documents for entry in entries):
        field = file.dialect.suite.by_key.get(pair.name or "")
        is_default = field is not None and field.record == DEFAULT_TEST
        if record is not None and is_default and isinstance(pair.value, Mapping):
            lists = read_evaluators(pair.value, record, context.version, file.dialect)
            yield Judged(pair.value, lists, file.dialect, chunk.text, chunk, gets_more=True)

"""What judges tests: the assertions of a test, or of what every test starts from, for rules about both."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.rule import Check, Context, Problems
from rubric_core.schema.fields import Role
from rubric_core.syntax.nodes import Mapping, Node
from rubric_core.views.cases import CaseView, skips_defaults
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView, read_evaluators
from rubric_core.views.files import FileView

DEFAULT_TEST = "defaultTest"
"""The key of what every test starts from."""


class Judged(NamedTuple):
    """A test or the default one, with its lists of assertions, the text around it, and its chunk if known.

    `gets_more` is set where assertions from elsewhere count too.
    """

    node: Mapping
    lists: list[EvaluatorsView]
    dialect: Dialect
    text: str
    chunk: object | None = None
    gets_more: bool = False

    @property
    def is_default(self) -> bool:
        """Return whether it is the default test."""
        return self.chunk is not None

    def assertions(self) -> Iterator[EvaluatorView]:
        """Yield the assertions, including those in sets."""
        for view in self.lists:
            yield from view.evaluators

    def rubrics(self) -> list[EvaluatorView]:
        """Return the assertions by whose text a model judges."""
        known = (assertion for assertion in self.assertions() if assertion.kind is not None)
        return [assertion for assertion in known if assertion.record.by_role[Role.CRITERIA]]

    def option(self, name: str) -> Node | None:
        """Return one of the options."""
        options = self.node.get("options")
        return options.get(name) if isinstance(options, Mapping) else None


def judged_case(case: CaseView, context: Context) -> Judged:
    """Return what judges a test."""
    gets_more = context.suite.has_assertions and not skips_defaults(case.node, case.version)
    return Judged(case.node, case.evaluators, case.dialect, context.text, gets_more=gets_more)


def judged_defaults(file: FileView, context: Context) -> Iterator[Judged]:
    """Yield the default tests of a file."""
    record = file.dialect.records["default-test"]
    for chunk, pair in file.under(DEFAULT_TEST):
        if isinstance(pair.value, Mapping):
            lists = read_evaluators(pair.value, record, context.version, file.dialect)
            yield Judged(pair.value, lists, file.dialect, chunk.text, chunk, gets_more=True)


JudgedCheck = Callable[[Judged, Context], Problems]


def in_tests(check: JudgedCheck) -> Check:
    """Turn a check of `Judged` into a check of tests."""

    @wraps(check)
    def check_case(case: CaseView, context: Context) -> Problems:
        return check(judged_case(case, context), context)

    return check_case


def in_defaults(check: JudgedCheck) -> Check:
    """Turn a check of `Judged` into a check of the default tests of a file."""

    @wraps(check)
    def check_file(file: FileView, context: Context) -> Problems:
        for judged in judged_defaults(file, context):
            yield from check(judged, context)

    return check_file

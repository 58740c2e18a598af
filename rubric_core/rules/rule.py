"""What a rule is: a code, a name, a default severity, its subject and its check; and the context of a check."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.rules.problem import AnchorFixes, Fix, Problem, Related, Severity
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Node, Pair
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.spans import Span
from rubric_core.views.inherited import NOTHING_INHERITED, Inherited

# The names that every rule needs, so that its file has one import.
__all__ = [
    "AnchorFixes",
    "Context",
    "Fix",
    "Fixes",
    "Problem",
    "Problems",
    "Rule",
    "ScenarioFacts",
    "Severity",
    "Subject",
    "SuiteFacts",
]

Problems = Iterator[Problem]
"""What a check returns."""
Fixes = Callable[[], Sequence[Fix | None]]
"""What makes the fixes of a problem, of which some may not be possible."""


class SuiteFacts(NamedTuple):
    """Facts of the file as a whole for the check of a case."""

    dialect: Dialect = DEFAULT_DIALECT
    # The names under the suite's `scorecards`.
    scorecards: tuple[str, ...] = ()
    # Anchors that some alias of the file uses.
    used_anchors: frozenset[str] = frozenset()
    # Whether the suite has assertions for all cases.
    has_assertions: bool = False
    # What every test gets from the suite, in the dialect's own type.
    inherited: Inherited = NOTHING_INHERITED


_NO_FACTS = SuiteFacts()


class ScenarioFacts(NamedTuple):
    """Facts of the rest of a scenario for the check of one of its tests or settings."""

    is_setting: bool
    # Whether the settings of the scenario, or its tests, have assertions.
    settings_assert: bool
    tests_assert: bool


class Context(NamedTuple):
    """The second argument of a check. It has plain values only: rules read no files."""

    # The text of the chunk that the nodes come from.
    text: str = ""
    version: YamlVersion = YamlVersion.V1_2
    suite: SuiteFacts = _NO_FACTS
    # The names in the targets file; None where there is no such file.
    targets: frozenset[str] | None = None
    # Whether each referenced path exists; None if it must not be checked.
    files: Mapping[str, bool | None] = MappingProxyType({})
    # The texts of referenced prompt files, as far as they can be read.
    texts: Mapping[str, str] = MappingProxyType({})
    limits: Limits = DEFAULT_LIMITS
    # The scenario that a case is a test or a setting of; a setting is a part of a test and is not run by itself.
    scenario: ScenarioFacts | None = None


class Subject(Enum):
    """The kind of thing that a rule checks."""

    SYNTAX = "SyntaxProblem: text that is not YAML or is over a limit"
    FILE = "FileView: the file as a whole"
    PROMPTS = "FileView of a file whose cases have variables, beside the texts of the files that are its prompts"
    RECORD = "RecordView: a mapping that does not fit the table of fields, or repeats a key"
    CASE = "CaseView"
    CRITERIA = "CriteriaView: a list of criteria"
    KEYED = "CriteriaView in which a criterion is a mapping"
    WORDLESS = "CriteriaView that is empty, or in which a criterion has no text or a placeholder"
    REQUIRED = "CriterionView that has `required`"
    GATE = "CriterionView with a gate that is not where a score range above 0 starts"
    RANGES = "BandsView: the score ranges of a criterion"
    TEXTS = "BandsView in which a range has no text, or the text of another"
    COVERAGE = "BandsView whose ranges do not go through the scores from 0 to 10 in order, each once"
    EVALUATORS = "EvaluatorsView: a list of evaluators"
    EVALUATOR = "EvaluatorView"
    MESSAGE = "MessageView"
    SCORECARD = "ScorecardView"
    REFERENCES = "References: names of files, targets and scorecards"
    SUPPRESSIONS = "Applied: what became of the suppression comments"
    CONFIGURATION = "nothing: the configuration reader reports these itself"


Check = Callable[[Any, Context], Iterable[Problem]]


class Rule(NamedTuple):
    """One rule. Its page is the docstring of its module."""

    code: str
    name: str
    severity: Severity
    subject: Subject
    check: Check
    # Fixes keep the meaning (True), may change it (False), or there are none (None). Pages and tables show it.
    fixes_are_safe: bool | None = None
    # The editor strikes the text of its problems through.
    deprecated: bool = False
    # Further subjects, each with its check.
    also: tuple[tuple[Subject, Check], ...] = ()
    # Its problems prevent grading a case, even if they are no errors.
    prevents_grading: bool = False

    @property
    def page(self) -> str:
        """Return the rule's page as Markdown, without its heading."""
        import inspect  # noqa: PLC0415 - pages are seldom asked for.

        function = self.check.func if isinstance(self.check, partial) else self.check
        return inspect.cleandoc(inspect.getmodule(function).__doc__ or "")

    def by_subject(self) -> "Iterator[Rule]":
        """Yield the rule once for each of its subjects."""
        yield self
        yield from (self._replace(subject=subject, check=check) for subject, check in self.also)

    def at(  # noqa: PLR0913 - the parts of a problem.
        self,
        place: Node | Pair | Span,
        message: str,
        *,
        related: Iterable[tuple[Node | Pair, str] | tuple[Node | Pair, str, object]] = (),
        fixes: Fixes | None = None,
        severity: Severity | None = None,
        chunk: object | None = None,
        anchor_fixes: AnchorFixes | None = None,
    ) -> Problem:
        """Make a problem at a node.

        If the node was reached through an alias, the problem is at the alias, the anchored text is related to it, and
        no fix is offered: it would change text that others use too, which only `anchor_fixes` do. A rule for the file
        as a whole passes the chunk of the node, and the chunk of each related node as the third part of its tuple.
        """
        others = [_related(*other) for other in related]
        node = place.key if isinstance(place, Pair) else place
        if isinstance(node, Node) and node.origin is not None:
            origin = node.origin
            others.insert(0, Related(origin.span, f"This is the text behind `*{origin.anchor}`.", origin.chunk))
            fixes = None
        return Problem(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            span=place if isinstance(place, Span) else place.span,
            message=message,
            related=tuple(others),
            fixes=None if fixes is None else lambda: [fix for fix in fixes() if fix is not None],
            deprecated=self.deprecated,
            chunk=chunk,
            anchor_fixes=anchor_fixes,
            prevents_grading=self.prevents_grading,
        )


def _related(place: Node | Pair, message: str, chunk: object | None = None) -> Related:
    origin = (place.key if isinstance(place, Pair) else place).origin
    return Related(place.span, message, chunk) if origin is None else Related(origin.span, message, origin.chunk)

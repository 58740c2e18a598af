"""The questions that the core asks a dialect: one part for each, with who asks it and the answer by default.

A dialect names the modules of its parts (`Dialect.parts`); a part is imported when it is first asked for. Where a
dialect has none, the default holds, so that no code asks which dialect a file is of.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from rubric_core.assist.notes import Notes
    from rubric_core.dialects.dialect import Dialect
    from rubric_core.grading.answers import Answer
    from rubric_core.grading.evaluators.sets import SetRule
    from rubric_core.grading.grader import CaseScore, ReplyFormat
    from rubric_core.grading.prompts.own_prompt import OwnPrompt
    from rubric_core.grading.results import EvaluatorResult
    from rubric_core.migration.definition_files import DefinitionFile
    from rubric_core.model.builder import Builder, DefaultCase
    from rubric_core.model.case_items import CaseItem, NodeRenderer
    from rubric_core.model.evaluators import Evaluator, LlmJudge, OtherEvaluator
    from rubric_core.model.outline import SuiteOutline
    from rubric_core.model.suite import EvalCase
    from rubric_core.schema.scales import VerdictMarks
    from rubric_core.syntax.document import Located

T = TypeVar("T")


class Part(Generic[T]):
    """One part of every dialect: its name in `Dialect.parts`, and where the default is, as `module:NAME`."""

    def __init__(self, name: str, default: str) -> None:
        self.name = name
        self._default = default
        self._loaded: dict[Dialect, T] = {}

    def of(self, dialect: Dialect) -> T:
        """Return the part of a dialect."""
        part = self._loaded.get(dialect)
        if part is None:
            own = dialect.parts.get(self.name)
            part = self._loaded[dialect] = cast("T", _load(f"rubric_core.dialects.{own}" if own else self._default))
        return part


def _load(path: str) -> object:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


class Migration(NamedTuple):
    """A migration from one dialect to another, by their names; `path` is where its passes are, as `module:NAME`."""

    source: str
    target: str
    path: str

    def passes(self) -> Any:
        """Return the passes, a tuple of tuples of steps."""
        return _load(f"rubric_core.dialects.{self.path}")


NO_MIGRATIONS: tuple[Migration, ...] = ()
MIGRATIONS: Part[tuple[Migration, ...]] = Part("migrations", "rubric_core.dialects.parts:NO_MIGRATIONS")
"""Which migrations lead to it and away from it; asked by `migration/registry.py`. By default none."""
DEFINITION_FILE: Part[DefinitionFile] = Part("definition file", "rubric_core.migration.definition_files:NO_FILE")
"""The file of a project that defines what answers; asked by `rubric migrate`. By default there is none."""


class Expansion(Protocol):
    """The cases of a suite, and what all of them share. Asked when a suite is built; by default the list as written."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the cases of a suite in the order in which they run."""
        ...

    def top_level(self, builder: Builder, outline: SuiteOutline, key: str) -> Located | None:
        """Return a top-level value that all cases share, from the other file where it is in one."""
        ...

    def judging_default(self, builder: Builder, outline: SuiteOutline) -> DefaultCase | None:
        """Return what all cases start from if its evaluators judge each case in front of those of the suite."""
        ...

    def shared_renderer(self, builder: Builder) -> NodeRenderer:
        """Return what renders the evaluators that the suite has for all cases."""
        ...


EXPANSION: Part[Expansion] = Part("expansion", "rubric_core.model.expand:AS_LISTED")


class Grader(Protocol):
    """How the cases of a dialect are graded.

    `grading/questions.py` and the prompts ask before anything is sent to a judge, `grading/run.py` when a case is
    graded. By default the score is a weighted mean with gates, and models and commands alone are run.
    """

    @property
    def sets(self) -> Mapping[str, SetRule]:
        """Return the types of evaluators with members that are run, each with its rule."""

    @property
    def default_threshold(self) -> Decimal | None:
        """Return the threshold of a case without one, in a dialect that has thresholds."""

    @property
    def variables(self) -> Mapping[str, str]:
        """Return the names that a judge's own prompt may use, each with the name of its value."""

    @property
    def payload(self) -> Mapping[str, str]:
        """Return the names of what a command reads, each with the name of its value."""

    @property
    def reply(self) -> ReplyFormat:
        """Return what a command may print beside its score."""

    def reasons_not_gradable(self, case: EvalCase, /) -> Sequence[str]:
        """Return why a case without errors cannot be graded."""

    def evaluators_of(self, case: EvalCase, /) -> tuple[Evaluator, ...]:
        """Return the evaluators of a case, also where it names none."""

    def reason_not_run(self, evaluator: Evaluator, /) -> str | None:
        """Return why an evaluator that is no set is not run; None where it is."""

    def own_prompt(self, text: str, evaluator: LlmJudge, case: EvalCase, /) -> OwnPrompt:
        """Return an evaluator's own prompt for its judge, of which this is the text. Raises CannotGrade."""

    def marks_of(self, evaluator: LlmJudge, marks: VerdictMarks, /) -> VerdictMarks:
        """Return the scores from which what a judge says passes; `marks` are those of the dialect."""

    def judged(self, evaluator: LlmJudge, result: EvaluatorResult, /) -> EvaluatorResult:
        """Return the result of an evaluator that asked a judge."""

    async def check(self, evaluator: OtherEvaluator, case: EvalCase, answer: Answer, /) -> EvaluatorResult:
        """Return the result of an evaluator that needs no judge."""

    def case_score(
        self,
        written: Sequence[Evaluator],
        results: Sequence[EvaluatorResult],
        threshold: Decimal | None,
        marks: VerdictMarks,
        /,
    ) -> CaseScore:
        """Return score and verdict of a case of which some evaluators were run. Raises ValueError without weights."""


GRADER: Part[Grader] = Part("grader", "rubric_core.grading.grader:DEFAULT_GRADER")

NOTES: Part[Notes] = Part("notes", "rubric_core.assist.notes:NO_NOTES")
"""What completion, hover and rename add to the table; asked by `assist`. By default nothing."""

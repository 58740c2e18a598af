"""The questions that the core asks a dialect: one part for each, with who asks it and the answer by default.

A dialect names the modules of its parts (`Dialect.parts`); a part is imported when it is first asked for. Where a
dialect has none, the default is used, so that no code depends on the name of a dialect.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rubric_core.assist.notes import Notes
    from rubric_core.dialects.dialect import Dialect
    from rubric_core.grading.grader import DefaultGrader
    from rubric_core.grading.results import CaseResult
    from rubric_core.migration.definition_files import DefinitionFile
    from rubric_core.model.builder import Builder
    from rubric_core.model.evaluators import Evaluator
    from rubric_core.model.expand import CaseItem
    from rubric_core.model.outline import SuiteOutline
    from rubric_core.model.render import NodeRenderer
    from rubric_core.model.suite import ModelPath
    from rubric_core.schema.table import Table
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.document import Located
    from rubric_core.syntax.nodes import Mapping, Node, Pair
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.views.evaluators import EvaluatorView
    from rubric_core.views.inherited import SuiteReader
    from rubric_core.views.references import FileReference

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


TABLE: Part[Table] = Part("table", "rubric_core.schema.table:NO_TABLE")
"""The records and types of a dialect, with the numbers and words that the core asks for; every dialect has one."""


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


class EvaluatorLists(Protocol):
    """Which evaluators judge a case, and what results call them.

    Asked by `views/judging_parts.py`, when a case is built (`model/build.py`), and where grades are shown in the text.
    By default a case's own list counts, else that of its `execution`, and the suite's list follows it.
    """

    def in_order(self, own: T, execution: T, /) -> tuple[T, T]:
        """Return the places of lists in the order in which the first one counts."""
        return own, execution

    def takes_suite(self, case: Mapping, version: YamlVersion, own: object | None, /) -> bool:
        """Return whether the evaluators of the suite judge a case; `own` is the case's list that counts."""

    def name(self, name: str, unnamed: str, taken: set[str], /) -> str:
        """Return what results call an evaluator, and take that name; `unnamed` is the name of one without a name."""

    def reason_against_members(self, members: object, /) -> str | None:
        """Return why a set with these members, of which there may be none, cannot be used."""
        return None if members else "None of its assertions can be used."


EVALUATOR_LISTS: Part[EvaluatorLists] = Part("evaluator lists", "rubric_core.views.judging_parts:MERGED_LISTS")


class FilePaths(Protocol):
    """How an eval file names other files.

    Asked by `views/references.py` and `analysis/rule_runner.py` for the files that rules and links look at, by the
    completion of paths, where a list of evaluators includes a file, and when a judge's own prompt is read. By default a
    file is written as `file://` and its path.
    """

    prefix: str
    """What is before a path; empty where a path is written alone."""
    bare_prompt_kind: str
    """The kind of reference that a prompt is which looks like a path and has no prefix."""
    template_folder: str
    """The folder of files that can be included by their names; empty where there is none."""

    def prompt_file(self, prompt: str, /) -> str | None:
        """Return the path of a prompt's file; None if the prompt is the text itself."""

    def path_of_include(self, name: str, /) -> str:
        """Return the path of an included file."""

    def is_read(self, reference: FileReference, /) -> bool:
        """Return whether rules look at the contents of a file."""
        return reference.kind == "prompt"

    def written(self, chunk: Chunk, root: Node | None, /) -> Iterable[FileReference]:
        """Return the files that are named anywhere in a chunk, except those of the views."""

    def checked(self, chunk: Chunk, root: Node | None, entries: Iterable[Pair], /) -> Iterable[FileReference]:  # noqa: ARG002 - others name files there.
        """Return those of these files whose existence is checked, and those that top-level entries are."""
        return self.written(chunk, root)


PATHS: Part[FilePaths] = Part("paths", "rubric_core.views.references:FILE_URLS")

SUITE: Part[SuiteReader] = Part("suite", "rubric_core.views.inherited:DEFAULT_READER")
"""What a suite gives to every test: a value of the dialect's own type, and how it is read; asked by `analysis` for each
chunk with top-level entries. By default a pass mark, where the table has a place for one."""


class Expansion(Protocol):
    """The cases of a suite, and what all of them share. Asked when a suite is built; by default the list as written."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the cases of a suite in the order in which they run."""

    def text_judges(self, builder: Builder, text: Located | None, path: ModelPath) -> list[Evaluator]:  # noqa: ARG002 - others build some.
        """Return what judges a case that names no evaluator; `text` says what is expected of the answer."""
        return []

    def top_level(self, builder: Builder, outline: SuiteOutline, key: str) -> Located | None:  # noqa: ARG002 - others read files.
        """Return a top-level value that all cases share, from the other file where it is in one."""
        return outline.values.get(key)

    def judging_default(self, builder: Builder, outline: SuiteOutline) -> CaseItem | None:  # noqa: ARG002 - as above.
        """Return what all cases start from if its evaluators judge each case in front of those of the suite."""
        return None

    def shared_renderer(self, builder: Builder) -> NodeRenderer:
        """Return the renderer of the suite's evaluators for all cases."""


EXPANSION: Part[Expansion] = Part("expansion", "rubric_core.model.expand:AS_LISTED")


GRADER: Part[DefaultGrader] = Part("grader", "rubric_core.grading.grader:DEFAULT_GRADER")
"""How the cases of a dialect are graded. `grading/questions.py` and the prompts ask before anything is sent to a judge,
`grading/run.py` when a case is graded. By default the score is a weighted mean with gates, and nothing but models and
commands is run."""


def no_result_fields(_result: CaseResult) -> dict[str, Any]:
    """Return nothing, which is the default."""
    return {}


RESULT_FIELDS: Part[Callable[[CaseResult], dict[str, Any]]] = Part(
    "result fields", "rubric_core.dialects.parts:no_result_fields"
)
"""The fields that users of a tool expect in results beside ours, by its names; asked when one is written as JSON."""


class ResultFiles(NamedTuple):
    """The files of results that a tool writes.

    Asked by `cli/result_sources.py` for each value of a file that is to be reported; by default there are none. `maker`
    is the tool, as a message names it. `is_row` returns whether a JSON value is a result of the tool, and `reader`, for
    all values of a file, what reads such a one and raises ValueError.
    """

    maker: str
    is_row: Callable[[object], bool]
    reader: Callable[[Iterable[object]], Callable[[Any], CaseResult]]


NO_RESULT_FILES: ResultFiles | None = None
RESULT_FILES: Part[ResultFiles | None] = Part("result files", "rubric_core.dialects.parts:NO_RESULT_FILES")
DROPPED: Part[Callable[[EvaluatorView], bool]] = Part("dropped", "rubric_core.views.evaluators:lacks_nothing")
"""Whether the tool leaves out an evaluator that has all that its record asks for; asked by `views/evaluators.py`."""
NOTES: Part[Notes] = Part("notes", "rubric_core.assist.notes:NO_NOTES")
"""What completion, hover and rename have for a dialect beside its table; asked by `assist`. By default nothing."""

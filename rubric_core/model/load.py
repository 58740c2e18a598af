"""Loading: from a path to models, with every problem of the file beside them."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.explanations import reason_not_checked
from rubric_core.config.config import DEFAULT, Config
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import document_of
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.configuration import load_config
from rubric_core.files.named_lists import dialect_of_file
from rubric_core.files.project import DiskProject
from rubric_core.files.read import Unreadable, read_text
from rubric_core.model.build import build_suite
from rubric_core.model.outline import SuiteOutline, outline_around, outlines
from rubric_core.model.suite import EvalCase, LeftOut, Suite
from rubric_core.model.targets import Target, build_targets
from rubric_core.rules.problem import Problem
from rubric_core.syntax.document import Document
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits


class CannotLoad(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A file that cannot be loaded at all. `path` names it, and `reason` is the cause in one sentence."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def load(path: str | os.PathLike[str]) -> Suite:
    """Load an eval file that holds one suite, with its problems.

    Raises:
        CannotLoad: The file cannot be read, holds no list of cases, or holds several YAML documents with one.
    """
    suites = load_all(path)
    if len(suites) > 1:
        raise CannotLoad(str(path), f"The file holds {len(suites)} suites; load it with load_all.")
    return suites[0]


def load_all(path: str | os.PathLike[str], config: Config | None = None, *, is_named: bool = True) -> tuple[Suite, ...]:
    """Load every suite of an eval file, one for each YAML document with a list of cases.

    Without `config` the configuration nearest to the file applies. A file that was found in a folder, not named by the
    user, must have more of an eval file than a list of cases.

    Raises:
        CannotLoad: The file cannot be read, holds no list of cases, or is no eval file.
    """
    if config is None:
        config = load_config(Path(path).parent).config
    document = document_of(_read(path, config.limits), str(path), config.limits)
    project = DiskProject(path, config)
    analysis = Analysis(document, path=str(path), config=config, project=project, is_named=is_named)
    problems = tuple(analysis.problems())
    not_checked = None if analysis.is_ours() else reason_not_checked(analysis)
    if not_checked is not None and not_checked.is_refused:
        raise CannotLoad(str(path), not_checked.reason)
    suites = _suites(document, str(path), problems, config, dialect=analysis.facts.suite.dialect, files=project)
    if not_checked is not None:
        raise CannotLoad(str(path), not_checked.reason)
    return suites


def load_text(  # noqa: PLR0913 - where the text is from, and what is known of it.
    text: str,
    path: str,
    *,
    problems: tuple[Problem, ...] = (),
    config: Config | None = None,
    dialect: Dialect | None = None,
    files: DiskProject | None = None,
) -> tuple[Suite, ...]:
    """Build the suites of a text whose problems are known; each gets those that are in its YAML document.

    Without `dialect` each suite is read in the dialect of its own keys, and without `files` no other file is read.

    Raises:
        CannotLoad: The text holds no list of cases.
    """
    document = document_of(text, path, DEFAULT_LIMITS if config is None else config.limits)
    return _suites(document, path, problems, config, dialect=dialect, files=files)


def _suites(  # noqa: PLR0913 - as above.
    document: Document,
    path: str,
    problems: tuple[Problem, ...],
    config: Config | None,
    *,
    dialect: Dialect | None,
    files: DiskProject | None,
) -> tuple[Suite, ...]:
    read = outlines(document)
    named = ((outline, dialect or _dialect(outline, path, document, config)) for outline in read)
    built = ((_built(outline, path, own, config, files), outline) for outline, own in named if outline.holds_cases(own))
    suites = tuple(_with_problems(suite, outline, problems, document, config) for suite, outline in built)
    if not suites:
        broken = next((problem.message for outline in read for problem in outline.broken), None)
        raise CannotLoad(path, broken or "The file holds no list of cases; it needs the key tests or evalcases.")
    return suites


def load_around(  # noqa: PLR0913 - as above.
    document: Document,
    offset: int,
    path: str,
    problems: tuple[Problem, ...] = (),
    config: Config | None = None,
    *,
    dialect: Dialect | None = None,
    files: DiskProject | None = None,
) -> Suite:
    """Build a suite with only those cases that are in the chunk at an offset, and with all that they share.

    For an editor, which must not build thousands of cases to grade the one at the cursor.
    """
    outline = outline_around(document, offset)
    suite = _built(outline, path, dialect or _dialect(outline, path, document, config), config, files)
    return _with_problems(suite, outline, problems, document, config)


def _dialect(outline: SuiteOutline, path: str, document: Document, config: Config | None) -> Dialect:
    return dialect_of_file(path, document.text, outline.words, DEFAULT if config is None else config)


def _built(
    outline: SuiteOutline, path: str, dialect: Dialect, config: Config | None, files: DiskProject | None
) -> Suite:
    if config is None:
        return build_suite(outline, path, dialect, files=files)
    environment = {name: os.environ.get(name) for name in config.template_env}
    return build_suite(outline, path, dialect, config.scorecards, files, environment=environment)


def _with_problems(
    suite: Suite, outline: SuiteOutline, problems: tuple[Problem, ...], document: Document, config: Config | None = None
) -> Suite:
    """Add the data of the whole file: its name in results, the problems, the configuration."""
    own = tuple(problem for problem in problems if outline.start <= problem.span.start < outline.end)
    # A problem at the very end, such as a bracket that never closes, belongs to the last suite.
    last = tuple(problem for problem in problems if problem.span.start == outline.end == problem.span.end)
    has_datasets = "dataset" in BY_NAME[suite.dialect].records["suite"].by_key
    dataset = (suite.dataset if has_datasets else suite.name) or Path(suite.path).name.partition(".")[0]
    whole = suite.model_copy(update={"dataset": dataset, "problems": own + last})
    return whole.model_copy(update={"cases": tuple(_complete_cases(whole, document, config))})


def _complete_cases(suite: Suite, document: Document, config: Config | None) -> Iterator[EvalCase]:
    """Yield each case with the data of the whole file that grading needs."""
    places = PlaceNames(suite, document)
    left_out: dict[object, list[LeftOut]] = {}
    lost_cases = frozenset(suite.lost_cases)
    for lost in suite.left_out:
        if lost.path[0] == "cases" and lost not in lost_cases:
            located = replace(lost, place=places.of(lost.span.start, int(lost.path[1])))
            left_out.setdefault(lost.path[1], []).append(located)
    for index, case in enumerate(suite.cases):
        own = tuple(places.worded(problem) for problem in suite.problems_of(index))
        located_at = tuple(places.of(problem.span.start, index) for problem in own)
        values = {
            "source": suite.path,
            "dataset": suite.dataset,
            "dialect": suite.dialect,
            "problems": own,
            "places": located_at,
        }
        yield case.model_copy(update={**values, "left_out": tuple(left_out.get(index, ())), "config": config})


def load_targets(path: str | os.PathLike[str]) -> tuple[Target, ...]:
    """Load the entries of a targets file.

    Raises:
        CannotLoad: The file cannot be read, or an entry of it cannot be used.
    """
    outline = outlines(Document(_read(path, DEFAULT_LIMITS)))[0]
    if outline.broken:
        raise CannotLoad(str(path), outline.broken[0].message)
    try:
        return build_targets(outline)
    except ValueError as error:
        raise CannotLoad(str(path), str(error)) from None


def _read(path: str | os.PathLike[str], limits: Limits) -> str:
    read = read_text(path, limits)
    if isinstance(read, Unreadable):
        raise CannotLoad(str(path), read.message)
    return read.text


class PlaceNames:
    """Names places of a suite's text."""

    def __init__(self, suite: Suite, document: Document) -> None:
        self._suite = suite
        self._document = document

    def of(self, offset: int, case: int) -> str:
        """Return `FILE:LINE`, and the criterion and the range that an offset is in."""
        names = self._suite.names
        parts = (*names.get(("cases", case), ()), *names.get(("execution", "evaluators"), ()))
        around = sorted((span, name) for span, name in parts if span.start <= offset < span.end)
        return ", ".join([f"{self._suite.path}:{self._line(offset)}", *(name for _, name in around)])

    def worded(self, problem: Problem) -> Problem:
        """Return a problem with line numbers in its message, if that has placeholders for them."""
        if not problem.message_with_lines:
            return problem
        lines = (self._line(span.start) for span in (*(other.span for other in problem.related), problem.span))
        return problem._replace(message=problem.message_with_lines.replace("{lines}", " and ".join(map(str, lines))))

    def _line(self, offset: int) -> int:
        return self._document.position(offset).line + 1

"""The cases that the command line names: from paths to suites, and from ids to cases."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from rubric_core.cli.inputs import Configurations, find_inputs
from rubric_core.cli.output import CouldNotRun, suggestion
from rubric_core.config.config import Config, is_ours_by_name
from rubric_core.files.read import ReadText, read_text
from rubric_core.grading.results import CaseResult
from rubric_core.grading.run import empty_result
from rubric_core.model.load import CannotLoad, load_all
from rubric_core.model.suite import EvalCase, Suite
from rubric_core.text.lines import count_line_breaks
from rubric_core.text.writing import some_of


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """An eval file with its suites and its configuration; `failure` is the reason for having no suites."""

    path: Path
    shown: str
    config: Config
    suites: tuple[Suite, ...] = ()
    failure: str | None = None


def cases_of(files: Iterable[LoadedFile]) -> tuple[EvalCase, ...]:
    """Return the cases of all files in their order."""
    return tuple(case for file in files for suite in file.suites for case in suite.cases)


def load_files(paths: Sequence[str], configurations: Configurations) -> tuple[LoadedFile, ...]:
    """Load the eval files of the paths. Other files of a folder are skipped, unless they have the name of an eval file.

    Raise CouldNotRun if a path does not exist, if a named file cannot be loaded, and if there is no eval file.
    """
    sources, failures = find_inputs(paths, configurations)
    if failures:
        raise CouldNotRun(failures[0])
    loaded: list[LoadedFile] = []
    for source in sources:
        config = configurations.for_folder(source.path.parent)
        try:
            suites = load_all(source.shown, config, is_named=source.named)
        except CannotLoad as failure:
            if source.named:
                raise CouldNotRun(str(failure)) from None
            if is_ours_by_name(config, str(source.path)):
                loaded.append(LoadedFile(source.path, source.shown, config, failure=failure.reason))
        else:
            loaded.append(LoadedFile(source.path, source.shown, config, suites))
    if not loaded:
        raise CouldNotRun(f"No eval files found in {', '.join(paths) or 'the current folder'}.")
    return tuple(loaded)


def chosen_cases(cases: Sequence[EvalCase], names: Sequence[str]) -> tuple[EvalCase, ...]:
    """Return the cases that match an id or a pattern such as `sql-*`; all without any. Raise CouldNotRun if none."""
    for name in names:
        if not any(_fits(case, name) for case in cases):
            hint = suggestion(name, {case.id for case in cases}, f"Known cases: {some_ids(cases)}.", mark="")
            raise CouldNotRun(f"There is no case {name}. {hint}")
    return tuple(case for case in cases if not names or any(_fits(case, name) for name in names))


def some_ids(cases: Sequence[EvalCase]) -> str:
    """Return the ids of the first few cases, and how many more there are."""
    return some_of([case.id for case in cases])


def _fits(case: EvalCase, name: str) -> bool:
    return case.id == name or fnmatchcase(case.id, name)


def unbuilt_cases(files: Iterable[LoadedFile]) -> tuple[CaseResult, ...]:
    """Return an error result for each file, and each entry of a list of cases, that could not be read."""
    return tuple(
        replace(empty_result(EvalCase(id=f"line {line}", source=file.shown)), error=reason)
        for file in files
        for line, reason in _unread(file)
    )


def _unread(file: LoadedFile) -> Iterator[tuple[int, str]]:
    if file.failure is not None:
        yield 1, file.failure
    lost = [case for suite in file.suites for case in suite.lost_cases]
    read = read_text(file.path, file.config.limits) if lost else None
    text = read.text if isinstance(read, ReadText) else ""
    for case in sorted(lost, key=lambda case: case.span.start):
        yield count_line_breaks(text[: case.span.start]) + 1, case.reason

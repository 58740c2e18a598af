"""The cases that the command line names: from paths to suites, and from ids to cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from rubric_core.cli.failures import CouldNotRun
from rubric_core.cli.sources import gather
from rubric_core.files.read import Unreadable, read_text
from rubric_core.grading.grade import begun
from rubric_core.model.load import CannotLoad, load_all
from rubric_core.model.suite import EvalCase
from rubric_core.schema.suggest import closest
from rubric_core.text.lines import count_line_breaks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rubric_core.cli.configuration import Configurations
    from rubric_core.config.config import Config
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.suite import LeftOut, Suite

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """An eval file with its suites, and the configuration that counts for it."""

    path: Path
    shown: str
    config: Config
    suites: tuple[Suite, ...]

    @property
    def cases(self) -> tuple[EvalCase, ...]:
        """Return the cases of all suites in their order."""
        return tuple(case for suite in self.suites for case in suite.cases)


def load_files(paths: Sequence[str], configurations: Configurations) -> tuple[LoadedFile, ...]:
    """Load the eval files of the paths. A file of a folder that is none of ours is passed over.

    Raises CouldNotRun where a path leads nowhere, where a named file cannot be loaded, and where there is no eval file.
    """
    gathered = gather(paths, configurations)
    if gathered.failures:
        raise CouldNotRun(gathered.failures[0])
    loaded: list[LoadedFile] = []
    for source in gathered.sources:
        config = configurations.for_folder(source.path.parent)
        try:
            suites = load_all(source.shown, config)
        except CannotLoad as failure:
            if source.named:
                raise CouldNotRun(str(failure)) from None
            continue
        loaded.append(LoadedFile(source.path, source.shown, config, suites))
    if not loaded:
        raise CouldNotRun(f"There is no eval file in {', '.join(paths) or 'the current folder'}.")
    return tuple(loaded)


def chosen_cases(files: Iterable[LoadedFile], wanted: Sequence[str]) -> tuple[EvalCase, ...]:
    """Return the cases whose ids are named, or match a pattern such as `sql-*`; all where nothing is named.

    Raises CouldNotRun where a name fits no case.
    """
    cases = tuple(case for file in files for case in file.cases)
    for name in wanted:
        if not any(_fits(case, name) for case in cases):
            instead = closest(name, {case.id for case in cases})
            hint = f"Did you mean {instead}?" if instead else f"Known are {some_ids(cases)}."
            raise CouldNotRun(f"There is no case {name}. {hint}")
    return tuple(case for case in cases if not wanted or any(_fits(case, name) for name in wanted))


def some_ids(cases: Sequence[EvalCase]) -> str:
    """Return the ids of the first few cases, and how many more there are."""
    named = ", ".join(case.id for case in cases[:_MOST_NAMED])
    return f"{named} and {len(cases) - _MOST_NAMED} more" if len(cases) > _MOST_NAMED else named


def _fits(case: EvalCase, name: str) -> bool:
    return case.id == name or fnmatchcase(case.id, name)


def unbuilt_cases(files: Iterable[LoadedFile]) -> tuple[CaseResult, ...]:
    """Return an error for everything in the lists of cases that could not be read as a case, so that none is lost."""
    return tuple(_unbuilt(file, each) for file in files for each in _lost(file))


def _lost(file: LoadedFile) -> list[LeftOut]:
    lost = [each for suite in file.suites for each in suite.lost_cases]
    return sorted(lost, key=lambda each: each.span.start)


def _unbuilt(file: LoadedFile, lost: LeftOut) -> CaseResult:
    read = read_text(file.path, file.config.limits)
    text = "" if isinstance(read, Unreadable) else read.text
    line = count_line_breaks(text[: lost.span.start]) + 1
    return replace(begun(EvalCase(id=f"line {line}", source=file.shown)), error=lost.reason)

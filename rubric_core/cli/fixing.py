"""Fixing one text, and telling which problems a `--select` means."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.analysis.check import check_text, fix_text
from rubric_core.cli.checking import internal_failure, is_worth_telling, portable
from rubric_core.cli.rule_log import failed_rules, told
from rubric_core.config.config import names_rule
from rubric_core.files.look import DiskSurroundings
from rubric_core.files.read import Unreadable, read_text
from rubric_core.files.walk import may_be_ours
from rubric_core.report.reports import FileReport

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.analysis.check import AppliedFix
    from rubric_core.cli.configuration import Configurations
    from rubric_core.cli.sources import InputFile
    from rubric_core.config.config import Config
    from rubric_core.files.read import ReadText
    from rubric_core.rules.problem import Problem


@dataclass(frozen=True, slots=True)
class Choice:
    """Which problems to fix."""

    unsafe: bool = False
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()

    def takes(self, problem: Problem) -> bool:
        """Tell whether a problem is meant."""
        words = (problem.code, problem.name)
        if any(names_rule(entry, words) for entry in self.ignore):
            return False
        return self.select is None or any(names_rule(entry, words) for entry in self.select)


@dataclass(frozen=True, slots=True)
class FixOutcome:
    """What became of one file: the text before, after, what was applied and what remains; or a failure."""

    before: ReadText | None = None
    after: str = ""
    applied: tuple[AppliedFix, ...] = ()
    remaining: FileReport | None = None
    failure: str | None = None

    @property
    def is_changed(self) -> bool:
        """Tell whether there is something to write."""
        return self.before is not None and self.after != self.before.text


def fix_source(source: InputFile, configurations: Configurations, choice: Choice) -> FixOutcome:
    """Read and fix one file; nothing is written."""
    config = configurations.for_folder(source.path.parent)
    read = read_text(source.path, config.limits)
    if isinstance(read, Unreadable):
        return FixOutcome(failure=read.message) if is_worth_telling(source, config, read) else FixOutcome()
    return fix_read(source, read, config, choice)


def fix_read(source: InputFile, read: ReadText, config: Config, choice: Choice) -> FixOutcome:
    """Fix a text that has been read; whatever goes wrong inside is a message about this text."""
    try:
        return _fix(source, read, config, choice)
    except Exception as error:
        if os.environ.get("RUBRIC_DEBUG"):
            raise
        return FixOutcome(failure=internal_failure(error))


def _fix(source: InputFile, read: ReadText, config: Config, choice: Choice) -> FixOutcome:
    path = str(source.path)
    if not may_be_ours(path, read.text, config):
        return FixOutcome(read, read.text)
    surroundings = DiskSurroundings(path, config)
    takes: Callable[[Problem], bool] = choice.takes
    with failed_rules() as failed:
        fixed = fix_text(
            read.text, path=path, config=config, surroundings=surroundings, unsafe=choice.unsafe, select=takes
        )
        checked = check_text(fixed.text, path=path, config=config, surroundings=surroundings)
    if not checked.ours:
        return FixOutcome(read, read.text)
    remaining = tuple(portable(problem, with_fixes=False) for problem in checked.problems if takes(problem))
    return FixOutcome(read, fixed.text, fixed.applied, FileReport(source.shown, fixed.text, remaining), told(failed))

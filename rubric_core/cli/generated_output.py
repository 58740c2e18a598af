"""What `rubric generate` tells about each file, and the status that it ends with."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.cli.failures import COULD_NOT_RUN, OK, PROBLEMS
from rubric_core.cli.output import page_for, print_exact, print_text, say_failure
from rubric_core.report.diff import render_diff
from rubric_core.report.text import many, part_of
from rubric_core.terminal.columns import harmless
from rubric_core.text.lines import count_line_breaks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rubric_core.grading.generation.generate import Generated, GeneratedCase
    from rubric_core.grading.generation.survey import Candidate, Skipped


@dataclass(frozen=True, slots=True)
class GenerationOutcome:
    """What became of one file.

    `planned` are the cases that would be asked about. `skipped` cases cannot get criteria, for `failed` ones the
    judge gave none; `failure` is what went wrong with the whole file.
    """

    shown: str
    text: str = ""
    generated: Generated | None = None
    planned: tuple[Candidate, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    failed: tuple[Skipped, ...] = ()
    failure: str | None = None

    @property
    def written(self) -> tuple[GeneratedCase, ...]:
        """Return the cases that got criteria."""
        return self.generated.written if self.generated is not None and self.failure is None else ()


def status_of(outcomes: Sequence[GenerationOutcome], *, diff: bool) -> int:
    """Return the exit status: 2 where something failed, 1 where a case is left without rubrics or a diff shows some."""
    if any(each.failure is not None or each.failed for each in outcomes):
        return COULD_NOT_RUN
    return PROBLEMS if any(each.written if diff else each.skipped for each in outcomes) else OK


def tell(outcomes: Sequence[GenerationOutcome], *, diff: bool = False, quiet: bool = False) -> None:
    """Write what was generated to standard output, and what was not to standard error."""
    for outcome in outcomes:
        if diff:
            _show_diff(outcome)
        else:
            print_text("".join(_lines(outcome)))
    for outcome in outcomes:
        _say_what_is_missing(outcome, quiet=quiet)


def summary(outcomes: Sequence[GenerationOutcome], *, diff: bool) -> str:
    """Return in one or two sentences what was done."""
    files = [outcome for outcome in outcomes if outcome.generated is not None]
    written = [each for outcome in outcomes for each in outcome.written]
    remains = list(_remains(outcomes))
    if not written and not remains:
        return f"Nothing to write: every case that was looked at in {many(len(files), 'file')} has rubrics."
    touched = sum(bool(outcome.written) for outcome in outcomes)
    verb = "Would write" if diff else "Wrote"
    what = f"{verb} {sum(each.criteria for each in written):,} criteria for {many(len(written), 'case')}"
    where = part_of(touched if written else len(files), len(files))
    hints = sum(each.hints for each in written)
    advice = f" The criteria give {many(hints, 'hint')}, which `rubric check` shows." if hints else ""
    return f"{'; '.join([f'{what} in {where}' if written else f'No criteria in {where}', *remains])}.{advice}"


def _show_diff(outcome: GenerationOutcome) -> None:
    if outcome.generated is not None and outcome.generated.edits:
        print_exact(render_diff(outcome.shown, outcome.text, outcome.generated.text, page_for(sys.stdout).paint))


def _lines(outcome: GenerationOutcome) -> Iterator[str]:
    told = [(each.case_id, _counts(each)) for each in outcome.written]
    told += [(each.case.id, "would be asked about") for each in outcome.planned]
    if told:
        yield f"{harmless(outcome.shown)}\n"
    yield from (f"  {harmless(case_id)}: {what}\n" for case_id, what in told)


def _counts(written: GeneratedCase) -> str:
    hints = f", {many(written.hints, 'hint')}" if written.hints else ""
    return f"{written.criteria} criteria{hints}"


def _say_what_is_missing(outcome: GenerationOutcome, *, quiet: bool) -> None:
    for each in outcome.failed:
        say_failure(_place(outcome, each), f"{_case(each)}{each.reason}")
    if outcome.failure is not None:
        say_failure(outcome.shown, outcome.failure)
    for each in () if quiet else outcome.skipped:
        say_failure(_place(outcome, each), f"{_case(each)}Skipped. {each.reason}")


def _place(outcome: GenerationOutcome, case: Skipped) -> str:
    return f"{outcome.shown}:{count_line_breaks(outcome.text[: case.offset]) + 1}"


def _case(case: Skipped) -> str:
    return f"{case.case_id}: " if case.case_id else ""


def _remains(outcomes: Iterable[GenerationOutcome]) -> Iterator[str]:
    skipped = sum(len(outcome.skipped) for outcome in outcomes)
    failed = sum(len(outcome.failed) for outcome in outcomes)
    if skipped:
        yield f"{many(skipped, 'case')} skipped"
    if failed:
        yield f"{many(failed, 'case')} failed"

"""The answers that the command line gives."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from rubric_core.cli.output import say
from rubric_core.cli.sources import STDIN
from rubric_core.cli.suites import unbuilt_cases
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.recorded_answers import read_answer, read_answers
from rubric_core.rules.duplicate_case_id import RULE as DUPLICATE_CASE_ID

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubric_core.cli.grading import GradeRequest
    from rubric_core.cli.suites import LoadedFile
    from rubric_core.model.suite import EvalCase


def given_answers(files: Sequence[LoadedFile], cases: Sequence[EvalCase], request: GradeRequest) -> Mapping[str, str]:
    """Return the answers that the command line gives, by case id. Raises CannotGrade where they cannot be read."""
    if request.answer is not None and request.answers is not None:
        raise click.UsageError("`--answer` and `--answers` exclude each other.")
    if (request.answer is not None or request.answers is not None) and not cases:
        refuse_unread(files)
    if request.answer is not None:
        if len(cases) != 1:
            raise click.UsageError(_why_not_one(cases))
        return {cases[0].id: _stdin() if str(request.answer) == STDIN else read_answer(request.answer)}
    if request.answers is None:
        return {}
    given = read_answers(request.answers, {case.id for file in files for case in file.cases})
    for warning in () if request.quiet else given.warnings:
        say(f"rubric: {warning}")
    return given.answers


def refuse_unread(files: Sequence[LoadedFile]) -> None:
    """Raise CannotGrade where a file, or what stands in its list of cases, could not be read: it has the reason."""
    for result in unbuilt_cases(files):
        raise CannotGrade(f"{result.file}: No case can be read, so there is nothing to answer. {result.error}")


def _why_not_one(cases: Sequence[EvalCase]) -> str:
    told = [each.message for case in cases for each in case.problems if each.code == DUPLICATE_CASE_ID.code]
    if told and len({case.id for case in cases}) == 1:
        return f"`--answer` is for one case. {told[0]}"
    return f"`--answer` is for one case, but {len(cases)} are chosen; name one by --case."


def _stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CannotGrade(f"The answer on standard input is not UTF-8: byte {error.start} does not fit.") from None

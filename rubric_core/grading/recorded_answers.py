"""Answers that somebody has written down: in a file that is named, or beside the eval file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.config.globs import is_within
from rubric_core.files.read import Unreadable, read_text
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.json_text import NotJson, kind_of, members
from rubric_core.schema.suggest import closest
from rubric_core.syntax.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_SUFFIXES = (".md", ".txt")
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    """The answers of a file by case id, and a sentence about those that belong to no case, if there are any."""

    answers: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def read_answers(path: str | os.PathLike[str], case_ids: Collection[str]) -> GivenAnswers:
    """Read a JSON object from case id to answer. Raises CannotGrade where it is none."""
    answers = _answers_in(Path(path))
    unused = [each for each in answers if each not in case_ids]
    return GivenAnswers(answers, (_told_unused(os.fspath(path), unused, case_ids),) if unused else ())


def read_answer(path: str | os.PathLike[str]) -> str:
    """Read the answer that is the text of a file. Raises CannotGrade where it cannot be read."""
    read = read_text(path, DEFAULT_LIMITS)
    if isinstance(read, Unreadable):
        raise CannotGrade(f"The answer in {os.fspath(path)} cannot be read. {read.message}")
    return read.text.removeprefix("\ufeff")


class RecordedAnswers:
    """The answers that are recorded beside an eval file `NAME.eval.yaml`.

    They stand in `NAME.answers.json`, a JSON object from case id to answer, or in the folder `NAME.answers`, one file a
    case: `ID.md` or `ID.txt`. Nothing is read before somebody asks, and the JSON only once.
    """

    def __init__(self, source: str) -> None:
        path = Path(os.path.abspath(source))  # noqa: PTH100 - links are kept as they are.
        name = path.name.partition(".")[0]
        self._file = path.with_name(f"{name}.answers.json")
        self._folder = path.with_name(f"{name}.answers")
        self._exists = bool(source)

    def of(self, case_id: str) -> str | None:
        """Return the answer to a case, or None where none is recorded. Raises CannotGrade where one cannot be read."""
        if not self._exists:
            return None
        if case_id in self._in_file:
            return self._in_file[case_id]
        path = self._path_of(case_id)
        return None if path is None else read_answer(path)

    @cached_property
    def _in_file(self) -> Mapping[str, str]:
        return _answers_in(self._file) if self._file.is_file() else {}

    def _path_of(self, case_id: str) -> str | None:
        """Return the file for a case. An id may name a folder inside, but never leads out of the folder of answers."""
        folder = str(self._folder)
        for suffix in _SUFFIXES:
            path = os.path.normpath(os.path.join(folder, case_id + suffix))  # noqa: PTH118 - an id may be anything.
            is_inside = is_within(path, folder) and os.path.isfile(path)  # noqa: PTH113 - the same.
            if is_inside and is_within(os.path.realpath(path), os.path.realpath(folder)):
                return path
        return None


def _answers_in(path: Path) -> dict[str, str]:
    text = read_answer(path)
    try:
        found = members(text)
    except NotJson as error:
        raise CannotGrade(f"{path} is no JSON object from case id to answer. {error}") from None
    answers: dict[str, str] = {}
    for case_id, written in found:
        if case_id in answers:
            raise CannotGrade(f"{path} holds the case {case_id} twice; keep one of its answers.")
        if not written.startswith('"'):
            kind = kind_of(json.loads(written))
            raise CannotGrade(f"The answer to the case {case_id} in {path} must be a text, but is {kind}.")
        answers[case_id] = json.loads(written, strict=False)
    return answers


def _told_unused(path: str, unused: Sequence[str], case_ids: Collection[str]) -> str:
    named = [(each, closest(each, case_ids)) for each in unused[:_MOST_NAMED]]
    if len(unused) == 1:
        [(case_id, meant)] = named
        return f"{path} holds an answer to {case_id}, but no case has this id" + (
            f"; did you mean {meant}?" if meant else "."
        )
    told = ", ".join(f"{case_id} (did you mean {meant}?)" if meant else case_id for case_id, meant in named)
    more = f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
    return f"{path} holds answers to {len(unused)} ids that no case has: {told}{more}."

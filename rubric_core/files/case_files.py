"""The files with cases that a suite refers to: by a path, a pattern or a folder."""

import glob
import os
from collections.abc import Callable
from typing import NamedTuple

from rubric_core.dialects.eval_files import is_case_name
from rubric_core.files.read import ReadText, read_text
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.limits import Limits

_PATTERN = frozenset("*?[{")


class CaseFile(NamedTuple):
    """A file with cases; without a text it cannot be read. In a folder of cases, each case has its own file."""

    path: str
    text: str | None
    case_id: str = ""

    @property
    def name(self) -> str:
        """Return the name of the file, with its folder where that names the case."""
        folder, name = os.path.split(self.path)
        return f"{os.path.basename(folder)}/{name}" if self.case_id else name  # noqa: PTH119 - a plain string.


def find_case_files(
    reference: str, folder: str, is_allowed: Callable[[str], bool], limits: Limits
) -> tuple[CaseFile, ...]:
    """Return the files of a reference, relative to the suite's folder, except those that must not be read."""
    return tuple(_read(path, case_id, limits) for path, case_id in find_case_paths(reference, folder, is_allowed))


def find_case_paths(reference: str, folder: str, is_allowed: Callable[[str], bool]) -> list[tuple[str, str]]:
    """Return the path of each of these files, with the id of the case if its folder is named after it."""
    path = os.path.normpath(os.path.join(folder, reference.strip().removeprefix(FILE_URL)))  # noqa: PTH118 - any text.
    if not is_allowed(path) or "\0" in path:
        return []
    if not _PATTERN.isdisjoint(reference):
        files = [(match, "") for match in sorted(glob.glob(path, recursive=True)) if os.path.isfile(match)]  # noqa: PTH113, PTH207 - any text.
    elif os.path.isdir(path):  # noqa: PTH112 - any text.
        files = [(case, _folder_name(case)) for case in _cases_below(path)]
    else:
        files = [(path, "")]
    return [(file, case_id) for file, case_id in files if is_allowed(file)]


def _folder_name(path: str) -> str:
    return os.path.basename(os.path.dirname(path))  # noqa: PTH119, PTH120 - any text.


def _cases_below(folder: str) -> list[str]:
    """Return the case of each folder in a folder, in the order of their names."""
    folders = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]  # noqa: PTH118, PTH208 - plain strings.
    return [path for below in folders if os.path.isdir(below) for path in _cases_in(below)[:1]]  # noqa: PTH112 - same.


def _cases_in(folder: str) -> list[str]:
    """Return the files in a folder that are cases by their names."""
    paths = (os.path.join(folder, name) for name in sorted(filter(is_case_name, os.listdir(folder))))  # noqa: PTH118, PTH208 - same.
    return [path for path in paths if os.path.isfile(path)]  # noqa: PTH113 - same.


def _read(path: str, case_id: str, limits: Limits) -> CaseFile:
    read = read_text(path, limits)
    return CaseFile(path, read.text if isinstance(read, ReadText) else None, case_id)

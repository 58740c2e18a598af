"""What tells the dialect of a file as a whole: a comment at its top, or its top-level keys together."""

import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from rubric_core.schema.dialects import DIALECTS, Dialect
from rubric_core.schema.recognition import FileMarks
from rubric_core.schema.scales import FILE_URL

_MARKED: tuple[tuple[Dialect, FileMarks], ...] = tuple(
    (dialect, dialect.file_marks) for dialect in DIALECTS if dialect.file_marks is not None
)


class ToldByKeys(NamedTuple):
    """The dialect that top-level keys tell; `keys` has the words that can be each of them."""

    dialect: Dialect
    keys: tuple[frozenset[str], ...]


class FileSigns(NamedTuple):
    """What a file has beside its top-level keys.

    `renders_prompts` tells that a prompt is a file or a template, `speaks_for_another` that there are ids of tests or
    keys in snake case, and `is_of_another` that the name is one of another dialect's files. `configured` is the name of
    the dialect in the configuration.
    """

    renders_prompts: bool
    speaks_for_another: bool
    is_of_another: bool
    configured: str = ""


def identifying_key_keys(names: AbstractSet[str], signs: FileSigns) -> ToldByKeys | None:
    """Return the dialect that the top-level keys of a file tell; None where single words decide."""
    found = (_by_keys(names, signs, dialect, marks) for dialect, marks in _MARKED)
    return next((each for each in found if each is not None), None)


def _by_keys(names: AbstractSet[str], signs: FileSigns, dialect: Dialect, marks: FileMarks) -> ToldByKeys | None:
    if not (names.isdisjoint(marks.keys) or names.isdisjoint(marks.beside)):
        # In a file that is called like a suite, the key may be another one misspelt.
        is_misspelt = signs.is_of_another and signs.speaks_for_another
        return None if is_misspelt else ToldByKeys(dialect, (marks.keys,))
    if signs.is_of_another or not signs.renders_prompts or any(names.isdisjoint(group) for group in marks.shape):
        return None
    if signs.configured != dialect.name and signs.speaks_for_another:
        return None
    return ToldByKeys(dialect, marks.shape)


def may_render_prompts(names: Collection[str | None], text: str) -> bool:
    """Return whether a text with these top-level keys may have a prompt that is a file or a template."""
    return "prompts" in names and ("{{" in text or FILE_URL in text)


def modeline_of(text: str) -> Dialect | None:
    """Return the dialect whose schema a comment before the first content names."""
    if "$schema=" not in text:
        return None
    for line in text.splitlines():
        written = line.lstrip("\ufeff \t")
        if written and not written.startswith(("#", "---", "%")):
            return None
        found = next((each for each, marks in _MARKED if re.search(marks.modeline, written)), None)
        if found is not None:
            return found
    return None


def is_snake_case(name: str) -> bool:
    """Return whether a key has words that are joined by underscores; one in front is part of a name."""
    return "_" in name.lstrip("_$")

"""Paths of files, after `file://` and in fields that take a path."""

from collections.abc import Iterator

from rubric_core.assist.completion.parts import Branch, field_of, record_of
from rubric_core.assist.completion.place import CompletionKind, CompletionPlace
from rubric_core.assist.cursor import Cursor
from rubric_core.dialects.parts import PATHS
from rubric_core.schema.scales import FILE_URL

# Keys whose value is a path without a prefix.
_PATH_KEYS = frozenset({"tests", "input_files", "cwd", "file", "path", "workdir", "template"})
_MOST_PATHS = 200


def paths_at(place: CompletionPlace, cursor: Cursor) -> Iterator[str]:
    """Yield the values that a path at a place can have; a folder ends with a slash."""
    entry = place.entry
    written = entry.word if entry is not None and entry.has_text else ""
    typed = written[: max(cursor.at - entry.text_start - len(entry.quote), 0)] if entry is not None else ""
    prefix = PATHS.of(cursor.dialect).prefix
    prefix = prefix if typed.startswith(prefix) else ""
    if not prefix and not _wants_path(place):
        return
    folder, slash, _ = typed.removeprefix(FILE_URL).rpartition("/")
    for name in cursor.analysis.project.entries(f"{folder}{slash}")[:_MOST_PATHS]:
        yield f"{prefix}{folder}{slash}{name}"


def _wants_path(place: CompletionPlace) -> bool:
    """Return whether the value at a place is a path by its key, or by the type of the part that it belongs to."""
    listed: Branch | None = place.branch
    if place.kind is CompletionKind.KEY:
        # Behind the dash of an item.
        listed = place.branch.owner.branch if place.branch.owner is not None else None
    owner = listed.owner if listed is not None and listed.is_list else place.entry
    if owner is None or field_of(owner) is None:
        return False
    record, kind = record_of(owner.branch), owner.branch.get("type")
    is_value_of_part = record is not None and record.name == "content-part" and owner.key == "value"
    return owner.key in _PATH_KEYS or (is_value_of_part and kind is not None and kind.word == "file")

"""A unified diff of a text before and after its fixes.

Fixes touch few lines each, however many there are, so the two texts are walked side by side and meet again soon
after each change. That is linear, where a general diff takes minutes for a large file with many changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.report.portable import UNSAFE, path_bytes
from rubric_core.terminal.colours import plain
from rubric_core.terminal.columns import lay_out
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.terminal.colours import Paint

_CONTEXT = 3
# The texts have met again when this many lines are equal; a single blank line or bracket is no sign.
_MEETING = 3
# How many lines may have changed in one place; beyond, the rest of the file is shown as changed.
_FARTHEST = 400
_STYLES = {"+": "added", "-": "removed", "@": "gutter"}
_LINE = lazily(r"[^\n]*\n|[^\n]+")
_UNSAFE_NAME = lazily(f'[\t\n"\\\\{UNSAFE}\ud800-\udfff]')
_PLAIN_BYTES = frozenset(range(0x20, 0x7F)) - frozenset(b'"\\')
_NO_LINE_BREAK = "\\ No newline at end of file\n"


class _Change(NamedTuple):
    """Lines `start` to `end` of the old text become lines `new_start` to `new_end` of the new one."""

    start: int
    end: int
    new_start: int
    new_end: int


def render_diff(path: str, before: str, after: str, paint: Paint = plain) -> str:
    """Return the diff as `patch` and `git apply` read it; without colours every byte of the lines is kept."""
    old, new = _lines(before), _lines(after)
    hunks = _hunks(list(_changes(old, new)))
    if not hunks:
        return ""
    # A path from the root is no path inside of a repository.
    names = (path, path) if path.startswith("/") else (f"a/{path}", f"b/{path}")
    lines = [f"--- {_quoted(names[0])}\n", f"+++ {_quoted(names[1])}\n"]
    for hunk in hunks:
        lines += _hunk_lines(hunk, old, new)
    return "".join(_written(line, paint) for line in lines)


def _quoted(name: str) -> str:
    """Return a file's name as git writes it: in quotes and with octal numbers where it is no plain text."""
    if not _UNSAFE_NAME.search(name):
        return name
    written = (chr(byte) if byte in _PLAIN_BYTES else f"\\{byte:03o}" for byte in path_bytes(name))
    return f'"{"".join(written)}"'


def _lines(text: str) -> list[str]:
    """Split a text at LF only: a carriage return belongs to the line for `patch`."""
    return _LINE.findall(text)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """Give what changed, in order."""
    at, new_at = 0, 0
    while at < len(old) or new_at < len(new):
        if at < len(old) and new_at < len(new) and old[at] == new[new_at]:
            at += 1
            new_at += 1
            continue
        removed, added = _distance(old, new, at, new_at)
        yield _Change(at, at + removed, new_at, new_at + added)
        at += removed
        new_at += added


def _distance(old: Sequence[str], new: Sequence[str], at: int, new_at: int) -> tuple[int, int]:
    """Return how many lines of each text to pass until both go on alike, fewest first."""
    for together in range(1, _FARTHEST):
        for removed in range(together + 1):
            start, new_start = at + removed, new_at + together - removed
            if start > len(old) or new_start > len(new):
                continue
            if old[start : start + _MEETING] == new[new_start : new_start + _MEETING]:
                return removed, together - removed
    return len(old) - at, len(new) - new_at


def _hunks(changes: Sequence[_Change]) -> list[list[_Change]]:
    """Put changes together whose surroundings touch."""
    hunks: list[list[_Change]] = []
    for change in changes:
        if hunks and change.start - hunks[-1][-1].end <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _hunk_lines(hunk: Sequence[_Change], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    first, last = hunk[0], hunk[-1]
    before = min(_CONTEXT, first.start)
    behind = min(_CONTEXT, len(old) - last.end)
    old_range = _range(first.start - before, last.end + behind)
    yield f"@@ -{old_range} +{_range(first.new_start - before, last.new_end + behind)} @@\n"
    at = first.start - before
    for change in hunk:
        yield from (f" {line}" for line in old[at : change.start])
        yield from (f"-{line}" for line in old[change.start : change.end])
        yield from (f"+{line}" for line in new[change.new_start : change.new_end])
        at = change.end
    yield from (f" {line}" for line in old[at : at + behind])


def _range(start: int, end: int) -> str:
    """Return lines as a hunk's head counts them: from 1, and an empty stretch by the line in front of it."""
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _written(line: str, paint: Paint) -> str:
    if not line.endswith("\n"):
        line = f"{line}\n{_NO_LINE_BREAK}"
    if paint is plain:
        return line
    # Colours are for a terminal, which must not obey what stands in a file.
    style = _STYLES.get(line[0], "")
    shown = "\n".join(lay_out(part.removesuffix("\r")).shown for part in line.removesuffix("\n").split("\n"))
    return f"{paint(style, shown) if style else shown}\n"

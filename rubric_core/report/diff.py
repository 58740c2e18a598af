"""A unified diff of a text before and after its fixes."""

from collections.abc import Iterator, Sequence

from rubric_core.report.portable import UNSAFE, path_bytes
from rubric_core.terminal.display import Paint, lay_out, plain
from rubric_core.text.difference import Stretch, changed_lines
from rubric_core.text.patterns import lazily

_CONTEXT = 3
_STYLES = {"+": "added", "-": "removed", "@": "gutter"}
# A carriage return belongs to the line for `patch`.
_LINE = lazily(r"[^\n]*\n|[^\n]+")
_UNSAFE_NAME = lazily(f'[\t\n"\\\\{UNSAFE}\ud800-\udfff]')
_PLAIN_BYTES = frozenset(range(0x20, 0x7F)) - frozenset(b'"\\')
_NO_LINE_BREAK = "\\ No newline at end of file\n"


def render_diff(path: str, before: str, after: str, paint: Paint = plain) -> str:
    """Return the diff as `patch` and `git apply` read it; without colours every byte of the lines is kept."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    hunks: list[list[Stretch]] = []
    for change in changed_lines(old, new):
        if hunks and change.first - hunks[-1][-1].last <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    if not hunks:
        return ""
    # An absolute path is not inside of a repository.
    names = (path, path) if path.startswith("/") else (f"a/{path}", f"b/{path}")
    lines = [f"--- {_quoted(names[0])}\n", f"+++ {_quoted(names[1])}\n"]
    for hunk in hunks:
        lines += _hunk_lines(hunk, old, new)
    return "".join(_written(line, paint) for line in lines)


def _quoted(name: str) -> str:
    """Return a file's name as git writes it: quoted, with octal escapes, if it has special characters."""
    if not _UNSAFE_NAME.search(name):
        return name
    written = (chr(byte) if byte in _PLAIN_BYTES else f"\\{byte:03o}" for byte in path_bytes(name))
    return f'"{"".join(written)}"'


def _hunk_lines(hunk: Sequence[Stretch], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    first, last = hunk[0], hunk[-1]
    before = min(_CONTEXT, first.first)
    behind = min(_CONTEXT, len(old) - last.last)
    old_range = _range(first.first - before, last.last + behind)
    yield f"@@ -{old_range} +{_range(first.new_first - before, last.new_last + behind)} @@\n"
    at = first.first - before
    for change in hunk:
        yield from (f" {line}" for line in old[at : change.first])
        yield from (f"-{line}" for line in old[change.first : change.last])
        yield from (f"+{line}" for line in new[change.new_first : change.new_last])
        at = change.last
    yield from (f" {line}" for line in old[at : at + behind])


def _range(start: int, end: int) -> str:
    """Return lines for the head of a hunk: from 1, and an empty stretch by the line before it."""
    length = end - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _written(line: str, paint: Paint) -> str:
    if not line.endswith("\n"):
        line = f"{line}\n{_NO_LINE_BREAK}"
    if paint is plain:
        return line
    # Colours are for a terminal, which must not interpret control characters of a file.
    style = _STYLES.get(line[0], "")
    shown = "\n".join(lay_out(part.removesuffix("\r")).shown for part in line.removesuffix("\n").split("\n"))
    return f"{paint(style, shown) if style else shown}\n"

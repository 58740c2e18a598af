"""The edits that insert a suppression, and the one that takes an unused one away."""

from collections.abc import Collection

from rubric_core.rules.suppressions import (
    Code,
    Directive,
    DirectiveKind,
    find_directives,
    first_line,
)
from rubric_core.syntax.comments import NO_SCALARS, ScalarSpans
from rubric_core.text.lines import line_at, line_break_of
from rubric_core.text.spans import Edit, Span

_BYTE_ORDER_MARK = "\ufeff"


def suppress_here(
    text: str, offset: int, code: str, scalars: ScalarSpans = NO_SCALARS, *, line_break: str | None = None
) -> Edit:
    """Return the edit that silences a rule for a problem that starts at an offset.

    An existing directive for the place gets one more rule. Otherwise the comment goes to the end of the line, or, if
    the line ends inside a scalar, above the line on which that scalar starts. `line_break` is for a text without one.
    """
    for directive in find_directives(text, scalars):
        target = directive.target
        if (
            directive.kind is DirectiveKind.IGNORE
            and target
            and target.start <= offset <= target.end
            and directive.brackets
        ):
            return _added(directive, directive.brackets, code)
    line = line_at(text, offset)
    comment = f"# rubric: ignore[{code}]"
    scalar = scalars.multi_line_at(line.end)
    if scalar is None:
        gap = "" if text[line.start : line.end][-1:] in {"", " ", "\t", _BYTE_ORDER_MARK} else "  "
        return Edit(line.end, line.end, gap + comment)
    line = first_line(text, line_at(text, scalar.start), scalars)
    start = line.start + text.startswith(_BYTE_ORDER_MARK, line.start)
    content = text[start : line.end]
    indentation = content[: len(content) - len(content.lstrip(" \t"))]
    return Edit(start, start, f"{indentation}{comment}{line_break or line_break_of(text)}")


def suppress_in_file(text: str, code: str) -> Edit:
    """Return the edit that silences a rule in a whole file; `text` is the text of that file."""
    for directive in find_directives(text):
        if directive.kind is DirectiveKind.IGNORE_FILE and directive.at_top and directive.brackets:
            return _added(directive, directive.brackets, code)
    start = int(text.startswith(_BYTE_ORDER_MARK))
    return Edit(start, start, f"# rubric: ignore-file[{code}]{line_break_of(text)}")


def remove_suppression(text: str, directive: Directive, codes: Collection[Code] | None = None) -> Edit:
    """Return the edit that removes rules from a directive, or the whole directive if no rule would be left."""
    kept = [code for code in directive.codes if codes is not None and code not in codes]
    if directive.brackets is not None and kept:
        return Edit(*directive.brackets, _without(text, directive.brackets, directive.codes, kept))
    return _removed(text, directive)


def _added(directive: Directive, brackets: Span, code: str) -> Edit:
    if not directive.codes:
        return Edit(brackets.start, brackets.start, code)
    end = directive.codes[-1].span.end
    return Edit(end, end, f", {code}")


def _without(text: str, brackets: Span, codes: tuple[Code, ...], kept: list[Code]) -> str:
    """Return the text between the brackets without the other codes; each kept code keeps its separator."""
    parts = [text[brackets.start : codes[0].span.start]]
    before = codes[0].span.start
    for code in codes:
        if code in kept:
            separator = text[before : code.span.start] if len(parts) > 1 else ""
            parts += (separator, code.text)
        before = code.span.end
    return "".join((*parts, text[before : brackets.end]))


def _removed(text: str, directive: Directive) -> Edit:
    start, end = directive.span
    line = line_at(text, start)
    before = text[line.start : start]
    if before.strip(" \t" + _BYTE_ORDER_MARK):
        # The text before the comment stays, without the white space between them.
        return Edit(line.start + len(before.rstrip(" \t")), end, "")
    if end < line.end:
        # Another directive follows in the same comment and takes this one's place.
        return Edit(start, end + len(text[end : line.end]) - len(text[end : line.end].lstrip(" \t")), "")
    line_break = 2 if text.startswith("\r\n", end) else int(text[end : end + 1] in {"\r", "\n"})
    return Edit(line.start + before.startswith(_BYTE_ORDER_MARK), end + line_break, "")

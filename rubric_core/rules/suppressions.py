"""Directive comments: `# rubric: ignore[RB103]`, `ignore-file[RB401]`, `file` and `dialect=NAME`.

Everything here works on the text of one chunk or of a whole file; offsets count from the start of that text.

A directive at the end of a line is for that line. One that is alone on its line is for the next line that holds
more than a comment. A scalar of several lines counts as being on its first line, because no comment can be
inside it: a problem anywhere in it is silenced by a directive for that line, or by one behind its end.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from rubric_core.rules.problem import Problem
from rubric_core.schema.suggest import closest
from rubric_core.syntax.comments import NO_SCALARS, ScalarSpans
from rubric_core.text.lines import line_at, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

FILE_ONLY = frozenset({"RB901", "RB902"})
"""Problems of the suppressions themselves: only a directive for the whole file or the configuration silences them."""

STOPPED = frozenset({"RB001", "RB008"})
"""After one of these some rules have not run, so it is unknown which suppressions are needed."""

_MARK = lazily(r"#[ \t]*rubric:")
_DIRECTIVE = lazily(
    r"""(?<![^ \t\r\n\ufeff])\#[ \t]*rubric:[ \t]*     # YAML starts a comment only behind white space
        (?P<kind>ignore-file|ignore|file|dialect(?=[ \t]*=))(?![\w-])
        (?:[ \t]*=[ \t]*(?P<dialect>[\w.-]+))?
        (?:[ \t]*\[(?P<codes>[^\]\r\n\#]*))?           # a list that is still being typed has no end yet
        [^\r\n]*?(?=[ \t]\#[ \t]*rubric:|[\r\n]|\Z)    # the reason, up to another directive
    """,
    re.VERBOSE,
)
_CODE = lazily(r"[^,\s]+")
_LINE_BREAK = lazily(r"\r\n?|\n")
_NO_CONTENT = lazily(r"(?:[#%].*|---(?:[ \t]+#.*)?)?\Z")


class DirectiveKind(Enum):
    """The effect of a directive."""

    IGNORE = "ignore"
    IGNORE_FILE = "ignore-file"
    FILE = "file"
    DIALECT = "dialect"


class Code(NamedTuple):
    """A rule as a directive names it, by code or by name."""

    text: str
    span: Span


class Directive(NamedTuple):
    """One comment for this program.

    Attributes:
        kind: Its effect.
        codes: The rules in its brackets.
        span: The comment from its `#` to the end of the line, or to another directive in the same comment.
        alone: Whether its line holds nothing but comments.
        target: The stretch in which problems must start to be silenced; None if its line comes after this text.
            `next_target` finds that line in the text that follows.
        brackets: The text between the brackets; None without brackets, which means every rule.
        at_top: Whether no content of the file comes before it.
        dialect: The name behind `dialect=`.
    """

    kind: DirectiveKind
    codes: tuple[Code, ...]
    span: Span
    alone: bool
    target: Span | None
    brackets: Span | None
    at_top: bool
    dialect: str = ""


def find_directives(text: str, scalars: ScalarSpans = NO_SCALARS, *, starts_file: bool = True) -> tuple[Directive, ...]:
    """Return the directives of a text. `starts_file` means that nothing of the file comes before the text."""
    if not might_hold_directives(text):
        return ()
    content = _content_start(text) if starts_file else 0
    directives: list[Directive] = []
    below: _Below | None = None
    # From the end, so that adjacent comments search for their line only once.
    for match in reversed(list(_DIRECTIVE.finditer(text))):
        if scalars.is_comment(match.start()):
            directive = _directive(text, match, scalars, content, below)
            directives.append(directive)
            if directive.alone:
                below = _Below(line_start(text, match.start()), directive.target)
    return tuple(reversed(directives))


def might_hold_directives(text: str) -> bool:
    """Return whether a text may have a directive. This is cheaper than `ScalarSpans`."""
    return "rubric:" in text and _MARK.search(text) is not None


class _Below(NamedTuple):
    """Where the line of a comment that is alone on it starts, and the target of that comment."""

    start: int
    target: Span | None


def _directive(text: str, match: re.Match[str], scalars: ScalarSpans, content: int, below: _Below | None) -> Directive:
    """Read a directive. `content` is where that of the file starts, `below` the next comment on a line of its own."""
    line = line_at(text, match.start())
    before = text[line.start : match.start()].strip(" \t\ufeff")
    alone = not before or before.startswith("#")
    follows = match.end() < line.end
    brackets = Span(*match.span("codes")) if match["codes"] is not None else None
    codes = _CODE.finditer(text, *brackets) if brackets else ()
    return Directive(
        kind=DirectiveKind(match["kind"]),
        codes=tuple(Code(code.group(), Span(*code.span())) for code in codes),
        span=Span(match.start(), match.start() + len(match.group().rstrip(" \t")) if follows else line.end),
        alone=alone,
        target=next_target(text, scalars, line.end, below) if alone else _whole(text, line, scalars),
        brackets=brackets,
        at_top=match.start() < content,
        dialect=match["dialect"] or "",
    )


def _content_start(text: str) -> int:
    """Return the start of the first line that is not a comment, a directive of YAML or the first marker."""
    has_marker = False
    for line in _lines_from(text, 0):
        written = text[line.start : line.end].strip(" \t\ufeff")
        is_marker = written.startswith("---")
        if _NO_CONTENT.match(written) is None or (is_marker and has_marker):
            return line.start
        has_marker = has_marker or is_marker
    return len(text)


def next_target(
    text: str, scalars: ScalarSpans = NO_SCALARS, after: int | None = None, below: _Below | None = None
) -> Span | None:
    """Return the target of a directive on a line of its own: the next line that has more than a comment.

    `after` is the end of the directive's own line, or None where the directive is before the text. The answer
    is None where the text has no such line. A comment on a line of its own `below` is for the same line.
    """
    for line in _lines_from(text, 0 if after is None else _next_line_start(text, after)):
        if below is not None and line.start == below.start:
            return below.target
        if text[line.start : line.end].strip(" \t\ufeff")[:1] not in {"", "#"}:
            return _whole(text, line, scalars)
    return None


def _whole(text: str, line: Span, scalars: ScalarSpans) -> Span:
    """Widen a line by the scalars of several lines that end or start on it, and by those that touch these."""
    first, end = first_line(text, line, scalars), line.end
    scalar = scalars.multi_line_at(end)
    while scalar is not None:
        last_line = line_at(text, scalar.end - 1)
        end = min(scalar.end, last_line.end)
        scalar = scalars.multi_line_at(last_line.end) if end < last_line.end else None
    return Span(first.start, end)


def first_line(text: str, line: Span, scalars: ScalarSpans) -> Span:
    """Return the line on which the scalar starts that a line continues, or the line itself."""
    scalar = scalars.multi_line_at(line.start)
    while scalar is not None and scalar.start < line.start:
        line = line_at(text, scalar.start)
        scalar = scalars.multi_line_at(line.start)
    return line


def _lines_from(text: str, start: int | None) -> Iterator[Span]:
    """Yield the lines of a text from the start of one of them."""
    while start is not None:
        line = line_at(text, start)
        yield line
        start = _next_line_start(text, line.end)


def _next_line_start(text: str, line_end: int) -> int | None:
    line_break = _LINE_BREAK.match(text, line_end)
    return line_break.end() if line_break else None


class Use(NamedTuple):
    """A directive and one of its rules, for counting what it silenced; None if the directive names no rule."""

    directive: Directive
    code: Code | None

    @property
    def span(self) -> Span:
        """Return the place to report: the rule, or the whole comment."""
        return self.code.span if self.code else self.directive.span


class Unknown(NamedTuple):
    """A rule that does not exist, and the one that was probably meant."""

    directive: Directive
    code: Code
    instead: str | None


class Applied(NamedTuple):
    """The problems that no directive silences, and the directives without effect."""

    kept: tuple[Problem, ...]
    used: tuple[Use, ...]
    unused: tuple[Use, ...]
    unknown: tuple[Unknown, ...]
    silent: frozenset[str | None] = frozenset()
    """The codes that the whole file is silent about; None among them means all."""


class _Suppression(NamedTuple):
    """One rule that a directive silences, by its code; None means every rule."""

    target: Span
    code: str | None
    use: Use


def apply(
    problems: Iterable[Problem],
    directives: Iterable[Directive],
    known: Mapping[str, str],
    off: Collection[str] = frozenset(),
) -> Applied:
    """Silence problems. `known` maps the codes and names of the rules to codes, `off` are the disabled rules.

    A suppression of a disabled rule is not reported as unused, since that is unknown.
    """
    problems = tuple(problems)
    line_suppressions: list[_Suppression] = []
    file_suppressions: list[_Suppression] = []
    unused: list[Use] = []
    unknown: list[Unknown] = []
    for directive in directives:
        if directive.kind is DirectiveKind.FILE:
            continue
        suppressions = file_suppressions if directive.kind is DirectiveKind.IGNORE_FILE else line_suppressions
        _sort_out(directive, known, suppressions, unused, unknown)
    used: set[Use] = set()
    silent = frozenset(suppression.code for suppression in file_suppressions)
    file_uses = {suppression.code: suppression.use for suppression in file_suppressions}
    lines = _Lines(line_suppressions)
    kept: list[Problem] = []
    for problem in problems:
        hits = [file_uses[code] for code in (problem.code, None) if code in file_uses]
        hits += lines.uses(problem)
        used.update(hits)
        if not hits:
            kept.append(problem)
    idle = (suppression for suppression in (*file_suppressions, *line_suppressions) if suppression.use not in used)
    unused += [suppression.use for suppression in idle if _is_surely_idle(suppression, off)]
    if any(problem.code in STOPPED for problem in problems):
        unused.clear()
    return Applied(
        tuple(kept),
        tuple(sorted(used, key=lambda use: use.span)),
        tuple(sorted(unused, key=lambda use: use.span)),
        tuple(unknown),
        silent,
    )


def _is_surely_idle(suppression: _Suppression, off: Collection[str]) -> bool:
    if suppression.code is None:
        return not off
    # The problems of the suppressions themselves are made after this, so they cannot have been seen yet.
    is_early = suppression.code in FILE_ONLY and suppression.use.directive.kind is DirectiveKind.IGNORE_FILE
    return not is_early and suppression.code not in off


def _sort_out(
    directive: Directive,
    known: Mapping[str, str],
    suppressions: list[_Suppression],
    unused: list[Use],
    unknown: list[Unknown],
) -> None:
    """Turn a directive into suppressions; sort out unknown rules, repeated ones and those in the wrong place."""
    misplaced = directive.kind is DirectiveKind.IGNORE_FILE and not directive.at_top
    target = directive.target or directive.span
    if not directive.codes:
        use = Use(directive, None)
        # Empty brackets name no rule, so they silence nothing.
        if misplaced or directive.brackets is not None:
            unused.append(use)
        else:
            suppressions.append(_Suppression(target, None, use))
    seen: set[str] = set()
    for code in directive.codes:
        resolved = known.get(code.text) or known.get(code.text.upper())
        if resolved is None:
            unknown.append(Unknown(directive, code, closest(code.text, known)))
        elif misplaced or resolved in seen:
            unused.append(Use(directive, code))
        else:
            seen.add(resolved)
            suppressions.append(_Suppression(target, resolved, Use(directive, code)))


class _Lines:
    """The suppressions for lines, found by the place of a problem."""

    def __init__(self, suppressions: Iterable[_Suppression]) -> None:
        self._by_code: dict[str | None, list[_Suppression]] = {}
        for suppression in sorted(suppressions, key=lambda suppression: suppression.target):
            self._by_code.setdefault(suppression.code, []).append(suppression)
        self._starts = {
            code: [suppression.target.start for suppression in group] for code, group in self._by_code.items()
        }

    def uses(self, problem: Problem) -> list[Use]:
        if problem.code in FILE_ONLY:
            return []
        return [use for code in (problem.code, None) for use in self._covering(code, problem.span.start)]

    def _covering(self, code: str | None, offset: int) -> Iterator[Use]:
        group = self._by_code.get(code)
        if group is None:
            return
        # Targets overlap only where they reach into the same scalar, so one that ends too early ends the search.
        for at in range(bisect_right(self._starts[code], offset) - 1, -1, -1):
            suppression = group[at]
            if suppression.target.end < offset:
                return
            yield suppression.use

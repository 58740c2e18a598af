"""From the text of a template to tokens, as the lexer of Nunjucks makes them."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from rubric_core.model.nunjucks.limits import TemplateFailure
from rubric_core.model.nunjucks.values import SPACES

DATA, OPEN_VALUE, CLOSE_VALUE, OPEN_TAG, CLOSE_TAG = "data", "{{", "}}", "{%", "%}"
NAME, TEXT, INTEGER, DECIMAL, OPERATOR = "name", "text", "integer", "decimal", "operator"
_START = re.compile(r"\{\{-?|\{%-?|\{#|#\}")
_COMMENT_END = "#}"
_RAW_TAG = re.compile(r"[ \n\t\r\xa0]*(raw|verbatim)[ \n\t\r\xa0]*(-?)%\}")
_CODE_SPACE = " \n\t\r\xa0"
_CODE = re.compile(
    rf"(?P<space>[{_CODE_SPACE}]+)"
    r"|(?P<close>-?%\}|-?\}\})"
    r"|(?P<regex>r/)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?)"
    r"|(?P<operator>===|!==|==|!=|<=|>=|//|\*\*|[()\[\]{}%*\-+~/#,:|.<>=!])"
    rf"|(?P<word>[^{_CODE_SPACE}()\[\]{{}}%*\-+~/#,:|.<>=!]+)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_DIGITS = re.compile(r"\d*")


class Token(NamedTuple):
    """A piece of a template: its kind, its value and its line."""

    kind: str
    value: str
    line: int


class _Lines:
    """Tells the lines of a text, counted from 1."""

    def __init__(self, source: str) -> None:
        self._breaks = [found.start() for found in re.finditer("\n", source)]

    def at(self, place: int) -> int:
        return bisect_left(self._breaks, place) + 1


def tokens_of(source: str) -> Iterator[Token]:
    """Yield the tokens of a template.

    Raises:
        TemplateFailure: A comment or tag never ends.
    """
    lines = _Lines(source)
    place, drops_space = 0, False
    while place < len(source):
        found = _START.search(source, place)
        text = source[place : found.start() if found else len(source)]
        line = lines.at(place)
        shown = text.rstrip(SPACES) if found is not None and _is_trimmed(source, found) else text
        if text:
            yield Token(DATA, shown.lstrip(SPACES) if drops_space else shown, line)
            drops_space = False
        if found is None:
            return
        line = lines.at(found.start())
        if found.group() == _COMMENT_END:
            raise TemplateFailure("`#}` ends no comment", line)
        if found.group() == "{#":
            end = source.find(_COMMENT_END, found.end())
            if end < 0:
                raise TemplateFailure("a comment never ends", line)
            drops_space = source[end - 1] == "-"
            place = end + len(_COMMENT_END)
            continue
        raw = _RAW_TAG.match(source, found.end()) if found.group()[1] == "%" else None
        if raw is not None:
            content, place = _raw(source, raw)
            drops_space = bool(raw[2])
            yield Token(DATA, content, line)
            continue
        yield Token(found.group()[:2], "", line)
        code = _Code(source, found.end(), lines)
        yield from code
        drops_space, place = code.drops_space, code.place


def _is_trimmed(source: str, found: re.Match[str]) -> bool:
    return found.group().endswith("-") or (found.group() == "{#" and source[found.end() : found.end() + 1] == "-")


def _raw(source: str, opened: re.Match[str]) -> tuple[str, int]:
    """Return what a raw block holds, and where its end is; blocks of the same name nest."""
    name = opened[1]
    tag = re.compile(rf"\{{%\s*({name}|end{name})\s*%\}}")
    level, place = 1, opened.end()
    for found in tag.finditer(source, opened.end()):
        level += 1 if found[1] == name else -1
        if level == 0:
            return source[opened.end() : found.start()], found.end()
        place = found.end()
    return source[opened.end() : place], place


class _Code:
    """The tokens of one tag or value, up to the first end of either."""

    def __init__(self, source: str, start: int, lines: _Lines) -> None:
        self.source = source
        self.lines = lines
        self.place = start
        self.drops_space = False

    def __iter__(self) -> Iterator[Token]:
        source = self.source
        while True:
            found = _CODE.match(source, self.place)
            line = self.lines.at(self.place)
            if found is None:
                raise TemplateFailure("a tag never ends", line)
            self.place = found.end()
            kind, value = found.lastgroup, found.group()
            if kind == "close":
                self.drops_space = value.startswith("-")
                yield Token(value[-2:], "", line)
                return
            if kind == "regex":
                raise TemplateFailure("regular expressions (`r/.../`) are not supported", line)
            if kind == "text":
                yield Token(TEXT, _ESCAPE.sub(_unescaped, value[1:-1] if value[-1] == value[0] else value[1:]), line)
            elif kind == "operator":
                yield Token(OPERATOR, value, line)
            elif kind == "word":
                yield self._word(value, line)

    def _word(self, value: str, line: int) -> Token:
        if not (value.isascii() and value.isdigit()):
            return Token(NAME, value, line)
        if self.source[self.place : self.place + 1] != ".":
            return Token(INTEGER, value, line)
        rest = _DIGITS.match(self.source, self.place + 1)
        assert rest is not None  # noqa: S101 - it matches everywhere.
        self.place = rest.end()
        return Token(DECIMAL, f"{value}.{rest.group() or 0}", line)


def _unescaped(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[1], found[1])

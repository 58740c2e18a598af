"""From the text of a template to tokens, as the lexer of Nunjucks makes them."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from rubric_core.nunjucks.limits import TemplateFailure
from rubric_core.nunjucks.values import SPACES

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
    r"|(?P<decimal>[0-9]+\.\d*)"
    r"|(?P<operator>===|!==|==|!=|<=|>=|//|\*\*|[()\[\]{}%*\-+~/#,:|.<>=!])"
    rf"|(?P<word>[^{_CODE_SPACE}()\[\]{{}}%*\-+~/#,:|.<>=!]+)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


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
        is_trimmed = found is not None and (found.group() + source[found.end() : found.end() + 1])[2:3] == "-"
        shown = text.rstrip(SPACES) if is_trimmed else text
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
        place = found.end()
        while True:
            code = _CODE.match(source, place)
            line = lines.at(place)
            if code is None:
                raise TemplateFailure("a tag never ends", line)
            place = code.end()
            if code.lastgroup == "close":
                drops_space = code.group().startswith("-")
                yield Token(code.group()[-2:], "", line)
                break
            if code.lastgroup != "space":
                yield _token(code.lastgroup, code.group(), line)


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


def _token(kind: str | None, value: str, line: int) -> Token:
    """Return the token of a piece of a tag or value."""
    if kind == "regex":
        raise TemplateFailure("regular expressions (`r/.../`) are not supported", line)
    if kind == "text":
        inner = value[1:-1] if value[-1] == value[0] else value[1:]
        return Token(TEXT, _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), inner), line)
    if kind == "decimal":
        return Token(DECIMAL, f"{value}0" if value.endswith(".") else value, line)
    if kind == "word":
        return Token(INTEGER if value.isascii() and value.isdigit() else NAME, value, line)
    return Token(OPERATOR, value, line)

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


def tokens_of(source: str) -> Iterator[Token]:
    """Yield the tokens of a template. Raises TemplateFailure where a comment or tag never ends."""
    breaks = [line_break.start() for line_break in re.finditer("\n", source)]
    place, drops_space = 0, False
    while place < len(source):
        opening = _START.search(source, place)
        text = source[place : opening.start() if opening else len(source)]
        line = bisect_left(breaks, place) + 1
        is_trimmed = opening is not None and (opening.group() + source[opening.end() : opening.end() + 1])[2:3] == "-"
        shown = text.rstrip(SPACES) if is_trimmed else text
        if text:
            yield Token(DATA, shown.lstrip(SPACES) if drops_space else shown, line)
            drops_space = False
        if opening is None:
            return
        line = bisect_left(breaks, opening.start()) + 1
        if opening.group() == _COMMENT_END:
            raise TemplateFailure("`#}` ends no comment", line)
        if opening.group() == "{#":
            end = source.find(_COMMENT_END, opening.end())
            if end < 0:
                raise TemplateFailure("a comment never ends", line)
            drops_space = source[end - 1] == "-"
            place = end + len(_COMMENT_END)
            continue
        raw = _RAW_TAG.match(source, opening.end()) if opening.group()[1] == "%" else None
        if raw is not None:
            content, place = _raw(source, raw)
            drops_space = bool(raw[2])
            yield Token(DATA, content, line)
            continue
        yield Token(opening.group()[:2], "", line)
        place = opening.end()
        while True:
            code = _CODE.match(source, place)
            line = bisect_left(breaks, place) + 1
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
    """Return the content of a raw block, and where the block ends; blocks of the same name nest."""
    name = opened[1]
    tag = re.compile(rf"\{{%\s*({name}|end{name})\s*%\}}")
    level, place = 1, opened.end()
    for mark in tag.finditer(source, opened.end()):
        level += 1 if mark[1] == name else -1
        if level == 0:
            return source[opened.end() : mark.start()], mark.end()
        place = mark.end()
    return source[opened.end() : place], place


def _token(kind: str | None, value: str, line: int) -> Token:
    """Return the token of a piece of a tag or value."""
    if kind == "regex":
        raise TemplateFailure("regular expressions (`r/.../`) are not supported", line)
    if kind == "text":
        inner = value[1:-1] if value[-1] == value[0] else value[1:]
        return Token(TEXT, _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), inner), line)
    if kind == "decimal":
        return Token(DECIMAL, f"{value}0" if value.endswith(".") else value, line)
    if kind == "word":
        return Token(INTEGER if value.isascii() and value.isdigit() else NAME, value, line)
    return Token(OPERATOR, value, line)

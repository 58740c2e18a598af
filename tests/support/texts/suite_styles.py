"""One suite in many styles, with marks that say where something is expected.

A suite is written once, in a short notation that looks like YAML's flow style, and then rendered in block or flow
style, with any indentation, as JSON or as JSON lines. `«…»` around a key, a value or a word marks the place of a
problem, `⟦…⟧` a related place. `∅` is a value that is not there: nothing in block style, `null` in brackets.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rubric_core.text.spans import Span

OPENING, CLOSING = "«⟦", "»⟧"
EMPTY = "∅"
_MARKS = re.compile(f"[{OPENING}{CLOSING}]")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?\Z")
_JSON_WORDS = frozenset({"true", "false", "null"})


@dataclass
class Part:
    """A value of the notation: a word, a list or a mapping. `opening` and `closing` are the marks around it."""

    text: str = ""
    is_quoted: bool = False
    items: list[Part] | None = None
    pairs: list[tuple[Part, Part]] | None = None
    opening: str = ""
    closing: str = ""
    anchor: str = ""

    @property
    def is_word(self) -> bool:
        """Return whether this is a scalar or an alias."""
        return self.items is None and self.pairs is None

    @property
    def is_number(self) -> bool:
        """Return whether this is a plain number."""
        return self.is_word and not self.is_quoted and bool(_NUMBER.match(_MARKS.sub("", self.text)))


class Style(NamedTuple):
    """How a suite is written.

    `shape` is `block`; `flow`, where each case is one line in braces; `values`, where the values of a case are in
    brackets, each on one line; `lines`, where the brackets have a line for each entry; `json`; `jsonl`.
    """

    shape: str = "block"
    step: int = 2
    is_flush: bool = False
    line_break: str = "\n"
    has_comments: bool = False

    def __str__(self) -> str:
        lists = "flush" if self.is_flush else "indented"
        breaks = "crlf" if self.line_break == "\r\n" else "lf"
        return f"{self.shape}-{self.step}-{lists}-{breaks}{'-comments' if self.has_comments else ''}"


STYLES = (
    *(Style(), Style(step=4), Style(is_flush=True), Style(line_break="\r\n"), Style(has_comments=True)),
    *(Style("flow"), Style("values"), Style("json")),
)
"""The styles in which every migration is tried."""


class Marked(NamedTuple):
    """A text without its marks, and what they marked."""

    text: str
    problems: tuple[Span, ...]
    related: tuple[Span, ...]


# Reading the notation


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def value(self) -> Part:
        self._skip_space()
        start = self.at
        while self.text[self.at] in OPENING:
            self.at += 1
        opening = self.text[start : self.at]
        if self.text[self.at] not in "[{":
            self.at = start
            return self._word()
        part = self._list() if self.text[self.at] == "[" else self._map()
        part.opening = opening
        part.closing = self.text[self.at : self.at + len(opening)]
        self.at += len(opening)
        return part

    def _skip_space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \n":
            self.at += 1

    def _list(self) -> Part:
        items: list[Part] = []
        while self._goes_on("]"):
            items.append(self.value())
        return Part(items=items)

    def _map(self) -> Part:
        pairs: list[tuple[Part, Part]] = []
        while self._goes_on("}"):
            key = self._word()
            if self.text[self.at] in ",}":
                pairs.append((key, Part(EMPTY)))
                continue
            assert self.text[self.at] == ":", self.text[self.at :]
            self.at += 1
            pairs.append((key, self.value()))
        return Part(pairs=pairs)

    def _goes_on(self, end: str) -> bool:
        """Step over the opening bracket or a comma, or over the closing bracket."""
        self._skip_space()
        if self.text[self.at] != end:
            self.at += 1
            self._skip_space()
        if self.text[self.at] != end:
            return True
        self.at += 1
        return False

    def _word(self) -> Part:
        self._skip_space()
        found = re.compile(
            rf'(?P<opening>[{OPENING}]*)(?P<word>"(?:[^"\\]|\\.)*"|(?:[^,\]}}:]|:(?!\s))*?)'
            rf"(?P<closing>[{CLOSING}]*)(?=\s*(?:[,\]}}]|:\s|$))"
        ).match(self.text, self.at)
        assert found is not None, self.text[self.at :]
        self.at = found.end()
        self._skip_space()
        opening, word, closing = found.group("opening", "word", "closing")
        is_quoted = word.startswith('"')
        return Part(json.loads(word) if is_quoted else word, is_quoted, opening=opening, closing=closing)


def read(notation: str) -> Part:
    """Read a value of the notation. Marks inside of a word, not around it, stay in its text."""
    reader = _Reader(_balanced(notation))
    part = reader.value()
    assert not notation[reader.at :].strip(), notation[reader.at :]
    return part


def _balanced(notation: str) -> str:
    assert len(re.findall(f"[{OPENING}]", notation)) == len(re.findall(f"[{CLOSING}]", notation)), notation
    return notation


def insert(template: Part, part: Part) -> Part:
    """Put a part where `$` is in a template; a key `$` takes in the pairs of a mapping."""
    if template.is_word:
        return part if template.text == "$" else template
    if template.items is not None:
        return replace(template, items=[insert(item, part) for item in template.items])
    pairs: list[tuple[Part, Part]] = []
    for key, value in template.pairs or ():
        pairs += (part.pairs or ()) if key.text == "$" else [(key, insert(value, part))]
    return replace(template, pairs=pairs)


# Writing a suite


@dataclass
class _Writer:
    style: Style
    comments: int = field(default=0)

    # Words and brackets

    def word(self, part: Part, *, flow: bool) -> str:
        as_json = self.style.shape in {"json", "jsonl"}
        text = part.text
        if text == EMPTY:
            text = "null" if flow else ""
        elif as_json:
            if not (not part.is_quoted and (part.is_number or text in _JSON_WORDS)):
                text = json.dumps(text, ensure_ascii=False)
        elif part.is_quoted or re.search(r"[:#] |[,\[\]{}]", text):
            text = json.dumps(text, ensure_ascii=False)
        anchor = f"&{part.anchor} " if part.anchor else ""
        return f"{anchor}{part.opening}{text}{part.closing}"

    def key(self, part: Part) -> str:
        if self.style.shape in {"json", "jsonl"}:
            return f"{part.opening}{json.dumps(part.text, ensure_ascii=False)}{part.closing}"
        return self.word(part, flow=True)

    def flow(self, part: Part) -> str:
        if part.is_word:
            return self.word(part, flow=True)
        anchor = f"&{part.anchor} " if part.anchor else ""
        if part.items is not None:
            inner = "[" + ", ".join(self.flow(item) for item in part.items) + "]"
        else:
            inner = "{" + ", ".join(f"{self.key(key)}: {self.flow(value)}" for key, value in part.pairs or ()) + "}"
        return f"{anchor}{part.opening}{inner}{part.closing}"

    # Lines

    def remark(self, where: str) -> str:
        self.comments += 1
        return f"# {where} {self.comments}"

    def behind(self, line: str) -> str:
        return f"{line}  {self.remark('behind')}" if self.style.has_comments else line

    def above(self) -> list[str]:
        return [self.remark("above")] if self.style.has_comments else []

    def indented(self, lines: list[str], by: int | None = None) -> list[str]:
        pad = " " * (self.style.step if by is None else by)
        return [pad + line for line in lines]

    def block(self, part: Part, depth: int, *, behind_dash: bool = False) -> list[str]:
        """Return the lines of a collection in block style; what is deeper than the shape allows is in brackets."""
        entries = part.items if part.items is not None else part.pairs or ()
        lines: list[str] = []
        for number, entry in enumerate(entries):
            # A comment above the first key of an item is above its dash.
            lines += () if behind_dash and number == 0 else self.above()
            lines += self.item(entry, depth) if isinstance(entry, Part) else self.pair(*entry, depth)
        return lines

    def item(self, item: Part, depth: int) -> list[str]:
        if self.is_on_one_line(item, depth):
            return [self.behind(f"- {self.flow(item) if not item.is_word else self.word(item, flow=False)}")]
        if self.in_lines(item, depth):
            first, *others = self.brackets(item)
            return [f"- {first}", *self.indented(others, 2)]
        if item.anchor:
            # An anchor behind the dash belongs to the first key if that is on the same line.
            return [f"- &{item.anchor}", *self.indented(self.block(item, depth + 1))]
        lines = self.block(item, depth + 1, behind_dash=True)
        return ["-".ljust(self.style.step) + lines[0], *self.indented(lines[1:])]

    def pair(self, name: Part, value: Part, depth: int) -> list[str]:
        key = self.key(name)
        if self.is_on_one_line(value, depth):
            written = self.word(value, flow=False) if value.is_word else self.flow(value)
            return [self.behind(f"{key}: {written}".rstrip(" "))]
        if self.in_lines(value, depth):
            first, *others = self.brackets(value)
            return [f"{key}: {first}", *others]
        anchor = f" &{value.anchor}" if value.anchor else ""
        lines = self.block(value, depth + 1)
        is_flush = value.items is not None and self.style.is_flush
        return [self.behind(f"{key}:{anchor}"), *(lines if is_flush else self.indented(lines))]

    def is_on_one_line(self, part: Part, depth: int) -> bool:
        if part.is_word or part.opening or not (part.items or part.pairs) or _is_range(part):
            return True
        return (self.style.shape == "flow" and depth >= 1) or (self.style.shape == "values" and depth >= 2)

    def in_lines(self, part: Part, depth: int) -> bool:
        return self.style.shape == "lines" and depth >= 2 and not part.is_word

    def brackets(self, part: Part) -> list[str]:
        """Return a collection in brackets with a line for each entry."""
        is_list = part.items is not None
        entries = (
            [self.flow(item) for item in part.items]
            if part.items is not None
            else [f"{self.key(key)}: {self.flow(value)}" for key, value in part.pairs or ()]
        )
        anchor = f"&{part.anchor} " if part.anchor else ""
        lines: list[str] = []
        for entry in entries:
            lines += self.indented([*self.above(), self.behind(f"{entry},")])
        # A bracket must be indented deeper than the key that it belongs to.
        return [self.behind(anchor + "[{"[not is_list]), *self.indented(lines), *self.indented(["]}"[not is_list]])]


def _is_range(part: Part) -> bool:
    return part.items is not None and len(part.items) <= 2 and all(item.is_number for item in part.items)


def write(suite: Part, style: Style) -> Marked | None:
    """Write a suite; None where the style cannot hold it."""
    writer = _Writer(style)
    if style.shape == "json":
        text = writer.flow(suite) + "\n"
    elif style.shape == "jsonl":
        (key, cases), *others = suite.pairs or ()
        if others or key.text != "evalcases" or key.opening:
            return None
        text = "".join(f"{writer.flow(case)}\n" for case in cases.items or ())
    else:
        text = "\n".join(writer.block(suite, 0)) + "\n"
    return unmarked(text.replace("\n", style.line_break))


def unmarked(marked: str) -> Marked:
    """Take the marks out of a text and return where they were."""
    text = ""
    open_at: list[int] = []
    spans: dict[str, list[Span]] = {"»": [], "⟧": []}
    done = 0
    for found in _MARKS.finditer(marked):
        text += marked[done : found.start()]
        done = found.end()
        if found.group() in OPENING:
            open_at.append(len(text))
        else:
            spans[found.group()].append(Span(open_at.pop(), len(text)))
    return Marked(text + marked[done:], tuple(sorted(spans["»"])), tuple(sorted(spans["⟧"])))

"""Templates in texts: the names that they need, and the parts of a text that are lost when it is rendered."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from rubric_core.nunjucks.markup import (
    TAGS,
    defined_names,
    has_templates,
    is_balanced,
    loop_of,
    pieces,
    without_raw,
    without_strings,
)
from rubric_core.syntax.nodes import Mapping as MappingNode
from rubric_core.syntax.nodes import Node, Scalar, walk
from rubric_core.text.patterns import lazily

_NAME = lazily(r"[A-Za-z_$][\w$]*")
_WORDS = lazily(r"(?:(?<![\w$.'\"])|(?<=\bvars\.))[A-Za-z_$][\w$]*")
# A value may also start with a string, a number, a list, a mapping or a bracket.
_VALUE_STARTS = "\"'([{-0123456789"
# Names and words that every template has. `answer_file` is filled in when a script runs.
BUILT_IN = frozenset(
    "answer_file and cycler else env false if in is joiner loop none not null or range true vars".split()  # noqa: SIM905
)
_TAGS = TAGS - {"raw", "endraw", "verbatim", "endverbatim"}
_WITH_ARGUMENT = frozenset({"if", "elif", "elseif", "for", "set", "filter", "macro", "include", "import", "from"})
JUDGE_VARIABLES = frozenset(
    {"criteria", "expected_output", "file_changes", "input", "metadata", "metadata_json", "output", "rubric"}
    | {"rubrics", "rubrics_json", "tool_calls"}
)
"""The variables of a judge's prompt, which is rendered when the judge is asked."""
_SHOWS_ANSWER = lazily(r"\{\{-?\s*(?:expected_output|output|answer|candidate_answer)\b")
# With a default or a test whether it is defined, a name may be absent.
_ALLOWS_ABSENCE = lazily(r"\|\s*d(?:efault)?\b|\bor\b|\bif\b|\bdefined\b")


class TemplateName(NamedTuple):
    """A word of a template that is the name of a variable, and where it starts."""

    text: str
    start: int


def template_names(text: str) -> Iterator[TemplateName]:
    """Yield the variables that a text uses in templates; filters, tags and what every template has are none.

    A variable may also be written as `vars.` and its name.
    """
    for piece in pieces(text) if has_templates(text) else ():
        group = "value" if piece["value"] is not None else "tag"
        written = without_strings(piece[group] or "")
        end = 0
        for word in _WORDS.finditer(written):
            is_filter = written[end : word.start()].rstrip().endswith("|")
            end = word.end()
            if not is_filter and word.group() not in BUILT_IN and word.group() not in _TAGS:
                yield TemplateName(word.group(), piece.start(group) + word.start())


class LostPiece(NamedTuple):
    """A part of a text that is lost when the text is rendered; `name` is the variable that nothing defines, if any.

    `is_invalid` means that the template cannot be rendered at all.
    """

    start: int
    end: int
    name: str | None = None
    is_invalid: bool = False


def may_have_templates(text: str) -> bool:
    """Return whether a chunk may have templates, in its own text or behind an alias."""
    return "*" in text or has_templates(text)


def shows_answer(prompt: str) -> bool:
    """Return whether the prompt of a judge contains the answer; a file without it is refused."""
    return _SHOWS_ANSWER.search(prompt) is not None


def names_in(node: Node) -> Iterator[str]:
    """Yield the names of the variables that the texts below a node use."""
    for below in walk(node):
        if isinstance(below, Scalar):
            yield from (name.text for name in template_names(below.value))


def names_of(node: Node | None) -> frozenset[str]:
    """Return the names that a mapping of variables defines."""
    return frozenset(node.index) if isinstance(node, MappingNode) else frozenset()


def lost_pieces(text: str, known: Collection[str]) -> list[LostPiece]:
    """Return the parts of a text that are lost when it is rendered with variables of the known names."""
    if not has_templates(text):
        return []
    markups = list(pieces(without_raw(text)))
    tags = [markup for markup in markups if markup["tag"] is not None]
    names = {*known, *BUILT_IN, *(name for markup in tags for name in defined_names(markup["tag"]))}
    wrong = [piece for markup in tags if (piece := _lost_tag(markup, names)) is not None]
    if tags and not is_balanced(markup["tag"] for markup in tags):
        wrong.append(LostPiece(tags[0].start(), tags[-1].end(), is_invalid=True))
    lost: list[LostPiece] = []
    # A tag and the one that ends it belong together.
    start, end = (tags[0].start(), tags[-1].end()) if wrong else (0, 0)
    if wrong:
        lost.append(LostPiece(start, end, wrong[0].name, any(tag.is_invalid for tag in wrong)))
    for markup in markups:
        if markup["tag"] is not None or start <= markup.start() < end:
            continue
        piece = _lost_value(markup, names) if markup["value"] is not None else LostPiece(markup.start(), markup.end())
        if piece is not None:
            lost.append(piece)
    return lost


def _lost_tag(piece: re.Match[str], names: Collection[str]) -> LostPiece | None:
    tag = piece["tag"].strip()
    word, _, rest = tag.partition(" ")
    if word not in _TAGS or (word in _WITH_ARGUMENT and not rest.strip()):
        return LostPiece(piece.start(), piece.end(), is_invalid=True)
    loop = loop_of(tag)
    if _ALLOWS_ABSENCE.search(tag.removeprefix("if").removeprefix("elif")):
        return None
    source = loop["source"] if loop else tag.partition(" ")[2] if word in {"if", "elif"} else ""
    used = [name for name in _WORDS.findall(without_strings(source)) if name not in BUILT_IN]
    if used and not any(name in names for name in used):
        return LostPiece(piece.start(), piece.end(), used[0])
    return None


def _lost_value(piece: re.Match[str], names: Collection[str]) -> LostPiece | None:
    value = piece["value"].strip()
    name = _NAME.match(value)
    if name is None:
        is_value = value[:1] and value[0] in _VALUE_STARTS
        return None if is_value else LostPiece(piece.start(), piece.end(), is_invalid=True)
    used = name.group()
    if used == "vars" and value.startswith("vars."):
        inner = _NAME.match(value, len("vars."))
        used = inner.group() if inner else used
    if used in names or _ALLOWS_ABSENCE.search(value):
        return None
    return LostPiece(piece.start(), piece.end(), used)

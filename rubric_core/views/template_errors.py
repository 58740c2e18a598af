"""What is wrong with a Nunjucks template itself: braces and tags that are never closed, unknown tags and filters."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from rubric_core.text.patterns import lazily
from rubric_core.views.templates import has_templates

_RAW = lazily(r"\{%-?\s*(raw|verbatim)\s*-?%\}.*?\{%-?\s*end\1\s*-?%\}", re.DOTALL)
_COMMENT = lazily(r"\{#.*?#\}", re.DOTALL)
_OPEN_VALUE = lazily(r"\{\{(?!.*?\}\})[^\n]*", re.DOTALL)
_OPEN_NAME = lazily(r"\{\{-?\s*[\w.]+")
_TAG = lazily(r"\{%-?\s*(?P<word>\w+).*?-?%\}", re.DOTALL)
_PIECE = lazily(r"\{\{(?P<value>.*?)\}\}|\{%(?P<tag>.*?)%\}", re.DOTALL)
_STRINGS = lazily(r"\"[^\"]*\"|'[^']*'")
_FILTER = lazily(r"\|\s*(?P<name>[A-Za-z_]\w*)")
_CLOSED = {"if": "endif", "for": "endfor", "block": "endblock", "macro": "endmacro", "call": "endcall"}
TAGS = frozenset(
    "asyncAll asyncEach block call case default elif else elseif endall endblock endcall endeach endfilter endfor "  # noqa: SIM905
    "endif endmacro endraw endset endswitch endverbatim extends filter for from if ifAsync import include macro raw "
    "set switch verbatim".split()
)
"""The tags that every template of promptfoo has."""
FILTERS = frozenset(
    "abs batch capitalize center d default dictsort dump e escape first float forceescape format groupby indent int "  # noqa: SIM905
    "join last length list load lower nl2br random reject rejectattr replace reverse round safe select selectattr "
    "slice sort string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount".split()
)
"""The filters that every template of promptfoo has."""


class TemplateError(NamedTuple):
    """A mistake in a template: where it stands, and the word it is about."""

    start: int
    end: int
    kind: str
    word: str


def template_errors(text: str, filters: Collection[str] | None) -> Iterator[TemplateError]:
    """Yield what is wrong; with None for the filters of the author nothing is said of filters."""
    if not has_templates(text):
        return
    shown = _COMMENT.sub(_blank, _RAW.sub(_blank, text))
    unclosed = _OPEN_VALUE.search(shown)
    if unclosed is not None:
        name = _OPEN_NAME.match(shown, unclosed.start())
        end = name.end() if name is not None else unclosed.start() + 2
        yield TemplateError(unclosed.start(), end, "unclosed", "}}")
    yield from _wrong_tags(shown)
    for piece in _PIECE.finditer(shown) if filters is not None else ():
        group = "value" if piece["value"] is not None else "tag"
        said = _STRINGS.sub(_blank, piece[group])
        for found in _FILTER.finditer(said):
            if found["name"] not in FILTERS and found["name"] not in (filters or ()):
                start = piece.start(group) + found.start("name")
                yield TemplateError(start, start + len(found["name"]), "filter", found["name"])


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _wrong_tags(shown: str) -> Iterator[TemplateError]:
    waiting: list[re.Match[str]] = []
    for tag in _TAG.finditer(shown):
        word = tag["word"]
        if word not in TAGS:
            yield TemplateError(tag.start("word"), tag.end("word"), "tag", word)
        elif word in _CLOSED:
            waiting.append(tag)
        elif word in _CLOSED.values() and waiting and _CLOSED[waiting[-1]["word"]] == word:
            waiting.pop()
    for tag in waiting:
        yield TemplateError(tag.start(), tag.end(), "unclosed", f"{{% {_CLOSED[tag['word']]} %}}")

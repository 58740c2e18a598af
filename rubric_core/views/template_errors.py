"""What is wrong with a Nunjucks template itself: braces and tags that are never closed, unknown tags and filters."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from rubric_core.text.patterns import lazily
from rubric_core.views.templates import STRINGS, blank, has_templates, pieces, without, without_raw

_COMMENT = lazily(r"\{#.*?#\}", re.DOTALL)
# A name that the next template follows before it is closed; what has strings in it is left alone.
_CUT_VALUE = lazily(r"(?=(?P<name>\{\{-?\s*[\w.]+))(?P=name)(?:(?!\}\}|\{\{|[\"']).)*(?=\{\{)", re.DOTALL)
_OPEN_NAME = lazily(r"\{\{-?\s*[\w.]+")
_TAG = lazily(r"\{%-?\s*(?P<word>\w+).*?-?%\}", re.DOTALL)
_PIECE = lazily(r"\{\{(?P<value>.*?)\}\}|\{%(?P<tag>.*?)%\}", re.DOTALL)
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
    """A mistake in a template: where it stands, and the word it is about.

    What is `unclosed` has no end at all, and what is `cut` would end where a later template does.
    """

    start: int
    end: int
    kind: str
    word: str


def template_errors(text: str, filters: Collection[str] | None) -> Iterator[TemplateError]:
    """Yield what is wrong; with None for the filters of the author nothing is said of filters."""
    if not has_templates(text):
        return
    protected = without_raw(text)
    shown = without(protected, pieces(protected, _COMMENT))
    unclosed = shown.find("{{", max(0, shown.rfind("}}") - 1))
    if unclosed >= 0:
        name = _OPEN_NAME.match(shown, unclosed)
        yield TemplateError(unclosed, name.end() if name is not None else unclosed + 2, "unclosed", "}}")
    # Behind what is unclosed nothing ends.
    for cut in _CUT_VALUE.finditer(shown, 0, unclosed if unclosed >= 0 else len(shown)):
        yield TemplateError(cut.start(), cut.end("name"), "cut", "}}")
    yield from _wrong_tags(shown)
    for piece in pieces(shown, _PIECE) if filters is not None else ():
        group = "value" if piece["value"] is not None else "tag"
        said = STRINGS.sub(blank, piece[group])
        for found in _FILTER.finditer(said):
            if found["name"] not in FILTERS and found["name"] not in (filters or ()):
                start = piece.start(group) + found.start("name")
                yield TemplateError(start, start + len(found["name"]), "filter", found["name"])


def _wrong_tags(shown: str) -> Iterator[TemplateError]:
    waiting: list[re.Match[str]] = []
    for tag in pieces(shown, _TAG):
        word = tag["word"]
        if word not in TAGS:
            yield TemplateError(tag.start("word"), tag.end("word"), "tag", word)
        elif word in _CLOSED:
            waiting.append(tag)
        elif word in _CLOSED.values() and waiting and _CLOSED[waiting[-1]["word"]] == word:
            waiting.pop()
    for tag in waiting:
        yield TemplateError(tag.start(), tag.end(), "unclosed", f"{{% {_CLOSED[tag['word']]} %}}")

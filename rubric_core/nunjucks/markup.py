"""The markup of a Nunjucks template: its values, tags and comments, and their mistakes. Nothing is rendered.

No function raises, whatever the text is. An end that is missing is searched for once, so the time is linear.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

# Python compiles each of these when it is first used: most texts need none of them.
_compiled = cache(re.compile)
_RAW = r"(?s)\{%-?\s*(raw|verbatim)\s*-?%\}.*?\{%-?\s*end\1\s*-?%\}"
_START_RAW = r"\{%-?\s*(raw|verbatim)\s*-?%\}"
_END_RAW = r"\{%-?\s*end(raw|verbatim)\s*-?%\}"
_PIECE = r"(?s)\{\{-?(?P<value>.*?)-?\}\}|\{%-?(?P<tag>.*?)-?%\}|\{#.*?#\}"
_VALUE_OR_TAG = r"(?s)\{\{(?P<value>.*?)\}\}|\{%(?P<tag>.*?)%\}"
_TAG = r"(?s)\{%-?\s*(?P<word>\w+).*?-?%\}"
_COMMENT = r"(?s)\{#.*?#\}"
_OPENING = r"(\{[{%#])"
_CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}
_STRING = r"\"[^\"]*\"|'[^']*'"
_NAME = r"[A-Za-z_$][\w$]*"
_FILTER = r"\|\s*(?P<name>[A-Za-z_]\w*)"
_FOR = r"(?s)for\s+(?P<names>\S.*?)(?<!\s)\s+in\s+(?P<source>.+)"
# A name that is not closed before the next template starts; templates with strings are not matched.
_CUT_VALUE = r"(?s)(?=(?P<name>\{\{-?\s*[\w.]+))(?P=name)(?:(?!\}\}|\{\{|[\"']).)*(?=\{\{)"
_OPEN_NAME = r"\{\{-?\s*[\w.]+"
_CLOSED = {"if": "endif", "for": "endfor", "block": "endblock", "macro": "endmacro", "call": "endcall"}
_BLOCKS = frozenset({*_CLOSED, "filter", "switch"})
TAGS = frozenset(
    "asyncAll asyncEach block call case default elif else elseif endall endblock endcall endeach endfilter endfor "  # noqa: SIM905
    "endif endmacro endraw endset endswitch endverbatim extends filter for from if ifAsync import include macro raw "
    "set switch verbatim".split()
)
"""The tags of Nunjucks."""
FILTERS = frozenset(
    "abs batch capitalize center d default dictsort dump e escape first float forceescape format groupby indent int "  # noqa: SIM905
    "join last length list load lower nl2br random reject rejectattr replace reverse round safe select selectattr "
    "slice sort string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount".split()
)
"""The filters that a template may have without a definition of its author."""


def has_templates(text: str) -> bool:
    """Return whether a text may contain a template."""
    return "{{" in text or "{%" in text or "{#" in text


def pieces(text: str, pattern: str = _PIECE) -> Iterator[re.Match[str]]:
    """Yield values, tags and comments: the text between the braces is in the group `value` or `tag`."""
    last_closings = {opening: text.rfind(closing) for opening, closing in _CLOSING.items()}
    yield from _closed(text, _OPENING, pattern, last_closings)


def _closed(text: str, opening: str, pattern: str, last_closings: Mapping[str, int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern. It is not tried if no closing follows, which would take quadratic time."""
    at = 0
    while (opened := _compiled(opening).search(text, at)) is not None:
        is_closed = last_closings.get(opened[1], -1) >= opened.end()
        piece = _compiled(pattern).match(text, opened.start()) if is_closed else None
        at = opened.start() + 1 if piece is None else piece.end()
        if piece is not None:
            yield piece


def without_raw(text: str) -> str:
    """Return a text with spaces in place of the content of `raw` blocks."""
    last_closings = {tag[1]: tag.start() for tag in _compiled(_END_RAW).finditer(text)}
    return _blanked(text, _closed(text, _START_RAW, _RAW, last_closings)) if last_closings else text


def without_strings(code: str) -> str:
    """Return the inside of a value or tag with spaces in place of strings."""
    return _blanked(code, _compiled(_STRING).finditer(code))


def _blanked(text: str, matches: Iterable[re.Match[str]]) -> str:
    """Return a text with spaces in place of some matches, so that all offsets stay the same."""
    parts: list[str] = []
    at = 0
    for match in matches:
        parts += (text[at : match.start()], " " * len(match.group()))
        at = match.end()
    return "".join((*parts, text[at:]))


def loop_of(tag: str) -> re.Match[str] | None:
    """Return the `names` and the `source` of a loop, the inside of a `for`; None for any other tag."""
    return _compiled(_FOR).match(tag.strip())


def defined_names(tag: str) -> list[str]:
    """Return the names that a tag defines."""
    loop = loop_of(tag)
    word, _, rest = tag.strip().partition(" ")
    if loop is None and word not in {"set", "macro", "import", "from"}:
        return []
    names: list[str] = _compiled(_NAME).findall(rest.partition("=")[0] if loop is None else loop["names"])
    return names


def is_balanced(tags: Iterable[str]) -> bool:
    """Return whether each tag that opens a block is closed by its own, in order."""
    opened: list[str] = []
    for tag in tags:
        word = tag.strip().partition(" ")[0]
        block = word.removeprefix("end")
        if word in _BLOCKS:
            opened.append(word)
        elif word != block and block in _BLOCKS and (not opened or opened.pop() != block):
            return False
    return not opened


class TemplateError(NamedTuple):
    """A mistake in a template: its place, its kind, and the word it is about.

    The kinds are `tag` and `filter`, which are unknown; `unclosed`, which has no end; and `cut`, which would end where
    a later template does.
    """

    start: int
    end: int
    kind: str
    word: str


def template_errors(text: str, filters: Collection[str] | None) -> Iterator[TemplateError]:
    """Yield what is wrong. `filters` are those of the author; with None, filters are not checked."""
    if not has_templates(text):
        return
    protected = without_raw(text)
    shown = _blanked(protected, pieces(protected, _COMMENT))
    unclosed = shown.find("{{", max(0, shown.rfind("}}") - 1))
    if unclosed >= 0:
        name = _compiled(_OPEN_NAME).match(shown, unclosed)
        yield TemplateError(unclosed, name.end() if name is not None else unclosed + 2, "unclosed", "}}")
    # Nothing is closed after a part that has no end.
    for cut in _compiled(_CUT_VALUE).finditer(shown, 0, unclosed if unclosed >= 0 else len(shown)):
        yield TemplateError(cut.start(), cut.end("name"), "cut", "}}")
    yield from _wrong_tags(shown)
    for piece in pieces(shown, _VALUE_OR_TAG) if filters is not None else ():
        group = "value" if piece["value"] is not None else "tag"
        for use in _compiled(_FILTER).finditer(without_strings(piece[group])):
            if use["name"] not in FILTERS and use["name"] not in (filters or ()):
                start = piece.start(group) + use.start("name")
                yield TemplateError(start, start + len(use["name"]), "filter", use["name"])


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

"""The errors of the YAML parser as plain sentences with exact spans."""

import re
from typing import Any, NamedTuple

from rubric_core.syntax.nodes import Node, SyntaxProblem
from rubric_core.text.lines import line_start
from rubric_core.text.spans import Span

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WORD = re.compile(r"[^\s,\[\]{}:\"']+")
_LINE_BREAK = re.compile(r"[\r\n]")
_AFTER_QUOTE = re.compile(r"[\"'][ \t]*\Z")

HALF_CHARACTER = "found invalid Unicode character escape code"
TAB = "A tab cannot indent YAML; use spaces."
UNCLOSED_QUOTE = "The quote opened here is never closed."
_UNCLOSED_BRACKET = "The `{bracket}` opened here is never closed, or a comma is missing inside."
_TEXT_AFTER_QUOTE = "Text cannot follow a closing quote; put the whole value in quotes."
_CANNOT_START = "A value cannot start with {character} here; put the value in quotes."
_FORBIDDEN_CHARACTER = (
    "The character U+{code:04X} is not allowed in YAML; remove it or write it as an escape in double quotes."
)
# The words of both parsers, most special first. A problem contains one of these fragments.
_SENTENCES = (
    ("mapping values are not allowed", "A value cannot start here; is a quote or an indentation missing?"),
    ("mapping keys are not allowed", "A key cannot start here; is an indentation missing?"),
    ("sequence entries are not allowed", "A list cannot start here; put `- ` on a line of its own, below the key."),
    ("could not find expected ':'", "This line has no `:`; is it a key, or text that needs more indentation?"),
    ("found a tab character", TAB),
    ("did not find expected '-' indicator", "Only an item with `- ` is possible here; check the indentation."),
    ("did not find expected key", "This does not belong to the mapping above; check its indentation and quotes."),
    ("expected <block end>", "This does not belong to the lines above; check its indentation and quotes."),
    ("node content", "A value is missing here."),
    ("<document start>", "This does not belong to the document above; check its indentation."),
    ("expected ',' or ']'", "A `,` or `]` is missing before this."),
    ("expected ',' or '}'", "A `,` or `}` is missing before this."),
    ("found unexpected ':'", "A `:` in brackets needs a space behind it, or quotes around the text."),
    ("unknown escape character", "This is no escape; write `\\\\` for a backslash, or use single quotes."),
    ("hexdecimal number", "The escape needs more hexadecimal digits."),
    (HALF_CHARACTER, "This is not a valid escape sequence."),
    ("undefined tag handle", "The tag has no `%TAG` directive; remove the tag or write it with `!` alone."),
    ("found undefined tag", "The tag has no `%TAG` directive; remove the tag or write it with `!` alone."),
    ("alphabetic or numeric character", "A name of letters and digits is missing here."),
    ("indentation indicator", "The indentation of a block is a digit from 1 to 9."),
    ("comment or line break", "Only a comment can follow on this line."),
    ("comment or a line break", "Only a comment can follow on this line."),
    ("chomping or indentation", "Only `+`, `-`, a digit or a comment can follow `|` or `>`."),
    ("more indented follow up line", "A blank line at the top of a block is indented more than its text."),
    ("duplicate %YAML directive", "The `%YAML` directive may appear only once."),
    ("found duplicate", "The directive is repeated; remove one of them."),
    ("incompatible YAML", "This version of YAML is not supported; use `%YAML 1.2`."),
)  # fmt: skip
_QUOTED_CONTEXT = "quoted scalar"
_KEY_WITHOUT_COLON = "could not find expected ':'"
_BLOCK_PROBLEMS = ("did not find expected key", "expected <block end>")


class ParserError(NamedTuple):
    """The error of a parser. Offsets may lie behind the text; `context_at` is negative when unknown."""

    problem: str
    context: str
    at: int
    context_at: int


def failure_of(error: Exception, at: int) -> ParserError:
    """Read the exception of a parser; `at` is where the last event ended."""
    problem_mark: Any = getattr(error, "problem_mark", None)
    context_mark: Any = getattr(error, "context_mark", None)
    context = str(getattr(error, "context", None) or "")
    return ParserError(
        problem=str(getattr(error, "problem", None) or context or type(error).__name__),
        context=context,
        at=at if problem_mark is None else problem_mark.index,
        context_at=-1 if context_mark is None else context_mark.index,
    )


def forbidden_character(text: str) -> SyntaxProblem | None:
    """Report the first character that no YAML text may contain."""
    match = _FORBIDDEN.search(text)
    if not match:
        return None
    return SyntaxProblem(Span(*match.span()), _FORBIDDEN_CHARACTER.format(code=ord(match.group())))


def explained(text: str, failure: ParserError, innermost: Node | None) -> tuple[SyntaxProblem, bool]:
    """Return the problem for the user, and whether the text ended inside quotes or brackets.

    `innermost` is the flow collection that was open when the parser gave up, if there was one.
    """
    at = min(failure.at, len(text))
    quote = text[failure.context_at : failure.context_at + 1] if failure.context_at >= 0 else ""
    if _QUOTED_CONTEXT in failure.context and quote in {'"', "'"}:
        unfinished = quote not in text[at:] and "document" not in failure.problem
        if unfinished or "document" in failure.problem:
            return SyntaxProblem(Span(failure.context_at, failure.context_at + 1), UNCLOSED_QUOTE), unfinished
    if innermost is not None:
        ended = at >= len(text)
        if ended or (_LINE_BREAK.search(text, innermost.start, at) and "expected ','" in failure.problem):
            message = _UNCLOSED_BRACKET.format(bracket=text[innermost.start])
            return SyntaxProblem(Span(innermost.start, innermost.start + 1), message), ended
    return SyntaxProblem(_span(text, failure, at), _sentence(text, failure, at)), False


def _sentence(text: str, failure: ParserError, at: int) -> str:
    problem = failure.problem
    character = text[at : at + 1]
    if "cannot start any token" in problem:
        return TAB if character == "\t" else _CANNOT_START.format(character=character)
    if problem.startswith(_BLOCK_PROBLEMS) and _AFTER_QUOTE.search(text[line_start(text, at) : at]):
        return _TEXT_AFTER_QUOTE
    for fragment, sentence in _SENTENCES:
        if fragment in problem:
            return sentence
    return f"This is not YAML: {problem}."


def _span(text: str, failure: ParserError, at: int) -> Span:
    """Return a word or a character that is not empty and lies in the text, on the line of the problem."""
    if _KEY_WITHOUT_COLON in failure.problem and 0 <= failure.context_at < len(text):
        at = failure.context_at
    at = min(at, len(text.rstrip()))
    if at == len(text) or text[at] in "\r\n":
        # The problem is that a line ended: mark its last character.
        at = max(at - 1, 0)
    word = _WORD.match(text, at)
    return Span(at, word.end() if word else min(at + 1, len(text)))

"""Reads Markdown files that test a rule: those in this folder, and those of a dialect in `tests/dialects/*/rules`.

Every `## heading` is one test. It holds one block of YAML or JSON lines, and below it, where the rule has fixes, what
each of them makes of that block:

    ## A sentence that states the behaviour
    ```yaml ranges
    - score_range: [0, 5]
      expected_outcome: Wrong
    - score_range: [5, 10]
                   ^^^^^^^ RB101 both cover score 5
      expected_outcome: Right
    ```
    Fix "Shrink 0-5 to 0-4":
    ```yaml ranges
    ...
    ```

The first word of the block's info string is the language. Words behind it may name one wrapper (`case`, `rubrics`,
`ranges`, `evaluators`, `scorecard`, `promptfoo`, `promptfoo-assert`) that completes the block to a file, or set
something: `crlf`, `bom`,
`name=other.yaml`, `targets=a,b`, `exists=a.md,b.md`, `limit.cases=2`, `blind=a.md` for prompt files that do not show
the answer, `csv=a.csv:one,two|1,2` for a table with these columns and rows.

A line of carets with a code marks a problem on the line above. Where a problem spans several lines its mark reaches
to the end of the first. A problem without width is marked by one caret. A line of tildes marks a place that is
related to a problem with that code; such marks may be left out.

`No fix.` says that the rule offers none, `Fixes: "A", "B"` names all that it offers. Everything else is prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HEADING = re.compile(r"##[ ]+(?P<title>.+?)[ ]*\Z")
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[ ]*(?P<info>[^`]*?)[ ]*\Z")
_MARK = re.compile(r"(?P<indent>[ ]*)(?P<line>\^+|~+)[ ]+(?P<code>RB\d{3})(?:[ ]+(?P<part>.*?))?[ ]*\Z")
_FIX = re.compile(r'Fix "(?P<title>.+)"(?: \((?P<safety>safe|unsafe)\))?:[ ]*\Z')
_TITLES = re.compile(r'"(.+?)"(?=, "|[ ]*\Z)')


class WrongCaseError(ValueError):
    """A Markdown file that does not follow the rules above."""


class Mark(NamedTuple):
    """A problem that is expected, with zero-based line and columns in its block."""

    line: int
    start: int
    end: int
    code: str
    part: str


class Wrapper(NamedTuple):
    """What completes a block to a whole file: the lines above it, and how far it is indented."""

    above: tuple[str, ...]
    indent: int


_CASE = (
    "evalcases:",
    "  - id: sample-case",
    "    expected_outcome: The answer names the port that the server listens on",
    "    input_messages:",
    "      - role: user",
    "        content: Which port does the server listen on?",
)

WRAPPERS: dict[str, Wrapper] = {
    "file": Wrapper((), 0),
    "case": Wrapper(_CASE, 4),
    "rubrics": Wrapper((*_CASE, "    rubrics:"), 6),
    "ranges": Wrapper(
        (
            *_CASE,
            "    rubrics:",
            "      - id: quality",
            "        expected_outcome: The answer names the port",
            "        score_ranges:",
        ),
        10,
    ),
    "evaluators": Wrapper((*_CASE, "    execution:", "      evaluators:"), 8),
    "scorecard": Wrapper((*_CASE, "    scorecard:"), 6),
    "promptfoo": Wrapper((), 0),
    "promptfoo-assert": Wrapper(
        (
            'prompts: ["Say something about {{ topic }}"]',
            "providers: [echo]",
            "tests:",
            "  - vars: {topic: ports}",
            "    assert:",
        ),
        6,
    ),
}


@dataclass(frozen=True)
class Block:
    """A fenced block without its marks."""

    info: str
    line: int
    lines: tuple[str, ...]
    marks: tuple[Mark, ...] = ()
    related: tuple[Mark, ...] = ()

    @property
    def words(self) -> list[str]:
        """Return the words of the info string behind the language."""
        return self.info.split()[1:]

    @property
    def language(self) -> str:
        """Return `yaml` or `jsonl`."""
        return self.info.split(maxsplit=1)[0] if self.info else ""

    @property
    def wrapper(self) -> Wrapper:
        """Return what completes the block to a file."""
        named = [WRAPPERS[word] for word in self.words if word in WRAPPERS]
        return named[0] if named else WRAPPERS["file"]

    def setting(self, name: str) -> str | None:
        """Return the value of a `name=value` word."""
        return next((word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")), None)

    def settings(self, prefix: str) -> dict[str, str]:
        """Return the values of all `prefix…=value` words, without the prefix."""
        pairs = (word[len(prefix) :].partition("=") for word in self.words if word.startswith(prefix))
        return {name: value for name, _, value in pairs}

    @property
    def path(self) -> str:
        """Return the name of the file."""
        usual = "suite.jsonl" if self.language == "jsonl" else "suite.eval.yaml"
        is_of_promptfoo = any(word.startswith("promptfoo") for word in self.words)
        return self.setting("name") or ("promptfooconfig.yaml" if is_of_promptfoo else usual)

    @property
    def text(self) -> str:
        """Return the whole file."""
        above, indent = self.wrapper
        own = (" " * indent + line if line else "" for line in self.lines)
        text = "".join(f"{line}\n" for line in (*above, *own))
        if "crlf" in self.words:
            text = text.replace("\n", "\r\n")
        return "\ufeff" + text if "bom" in self.words else text


@dataclass(frozen=True)
class ExpectedFix:
    """The text that one fix must make. `safe` is None where the test does not say."""

    title: str
    safe: bool | None
    block: Block


@dataclass(frozen=True)
class Section:
    """One heading with the lines below it, not looked at yet."""

    path: Path
    title: str
    line: int
    lines: tuple[str, ...]

    @property
    def code(self) -> str:
        """Return the code of the rule under test, which the file's name starts with."""
        return self.path.stem.partition("-")[0]

    @property
    def speaks_of_fixes(self) -> bool:
        """Tell whether there is anything to test about fixes."""
        return any(line.startswith(("Fix ", "Fixes:", "No fix")) for line in self.lines)

    @property
    def speaks_of_related_places(self) -> bool:
        """Tell whether there is anything to test about related places."""
        return any((found := _MARK.match(line)) and found["line"][0] == "~" for line in self.lines)


@dataclass
class Case:
    """What one heading says."""

    section: Section
    sources: list[Block] = field(default_factory=list)
    fixes: list[ExpectedFix] = field(default_factory=list)
    # The titles of all fixes of the rule; None where the test does not say.
    titles: list[str] | None = None

    @property
    def source(self) -> Block:
        """Return the block that is checked."""
        return self.sources[0]


def sections(path: Path) -> list[Section]:
    """Cut a file at its headings. This never fails, so that a mistake costs one test and not the whole run."""
    found: list[tuple[str, int, list[str]]] = []
    fence: str | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        opened = _FENCE.match(line)
        if fence is not None:
            fence = None if line.rstrip() == fence else fence
        elif opened:
            fence = opened["fence"]
        heading = _HEADING.match(line) if fence is None else None
        if heading:
            found.append((heading["title"], number, []))
        elif found:
            found[-1][2].append(line)
    return [Section(path, title, number, tuple(lines)) for title, number, lines in found]


def read_case(section: Section) -> Case:
    """Read what stands below a heading."""
    case = Case(section)
    pending: re.Match[str] | None = None
    for item in _items(section):
        if isinstance(item, Block):
            if pending is not None:
                safe = None if pending["safety"] is None else pending["safety"] == "safe"
                case.fixes.append(ExpectedFix(pending["title"], safe, item))
                pending = None
            else:
                case.sources.append(item)
        elif _FIX.match(item):
            pending = _FIX.match(item)
        elif item.strip() == "No fix.":
            case.titles = []
        elif item.startswith("Fixes:"):
            case.titles = _TITLES.findall(item)
        elif item.startswith(("Fix ", "No fix")):
            raise WrongCaseError(f'{section.path.name}:{section.line}: {item!r} is neither `Fix "…":` nor `No fix.`')
    if len(case.sources) != 1 or pending is not None:
        raise WrongCaseError(
            f"{section.path.name}:{section.line}: a heading needs exactly one block to check, and one below each `Fix`"
        )
    return case


def _items(section: Section) -> Iterator[Block | str]:
    """Give the prose line by line and the fenced blocks."""
    lines = iter(enumerate(section.lines, start=section.line + 1))
    for number, line in lines:
        opened = _FENCE.match(line)
        if not opened:
            yield line
            continue
        inside: list[str] = []
        for _, content in lines:
            if content.rstrip() == opened["fence"]:
                break
            inside.append(content)
        yield read_block(opened["info"], inside, number)


def fenced_blocks(markdown: str) -> list[str]:
    """Return the content of each fenced block of a page."""
    return re.findall(r"^```\w+\n(.*?)\n```$", markdown, re.MULTILINE | re.DOTALL)


def read_block(info: str, lines: list[str], number: int = 0) -> Block:
    """Take the marks out of the lines of a block."""
    kept: list[str] = []
    marks: dict[str, list[Mark]] = {"^": [], "~": []}
    for line in lines:
        found = _MARK.match(line)
        if found is None:
            kept.append(line)
            continue
        start = len(found["indent"])
        place = max(len(kept) - 1, 0)
        mark = Mark(place, start, start + len(found["line"]), found["code"], found["part"] or "")
        marks[found["line"][0]].append(mark)
    return Block(info, number, tuple(kept), tuple(marks["^"]), tuple(marks["~"]))

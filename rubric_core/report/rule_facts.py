"""Information about a rule: its first sentence, its page, whether it has fixes. Pages on a terminal."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from rubric_core.rules.rule import Rule
from rubric_core.terminal.display import Paint, plain
from rubric_core.text.patterns import lazily

_FENCE = "```"
_HEADING = lazily(r"#{1,6} (?P<title>.*)")
_CODE = lazily(r"`(?P<code>[^`]+)`")
_FIXES = {True: "safe", False: "unsafe", None: ""}


class RuleFacts(NamedTuple):
    """A rule in words. `fixes` is `safe`, `unsafe` or empty."""

    code: str
    name: str
    severity: str
    summary: str
    page: str
    fixes: str = ""


@lru_cache(maxsize=1)
def all_rule_facts() -> Mapping[str, RuleFacts]:
    """Return the facts of all rules by code, in the order of the registry."""
    from rubric_core.rules.registry import known_rules  # noqa: PLC0415 - most reports need none.

    return {code: _facts(rule) for code, rule in known_rules().items()}


def _facts(rule: Rule) -> RuleFacts:
    fixes = _FIXES[rule.fixes_are_safe]
    about = f"Default severity: {rule.severity.value}. Fix: {fixes or 'none'}."
    return RuleFacts(
        rule.code,
        rule.name,
        rule.severity.value,
        first_sentences(rule.page) or rule.name,
        f"# {rule.code}: {rule.name}\n\n{about}\n\n{rule.page}".rstrip() + "\n",
        fixes,
    )


def rule_facts(code: str, name: str) -> RuleFacts:
    """Return the facts of a code; an unknown one has its name only."""
    return all_rule_facts().get(code) or RuleFacts(code, name, "error", name, name)


def first_sentences(page: str) -> str:
    """Return the first paragraph of a page of Markdown in one line, without headings."""
    for paragraph in page.split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip() and not line.startswith("#")]
        if lines:
            return " ".join(lines)
    return ""


def render_page(markdown: str, paint: Paint = plain) -> str:
    """Return a page of Markdown for a terminal."""
    return "".join(f"{line}\n" for line in _lines(markdown.strip(), paint))


def _lines(markdown: str, paint: Paint) -> Iterator[str]:
    in_code = False
    for line in markdown.split("\n"):
        heading = _HEADING.fullmatch(line)
        if line.lstrip().startswith(_FENCE):
            in_code = not in_code
        elif in_code:
            yield f"    {line}".rstrip()
        elif heading:
            yield paint("strong", heading["title"])
        else:
            yield _CODE.sub(lambda span: paint("hint", span["code"]), line) if paint is not plain else line

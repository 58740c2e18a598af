"""Proposals inside of `# rubric:` comments: `# rubric: ignore[RB103]`."""

import re
from collections.abc import Sequence

from rubric_core.assist.completion.flow import behind
from rubric_core.assist.completion.insert_text import TemplateText
from rubric_core.assist.completion.proposals import CompletionList, CompletionProposal, ProposalKind, Topic, proposal
from rubric_core.rules.problem import Problem
from rubric_core.rules.registry import known_rules
from rubric_core.rules.rule import Rule, Subject
from rubric_core.rules.suppressions import FILE_ONLY, DirectiveKind
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

# What is between the `#` and the cursor: the word of a directive, or a list of rules that is not closed.
_WORD = lazily(r"#[ \t]*rubric:[ \t]*(?P<word>[\w-]*)\Z")
_RULES = lazily(r"#[ \t]*rubric:[ \t]*(?P<kind>ignore|ignore-file)[ \t]*\[(?P<before>[^\]]*[,\s])?(?P<word>[\w-]*)\Z")
_REST = lazily(r"[\w-]*")
_BRACKET = lazily(r"[ \t]*\[")
_CODE = lazily(r"[\w-]+")

_DIRECTIVES = (
    ("ignore", "Suppresses rules on this line, or on the next one if the comment has a line of its own.", True),
    ("ignore-file", "Suppresses rules in the whole file; it must be at the top.", True),
    ("file", "Marks this file as an eval file, whatever its name.", False),
)


def complete_comment(
    text: str, start: int, cursor: int, base: int, problems: Sequence[Problem]
) -> CompletionList | None:
    """Return proposals for a directive of ours, the rules of the `problems` near by first; None in other comments."""
    # The last directive of a comment counts: there may be several in one.
    start = max(text.rfind("#", start, cursor), start)
    before = text[start:cursor]
    match = _RULES.match(before)
    if match:
        near = _reported(text, cursor, problems)
        is_for_file = match["kind"] == DirectiveKind.IGNORE_FILE.value
        rules = [
            rule
            for rule in known_rules().values()
            if rule.subject is not Subject.CONFIGURATION and (is_for_file or rule.code not in FILE_ONLY)
        ]
        return _rules(text, cursor, base, match, sorted(rules, key=lambda rule: (near.get(rule.code, 2), rule.code)))
    match = _WORD.match(before)
    return _directives(text, cursor, base, match["word"]) if match else None


def _span(text: str, cursor: int, word: str) -> Span:
    return Span(cursor - len(word), behind(_REST, text, cursor))


def _directives(text: str, cursor: int, base: int, word: str) -> CompletionList:
    span = _span(text, cursor, word)
    has_bracket = _BRACKET.match(text, span.end) is not None
    lead = " " if text[span.start - 1] == ":" else ""
    items: list[CompletionProposal] = []
    for rank, (name, detail, takes_rules) in enumerate(_DIRECTIVES):
        opens = takes_rules and not has_bracket
        written = TemplateText(f"{lead}{name}{'[' * opens}", f"{lead}{name}[$0]" if opens else None)
        label = f"{name}[…]" if takes_rules else name
        items.append(proposal(label, ProposalKind.DIRECTIVE, detail, written, rank)._replace(filter=name))
    return CompletionList(span.shifted(base), 0, tuple(items))


def _reported(text: str, cursor: int, problems: Sequence[Problem]) -> dict[str, int]:
    """Return the rules that report something: 0 for those on the cursor's line or the next one, 1 for the others."""
    start = line_start(text, cursor)
    end = line_end(text, min(line_end(text, cursor) + 2, len(text)))
    ranks = {problem.code: 1 for problem in problems}
    ranks.update({problem.code: 0 for problem in problems if start <= problem.span.start <= end})
    return ranks


def _rules(text: str, cursor: int, base: int, match: re.Match[str], rules: Sequence[Rule]) -> CompletionList:
    """Return the rules by code and by name, without those that the brackets hold already."""
    span = _span(text, cursor, match["word"])
    end = line_end(text, cursor)
    closing = text.find("]", span.end, end)
    after = text[span.end : closing if closing >= 0 else end]
    taken = {code.upper() for code in _CODE.findall(f"{match['before'] or ''} {after}")}
    items: list[CompletionProposal] = []
    for number, rule in enumerate(rules):
        if taken.isdisjoint({rule.code, rule.name.upper()}):
            for rank, label, other in ((0, rule.code, rule.name), (1, rule.name, rule.code)):
                detail, topic = f"{other} ({rule.severity.value})", Topic("rule", rule.code)
                item = proposal(label, ProposalKind.RULE, detail, TemplateText(label, None), rank, topic)
                items.append(item._replace(sort=f"{rank}{number:03}"))
    return CompletionList(span.shifted(base), 0, tuple(items))

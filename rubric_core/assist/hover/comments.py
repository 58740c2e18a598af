"""Hovers of `# rubric:` comments: the page of a rule on its code or name, the effect of the directive on its word."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.hover.markup import Hover, line, page
from rubric_core.report.rule_facts import all_rule_facts
from rubric_core.rules.suppressions import Directive, DirectiveKind
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_HEAD = lazily(r"#[ \t]*rubric:[ \t]*[\w-]+")
_RULES = {
    True: "the rules in its brackets",
    False: "every rule; list rules in brackets to suppress only these, as in `ignore[RB103]`",
}


def hover_on_comment(cursor: Cursor) -> Hover | None:
    """Return the hover of the comment under the cursor."""
    outline = cursor.analysis.facts.by_chunk.get(cursor.chunk)
    directives = outline.directives if outline is not None else ()
    directive = next((comment for comment in directives if comment.span.start <= cursor.at <= comment.span.end), None)
    if directive is None:
        return None
    for code in directive.codes:
        if code.span.start <= cursor.at <= code.span.end:
            # By its code, in either case, or by its name: the page that `rubric explain` shows.
            pages = {key: rule.page for rule in all_rule_facts().values() for key in (rule.code, rule.name)}
            rule_page = pages.get(code.text) or pages.get(code.text.upper())
            return Hover(code.span, (page(rule_page),)) if rule_page is not None else None
    head = _HEAD.match(cursor.text, directive.span.start)
    if head is None or cursor.at > head.end():
        return None
    return Hover(Span(*head.span()), (line(_meaning(directive)),))


def _meaning(directive: Directive) -> str:
    if directive.kind is DirectiveKind.FILE:
        return "Makes this file an eval file, whatever its name and its content."
    if directive.kind is DirectiveKind.DIALECT:
        return "Sets the dialect of this file; it must be at the top of the file."
    rules = _RULES[directive.brackets is not None]
    where = "on the next line that is more than a comment" if directive.alone else "on this line"
    if directive.kind is DirectiveKind.IGNORE_FILE:
        if not directive.at_top:
            return "Suppresses nothing: `ignore-file` must be at the top of the file."
        where = "in the whole file"
    return f"Suppresses, {where}, {rules}."

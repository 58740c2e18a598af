"""What can be typed at an offset of a document, and the documentation of a proposal."""

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.completion.comments import complete_comment
from rubric_core.assist.completion.context import CompletionContext
from rubric_core.assist.completion.keys import is_json, key_drafts
from rubric_core.assist.completion.place import CompletionKind, CompletionPlace, adopt_list, find_places, root_of
from rubric_core.assist.completion.proposals import (
    CompletionList,
    CompletionProposal,
    Draft,
    ProposalKind,
    Topic,
    finished,
)
from rubric_core.assist.completion.snippets import SNIPPETS, SUITE
from rubric_core.assist.completion.style import SeenStyle, WritingStyle, settled, style_seen
from rubric_core.assist.completion.templates import block_lines, write
from rubric_core.assist.completion.tolerant_parser import LONGEST, TolerantTree, parse_tolerantly
from rubric_core.assist.completion.values import item_drafts, started_item_drafts, value_drafts
from rubric_core.rules.registry import KNOWN_RULES
from rubric_core.schema.dialects import RUBRICS
from rubric_core.schema.evaluators import OLD_EVALUATOR_TYPES
from rubric_core.schema.fields import Field, describe_type
from rubric_core.schema.records import RECORDS
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.text.lines import line_break_of, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_MARKER = lazily(r"---(?=\s|\Z)")
_ONLY_COMMENTS = lazily(r"(?:\s|\ufeff|#[^\r\n]*|---(?=\s|\Z))*\Z")


def complete(analysis: Analysis, offset: int) -> CompletionList | None:
    """Return what can be typed at an offset; None where there is nothing to propose."""
    document = analysis.document
    if document.problems or not analysis.is_ours():
        return None
    analysis.attend_to_top()
    index = document.chunk_at(offset)
    chunk = document.chunks[index]
    base = document.start_of(index)
    cursor = offset - base
    text = chunk.text
    if not analysis.owns(chunk) or not 0 <= cursor <= len(text) or len(text) > LONGEST:
        return None
    if 0 < cursor < len(text) and text[cursor - 1 : cursor + 1] == "\r\n":
        # Between the two halves of a line break is the end of its line.
        cursor -= 1
    root = root_of(document, index)
    with parse_tolerantly(text, cursor, root) as tree:
        adopt_list(root)
        if tree.comment is not None:
            analysis.attend(Span(offset, offset))
            return complete_comment(text, tree.comment, cursor, base, analysis.chunk_problems(chunk))
        is_before_marker = chunk.kind is ChunkKind.PREFIX and _MARKER.search(text, cursor) is not None
        if is_before_marker or analysis.facts.suite.dialect is not RUBRICS:
            # What stands before the marker is another YAML document. Of a dialect without a table nobody can tell what
            # belongs where.
            return None
        return _complete_content(analysis, index, cursor, tree)


def _complete_content(analysis: Analysis, index: int, cursor: int, tree: TolerantTree) -> CompletionList | None:
    """Return what can be typed outside of comments; the cursor counts from the start of its chunk."""
    document = analysis.document
    text, base = document.chunks[index].text, document.start_of(index)
    seen = _style(document, index, tree, cursor)
    line_break = line_break_of(text if "\n" in text or "\r" in text else document.chunks[index - 1].text)
    places = find_places(text, cursor, tree, seen, line_break)
    context = _context(analysis, index, base + cursor)
    items: list[CompletionProposal] = []
    for place in places:
        quote = text[place.span.start : place.span.start + 1]
        items += finished(_drafts(place, context), place, base, quote if quote in {'"', "'"} else "")
    if _is_empty_file(document):
        items.append(_suite(line_break))
    if not items:
        return None
    span = places[0].span if places else Span(cursor, cursor)
    # A space that was just typed may be indentation, which is no reason to show a list.
    wants_more = (each.kind is CompletionKind.VALUE or each.begins_item or each.branch.flow for each in places)
    before = text[line_start(text, cursor) : cursor].removeprefix("\ufeff")
    indent = len(before) - len(before.lstrip(" "))
    return CompletionList(span.shifted(base), indent, tuple(items), is_quiet=not any(wants_more))


def _drafts(place: CompletionPlace, context: CompletionContext) -> list[Draft]:
    if place.kind is CompletionKind.VALUE:
        return value_drafts(place, context)
    if place.kind is CompletionKind.ITEM:
        return item_drafts(place)
    drafts = started_item_drafts(place) if place.begins_item and not is_json(place, context) else []
    return [*drafts, *key_drafts(place, context)]


def _style(document: Document, index: int, tree: TolerantTree, cursor: int) -> SeenStyle:
    """Read the style around the cursor; what the chunk does not show, its neighbours may."""
    seen = style_seen(document.chunks[index].text, tree.branches, cursor)
    for neighbour in (index - 1, index + 1) if not document.json_lines else ():
        if seen.is_enough or not 0 <= neighbour < len(document.chunks):
            continue
        text = document.chunks[neighbour].text
        if len(text) <= LONGEST:
            with parse_tolerantly(text, -1, root_of(document, neighbour)) as other:
                seen = seen.filled_from(style_seen(text, other.branches, len(text)))
    place = document.chunks[index].place
    return seen.filled_from(SeenStyle(dash=place.indent)) if place is not None else seen


def _context(analysis: Analysis, index: int, offset: int) -> CompletionContext:
    document, suite = analysis.document, analysis.facts.suite
    chunk = document.chunks[index]
    entries = analysis.facts.entries_of(chunk.section) if chunk.kind is not ChunkKind.LINE else ()
    keys = frozenset(pair.name for other, pair in entries if other is not chunk and pair.name is not None)
    targets = analysis.project.targets
    return CompletionContext(document, index, offset, keys, tuple(sorted(targets or ())), suite.scorecards)


def _is_empty_file(document: Document) -> bool:
    chunks = document.chunks
    return (
        not document.json_lines
        and len(chunks) <= 2  # noqa: PLR2004 - what stands before the content, and the content.
        and all(len(chunk.text) < LONGEST and _ONLY_COMMENTS.match(chunk.text) for chunk in chunks)
    )


def _suite(line_break: str) -> CompletionProposal:
    style = settled(SeenStyle(), line_break)
    written = write(block_lines(SUITE.template, style), 0, line_break)
    topic = Topic("snippet", SUITE.name)
    return CompletionProposal(
        SUITE.name, ProposalKind.SNIPPET, SUITE.doc, written.plain, written.snippet, "00", SUITE.name, topic=topic
    )


def documentation(topic: Topic) -> str | None:
    """Return what is to be said about a topic, as Markdown; None where nothing is known of it."""
    if topic.kind == "field":
        record = RECORDS.get(topic.name)
        field = record.get(topic.part) if record is not None else None
        return _field_page(field, topic.part) if field is not None else None
    if topic.kind == "record":
        return RECORDS[topic.name].doc if topic.name in RECORDS else None
    if topic.kind == "snippet":
        return _snippet_page(topic.name)
    rule = KNOWN_RULES.get(topic.name) if topic.kind == "rule" else None
    return f"# {rule.name} ({rule.code})\n\n{rule.page}" if rule is not None else None


def _field_page(field: Field, key: str) -> str:
    sentences = [field.doc]
    if key != field.name:
        sentences.append(f"Another name of `{field.name}`.")
    accepted = describe_type(field.type_of(key), field.items)
    sentences.append(f"It is {accepted}{', and it is required' if field.required else ''}.")
    values = [value for value in field.values if value not in OLD_EVALUATOR_TYPES]
    if values:
        sentences.append(f"One of {', '.join(f'`{value}`' for value in values)}.")
    if field.default is not None:
        sentences.append(f"Default: {field.default}.")
    return "\n\n".join(sentences)


def _snippet_page(name: str) -> str | None:
    snippet = SNIPPETS.get(name)
    if snippet is None:
        return None
    style = WritingStyle()
    return f"{snippet.doc}\n\n```yaml\n{write(block_lines(snippet.template, style), 0, style.line_break).plain}\n```"

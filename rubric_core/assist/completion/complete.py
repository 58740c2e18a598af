"""The proposals at an offset of a document, and their documentation."""

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.completion.comments import complete_comment
from rubric_core.assist.completion.insert_text import (
    SeenStyle,
    WritingStyle,
    block_lines,
    is_enough,
    settled,
    style_seen,
    write,
)
from rubric_core.assist.completion.keys import key_proposals
from rubric_core.assist.completion.place import CompletionKind, CompletionPlace, PlaceFinder, adopt_list, root_of
from rubric_core.assist.completion.proposals import (
    CompletionList,
    CompletionProposal,
    ProposalKind,
    Proposals,
    Topic,
    proposal,
    sorted_at,
)
from rubric_core.assist.completion.snippets import choices_of, snippets_of
from rubric_core.assist.completion.tolerant_parser import LONGEST, TolerantTree, parse_tolerantly
from rubric_core.assist.completion.values import item_proposals, started_item_proposals, value_proposals
from rubric_core.assist.completion.variables import complete_variable
from rubric_core.assist.cursor import Cursor
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import BY_NAME, DEFAULT_DIALECT, DIALECTS
from rubric_core.rules.registry import known_rules
from rubric_core.schema.fields import Field, describe_type
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Tree
from rubric_core.text.lines import line_break_of, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_MARKER = lazily(r"---(?=\s|\Z)")
_ONLY_COMMENTS = lazily(r"(?:\s|\ufeff|#[^\r\n]*|---(?=\s|\Z))*\Z")


def complete(analysis: Analysis, offset: int) -> CompletionList | None:
    """Return the proposals at an offset, or None."""
    document = analysis.document
    if document.problems or not analysis.is_ours():
        return None
    analysis.read_top_entries_first()
    index = document.chunk_at(offset)
    chunk, base = document.chunks[index], document.start_of(index)
    text, at = chunk.text, offset - base
    if not analysis.owns(chunk) or not 0 <= at <= len(text) or len(text) > LONGEST:
        return None
    # Between the two halves of a line break is the end of its line.
    at -= at > 0 and text[at - 1 : at + 1] == "\r\n"
    # An incomplete text is not parsed for this: the tree is used only if another request has made it.
    cursor = Cursor(analysis, chunk, chunk.tree or Tree(None), base, at)
    root = root_of(document, index, analysis.facts.suite.dialect)
    with parse_tolerantly(text, at, root) as tree:
        adopt_list(root)
        if tree.comment is not None:
            analysis.check_first(Span(offset, offset))
            return complete_comment(text, tree.comment, at, base, analysis.chunk_problems(chunk))
        is_before_marker = chunk.kind is ChunkKind.PREFIX and _MARKER.search(text, at) is not None
        # The text before the marker is another YAML document.
        return None if is_before_marker else complete_variable(cursor, tree) or _complete_content(cursor, tree)


def _complete_content(cursor: Cursor, tree: TolerantTree) -> CompletionList | None:
    """Return the proposals outside of comments."""
    document, text, base = cursor.document, cursor.text, cursor.base
    line_break = line_break_of(text if "\n" in text or "\r" in text else document.chunks[cursor.index - 1].text)
    seen = _style(cursor, tree)
    places = PlaceFinder(text, cursor.at, seen, line_break, json_lines=document.json_lines).places(tree)
    items: list[CompletionProposal] = []
    for place in places:
        quote = text[place.span.start : place.span.start + 1]
        items += sorted_at(place, _proposals(place, cursor), base, quote if quote in {'"', "'"} else "")
    if _is_empty_file(document):
        items += _suites(cursor.dialect, line_break)
    if not items:
        return None
    span = places[0].span if places else Span(cursor.at, cursor.at)
    # A space that was just typed may be indentation, which is no reason to show a list.
    wants_more = (place.kind is CompletionKind.VALUE or place.begins_item or place.branch.flow for place in places)
    before = text[line_start(text, cursor.at) : cursor.at].removeprefix("\ufeff")
    indent = len(before) - len(before.lstrip(" "))
    return CompletionList(span.shifted(base), indent, tuple(items), is_quiet=not any(wants_more))


def _proposals(place: CompletionPlace, cursor: Cursor) -> Proposals:
    if place.kind is CompletionKind.VALUE:
        yield from value_proposals(place, cursor)
    elif place.kind is CompletionKind.ITEM:
        yield from item_proposals(place, cursor)
    else:
        if place.begins_item and not place.is_json:
            yield from started_item_proposals(place, cursor)
        yield from key_proposals(place, cursor)


def _style(cursor: Cursor, tree: TolerantTree) -> SeenStyle:
    """Return the style around the cursor, from the chunk and then its neighbours."""
    document, index = cursor.document, cursor.index
    seen = style_seen(cursor.text, tree.branches, cursor.at)
    for neighbour in (index - 1, index + 1) if not document.json_lines else ():
        if is_enough(seen) or not 0 <= neighbour < len(document.chunks):
            continue
        text = document.chunks[neighbour].text
        if len(text) <= LONGEST:
            with parse_tolerantly(text, -1, root_of(document, neighbour, cursor.dialect)) as other:
                seen = {**style_seen(text, other.branches, len(text)), **seen}
    place = cursor.chunk.place
    return {"dash": place.indent, **seen} if place is not None else seen


def _is_empty_file(document: Document) -> bool:
    chunks = document.chunks
    return (
        not document.json_lines
        and len(chunks) <= 2  # noqa: PLR2004 - what is before the content, and the content.
        and all(len(chunk.text) < LONGEST and _ONLY_COMMENTS.match(chunk.text) for chunk in chunks)
    )


def _suites(own: Dialect, line_break: str) -> Proposals:
    """Yield a whole file, in the dialect of the files around it first."""
    for rank, dialect in enumerate(sorted(DIALECTS, key=lambda other: other is not own)):
        suite = snippets_of(dialect).suite
        written = write(block_lines(suite.template, settled({}, line_break)), 0, line_break)
        label = suite.name if dialect is own else f"{suite.name} ({dialect.title})"
        topic = Topic("snippet", suite.name, dialect=dialect.name)
        yield proposal(label, ProposalKind.SNIPPET, suite.doc, written, rank, topic)


def documentation(topic: Topic) -> str | None:
    """Return the documentation of a topic as Markdown, or None."""
    dialect = BY_NAME.get(topic.dialect, DEFAULT_DIALECT)
    record = dialect.records.get(topic.name)
    if topic.kind == "field":
        field = record.get(topic.part) if record is not None else None
        return _field_page(field, topic.part, dialect) if field is not None else None
    if topic.kind == "record":
        return record.doc if record is not None else None
    if topic.kind == "snippet":
        return _snippet_page(topic.name, dialect)
    rule = known_rules().get(topic.name) if topic.kind == "rule" else None
    return f"# {rule.name} ({rule.code})\n\n{rule.page}" if rule is not None else None


def _field_page(field: Field, key: str, dialect: Dialect) -> str:
    sentences = [field.doc]
    if key != field.name:
        sentences.append(f"Another name of `{field.name}`.")
    accepted = describe_type(field.type_of(key), field.items)
    sentences.append(f"It is {accepted}{', and it is required' if field.required else ''}.")
    values = choices_of(field, dialect)
    if field.values:
        sentences.append(f"One of {', '.join(f'`{value}`' for value in values)}.")
    if field.default is not None:
        sentences.append(f"Default: {field.default}.")
    if field.since is not None:
        sentences.append(f"Since {dialect.tool} {field.since}.")
    return "\n\n".join(sentences)


def _snippet_page(name: str, dialect: Dialect) -> str | None:
    snippet = snippets_of(dialect).named(name)
    if snippet is None:
        return None
    style = WritingStyle()
    return f"{snippet.doc}\n\n```yaml\n{write(block_lines(snippet.template, style), 0, style.line_break).plain}\n```"

"""Completion: what can be typed at the cursor, in the form that the client can insert.

The whole word under the cursor is replaced, also its part after the cursor, so that `requiredred` cannot result.
"""

from __future__ import annotations

from typing import Any

import attrs
from lsprotocol import types

from rubric_core.assist.completion.complete import complete, documentation
from rubric_core.assist.completion.proposals import CompletionList, CompletionProposal, ProposalKind, Topic
from rubric_core.text.patterns import lazily
from rubric_server.app import RubricServer
from rubric_server.convert import CompletionClient, offset_of, range_of, text_edits_of
from rubric_server.documents import OpenDocument

# Kinds that clients knew from the beginning.
_KINDS = {
    ProposalKind.KEY: types.CompletionItemKind.Property,
    ProposalKind.VALUE: types.CompletionItemKind.Value,
    ProposalKind.REFERENCE: types.CompletionItemKind.Reference,
    ProposalKind.SNIPPET: types.CompletionItemKind.Snippet,
    ProposalKind.FILE: types.CompletionItemKind.File,
    ProposalKind.RULE: types.CompletionItemKind.Value,
    ProposalKind.DIRECTIVE: types.CompletionItemKind.Keyword,
}
_AS_IS, _ADJUSTED = types.InsertTextMode.AsIs, types.InsertTextMode.AdjustIndentation
_PARTS = 4
_LINE_BREAKS = ("\r", "\n")
_FURTHER_LINE = lazily(r"(\r\n?|\n)( *)")


def completion(server: RubricServer, params: types.CompletionParams) -> types.CompletionList | None:
    """Return the proposals for a position; None where there are none."""
    suite = server.documents.analysed(params.text_document.uri) if server.settings.completion else None
    if suite is None:
        return None
    document, analysis = suite
    offset = offset_of(document.text, params.position, server.client.encoding)
    offered = complete(analysis, offset)
    proposals = _matching(offered, params) if offered is not None else []
    if offered is None or not proposals:
        return None
    start = offset_of(document.text, types.Position(params.position.line, 0), server.client.encoding)
    return _list(server, document, offered, proposals, at_indent=offered.span.start - start == offered.indent)


def _matching(offered: CompletionList, params: types.CompletionParams) -> list[CompletionProposal]:
    """Return what is worth showing: a character that was typed must not put a list in the author's way."""
    if params.context is None or params.context.trigger_kind is not types.CompletionTriggerKind.TriggerCharacter:
        return list(offered.items)
    # Behind a colon Enter is to start a line, not to accept a snippet that starts one.
    return [] if offered.is_quiet else [item for item in offered.items if not item.text.startswith(_LINE_BREAKS)]


def _list(
    server: RubricServer,
    document: OpenDocument,
    offered: CompletionList,
    proposals: list[CompletionProposal],
    *,
    at_indent: bool,
) -> types.CompletionList:
    client = server.client.completion
    encoding = server.client.encoding
    span = range_of(document.text, offered.span, encoding)
    items: list[types.CompletionItem] = []
    for proposal in proposals:
        item = types.CompletionItem(proposal.label, kind=_KINDS[proposal.kind], sort_text=proposal.sort)
        text = _insert(item, proposal, offered.indent, client, moves=proposal.aside is not None and at_indent)
        _describe(item, proposal, client)
        if client.shared_range:
            item.text_edit_text = text
        else:
            item.text_edit = types.TextEdit(span, text)
        if proposal.aside is not None:
            item.additional_text_edits = text_edits_of(document.text, [proposal.aside], encoding)
        items.append(item)
    answer = types.CompletionList(is_incomplete=False, items=items)
    if client.shared_range:
        answer.item_defaults = types.CompletionItemDefaults(edit_range=span)
    return answer


def _describe(item: types.CompletionItem, proposal: CompletionProposal, client: CompletionClient) -> None:
    """Add what the client shows of a proposal, and what it takes to document it later."""
    if proposal.filter != proposal.label:
        item.filter_text = proposal.filter
    if proposal.detail:
        item.detail = proposal.detail
        if client.label_details and proposal.kind is not ProposalKind.SNIPPET:
            item.label_details = types.CompletionItemLabelDetails(description=proposal.detail)
    if proposal.topic is None:
        return
    item.data = list(proposal.topic)
    # The pages of all rules at once would be more than anybody reads.
    if not client.asks_later and proposal.kind is not ProposalKind.RULE:
        item.documentation = _documentation(proposal.topic, client)


def _insert(
    item: types.CompletionItem, proposal: CompletionProposal, indent: int, client: CompletionClient, *, moves: bool
) -> str:
    """Return what is inserted, and say in the item how.

    Whoever expands snippets indents their further lines by the line that they go to, so these are written relative to
    it. Plain text is taken as it is. `moves` means that the line itself is indented anew at the same time: then nobody
    can say by what its further lines would be indented.
    """
    is_snippet = client.snippets and proposal.snippet is not None
    text = (proposal.snippet or "") if is_snippet else proposal.text
    if _FURTHER_LINE.search(text) is not None:
        relative = _relative(text, indent)
        adjusts = (is_snippet or client.adjusts) and relative is not None and not moves
        if not adjusts and is_snippet and _AS_IS.value not in client.modes:
            is_snippet, text = False, proposal.text
        mode = _ADJUSTED if adjusts else _AS_IS
        if mode.value in client.modes:
            item.insert_text_mode = mode
        text = relative if adjusts and relative is not None else text
    if is_snippet:
        item.insert_text_format = types.InsertTextFormat.Snippet
    return text


def _relative(text: str, indent: int) -> str | None:
    """Return text whose further lines are indented relative to a line; None where one is further left."""
    if any(len(match[2]) < indent for match in _FURTHER_LINE.finditer(text)):
        return None
    return _FURTHER_LINE.sub(lambda match: match[1] + " " * (len(match[2]) - indent), text)


def resolve(server: RubricServer, item: types.CompletionItem) -> types.CompletionItem:
    """Return a proposal with its documentation."""
    data: Any = item.data
    is_topic = isinstance(data, list) and len(data) == _PARTS and all(isinstance(part, str) for part in data)
    page = _documentation(Topic(*data), server.client.completion) if is_topic else None
    return item if page is None else attrs.evolve(item, documentation=page)


def _documentation(topic: Topic, client: CompletionClient) -> str | types.MarkupContent | None:
    page = documentation(topic)
    if page is None:
        return None
    value = page if client.documentation == types.MarkupKind.Markdown.value else _plain(page)
    return types.MarkupContent(types.MarkupKind(client.documentation), value) if client.documentation else value


def _plain(page: str) -> str:
    """Return Markdown as plain text: the words stay, the marks around them go."""
    lines = [line for line in page.split("\n") if not line.startswith("```")]
    return "\n".join(line.lstrip("#").lstrip() if line.startswith("#") else line.replace("`", "") for line in lines)

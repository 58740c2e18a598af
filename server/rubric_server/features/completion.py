"""Completion: proposals for the cursor, in the form that the client can insert.

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

# Kinds of the first version of the protocol.
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
    client, encoding = server.client.completion, server.client.encoding
    offered = complete(analysis, offset_of(document.text, params.position, encoding))
    proposals = _shown(offered, params) if offered is not None else []
    if offered is None or not proposals:
        return None
    start = offset_of(document.text, types.Position(params.position.line, 0), encoding)
    is_at_indent = offered.span.start - start == offered.indent
    span = range_of(document.text, offered.span, encoding)
    items: list[types.CompletionItem] = []
    for proposal in proposals:
        item = types.CompletionItem(proposal.label, kind=_KINDS[proposal.kind], sort_text=proposal.sort)
        text = _insert(item, proposal, offered.indent, client, moves=proposal.aside is not None and is_at_indent)
        _describe(item, proposal, client)
        if client.shared_range:
            item.text_edit_text = text
        else:
            item.text_edit = types.TextEdit(span, text)
        if proposal.aside is not None:
            item.additional_text_edits = text_edits_of(document.text, [proposal.aside], encoding)
        items.append(item)
    defaults = types.CompletionItemDefaults(edit_range=span) if client.shared_range else None
    return types.CompletionList(is_incomplete=False, items=items, item_defaults=defaults)


def _shown(offered: CompletionList, params: types.CompletionParams) -> list[CompletionProposal]:
    """Return the proposals to show; after a typed character, fewer than on request."""
    if params.context is None or params.context.trigger_kind is not types.CompletionTriggerKind.TriggerCharacter:
        return list(offered.items)
    # After a colon, Enter must start a line, not accept a snippet that starts one.
    return [] if offered.is_quiet else [item for item in offered.items if not item.text.startswith(_LINE_BREAKS)]


def _describe(item: types.CompletionItem, proposal: CompletionProposal, client: CompletionClient) -> None:
    """Add the details of a proposal, and its documentation or the data for requesting that later."""
    if proposal.filter != proposal.label:
        item.filter_text = proposal.filter
    if proposal.detail:
        item.detail = proposal.detail
        if client.label_details and proposal.kind is not ProposalKind.SNIPPET:
            item.label_details = types.CompletionItemLabelDetails(description=proposal.detail)
    if proposal.topic is None:
        return
    item.data = list(proposal.topic)
    # The pages of all rules would be too long a message.
    if not client.asks_later and proposal.kind is not ProposalKind.RULE:
        item.documentation = _documentation(proposal.topic, client)


def _insert(
    item: types.CompletionItem, proposal: CompletionProposal, indent: int, client: CompletionClient, *, moves: bool
) -> str:
    """Return the inserted text, and set its format and its mode in the item.

    A client indents the further lines of a snippet like the line of the cursor, so they are written relative to that.
    `moves` means that the line itself is indented anew at the same time, so that this indentation is unknown.
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
    """Return Markdown as plain text, without its marks."""
    lines = [line for line in page.split("\n") if not line.startswith("```")]
    return "\n".join(line.lstrip("#").lstrip() if line.startswith("#") else line.replace("`", "") for line in lines)

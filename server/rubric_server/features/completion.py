"""Completion: what can be typed at the cursor, in the form that the client can insert.

The whole word under the cursor is replaced, also what stands behind the cursor: nobody wants `requiredred`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.completion.complete import complete
from rubric_core.assist.completion.documentation import documentation
from rubric_core.assist.completion.proposals import Completion, Proposal, ProposalKind, Topic
from rubric_core.text.patterns import lazily
from rubric_server.convert import ADJUSTED, AS_IS, offset_of, range_of, text_edits_of

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.convert import CompletionClient
    from rubric_server.documents import OpenDocument
    from rubric_server.protocol import CompletionItem, CompletionParams, Json

# Kinds that clients knew from the beginning.
_KINDS = {
    ProposalKind.KEY: 10,
    ProposalKind.VALUE: 12,
    ProposalKind.REFERENCE: 18,
    ProposalKind.SNIPPET: 15,
    ProposalKind.RULE: 12,
    ProposalKind.DIRECTIVE: 14,
}
_TYPED = 2
_SNIPPET_FORMAT = 2
_PARTS = 3
_LINE_BREAKS = ("\r", "\n")
_FURTHER_LINE = lazily(r"(\r\n?|\n)( *)")


def completion(server: RubricServer, params: CompletionParams) -> dict[str, Json] | None:
    """Return the proposals for a position; None where there are none."""
    suite = server.documents.analysed(params["textDocument"]["uri"]) if server.settings.completion else None
    if suite is None:
        return None
    document, analysis = suite
    offset = offset_of(document.text, params["position"], server.client.encoding)
    found = complete(analysis, offset)
    proposals = _wanted(found, params) if found is not None else []
    if found is None or not proposals:
        return None
    start = offset_of(document.text, {"line": params["position"]["line"], "character": 0}, server.client.encoding)
    return _list(server, document, found, proposals, at_indent=found.span.start - start == found.indent)


def _wanted(found: Completion, params: CompletionParams) -> list[Proposal]:
    """Return what is worth showing: a character that was typed must not put a list in the author's way."""
    context = params.get("context") or {}
    if context.get("triggerKind") != _TYPED:
        return list(found.items)
    # Behind a colon Enter is to start a line, not to accept a snippet that starts one.
    return [] if found.is_quiet else [item for item in found.items if not item.text.startswith(_LINE_BREAKS)]


def _list(
    server: RubricServer, document: OpenDocument, found: Completion, proposals: list[Proposal], *, at_indent: bool
) -> dict[str, Json]:
    client = server.client.completion
    encoding = server.client.encoding
    span = range_of(document.text, found.span, encoding)
    items: list[dict[str, Json]] = []
    for proposal in proposals:
        moves = proposal.aside is not None and at_indent
        text, insertion = _insertion(proposal, found.indent, client, moves=moves)
        item: dict[str, Json] = {"label": proposal.label, "kind": _KINDS[proposal.kind], "sortText": proposal.sort}
        item.update(insertion)
        item.update(_words(proposal, client))
        if client.shared_range:
            item["textEditText"] = text
        else:
            item["textEdit"] = {"range": span, "newText": text}
        if proposal.aside is not None:
            item["additionalTextEdits"] = list(text_edits_of(document.text, [proposal.aside], encoding))
        items.append(item)
    answer: dict[str, Json] = {"isIncomplete": False, "items": items}
    if client.shared_range:
        answer["itemDefaults"] = {"editRange": span}
    return answer


def _words(proposal: Proposal, client: CompletionClient) -> dict[str, Json]:
    """Return what the client shows of a proposal, and what it takes to document it later."""
    words: dict[str, Json] = {}
    if proposal.filter != proposal.label:
        words["filterText"] = proposal.filter
    if proposal.detail:
        words["detail"] = proposal.detail
        if client.label_details and proposal.kind is not ProposalKind.SNIPPET:
            words["labelDetails"] = {"description": proposal.detail}
    if proposal.topic is None:
        return words
    words["data"] = list(proposal.topic)
    # The pages of all rules at once would be more than anybody reads.
    if not client.asks_later and proposal.kind is not ProposalKind.RULE:
        words["documentation"] = _documentation(proposal.topic, client)
    return words


def _insertion(
    proposal: Proposal, indent: int, client: CompletionClient, *, moves: bool
) -> tuple[str, dict[str, Json]]:
    """Return what is inserted, and how.

    Whoever expands snippets indents their further lines by the line that they go to, so these are written relative to
    it. Plain text is taken as it is. `moves` tells that the line itself is indented anew at the same time: then nobody
    can say by what its further lines would be indented.
    """
    how: dict[str, Json] = {}
    is_snippet = client.snippets and proposal.snippet is not None
    text = (proposal.snippet or "") if is_snippet else proposal.text
    if _FURTHER_LINE.search(text) is None:
        return text, {"insertTextFormat": _SNIPPET_FORMAT} if is_snippet else {}
    relative = _relative(text, indent)
    adjusts = (is_snippet or client.adjusts) and relative is not None and not moves
    if not adjusts and is_snippet and AS_IS not in client.modes:
        is_snippet, text = False, proposal.text
    mode = ADJUSTED if adjusts else AS_IS
    if mode in client.modes:
        how["insertTextMode"] = mode
    if is_snippet:
        how["insertTextFormat"] = _SNIPPET_FORMAT
    return (relative if adjusts and relative is not None else text), how


def _relative(text: str, indent: int) -> str | None:
    """Return text whose further lines are indented relative to a line; None where one stands further left."""
    if any(len(found[2]) < indent for found in _FURTHER_LINE.finditer(text)):
        return None
    return _FURTHER_LINE.sub(lambda found: found[1] + " " * (len(found[2]) - indent), text)


def resolve(server: RubricServer, params: CompletionItem) -> dict[str, Json]:
    """Return a proposal with its documentation."""
    data: Json = params.get("data")
    is_topic = isinstance(data, list) and len(data) == _PARTS and all(isinstance(part, str) for part in data)
    page = _documentation(Topic(*data), server.client.completion) if is_topic else None
    return {**params, "documentation": page} if page is not None else {**params}


def _documentation(topic: Topic, client: CompletionClient) -> Json:
    page = documentation(topic)
    if page is None:
        return None
    value = page if client.documentation == "markdown" else _plain(page)
    return {"kind": client.documentation, "value": value} if client.documentation else value


def _plain(page: str) -> str:
    """Return Markdown as plain text: the words stay, the marks around them go."""
    lines = [line for line in page.split("\n") if not line.startswith("```")]
    return "\n".join(line.lstrip("#").lstrip() if line.startswith("#") else line.replace("`", "") for line in lines)

"""`textDocument/hover`: the documentation and the last grade of what is under the cursor."""

from __future__ import annotations

from lsprotocol import types

from rubric_core.assist.hover import hover as hover_at
from rubric_server.app import RubricServer
from rubric_server.convert import offset_of, range_of
from rubric_server.documents import Analysed
from rubric_server.grading.stored_grades import refresh_grades


def hover(server: RubricServer, params: types.HoverParams) -> types.Hover | None:
    """Return the documentation and the last grade at a position, as Markdown or plain text."""
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None:
        return None
    document, analysis = suite
    encoding = server.client.encoding
    offset = offset_of(document.text, params.position, encoding)
    page = hover_at(analysis, offset)
    graded = _last_grade(server, suite, offset)
    if page is None and not graded:
        return None
    markdown = server.client.markdown_hovers
    paragraphs = ([page.markdown if markdown else page.plain] if page is not None else []) + graded
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    place = range_of(document.text, page.span, encoding) if page is not None else None
    return types.Hover(types.MarkupContent(kind, "\n\n".join(paragraphs)), place)


def _last_grade(server: RubricServer, suite: Analysed, offset: int) -> list[str]:
    refresh_grades(server, suite.document.uri)
    grades = server.grades.in_file(suite.document.uri)
    if not grades:
        return []
    from rubric_core.assist.case_grades import case_at, describe_grades_at  # noqa: PLC0415 - most files are not graded.

    place = case_at(suite.analysis, offset)
    return [] if place is None else describe_grades_at(place, grades.get(place.case_id, ()), offset)

"""The target case of a command: found when the command arrives, and found again when its work begins.

The text may be edited in between. A position is looked up in the text that the user saw, and the case at that position
is then followed through the edits.
"""

from __future__ import annotations

from typing import NamedTuple

from pygls.exceptions import JsonRpcInvalidParams

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.case_grades import CasePlace, case_at, criterion_at, place_of_case, places_at
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.spans import Span
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.convert import offset_of
from rubric_server.protocol.converter import RequestError
from rubric_server.work_queue import Work

NO_EVAL_FILE = "The file is not open, or is no eval file."


class CommandTarget(NamedTuple):
    """The id of a case, with its chunk if it was requested by a position, and a criterion of it.

    Criteria of several evaluators may have the same id, so `evaluator` is set for a position. `start` is the offset of
    the case in its chunk, by which a test without an id is found again.
    """

    case_id: str
    chunk: Chunk | None = None
    criterion: str | None = None
    evaluator: str | None = None
    start: int = 0


class CaseCommand(NamedTuple):
    """A command about a case: its argument, and the case."""

    params: GradeArguments
    target: CommandTarget


def find_target(server: RubricServer, params: GradeArguments) -> CommandTarget:
    """Return the target case of a command. Raise RequestError if it has no case id and no position in a case."""
    if params.case_id is not None:
        return CommandTarget(params.case_id, criterion=params.criterion_id, evaluator=params.evaluator)
    open_file = server.documents.analysed(params.uri)
    if params.position is None or open_file is None:
        raise JsonRpcInvalidParams("Name the case by its `caseId`, or by a `position` in an open file.")
    document, analysis = open_file
    offset = offset_of(document.text, params.position, server.client.encoding)
    analysis.check_first(Span(offset, offset))
    place = case_at(analysis, offset)
    if place is None:
        raise RequestError("No eval case at the cursor. Move it into a case and try again.")
    index = analysis.document.chunk_at(offset)
    start = place.span.start - analysis.document.start_of(index)
    target = CommandTarget(place.case_id, analysis.document.chunks[index], start=start)
    if params.criterion_id is not None:
        return target._replace(criterion=params.criterion_id, evaluator=params.evaluator)
    criterion = criterion_at(place, offset)
    return target if criterion is None else target._replace(criterion=criterion.id, evaluator=criterion.evaluator)


def current_place(analysis: Analysis, target: CommandTarget) -> Work[CasePlace | None]:
    """Return the current place of a case; None if its id is not in the text, such as that of one of a test's cases."""
    index = analysis.document.indices.get(target.chunk) if target.chunk is not None else None
    if index is not None:
        start = analysis.document.start_of(index)
        for place in places_at(analysis, index):
            is_meant = place.case_id == target.case_id if place.case_id else place.span.start == target.start
            if is_meant:
                return place.shifted(start)._replace(case_id=target.case_id)
    yield from read_all(analysis)
    return place_of_case(analysis, target.case_id)

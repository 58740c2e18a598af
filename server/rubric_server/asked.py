"""What a command speaks of: found when it arrives, found again when its work begins.

In between the user may type. A place is looked up in the text that the user saw; the case that was found there is then
followed through the edits, since by that time something else may stand at the place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.grades import case_at, criterion_at, place_of_case, places_at
from rubric_core.text.spans import Span
from rubric_server.convert import offset_of
from rubric_server.endpoint import INVALID_PARAMS, Refused
from rubric_server.protocol import GradeParams, misfit

if TYPE_CHECKING:
    from collections.abc import Generator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.assist.grades import CasePlace
    from rubric_core.syntax.chunks import Chunk
    from rubric_server.app import RubricServer
    from rubric_server.protocol import Json

NO_EVAL_FILE = "The file is not open, or is no eval file."


class AskedCase(NamedTuple):
    """A case, by its id, with the chunk that it stood in if it was asked for by a place, and a criterion of it.

    Criteria of several evaluators may have the same id, so that a place names the evaluator too.
    """

    case_id: str
    chunk: Chunk | None = None
    criterion: str | None = None
    evaluator: str | None = None


def checked(server: RubricServer, argument: Json, command: str) -> GradeParams:
    """Return the argument of a command that speaks of a case or a file. Raises Refused where it is none."""
    wrong = misfit(argument, GradeParams, "argument")
    if wrong is not None:
        raise Refused(f"`{command}` needs an object with the `uri` of a file: {wrong}", INVALID_PARAMS)
    params: GradeParams = argument.copy()
    params["uri"] = server.documents.address_of(params["uri"])
    return params


def optional_argument(argument: Json, shape: type, command: str) -> Any:
    """Return the argument of a command that can do without one. Raises Refused where it has not the shape."""
    params = {} if argument is None else argument
    wrong = misfit(params, shape, "argument")
    if wrong is not None:
        raise Refused(f"`{command}`: {wrong}", INVALID_PARAMS)
    return params


def asked_case(server: RubricServer, params: GradeParams) -> AskedCase:
    """Return the case that a command speaks of. Raises Refused where it names none, or stands in none."""
    if "caseId" in params:
        return AskedCase(params["caseId"], criterion=params.get("criterionId"), evaluator=params.get("evaluator"))
    open_file = server.documents.analysed(params["uri"])
    if "position" not in params or open_file is None:
        raise Refused("Name the case by its `caseId`, or by a `position` in an open file.", INVALID_PARAMS)
    document, analysis = open_file
    offset = offset_of(document.text, params["position"], server.client.encoding)
    analysis.attend(Span(offset, offset))
    place = case_at(analysis, offset)
    if place is None:
        raise Refused("There is no case at the cursor; put it into one.")
    chunks = analysis.document.chunks
    chunk = chunks[analysis.document.chunk_at(offset)]
    if "criterionId" in params:
        return AskedCase(place.case_id, chunk, params["criterionId"], params.get("evaluator"))
    found = criterion_at(place, offset)
    if found is None:
        return AskedCase(place.case_id, chunk)
    return AskedCase(place.case_id, chunk, found.id, found.evaluator)


def place_now(analysis: Analysis, asked: AskedCase) -> Generator[None, None, CasePlace]:
    """Return where a case stands now. Raises Refused where it is gone."""
    index = analysis.document.indices.get(asked.chunk) if asked.chunk is not None else None
    if index is not None:
        start = analysis.document.start_of(index)
        for place in places_at(analysis, index):
            if place.case_id == asked.case_id:
                return place.shifted(start)
    yield from read_all(analysis)
    found = place_of_case(analysis, asked.case_id)
    if found is None:
        raise Refused(f"There is no case {asked.case_id} in this file.")
    return found

"""Grading from the editor: one case, one criterion, or a whole file. The work is done at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.commands import GRADE_CASE, GRADE_CRITERION, GRADE_FILE
from rubric_core.assist.grades import case_at, criterion_at, place_of_case
from rubric_server.convert import offset_of
from rubric_server.endpoint import INVALID_PARAMS, Refused
from rubric_server.protocol import GradeParams, misfit

if TYPE_CHECKING:
    from collections.abc import Generator

    from rubric_core.assist.grades import CasePlace
    from rubric_core.text.spans import Span
    from rubric_server.app import RubricServer, Work
    from rubric_server.documents import Analysed
    from rubric_server.protocol import Json

UNTRUSTED = "Grading runs commands and sends text to judges; trust this workspace first."


def grade_case(server: RubricServer, argument: Json, token: int | str | None = None) -> Work:
    """Grade the case at a position, or of an id."""
    refuse_untrusted(server)
    params = checked(argument, GRADE_CASE)
    yield from server.desk.made_ready()
    from rubric_server.grading_orders import grade_one  # noqa: PLC0415 - imported at the desk.

    open_file = server.documents.analysed(params["uri"])
    place = (yield from case_of(server, open_file, params)) if open_file is not None else None
    return grade_one(server, params, open_file, place, token)


def grade_criterion(server: RubricServer, argument: Json, token: int | str | None = None) -> Work:
    """Grade one criterion of a case: the one at a position, or of an id."""
    refuse_untrusted(server)
    params = checked(argument, GRADE_CRITERION)
    yield from server.desk.made_ready()
    from rubric_server.grading_orders import grade_one  # noqa: PLC0415 - imported at the desk.

    open_file = server.documents.analysed(params["uri"])
    place = (yield from case_of(server, open_file, params)) if open_file is not None else None
    criterion = params.get("criterionId")
    if criterion is None and place is not None and "position" in params and open_file is not None:
        found = criterion_at(place, offset_of(open_file.document.text, params["position"], server.client.encoding))
        criterion = found.id if found is not None else None
    if criterion is None:
        raise Refused("There is no criterion at the cursor; put it on one, or name it.", INVALID_PARAMS)
    return grade_one(server, params, open_file, place, token, criterion=criterion)


def grade_file(server: RubricServer, argument: Json, token: int | str | None = None) -> Work:
    """Grade all cases of a file, or those that are named."""
    refuse_untrusted(server)
    params = checked(argument, GRADE_FILE)
    yield from server.desk.made_ready()
    from rubric_server.grading_orders import grade_many  # noqa: PLC0415 - imported at the desk.

    open_file = server.documents.analysed(params["uri"])
    if open_file is not None:
        yield from read_all(open_file.analysis)
    return grade_many(server, params, open_file, token)


def refuse_untrusted(server: RubricServer) -> None:
    """Refuse what sends or runs something in a workspace that the user does not trust."""
    if not server.is_trusted:
        raise Refused(UNTRUSTED)


def checked(argument: Json, command: str) -> GradeParams:
    """Return the argument of a command that speaks of a case or a file. Raises Refused where it is none."""
    wrong = misfit(argument, GradeParams, "argument")
    if wrong is not None:
        raise Refused(f"`{command}` needs an object with the `uri` of a file: {wrong}", INVALID_PARAMS)
    params: GradeParams = argument
    return params


def case_of(server: RubricServer, open_file: Analysed, params: GradeParams) -> Generator[None, None, CasePlace]:
    """Return the case that a command speaks of in an open file. Raises Refused where there is none."""
    document, analysis = open_file
    place: CasePlace | None = None
    if "caseId" in params:
        yield from read_all(analysis)
        place = place_of_case(analysis, params["caseId"])
        missing = f"There is no case {params['caseId']} in this file."
    elif "position" in params:
        offset = offset_of(document.text, params["position"], server.client.encoding)
        analysis.attend(_at(offset))
        place = case_at(analysis, offset)
        missing = "There is no case at the cursor; put it into one."
    else:
        raise Refused("Name the case by its `caseId`, or by a `position` in it.", INVALID_PARAMS)
    if place is None:
        raise Refused(missing)
    return place


def _at(offset: int) -> Span:
    from rubric_core.text.spans import Span  # noqa: PLC0415 - a value for one call.

    return Span(offset, offset)

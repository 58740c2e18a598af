"""Grading from the editor: one case, one criterion, or a whole file. The work is done at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.commands import GRADE_CASE, GRADE_CRITERION, GRADE_FILE
from rubric_server.asked import asked_case, checked, place_now
from rubric_server.endpoint import INVALID_PARAMS, Refused

if TYPE_CHECKING:
    from rubric_server.app import RubricServer, Work
    from rubric_server.asked import AskedCase
    from rubric_server.protocol import GradeParams, Json
    from rubric_server.stops import Token

UNTRUSTED = "Grading runs commands and sends text to judges; trust this workspace first."


def grade_case(server: RubricServer, argument: Json, token: Token | None = None) -> Work:
    """Grade the case at a position, or of an id."""
    refuse_untrusted(server)
    params = checked(server, argument, GRADE_CASE)
    return _grade(server, params, asked_case(server, params)._replace(criterion=None, evaluator=None), token)


def grade_criterion(server: RubricServer, argument: Json, token: Token | None = None) -> Work:
    """Grade one criterion of a case: the one at a position, or of an id."""
    refuse_untrusted(server)
    params = checked(server, argument, GRADE_CRITERION)
    asked = asked_case(server, params)
    if asked.criterion is None:
        raise Refused("There is no criterion at the cursor; put it on one, or name it.", INVALID_PARAMS)
    return _grade(server, params, asked, token)


def grade_file(server: RubricServer, argument: Json, token: Token | None = None) -> Work:
    """Grade all cases of a file, or those that are named."""
    refuse_untrusted(server)
    params = checked(server, argument, GRADE_FILE)
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


def _grade(server: RubricServer, params: GradeParams, asked: AskedCase, token: Token | None) -> Work:
    yield from server.desk.made_ready()
    from rubric_server.grading_orders import grade_one  # noqa: PLC0415 - imported at the desk.

    open_file = server.documents.analysed(params["uri"])
    standing = None
    if open_file is not None:
        standing = (open_file, (yield from place_now(open_file.analysis, asked)))
    return grade_one(server, params, asked, standing, token)

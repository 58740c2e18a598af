"""Grading from the editor: one case, one criterion or a whole file."""

from __future__ import annotations

from pathlib import Path

from pygls.exceptions import JsonRpcInvalidParams

from rubric_core.grading.options import Options
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.grading.chosen_cases import cases_of_file, cases_of_target, only
from rubric_server.grading.client_run import ClientRun, file_of
from rubric_server.grading.command_target import CaseCommand, CommandTarget
from rubric_server.progress import Token
from rubric_server.protocol.converter import JsonText


async def grade_case(server: RubricServer, command: CaseCommand, token: Token | None) -> JsonText:
    """Grade the case at a position, or of an id; of a test that is several cases, all of them."""
    return await _grade_one(server, command.params, command.target._replace(criterion=None, evaluator=None), token)


async def grade_criterion(server: RubricServer, command: CaseCommand, token: Token | None) -> JsonText:
    """Grade one criterion of a case: the one at a position, or of an id."""
    if command.target.criterion is None:
        raise JsonRpcInvalidParams("No criterion at the cursor. Move it to a criterion and try again.")
    return await _grade_one(server, *command, token)


async def _grade_one(
    server: RubricServer, params: GradeArguments, target: CommandTarget, token: Token | None
) -> JsonText:
    path, criterion = file_of(params.uri), target.criterion
    cases = await cases_of_target(server, path, server.documents.analysed(params.uri), target)
    options = Options(
        samples=max(params.samples or 1, 1),
        criteria=None if criterion is None else frozenset({criterion}),
        evaluator=target.evaluator,
    )
    return await ClientRun(server, params, path, cases, options, params.answer).graded(token)


async def grade_file(server: RubricServer, params: GradeArguments, token: Token | None) -> JsonText:
    """Grade all cases of a file, or those that are named."""
    path = file_of(params.uri)
    cases = await cases_of_file(server, path, server.documents.analysed(params.uri), Path(path).name)
    if params.case_ids is not None:
        cases = only(cases, frozenset(params.case_ids))
    options = Options(samples=max(params.samples or 1, 1))
    return await ClientRun(server, params, path, cases, options, resume=bool(params.resume)).graded(token)

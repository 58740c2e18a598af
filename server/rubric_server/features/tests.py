"""`rubric.listTests`: the cases of a file as tests."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.case_grades import CasePlace
from rubric_core.assist.listed_tests import ListedTest, is_expanded, listed_cases, listed_places, places_of_tests
from rubric_core.config.config import Config
from rubric_core.dialects.dialect import Dialect
from rubric_core.files.project import DiskProject
from rubric_core.model.load import CannotLoad, load_text
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.convert import Places, path_of
from rubric_server.documents import OpenDocument
from rubric_server.progress import Token
from rubric_server.protocol.converter import RequestError, to_json
from rubric_server.work_queue import Work, about_latest_text


class _ReadFile(NamedTuple):
    text: str
    version: int
    config: Config
    dialect: Dialect
    places: list[CasePlace]
    is_expanded: bool


async def list_tests(server: RubricServer, params: GradeArguments, _token: Token | None) -> dict[str, Any]:
    """Return the tests of an open file, and the version of its text."""
    document = server.documents.get(params.uri)
    if document is None:
        raise RequestError("The file is not open.")
    read = await server.work.run(about_latest_text(document, partial(_read, document)))
    if read is None:
        return {"version": document.version, "tests": []}
    listed = listed_places(read.places)
    if read.is_expanded:
        listed = await asyncio.wrap_future(server.grading_worker.submit(_cases(read, path_of(params.uri))))
    places = Places(read.text, server.client.encoding)
    tests = [
        {
            "caseId": test.case_id,
            "testId": test.test_id,
            "range": to_json(places.range(test.span)),
            "selectionRange": to_json(places.range(test.id_span)),
        }
        for test in listed
    ]
    return {"version": read.version, "tests": tests}


def _read(document: OpenDocument, analysis: Analysis) -> Work[_ReadFile]:
    places = yield from places_of_tests(analysis)
    text, version, config = document.text.text, document.version, document.config
    return _ReadFile(text, version, config, analysis.facts.dialect, places, is_expanded(analysis))


# On the worker thread


async def _cases(read: _ReadFile, path: str) -> list[ListedTest]:
    # A text that was never saved refers to no other file.
    files = DiskProject(path, read.config) if path else None
    try:
        suites = load_text(read.text, path, config=read.config, dialect=read.dialect, files=files)
    except CannotLoad:
        # The text is being edited and cannot be read.
        return []
    return listed_cases(suites, read.places)

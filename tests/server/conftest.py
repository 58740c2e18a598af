"""What the tests of the server share: an editor at the real server's standard input and output, and texts."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from editor import COMMAND, ENVIRONMENT, Editor, make_client
from hostile import CAPABILITIES, assert_right
from raw_client import RawClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

GOOD = """\
evalcases:
  - id: greeting
    expected_outcome: Answers the greeting of the user
    input_messages:
      - role: user
        content: Hello
    rubrics:
      - id: greets-by-name
        expected_outcome: Greets the user by name
        score_ranges:
          - score_range: [0, 5]  # kept
            expected_outcome: There is no greeting at all
          - score_range: [6, 10]
            expected_outcome: The greeting has the name of the user
"""


@pytest.fixture
def good() -> str:
    """Return an eval file without problems."""
    return GOOD


@pytest.fixture
def inverted() -> str:
    """Return an eval file with one error, RB104, that has a safe fix."""
    return GOOD.replace("[0, 5]", "[5, 0]")


@pytest.fixture
def outside() -> str:
    """Return an eval file with one error, RB102, whose fix is not safe."""
    return GOOD.replace("[6, 10]", "[6, 12]")


# One server serves all tests of a process, since starting a process takes longer than any of them.
@pytest_asyncio.fixture(scope="session", loop_scope="session", params=["utf-16", "utf-8", "utf-32"])
async def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """Give an editor that counts in each of the position encodings."""
    async for started in _started(tmp_path_factory, request.param):
        yield started


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def plain_window(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """Give an editor that says nothing of position encodings."""
    async for started in _started(tmp_path_factory):
        yield started


async def _started(tmp_path_factory: pytest.TempPathFactory, *encodings: str) -> AsyncIterator[Editor]:
    started = Editor(make_client(), tmp_path_factory.mktemp("start"))
    await started.start(*encodings)
    yield started
    await started.client.shutdown_session()
    await started.client.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def editor(window: Editor, tmp_path: Path) -> Editor:
    """Give an editor with nothing open, in each of the position encodings."""
    await window.move_to(tmp_path)
    return window


@pytest_asyncio.fixture(loop_scope="session")
async def plain_editor(plain_window: Editor, tmp_path: Path) -> Editor:
    """Give an editor with nothing open where the position encoding is not the point."""
    await plain_window.move_to(tmp_path)
    return plain_window


@pytest.fixture(scope="module")
def survivor() -> Iterator[RawClient]:
    """Give a client of a server that must survive all tests of a module."""
    with closing(RawClient.start(COMMAND, ENVIRONMENT)) as started:
        started.initialize(CAPABILITIES)
        yield started


@pytest.fixture
def client(survivor: RawClient, inverted: str) -> Iterator[RawClient]:
    """Give a client that may send anything, and see afterwards that the server still finds a problem."""
    yield survivor
    assert_right(survivor, inverted)


@pytest.fixture
def fresh() -> Iterator[RawClient]:
    """Give a client of a server that has not been spoken to."""
    with closing(RawClient.start(COMMAND, ENVIRONMENT)) as started:
        yield started

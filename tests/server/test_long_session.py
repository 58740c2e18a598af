"""A long editing session against the real process: in the end, the editor shows what `rubric check` says.

Each session is made from a seed, which is in the name of the test and in every failure.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from editing import Window, initialized, megabytes
from editor import COMMAND, ENVIRONMENT
from raw_client import RawClient

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # Each of these starts a server and uses it for long.

CHECK_EVERY = 20
# The text stays below 6,000 code points, so a sound server reaches its size within the first half, and half a megabyte
# is added to it in the second. One that kept a copy of the text, or the tree of a case, with each of 1,000 edits would
# add 6 MB or more.
MOST_GROWTH_IN_MEGABYTES = 3.0


def play(path: Path, seed: str, encoding: str, edits: int, *, pull: bool) -> None:
    """Play a session and check it from time to time and in the end."""
    with closing(RawClient.start(COMMAND, ENVIRONMENT)) as client:
        window = Window(client, initialized(client, path.parent, encoding, pull=pull), path, seed, pull=pull)
        window.check(0)
        at_half = 0.0
        for number in range(1, edits + 1):
            window.edit()
            if window.typist.random.random() < 0.3:
                window.ask()
            if number % CHECK_EVERY == 0 or number == edits:
                window.check(number)
            if number == edits // 2:
                at_half = megabytes(client)
        grown = megabytes(client) - at_half
        assert grown < MOST_GROWTH_IN_MEGABYTES, f"seed {seed!r}: grown by {grown:.1f} MB in the second half"
        client.ask("shutdown")
        client.notify("exit")
        assert client.wait_for_end() == 0


@pytest.mark.parametrize("pull", [False, True], ids=["pushed", "pulled"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("edits", [100, 2_000], ids=["short", "long"])
def test_the_editor_shows_what_a_check_says(tmp_path: Path, encoding: str, edits: int, *, pull: bool) -> None:
    """After any edits, pushed and pulled diagnostics agree with a check, no request is lost, memory is flat."""
    play(tmp_path / "a.eval.yaml", f"{encoding}-1", encoding, edits, pull=pull)

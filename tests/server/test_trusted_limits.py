"""A workspace that is not trusted can lower limits and not raise them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from loopback import Loopback

if TYPE_CHECKING:
    from pathlib import Path

DEPTH = 150
TEXT = f"""\
evalcases:
  - id: port
    expected_outcome: Names port 8080
    input: Which port?
    metadata: {"[" * DEPTH}1{"]" * DEPTH}
"""


def codes(client: Loopback) -> list[str]:
    """Return the codes that are on the screen."""
    client.work()
    return [found["code"] for found in client.published()[-1]["diagnostics"]]


def opened(folder: Path, configured: str, **options: Any) -> Loopback:
    """Open a text that nests deeply beside a configuration."""
    (folder / "rubric.toml").write_text(f"limits = {{ {configured} }}\n")
    client = Loopback(initializationOptions=options)
    client.open(TEXT, (folder / "a.eval.yaml").as_uri())
    return client


@pytest.mark.parametrize(
    ("options", "found"),
    [({}, []), ({"trusted": True}, []), ({"trusted": False}, ["RB008"]), ({"trusted": 1}, ["RB008"])],
)
def test_a_limit_is_raised_only_where_the_workspace_is_trusted(
    tmp_path: Path, options: dict[str, Any], found: list[str]
) -> None:
    """Where a client says nothing of trust, the configuration counts."""
    assert codes(opened(tmp_path, "depth = 200", **options)) == found


def test_a_limit_is_lowered_without_trust(tmp_path: Path) -> None:
    """That can do no harm."""
    client = opened(tmp_path, "depth = 5", trusted=False)
    assert codes(client) == ["RB008"]
    assert "deeper than 5 levels" in client.published()[-1]["diagnostics"][0]["message"]


@pytest.mark.parametrize(("trusted", "found"), [(True, []), (False, ["RB008"])])
def test_the_settings_of_an_editor_raise_nothing_without_trust(
    tmp_path: Path, found: list[str], *, trusted: bool
) -> None:
    """An editor does not say whether they are the user's or those of the folder."""
    assert codes(opened(tmp_path, "cases = 9", trusted=trusted, limits={"depth": 200})) == found


def test_open_files_are_looked_at_again_when_trust_changes(tmp_path: Path) -> None:
    """In both directions."""
    client = opened(tmp_path, "depth = 200", trusted=False)
    assert codes(client) == ["RB008"]
    client.notify("rubric/didChangeTrust", {"trusted": True})
    assert codes(client) == []
    client.notify("rubric/didChangeTrust", {"trusted": False})
    assert codes(client) == ["RB008"]

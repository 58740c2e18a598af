"""How tests run: property tests with few examples in `make quick` and many in `make test`; an editor in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

# Timings vary with the machine, so no example has a deadline.
settings.register_profile("quick", max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("full", max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("full")

# The tests of these folders share editors that take long to start, so each folder stays in one process.
_TOGETHER = ("tests/editors/vscode/", "tests/editors/")
# Tests that run promptfoo stay in one process too: only that one waits while promptfoo is installed.
_RUNS_PROMPTFOO = "::test_promptfoo_"
# A browser drives this editor, and a click can be lost on the way. Such a test runs once more, and is named at the end
# of the run: what is named there again and again has a cause to be found.
_RUN_AGAIN = "tests/editors/vscode/"


@pytest.fixture(scope="session", autouse=True)
def _keep_stores_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hold that no test leaves a store above the folders of all others, whose files it would then belong to."""
    yield
    assert not (tmp_path_factory.getbasetemp() / ".rubric").exists()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a test in VS Code fail twice before it counts as failed, and measure coverage by examples that are few.

    Under measurement a property test takes three times as long, and what it covers other tests cover too.
    """
    for item in items:
        if item.nodeid.startswith(_RUN_AGAIN):
            item.add_marker(pytest.mark.flaky(reruns=1))
        is_property_test = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if is_property_test or item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Give tests to processes one by one, but those that belong together to the same.

    That is what `--dist loadgroup` asks for, whose own way to know the groups fails with this version of pytest.
    """
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - it is there only where it is used.

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if _RUNS_PROMPTFOO in nodeid:
                return _RUNS_PROMPTFOO
            return next((folder for folder in _TOGETHER if nodeid.startswith(folder)), nodeid)

    return Together(config, log)

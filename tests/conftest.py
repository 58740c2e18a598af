"""How tests run: property tests with few examples in `make quick` and many in `make test`; an editor in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

# Timings vary with the machine, so no example has a deadline.
settings.register_profile("quick", max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("full", max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("full")

# The tests of these folders share editors that take long to start, so each folder stays in one process.
_TOGETHER = ("tests/editors/vscode/", "tests/editors/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Give tests to processes one by one, but those that belong together to the same.

    Without the editors the usual way is quicker, which hands out many tests at once.
    """
    if any("editors" in str(path) for path in config.getoption("ignore") or ()):
        return None
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - it is there only where it is used.

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((folder for folder in _TOGETHER if nodeid.startswith(folder)), nodeid)

    return Together(config, log)

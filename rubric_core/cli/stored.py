"""The store of the project that the user is in, for commands that look into it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.cli.failures import CouldNotRun
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def existing_store() -> Iterator[Store | None]:
    """Give the store, or None where nothing was graded yet; a database that fails ends the command."""
    try:
        store = Store.open_existing(Store.at(Path.cwd()))
        if store is None:
            yield None
        else:
            with store:
                yield store
    except CannotGrade as failure:
        raise CouldNotRun(failure.reason) from None

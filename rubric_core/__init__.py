"""The domain of eval files: text, syntax, rules, fixes, models, grading. Independent of any editor protocol.

For Python users: `from rubric_core import load, grade`, then `await grade(load(path).cases[0], answer, judge)`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_core.grading.run import grade as grade
    from rubric_core.model.load import CannotLoad as CannotLoad
    from rubric_core.model.load import load as load
    from rubric_core.model.load import load_all as load_all
    from rubric_core.model.load import load_targets as load_targets

__version__ = "0.1.0"

_LOADING = "rubric_core.model.load"
_PUBLIC = {
    "CannotLoad": _LOADING,
    "grade": "rubric_core.grading.run",
    "load": _LOADING,
    "load_all": _LOADING,
    "load_targets": _LOADING,
}


def __dir__() -> list[str]:
    """Name also what is imported only when it is asked for."""
    return sorted({*globals(), *_PUBLIC})


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the models need pydantic, which most commands do not."""
    module = _PUBLIC.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)

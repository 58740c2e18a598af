"""The domain of eval files: text, syntax, rules, fixes, models. Knows nothing of any editor protocol.

For Python users: `from rubric_core import load`, then `load("my.eval.yaml").cases`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_core.model.load import CannotLoad as CannotLoad
    from rubric_core.model.load import load as load
    from rubric_core.model.load import load_all as load_all
    from rubric_core.model.load import load_targets as load_targets

__version__ = "0.1.0"

_LOADERS = frozenset({"CannotLoad", "load", "load_all", "load_targets"})


def __getattr__(name: str) -> Any:
    """Import the loaders when they are first asked for: the models need pydantic, which most commands do not."""
    if name not in _LOADERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rubric_core.model import load  # noqa: PLC0415 - the reason of this function.

    return getattr(load, name)

"""Regular expressions that are compiled when they are first used.

Compiling a hundred of them takes longer than checking a small file, and most files need only a few.
"""

import re
from typing import Any, cast


class _Lazy:
    """A pattern that is compiled at its first use; its methods are cached, so `__getattr__` runs once for each."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._source), name)
        setattr(self, name, value)
        return value


def lazily(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))

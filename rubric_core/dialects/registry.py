"""The registry of dialects: one package for each."""

import re
from collections.abc import Mapping
from importlib import import_module

from rubric_core.dialects.dialect import Dialect

# The packages in this folder, the oldest of AgentV first. Where a file has marks of several, the newest is taken.
_PACKAGES = (
    "agentv_2",
    "agentv_4",
    "agentv_5",
    "promptfoo",
)

DIALECTS: tuple[Dialect, ...] = tuple(import_module(f"rubric_core.dialects.{name}").DIALECT for name in _PACKAGES)
BY_NAME: Mapping[str, Dialect] = {dialect.name: dialect for dialect in DIALECTS}
DEFAULT_DIALECT: Dialect = DIALECTS[0]
"""The dialect of a file in which nothing indicates another one."""
CASE_LIST_NAMES: tuple[str, ...] = tuple(dict.fromkeys(name for dialect in DIALECTS for name in dialect.case_lists))
"""The keys of the list of cases in any dialect."""


def dialect_by_name(path: str) -> Dialect | None:
    """Return the dialect by the name of a file."""
    name = path.replace("\\", "/").rpartition("/")[2]
    marked = ((dialect, dialect.file_marks.name) for dialect in DIALECTS if dialect.file_marks is not None)
    return next((dialect for dialect, pattern in marked if re.fullmatch(pattern, name)), None)

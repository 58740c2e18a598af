"""The registry of dialects: one package for each."""

from collections.abc import Mapping
from importlib import import_module

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import FileMarks

# The packages in this folder, the oldest of AgentV first. For a file with marks of several, the newest is chosen.
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
WHOLE_FILE_DIALECTS: tuple[tuple[Dialect, FileMarks], ...] = tuple(
    (dialect, dialect.marks.whole) for dialect in DIALECTS if dialect.marks.whole is not None
)
"""The dialects that are recognised by the file as a whole, each with its marks."""

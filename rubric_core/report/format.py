"""What a format of a report is. Each kind of report has a table of them in its `formats.py`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class Format(NamedTuple):
    """The module that writes a format, imported when it is asked for, and the options that its functions take.

    `shows_fixes` tells that it shows the fixes of problems, which take time to make.
    """

    module: str
    options: tuple[str, ...] = ()
    shows_fixes: bool = False

    @property
    def for_people(self) -> bool:
        """Return whether it is drawn for a terminal."""
        return "page" in self.options or "paint" in self.options

    @property
    def shows_past(self) -> bool:
        """Return whether it shows what was graded before."""
        return "past" in self.options

    def render(self, *reported: Any, function: str = "render", **offered: Any) -> str:
        """Return what is reported in this format; of the options that are offered it takes its own."""
        written = getattr(import_module(self.module), function)
        text: str = written(*reported, **{option: offered[option] for option in self.options})
        return text

"""The formats of every report. The module that writes one is imported when it is asked for."""

from importlib import import_module
from typing import Any, NamedTuple


class Format(NamedTuple):
    """The module and function that write a format, and the options that the function takes.

    The function gets the `FAMILY` of a module if a `family` is named. `shows_fixes` means that the fixes of problems
    are shown, which take time to make.
    """

    module: str
    options: tuple[str, ...] = ()
    shows_fixes: bool = False
    function: str = "render"
    family: str = ""

    @property
    def for_people(self) -> bool:
        """Return whether it is drawn for a terminal."""
        return "page" in self.options

    @property
    def shows_history(self) -> bool:
        """Return whether it shows what was graded before."""
        return "history" in self.options

    def render(self, *reported: Any, **options: Any) -> str:
        """Return a report in this format, which ignores options that it does not take."""
        write = getattr(import_module(self.module), self.function)
        if self.family:
            reported = (import_module(self.family).FAMILY, *reported)
        text: str = write(*reported, **{name: value for name, value in options.items() if name in self.options})
        return text


CHECK_FORMATS = {
    "text": Format("rubric_core.report.text", ("page",), shows_fixes=True),
    "json": Format("rubric_core.report.json", shows_fixes=True),
    "jsonl": Format("rubric_core.report.json", shows_fixes=True, function="render_lines"),
    "sarif": Format("rubric_core.report.sarif", shows_fixes=True),
    "github": Format("rubric_core.report.github"),
    "junit": Format("rubric_core.report.junit"),
    "gitlab": Format("rubric_core.report.gitlab"),
}
RESULT_FORMATS = {
    "text": Format("rubric_core.report.results.text", ("page",)),
    "json": Format("rubric_core.report.results.json", ("asked", "minimums")),
    "jsonl": Format("rubric_core.report.results.json", function="render_lines"),
    "markdown": Format("rubric_core.report.results.markdown", ("minimums",)),
    "html": Format("rubric_core.report.results.html", ("history", "minimums")),
    "junit": Format("rubric_core.report.results.junit", ("minimums",)),
}
WRITERS = {
    "text": Format("rubric_core.report.writers.text", ("page",)),
    "json": Format("rubric_core.report.writers.json"),
    "markdown": Format("rubric_core.report.writers.markdown"),
    "csv": Format("rubric_core.report.writers.csv"),
}
"""The formats of families: each writes any of them."""


def _family(name: str, *formats: str) -> dict[str, Format]:
    return {written: WRITERS[written]._replace(family=f"rubric_core.report.families.{name}") for written in formats}


RULES_FORMATS = _family("rules", "text", "json")
STATISTICS_FORMATS = _family("statistics", "text", "json")
COMPARISON_FORMATS = _family("comparison", "text", "json", "markdown")
RANKING_FORMATS = _family("ranking", "text", "json", "markdown")
SKILLS_FORMATS = _family("skills", "text", "json", "csv")
EVALUATIONS_FORMATS = _family("evaluations", "text", "json", "csv")
AGREEMENT_FORMATS = _family("agreement", "text", "json")

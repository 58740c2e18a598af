"""The formats of every report. The module that writes one is imported when it is asked for."""

from importlib import import_module
from typing import Any, NamedTuple


class Format(NamedTuple):
    """The module and function that write a format, and the options that the function takes.

    `shows_fixes` means that it shows the fixes of problems, which take time to make.
    """

    module: str
    options: tuple[str, ...] = ()
    shows_fixes: bool = False
    function: str = "render"

    @property
    def for_people(self) -> bool:
        """Return whether it is drawn for a terminal."""
        return "page" in self.options

    @property
    def shows_history(self) -> bool:
        """Return whether it shows what was graded before."""
        return "history" in self.options

    def render(self, *reported: Any, **options: Any) -> str:
        """Return what is reported in this format; options that the format does not take are ignored."""
        write = getattr(import_module(self.module), self.function)
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
STATISTICS_FORMATS = {
    "text": Format("rubric_core.report.statistics", ("page",)),
    "json": Format("rubric_core.report.statistics", function="render_json"),
}
RESULT_FORMATS = {
    "text": Format("rubric_core.report.results.text", ("page",)),
    "json": Format("rubric_core.report.results.json", ("asked", "minimums")),
    "jsonl": Format("rubric_core.report.results.json", function="render_lines"),
    "markdown": Format("rubric_core.report.results.markdown", ("minimums",)),
    "html": Format("rubric_core.report.results.html", ("history", "minimums")),
    "junit": Format("rubric_core.report.results.junit", ("minimums",)),
}
COMPARISON_FORMATS = {
    "text": Format("rubric_core.report.comparison.text", ("page",)),
    "json": Format("rubric_core.report.comparison.json"),
    "markdown": Format("rubric_core.report.comparison.markdown"),
}
RANKING_FORMATS = {
    "text": Format("rubric_core.report.ranking", ("page",), function="render_text"),
    "json": Format("rubric_core.report.ranking", function="render_json"),
    "markdown": Format("rubric_core.report.ranking", function="render_markdown"),
}
# A module of these also has `render_skill`, for the history of one skill.
HISTORY_FORMATS = {
    "text": Format("rubric_core.report.history.text", ("page",)),
    "json": Format("rubric_core.report.history.json"),
    "csv": Format("rubric_core.report.history.csv"),
}
AGREEMENT_FORMATS = {
    "text": Format("rubric_core.report.agreement", ("page",), function="render_text"),
    "json": Format("rubric_core.report.agreement", function="render_json"),
}

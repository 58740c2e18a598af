"""A comparison in Markdown, for a comment on a pull request."""

from collections.abc import Iterator

from rubric_core.report.comparison.compared import ComparedResults
from rubric_core.report.comparison.wording import headline, sections
from rubric_core.report.results.markdown_text import inline, table
from rubric_core.text.writing import plural

# A comment has room for about this many rows of each table.
_MOST_ROWS = 50


def render(compared: ComparedResults) -> str:
    """Return the comparison: the answer first, then what changed."""
    return "".join(f"{line}\n" for line in _lines(compared))


def _lines(compared: ComparedResults) -> Iterator[str]:
    before, after = map(inline, compared.names)
    yield from ("## Rubric comparison", "", f"**{headline(compared)}**", "", f"Before: {before} · after: {after}")
    for section in sections(compared):
        yield from ("", f"### {section.sign}{inline(section.title)}: {len(section.rows):,}", "")
        yield from table(f"| | {section.columns} |", (map(inline, row) for row in section.rows[:_MOST_ROWS]))
        if len(section.rows) > _MOST_ROWS:
            yield from ("", f"{plural(len(section.rows) - _MOST_ROWS, 'row')} more, which would make this too long.")

"""Pages of rules on a terminal."""

from __future__ import annotations

from textwrap import dedent

import pytest

from rubric_core.report.rule_facts import first_sentences, render_page
from rubric_core.terminal.display import ansi

PAGE = """\
# RB000: a-rule

## What it does
Finds `this`
and that.

```yaml
a: 1  # `not code`

# not a heading
```
"""


def test_headings_lose_their_signs_and_code_is_set_in() -> None:
    """Nothing else changes without colours."""
    assert render_page(PAGE) == dedent("""\
        RB000: a-rule

        What it does
        Finds `this`
        and that.

            a: 1  # `not code`

            # not a heading
        """)


def test_colours_mark_headings_and_code() -> None:
    """What is in a code block stays as it is."""
    shown = render_page(PAGE, ansi)
    assert "\x1b[1mWhat it does\x1b[0m\n" in shown
    assert "Finds \x1b[1;36mthis\x1b[0m\n" in shown
    assert "    a: 1  # `not code`\n" in shown


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (PAGE, "Finds `this` and that."),
        ("## Only\n\n### headings", ""),
        ("", ""),
        ("First\nline.\n\nSecond.", "First line."),
    ],
)
def test_the_first_paragraph_sums_a_page_up(page: str, expected: str) -> None:
    """Headings are not text."""
    assert first_sentences(page) == expected

"""Why a file is of its dialect: the comment, the setting, a key or type and its place, the files around it, nothing."""

from __future__ import annotations

import pytest

from rubric_core.analysis.check import analyse
from rubric_core.analysis.explanations import explain_dialect
from rubric_core.analysis.project import KnownProject
from rubric_core.assist.hover.answer import hover
from rubric_core.config.config import Config

AROUND = KnownProject(dialect="agentv-5")


def explained(text: str, *, config: Config | None = None, project: KnownProject | None = None) -> tuple[str, str, int]:
    """Return the dialect, the reason and the line of a text; line 0 where nothing in the text tells."""
    analysis = analyse(text, config=config or Config(), project=project or KnownProject(), is_named=True)
    analysis.refresh()
    dialect, why, offset = explain_dialect(analysis)
    return dialect.name, why, 0 if offset is None else text.count("\n", 0, offset) + 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "name: x\n# rubric: dialect=agentv-4\ntests: []\n",
            ("agentv-4", "because of the key `tests`, the only indication", 3),
        ),
        (
            "# rubric: dialect=agentv-4\nprompts: []\n",
            ("agentv-4", "because of the comment `# rubric: dialect=agentv-4`", 1),
        ),
        (
            "# A comment\n---\n\n# rubric: dialect=agentv-4\nprompts: []\n",
            ("agentv-4", "because of the comment `# rubric: dialect=agentv-4`", 4),
        ),
        (
            "# rubric: dialect=agentv-4\n---\n# rubric: dialect=agentv-5\ntests: []\n",
            ("agentv-4", "because of the comment `# rubric: dialect=agentv-4`", 1),
        ),
        (
            "name: x\n---\n# rubric: dialect=agentv-2\nprompts: []\n",
            ("agentv-5", "because of the key `prompts`", 4),
        ),
        ("name: x\ntests:\n  - id: a\n    assert: [y]\n", ("agentv-5", "because of the key `assert`", 4)),
        (
            "tests:\n  - id: a\n    input: x\n    assertions:\n      - {type: llm-grader}\n",
            ("agentv-4", "because of the key `assertions`", 4),
        ),
        pytest.param(
            "tests:\n  - id: a\n    assertions:\n      - type: llm-rubric\n",
            ("agentv-5", "because of the type `llm-rubric`", 4),
            marks=pytest.mark.needs("agentv-4"),
        ),
        ("evalcases: []\n", ("agentv-2", "because of the key `evalcases`", 1)),
        ("name: x\n", ("agentv-2", "by default, because nothing indicates another dialect", 0)),
    ],
)
def test_the_reason_names_what_decided_and_where(text: str, expected: tuple[str, str, int]) -> None:
    """A comment that is not at the top decides nothing."""
    assert explained(text) == expected


@pytest.mark.parametrize(
    ("written", "dialect"),
    [
        (">=5", "agentv-5"),
        ("^5.2.0", "agentv-5"),
        (">=4.1 <5", "agentv-4"),
        ("<5", "agentv-4"),
        ("~4", "agentv-4"),
        ("4.x", "agentv-4"),
        ("2.7", "agentv-4"),
    ],
)
@pytest.mark.needs("agentv-4")
def test_what_a_suite_requires_is_a_hint(written: str, dialect: str) -> None:
    """It counts where no key tells."""
    text = f"requires:\n  agentv: '{written}'\ntests:\n  - file://a.yaml\n"
    assert explained(text)[0] == dialect
    assert explained(f"{text}assertions: []\n")[0] == "agentv-4"


@pytest.mark.needs("agentv-4", "agentv-5")
def test_the_setting_goes_before_keys_and_the_files_around_before_weak_ones() -> None:
    """In this order."""
    assert explained("prompts: []\ntests: []\n", config=Config(dialect="agentv-4")) == (
        "agentv-4",
        "because of the setting `dialect`",
        0,
    )
    reason = "because of the targets or providers file in `.agentv`"
    assert explained("tests: []\n", project=AROUND) == ("agentv-5", reason, 0)
    assert explained("assertions: []\ntests: []\n", project=AROUND)[0] == "agentv-4"


@pytest.mark.needs("agentv-5")
def test_the_first_line_says_the_dialect_under_the_cursor() -> None:
    """Below what is said of the key, and in a comment too; other lines say nothing of it."""
    text = "tests:\n  - id: a\n    assert: [y]\n"
    words = "This file is read as AgentV 5 (`agentv-5`) because of the key `assert`, line 3."
    for first in ("", "# A comment\n"):
        analysis = analyse(first + text, is_named=True)
        analysis.refresh()
        found = hover(analysis, 1)
        assert found is not None
        assert words.replace("line 3", f"line {3 + bool(first)}") in found.markdown
        below = hover(analysis, len(first) + text.index("id"))
        assert below is None or "read as" not in below.markdown

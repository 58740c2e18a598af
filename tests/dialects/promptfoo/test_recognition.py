"""Dialects that a file as a whole tells: by its name, a comment at its top, or several of its keys together."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.check import analyse, check_text
from rubric_core.analysis.explanations import explain_dialect
from rubric_core.config.config import Config
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from rubric_core.rules.problem import Problem

MODELINE = "# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\n"
SHAPE = 'prompts: ["Say {{ a }}"]\nproviders: [echo]\ntests:\n  - vars: {a: b}\n'
MARKED = "prompts: [Hello]\ndefaultTest: {}\n"


def dialect_of(text: str, path: str, *, dialect: str = "auto") -> str | None:
    """Return the name of the dialect; None where the file is not ours."""
    checked = check_text(text, path=path, config=Config(dialect=dialect))
    return checked.dialect.name if checked.ours else None


@pytest.mark.parametrize(
    "name",
    [
        "promptfooconfig.yaml",
        "promptfooconfig.yml",
        "promptfooconfig.json",
        "promptfooconfig.dev.yaml",
        "promptfooconfig-dev.yaml",
        "evals/promptfooconfig.yaml",
    ],
)
def test_the_name_decides(name: str) -> None:
    """Whatever is in the file, and whatever the configuration says."""
    assert dialect_of("description: x\n", name) == "promptfoo"
    assert dialect_of("tests: [{id: a, assert: [x]}]\n", name, dialect="agentv-2") == "promptfoo"


@pytest.mark.parametrize("name", ["promptfoo-notes.yaml", "my-promptfooconfig.yaml", "promptfooconfig.js"])
def test_other_names_do_not(name: str) -> None:
    """They only look like it."""
    assert dialect_of("description: x\ntests: []\n", name) is None


@pytest.mark.parametrize("above", ["", "# A comment\n\n", "\ufeff"])
def test_a_modeline_decides(above: str) -> None:
    """It is before the first content, in a file of any name."""
    assert dialect_of(above + MODELINE + "redteam: {}\n", "x.yaml") == "promptfoo"
    assert dialect_of(above + MODELINE + "tests: []\n", "x.eval.yaml") == "promptfoo"
    assert dialect_of("redteam: {}\n" + MODELINE, "x.yaml") is None


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (MARKED, "x.yaml", "promptfoo"),
        (MARKED, "suite.yaml", "promptfoo"),
        ("defaultTest: {}\n", "x.yaml", None),
        (MARKED + "tests: [{id: a, vars: {}}]\n", "x.eval.yaml", "agentv-5"),
        (MARKED + "evaluate_options: {}\n", "suite.yaml", "agentv-5"),
        (SHAPE, "x.yaml", "promptfoo"),
        (SHAPE.replace("providers", "targets"), "x.yaml", "promptfoo"),
        (SHAPE.replace("  - vars", "  - id: c\n    vars"), "x.yaml", "agentv-5"),
        (SHAPE + "    expected_output: c\n", "x.yaml", None),
        (SHAPE + "evaluate_options: {}\n", "x.yaml", "agentv-5"),
        (SHAPE.replace("{{ a }}", "it"), "x.yaml", None),
        (SHAPE, "suite.yaml", "agentv-5"),
        (SHAPE, "x.eval.yaml", "agentv-5"),
    ],
)
def test_keys_decide_together(text: str, path: str, expected: str | None) -> None:
    """One that only promptfoo has, beside others, or the three that all configurations have and nothing of AgentV's."""
    assert dialect_of(text, path) == expected


def test_the_comment_and_the_setting_pin_it() -> None:
    """The comment makes any file one of promptfoo; the setting one that has the keys."""
    tests = "- vars: {a: b}\n  asert: []\n"
    assert dialect_of("# rubric: dialect=promptfoo\n" + tests, "tests.yaml") == "promptfoo"
    assert dialect_of(tests, "tests.yaml") is None
    named = SHAPE.replace("  - vars", "  - id: c\n    vars")
    assert dialect_of(named, "x.yaml", dialect="promptfoo") == "promptfoo"


def test_json_is_read_like_yaml() -> None:
    """A configuration in JSON has the same problems."""
    text = '{"prompts": ["{{ a }}"], "providers": ["echo"], "tests": [{"vars": {"a": "b"}, "asert": []}]}'
    found = check_text(text, path="promptfooconfig.json").problems
    assert [problem.message for problem in found if problem.code == "RB003"] == [
        "`asert` is not a key of a test; did you mean `assert`?"
    ]


@pytest.mark.parametrize(
    ("text", "path", "why"),
    [
        (SHAPE, "promptfooconfig.yaml", ("because it is called promptfooconfig.yaml", None)),
        (MODELINE + SHAPE, "x.yaml", ("because of the schema in its first comment", None)),
        (MARKED, "x.yaml", ("because of the key `defaultTest`", MARKED.index("defaultTest"))),
        (SHAPE, "x.yaml", ("because of the keys `prompts`, `providers` and `tests` together", 0)),
    ],
)
def test_the_reason_is_given(text: str, path: str, why: tuple[str, int | None]) -> None:
    """In words, with the place where there is one."""
    analysis = analyse(text, path=path)
    analysis.refresh()
    found = explain_dialect(analysis)
    assert (found.dialect.name, found.why, found.offset) == ("promptfoo", *why)


@pytest.mark.needs("agentv-5")
def test_it_follows_what_is_typed() -> None:
    """An id in a test makes a suite of AgentV of a file, and back."""
    analysis = analyse(SHAPE, path="x.yaml")
    analysis.refresh()
    assert analysis.facts.dialect.name == "promptfoo"
    place = SHAPE.index("vars")
    analysis.edit([Edit(place, place, "id: c\n    ")])
    analysis.refresh()
    assert analysis.facts.dialect.name == "agentv-5"
    analysis.edit([Edit(place, place + len("id: c\n    "), "")])
    analysis.refresh()
    assert analysis.facts.dialect.name == "promptfoo"


def test_the_reason_is_the_first_key_in_whatever_order_keys_were_typed() -> None:
    """What is read again after an edit is counted last, and is where it was."""
    text = "providers: [echo]\nderivedMetrics: []\ndefaultTest: {}\n"
    analysis = analyse(text, path="x.yaml")
    for start, new in ((len("providers: [echo]\n"), "scenarios: []\n"), (0, "prompts: [a]\n")):
        analysis.refresh()
        analysis.edit([Edit(start, start, new)])
    at = analysis.document.text.index("derivedMetrics")
    analysis.edit([Edit(at, at, "# typed\n")])
    analysis.refresh()
    fresh = analyse(analysis.document.text, path="x.yaml")
    fresh.refresh()
    assert explain_dialect(analysis) == explain_dialect(fresh)
    assert explain_dialect(fresh).why == "because of the key `derivedMetrics`"


CONFIGURATION = """\
# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
prompts:
  - {label: short, raw: "Translate {{ text }} {{ nope }}"}
providers: [echo]
derivedMetrics:
  - {name: total, value: accuracy + clarty}
templates:
  json: {type: is-json}
defaultTest:
  options: {rubricPrompt: "x"}
  assert:
    - type: icontains
      value: "{{ word }}"
tests:
  - vars:
      text: Hello
      word: [a, b]
    prompts: [shrt]
    assert:
      - type: llm-rubric
        metric: accuracy
      - $ref: "#/templates/json"
  - vars: {text: Hello}
    threshold: 50
    options: {storeOutputAs: word}
    assert:
      - {type: contains, value: [a], metric: clarity}
  - id: x
    assert: []
"""
PIECES = ("assert", "vars", "{{", "}}", '"', "\n", "  ", "- ", ": ", "id: a\n    ", "metric", "$ref", "_", "")
LINES = ("defaultTest:\n", "redteam: {}\n", "extensions: [a]\n", "tests:\n", "{", "]", "#")


@pytest.mark.parametrize("seed", range(40))
def test_edits_give_what_a_fresh_check_gives(seed: int) -> None:
    """Whatever is typed, the problems are those of the text as it is."""
    chance = random.Random(seed)  # noqa: S311 - the same texts each time.
    path = chance.choice(("promptfooconfig.yaml", "x.yaml"))
    text, analysis = CONFIGURATION, analyse(CONFIGURATION, path=path)
    analysis.refresh()
    for _ in range(5):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 2, 5, 20)))
        piece = chance.choice(PIECES + LINES)
        analysis.edit([Edit(start, end, piece)])
        text = text[:start] + piece + text[end:]
        fresh = check_text(text, path=path)
        if not fresh.ours:
            # What was ours stays ours while it is open.
            return
        found = [(each.code, each.span, each.message) for each in analysis.problems()]
        assert found == [(each.code, each.span, each.message) for each in fresh.problems]


def test_a_file_without_its_comment_is_known_at_once() -> None:
    """Whoever asks right after the edit that removes it need not take a step first."""
    analysis = analyse("# rubric: dialect=promptfoo\n\ntests: []\nb: 1\n", path="x.yaml")
    analysis.refresh()
    assert analysis.owns_anything
    analysis.edit([Edit(0, 28, "")])
    assert not analysis.owns_anything


def shown(problems: list[Problem] | tuple[Problem, ...]) -> list[tuple[Span, str, str, tuple[Span, ...]]]:
    """Return what a user sees of problems."""
    return [(each.span, each.code, each.message, tuple(other.span for other in each.related)) for each in problems]


def test_what_is_attended_to_while_facts_are_missing_is_checked_again() -> None:
    """The comment that makes the file ours waits to be read when somebody looks at the entry below it."""
    text = "# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\ndescription: x\nprompts:\n  - a\n"
    analysis = analyse(text, path="a.yaml")
    assert analysis.problems() == []
    for typed in (" b", "  c\n"):
        at = len(analysis.document.text) if typed.endswith("\n") else text.index("\nprompts")
        analysis.edit([Edit(at, at, typed)])
    at = len(analysis.document.text)
    analysis.problems_at(Span(at, at))
    checked = check_text(analysis.document.text, path="a.yaml").problems
    assert [problem.code for problem in checked] == ["RB001"]
    assert shown(analysis.problems()) == shown(checked)

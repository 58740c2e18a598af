"""RB811: variables of prompts that stand in files."""

from __future__ import annotations

import pytest

from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import KnownProject

TEST = "providers: [echo]\ntests:\n  - vars: {word: a}\n    assert: [{type: is-json}]\n"
CHAT = '[{"role": "user", "content": "{{ wrd }} {{ word }}"}]'
GUESS = ", since no test has it; did you mean `word`?"


def said(prompts: str, rest: str = TEST, **contents: str) -> list[tuple[str, str, str]]:
    """Return the severity, the place and the message of each RB811."""
    files = {name.replace("_", "."): text for name, text in contents.items()}
    project = KnownProject(frozenset(files), contents=files)
    checked = check_text(f"prompts: {prompts}\n{rest}", path="promptfooconfig.yaml", project=project)
    found = [problem for problem in checked.problems if problem.code == "RB811"]
    return [(each.severity.value, checked.text[each.span.start : each.span.end], each.message) for each in found]


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("[file://{}]", "file://{}"),
        ("file://{}", "file://{}"),
        ("[{}]", "{}"),
        ("[{{id: file://{}, label: one}}]", "file://{}"),
        ("[{{raw: file://{}, label: one}}]", "file://{}"),
    ],
)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "{{ word }}\n---\n{{ wrd }} {{ wrd }}\n"),
        ("a.md", "# {{ wrd }}\n"),
        ("a.j2", "{% if more %}{{ more }}{% endif %}{# {{ other }} #}{{ wrd }}\n"),
        ("a.json", CHAT),
        ("a.jsonl", CHAT + "\n" + CHAT + "\n"),
        ("a.yaml", "# {{ other }}\n- role: user\n  content: '{{ wrd }}'\n"),
    ],
)
def test_a_variable_of_a_prompt_file_is_not_defined(written: str, at: str, name: str, text: str) -> None:
    """Once for each file, at its name."""
    message = f"`{{{{ wrd }}}}` of `{name}` becomes empty in the prompt{GUESS}"
    assert said(written.format(name), **{name.replace(".", "_"): text}) == [("warning", at.format(name), message)]


def test_some_tests_lack_a_variable_of_a_prompt_file() -> None:
    """A hint, as of a prompt in the configuration."""
    message = "becomes empty in the prompt of 1 of 2 tests, which do not have it; add it to these, or to `defaultTest`."
    found = said("[file://a.txt]", TEST + "  - vars: {more: b, word: a}\n", a_txt="{{ word }} {{ more }}")
    assert found == [("hint", "file://a.txt", f"`{{{{ more }}}}` of `a.txt` {message}")]


@pytest.mark.parametrize(
    ("prompts", "rest"),
    [
        ("[file://a.txt]", TEST + "redteam: {purpose: test}\n"),
        ("[file://a.txt]", TEST + "extensions: [file://hook.py:run]\n"),
        ("[file://a.txt]", TEST + "  - file://more.yaml\n"),
        ("[file://a.txt]", TEST + "defaultTest: {options: {transformVars: '{ ...vars, wrd: 1 }'}}\n"),
        ("[file://a.txt]", TEST + "defaultTest: file://default.yaml\n"),
        ("[file://a.txt]", TEST + "defaultTest: {vars: {wrd: 1}}\n"),
        ("[file://a.txt]", "providers: [echo]\n"),
        ("[file://missing.txt, 'file://*.txt', file://a.py, file://a.csv]", TEST),
        ("['Write a.txt about {{ word }}']", TEST),
    ],
)
def test_nothing_is_said_where_something_else_may_define_it(prompts: str, rest: str) -> None:
    """Code, another file, a red team, or a prompt that is no text."""
    assert said(prompts, rest, a_txt="{{ wrd }}", a_py="'{{ wrd }}'", a_csv="{{ wrd }}") == []


def test_templates_that_allow_the_absence_are_fine() -> None:
    """And the variables that promptfoo itself has."""
    assert said("[file://a.txt]", a_txt="{{ wrd | default('x') }} {{ env.HOME }} {{ _conversation }} {{ word }}") == []

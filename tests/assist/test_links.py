"""The files that an eval file refers to."""

from __future__ import annotations

import pytest
from assistance import finished
from hypothesis import given
from yaml_texts import mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.links import links

PATH = "a.eval.yaml"


def linked(text: str, path: str = PATH) -> list[tuple[str, str, str]]:
    """Return the text under each link, the path that it means and what kind of reference it is."""
    return [(text[slice(*link.span)], link.path, link.kind) for link in finished(links(analyse(text, path=path)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'evalcases:\n  - id: a\n    input_messages: [{role: user, content: [{type: file, value: "a b.md"}]}]\n',
            [("a b.md", "a b.md", "file")],
        ),
        (
            "execution:\n  evaluators:\n    - {name: a, type: llm_judge, prompt: ./judge.md}\n",
            [("./judge.md", "./judge.md", "prompt")],
        ),
        (
            (
                "evalcases:\n  - id: a\n    rubrics: []\n    evaluators:\n"
                "      - {name: a, type: code_judge, script: uv run check.py --fast, cwd: tools}\n"
            ),
            [("check.py", "tools/check.py", "script")],
        ),
        ("evalcases:\n  - {id: a, rubrics: [], note: file prompt script}\n", []),
        ("evalcases:\n  - id: a\n    input_messages: [{role: user, content: [{type: file, value: a.md}\n", []),
    ],
    ids=["file", "prompt", "script", "words", "half typed"],
)
def test_paths_are_links(text: str, expected: list[tuple[str, str, str]]) -> None:
    """The path alone is the link, without quotes and without the rest of a command."""
    assert linked(text) == expected


def test_links_of_several_cases_are_in_the_order_of_the_text() -> None:
    """Also those of the suite's own evaluators."""
    case = "  - id: a\n    input_messages: [{role: user, content: [{type: file, value: %s.md}]}]\n"
    text = "evalcases:\n" + case % "one" + case % "two" + "execution: {evaluators: [{name: a, prompt: three.md}]}\n"
    assert [path for _, path, _ in linked(text)] == ["one.md", "two.md", "three.md"]


def test_what_an_alias_brings_is_linked_where_it_is_written() -> None:
    """An alias leads to its anchor already."""
    text = (
        "evalcases:\n  - &a\n    id: a\n    input_messages: [{role: user, content: [{type: file, value: a.md}]}]\n"
        "  - {<<: *a, id: b}\n"
    )
    assert linked(text) == [("a.md", "a.md", "file")]


def test_json_lines_have_links() -> None:
    """A line is a case."""
    text = '{"id": "a", "input_messages": [{"role": "user", "content": [{"type": "file", "value": "a.md"}]}]}\n'
    assert linked(text, "a.jsonl") == [("a.md", "a.md", "file")]


def test_other_yaml_has_no_links() -> None:
    """What looks like a path there means something else."""
    assert linked("execution: {evaluators: [{prompt: a.md}]}\n", "compose.yaml") == []


@given(mangled())
def test_any_text_has_links(text: str) -> None:
    """Nothing raises."""
    for link in finished(links(analyse(text, path=PATH))):
        assert 0 <= link.span.start <= link.span.end <= len(text)

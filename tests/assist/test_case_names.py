"""The ids of cases, and finding them by some of their letters."""

from __future__ import annotations

import pytest
from assistance import finished
from hypothesis import example, given
from hypothesis import strategies as st
from yaml_texts import mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.case_names import match, names_of_cases, read_names_of_cases


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.yaml", "evalcases:\n  - id: a\n    rubrics: []\n  - id: 'b'\n  - note: x\n", ["a", "'b'"]),
        ("a.yaml", "cases:\n  - id: a\n", []),
        ("a.eval.yaml", "cases:\n  - id: a\n", ["a"]),
        ("a.yaml", "# rubric: file\ncases:\n  - id: a\n", ["a"]),
        ("a.jsonl", '{"id": "a", "rubrics": []}\n{"id": "b"}\n', ['"a"', '"b"']),
        ("a.yaml", "cases:\n  - id: a\n---\nevalcases:\n  - id: b\n    rubrics: []\n", ["b"]),
        ("a.yaml", "evalcases:\n  - id: a\n    rubrics: [\n  - id: b\n    rubrics: []\n", ["b"]),
    ],
    ids=["suite", "other yaml", "by name", "by comment", "json lines", "two documents", "half typed"],
)
def test_ids_are_found_in_files_that_are_ours(path: str, text: str, expected: list[str]) -> None:
    """Whether the file is open or only read makes no difference."""
    read = finished(read_names_of_cases(text, path=path))
    assert [text[slice(*each.span)] for each in read] == expected
    assert finished(names_of_cases(analyse(text, path=path))) == read


@given(mangled())
@example("evalcases:\n  - id: 'a\n  - id: b'\n    rubrics: []\n")
@example("description:\n- id:\n    weight: # note\n      id: {\na: 1, b: [x, y]}\n\n\nevalcases:\n- Names the delay\n")
def test_any_text_has_the_same_names_open_or_not(text: str) -> None:
    """Chunks that are joined while they are read come out right as well."""
    for path in ("a.yaml", "a.jsonl"):
        read = finished(read_names_of_cases(text, path=path))
        assert read == finished(names_of_cases(analyse(text, path=path)))


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("greet", ["greet", "greets-by-name", "a-greeting", "gray-tree-extra-tall"]),
        ("gbn", ["greets-by-name", "gabin"]),
        ("GREETS", ["greets-by-name"]),
        ("", ["b", "a"]),
    ],
    ids=["whole", "initials", "upper case", "everything"],
)
def test_better_matches_come_first(query: str, order: list[str]) -> None:
    """The name itself, its start, a part of it, the starts of its words, its letters."""
    scores = [match(query, name) for name in order]
    assert None not in scores
    assert scores == sorted(scores, key=lambda score: -(score or 0))


@pytest.mark.parametrize(("query", "name"), [("x", "abc"), ("ba", "abc"), ("aa", "a"), ("a", "")])
def test_letters_must_be_there_in_their_order(query: str, name: str) -> None:
    """Otherwise it is no match."""
    assert match(query, name) is None


@given(st.text(max_size=12), st.data())
def test_any_letters_of_a_name_in_their_order_match(name: str, data: st.DataObject) -> None:
    """Leaving letters out finds the name still."""
    kept = data.draw(st.lists(st.booleans(), min_size=len(name), max_size=len(name)))
    letters = "".join(letter for letter, keep in zip(name, kept, strict=True) if keep)
    assert match(letters, name) is not None

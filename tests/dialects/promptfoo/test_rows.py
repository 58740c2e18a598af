"""Tests of promptfoo from CSV files: what each column and each cell becomes, as promptfoo 0.123.1 reads them."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from judges import AnsweringJudge

from rubric_core import grade
from rubric_core.dialects.promptfoo import DIALECT as PROMPTFOO
from rubric_core.dialects.promptfoo.rows import row_as_test
from rubric_core.model.expand import rows_of_csv
from rubric_core.model.load import load, load_text

if TYPE_CHECKING:
    from pathlib import Path

# A cell, and the assertion that it becomes.
CELLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("contains: a", {"type": "contains", "value": "a"}),
    ("not-equals:{{ w }}", {"type": "not-equals", "value": "{{ w }}"}),
    ("icontains-any: a, b", {"type": "icontains-any", "value": ["a", "b"]}),
    ("contains-all:{{ list }}", {"type": "contains-all", "value": ["{{ list }}"]}),
    ('contains-any:""a,b"", c', {"type": "contains-any", "value": ["a,b", "c"]}),
    ("contains-any:", {"type": "contains-any", "value": ""}),
    ("word-count:2", {"type": "word-count", "value": "2"}),
    ("levenshtein(3):abc", {"type": "levenshtein", "value": "abc", "threshold": 3.0}),
    ("levenshtein:abc", {"type": "levenshtein", "value": "abc", "threshold": 0.75}),
    ("similar:abc", {"type": "similar", "value": "abc", "threshold": 0.8}),
    ("latency(500)", {"type": "latency", "threshold": 500.0}),
    ("contains(0.5):abc", {"type": "contains", "value": "abc"}),
    ("is-json", {"type": "is-json"}),
    ("trajectory:step-count", {"type": "trajectory:step-count"}),
    ("grade: polite", {"type": "llm-rubric", "value": "polite"}),
    ("llm-rubric:polite", {"type": "llm-rubric", "value": "polite"}),
    ("fn:output.length > 1", {"type": "javascript", "value": "output.length > 1"}),
    ("file://check.py:judge", {"type": "python", "value": "file://check.py:judge"}),
    ("Contains:a", {"type": "equals", "value": "Contains:a"}),
    ("containz:a", {"type": "equals", "value": "containz:a"}),
    ("12", {"type": "equals", "value": "12"}),
)


def rows(text: str) -> list[dict[str, Any]]:
    """Return the tests of a CSV file."""
    return [row_as_test(row, PROMPTFOO.types) for row in rows_of_csv(text)]


def test_each_cell_is_an_assertion() -> None:
    """Every type counts, with `not-` and with a threshold; all else must be equal."""
    for cell, assertion in CELLS:
        (test,) = rows(f'q,__expected\nx,"{cell}"\n')
        assert test["assert"] == [assertion], cell


def test_columns_are_variables_or_say_how_a_test_is_run() -> None:
    """A threshold that is no number is none; an `id` is a variable like any other."""
    names = "id,input,__expected1,__expected2,__prefix,__suffix,__description,__metric,__threshold,__metadata:a"
    settings = ",__providerOutput,__config:__expected2:threshold"
    first, second = rows(f"{names}{settings}\n1,x,a,is-json,Hi ,!,Says hi,m,0.5,z,out,2\n2,y,,,,,,,high,,,\n")
    assert first == {
        "vars": {"id": "1", "input": "x"},
        "assert": [
            {"type": "equals", "value": "a", "metric": "m"},
            {"type": "is-json", "threshold": 2.0, "metric": "m"},
        ],
        "options": {"prefix": "Hi ", "suffix": "!"},
        "description": "Says hi",
        "providerOutput": "out",
        "threshold": 0.5,
    }
    assert second == {"vars": {"id": "2", "input": "y"}, "assert": [], "options": {"prefix": "", "suffix": ""}}


def test_a_row_is_graded_by_its_types_and_threshold(tmp_path: Path) -> None:
    """`not-equals` and `word-count` are no texts that must be equal."""
    (tmp_path / "promptfooconfig.yaml").write_text(
        "prompts: ['{{ q }}']\nproviders: [echo]\ntests: file://t.csv\n", encoding="utf-8"
    )
    (tmp_path / "t.csv").write_text(
        "q,w,__expected1,__expected2,__threshold\nx,Hi,not-equals:{{ w }},is-json,\ny,,word-count:3,is-json,0.5\n",
        encoding="utf-8",
    )
    suite = load(tmp_path / "promptfooconfig.yaml")
    results = [asyncio.run(grade(case, "one two three", AnsweringJudge(lambda _: ""))) for case in suite.cases]
    assert [(case.id, result.score) for case, result in zip(suite.cases, results, strict=True)] == [
        ("test-1", 0.5),
        ("test-2", 0.5),
    ]
    assert [result.verdict.value for result in results if result.verdict] == ["fail", "pass"]


def test_options_may_keep_a_list_as_one_value() -> None:
    """`disableVarExpansion` makes one row of a test; that of the test goes before that of all tests."""
    for own, shared, rows_made in (
        (None, None, 2),
        (True, None, 1),
        (None, True, 1),
        (False, True, 2),
        (False, None, 2),
    ):
        test: dict[str, Any] = {"vars": {"q": ["a", "b"]}}
        config: dict[str, Any] = {"prompts": ["{{ q }}"], "providers": ["echo"], "tests": [test]}
        for switch, place in ((own, test), (shared, config.setdefault("defaultTest", {}))):
            if switch is not None:
                place["options"] = {"disableVarExpansion": switch}
        (suite,) = load_text(json.dumps(config), "promptfooconfig.yaml", dialect=PROMPTFOO)
        assert len(suite.cases) == rows_made, (own, shared)


def test_a_list_that_is_kept_is_text_in_prompts_and_assertions() -> None:
    """As JavaScript writes lists and mappings, even where nothing else is in the text."""
    for value, text in (
        (["a", "b"], "a,b"),
        ([1, True, None, [2, 3]], "1,true,,2,3"),
        ([{"role": "user"}], "[object Object]"),
        ({"a": 1}, "[object Object]"),
    ):
        test = {
            "vars": {"q": value},
            "options": {"disableVarExpansion": True},
            "assert": [{"type": kind, "value": "{{ q }}"} for kind in ("contains", "equals", "starts-with")],
        }
        config = {"prompts": ["{{ q }}"], "providers": ["echo"], "tests": [test]}
        (suite,) = load_text(json.dumps(config), "promptfooconfig.yaml", dialect=PROMPTFOO)
        (case,) = suite.cases
        assert [message.content for message in case.input_messages] == [text]
        assert [problem.message for problem in suite.problems if problem.code != "RB813"] == []
        result = asyncio.run(grade(case, text, AnsweringJudge(lambda _: "")))
        assert (result.score, result.error) == (1, None), value

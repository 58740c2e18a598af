"""How tests of promptfoo are graded, one rule at a time; `test_grader_model.py` tries the rules together."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from judges import AnsweringJudge

from rubric_core import grade
from rubric_core.dialects.eval_files import dialect_by_name
from rubric_core.dialects.promptfoo import DIALECT as PROMPTFOO
from rubric_core.dialects.promptfoo.checks import (
    ASSERTIONS,
    WAITING,
    distance_within,
    same_json,
)
from rubric_core.dialects.promptfoo.grader import GRADER
from rubric_core.dialects.promptfoo.rows import separated
from rubric_core.grading.answers import Answer, AnswerFacts
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.sources import AnswerSource
from rubric_core.model.load import load_all, load_text

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.judges.judge import Question
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.suite import EvalCase

YES, NO = {"type": "contains", "value": "yes"}, {"type": "contains", "value": "no"}


def cases_of(tests: list[Any], **top: Any) -> tuple[EvalCase, ...]:
    """Return the cases of a configuration; JSON is YAML."""
    config = {"prompts": ["{{ q }}"], "providers": ["echo"], "tests": tests, **top}
    (suite,) = load_text(json.dumps(config), "promptfooconfig.yaml", dialect=PROMPTFOO)
    return suite.cases


def said(question: Question) -> str:
    """Reply with the score that the rubric itself names."""
    score = question.instructions.split()[1]
    return json.dumps({"hits": [], "misses": [], "reasoning": "As it says.", "score": float(score)})


def graded(assertions: list[Any], answer: str | Answer = "yes", **rest: Any) -> CaseResult:
    """Grade a test with some assertions; `rest` are its other keys."""
    (case,) = cases_of([{"vars": {"q": "?"}, "assert": assertions, **rest}])
    return asyncio.run(grade(case, answer, AnsweringJudge(said)))


def says(result: CaseResult) -> str:
    """Return score and verdict, or the error."""
    return f"{result.score} {result.verdict.value}" if result.verdict else f"error: {result.error}"


def rubric(score: str, **rest: Any) -> dict[str, Any]:
    """Return a rubric that the judge gives a score."""
    return {"type": "llm-rubric", "value": f"worth {score} of all", **rest}


def weighing(assertion: dict[str, Any], weight: float) -> dict[str, Any]:
    """Return an assertion with a weight."""
    return {**assertion, "weight": weight}


def set_of(*members: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """Return a set of assertions."""
    return {"type": "assert-set", "assert": list(members), **rest}


@pytest.mark.parametrize(
    ("assertions", "threshold", "expected"),
    [
        # Without a threshold nothing may fail, and with one only the score counts.
        ([YES, YES], None, "1 pass"),
        ([YES, NO], None, "1/2 fail"),
        ([YES, NO], 0.5, "1/2 pass"),
        ([YES, NO], 0.51, "1/2 fail"),
        ([NO, NO], 0, "0 pass"),
        ([weighing(YES, 3), NO], 0.75, "3/4 pass"),
        # An assertion of weight 0 passes, a set of weight 0 does not.
        ([YES, weighing(NO, 0)], None, "1 pass"),
        ([weighing(NO, 0)], None, "0 pass"),
        ([weighing(YES, 0)], 0.1, "0 fail"),
        ([YES, set_of(NO, weight=0)], None, "1 fail"),
        ([YES, set_of(weighing(NO, 0), weight=0)], None, "1 pass"),
        # A set needs all members, or with a threshold their score.
        ([set_of(YES, NO)], None, "1/2 fail"),
        ([set_of(YES, NO, threshold=0.5)], None, "1/2 pass"),
        ([set_of(YES, weighing(NO, 3), threshold=0.5)], None, "1/4 fail"),
        ([set_of(weighing(NO, 0))], None, "0 pass"),
        # A rubric has a score, and passes from its threshold.
        ([rubric("0.7", threshold=0.7)], None, "7/10 pass"),
        ([rubric("0.69", threshold=0.7)], None, "69/100 fail"),
        ([rubric("0.8")], None, "4/5 pass"),
        ([rubric("0.79")], None, "79/100 fail"),
        ([rubric("0.7", type="g-eval")], None, "7/10 pass"),
        ([rubric("0.6", type="g-eval")], None, "3/5 fail"),
        ([rubric("0.6", type="not-llm-rubric", threshold=0.7)], None, "2/5 pass"),
        ([rubric("0.7", type="not-llm-rubric", threshold=0.7)], None, "3/10 fail"),
    ],
)
def test_the_pass_rule(assertions: list[Any], threshold: float | None, expected: str) -> None:
    """What promptfoo 0.123.1 says of each, in exact numbers."""
    rest = {} if threshold is None else {"threshold": threshold}
    assert says(graded(assertions, **rest)) == expected


@pytest.mark.parametrize(
    ("assertions", "threshold", "expected"),
    [
        ([weighing(YES, 0.1), weighing(YES, 0.7), weighing(NO, 0.2)], 0.8, "0.7999999999999999 fail"),
        ([weighing(YES, 1), weighing(YES, 7), weighing(NO, 2)], 0.8, None),
        (
            [set_of(weighing(YES, 0.1), weighing(YES, 0.7), weighing(NO, 0.2), threshold=0.8)],
            None,
            "0.7999999999999999 fail",
        ),
        # A judge that gives no `pass` makes the rubric pass there.
        ([rubric("0.1")], None, "0.1 pass"),
        ([rubric("0.9")], None, None),
        ([rubric("0.1", threshold=0.5)], None, None),
        ([rubric("0.1", type="not-llm-rubric")], None, "0.9 fail"),
        ([rubric("0.1"), {"type": "javascript", "value": "true"}], None, None),
    ],
)
def test_what_promptfoo_would_have_said(assertions: list[Any], threshold: float | None, expected: str | None) -> None:
    """It is told where it is something else, and everything was run."""
    found = graded(assertions, **({} if threshold is None else {"threshold": threshold})).upstream
    assert (found and f"{found.score} {found.verdict.value}") == expected


CHECKS = [
    ("contains", {"value": "es"}, "yes", True),
    ("contains", {"value": "ES"}, "yes", False),
    ("contains", {"value": 42}, "It is 42.", True),
    ("contains", {"value": 1.0}, "1 of 2", True),
    ("icontains", {"value": "ES"}, "yes", True),
    ("contains-any", {"value": ["a", "yes"]}, "yes", True),
    ("contains-any", {"value": 'a, "x, y"'}, "x, y", True),
    ("contains-any", {"value": 'a, "x, y"'}, "x", False),
    ("contains-all", {"value": ["y", "s"]}, "yes", True),
    ("contains-all", {"value": ["y", "x"]}, "yes", False),
    ("icontains-any", {"value": ["A", "YES"]}, "yes", True),
    ("icontains-all", {"value": "Y,E"}, "yes", True),
    ("equals", {"value": "yes"}, "yes", True),
    ("equals", {"value": "yes"}, " yes", False),
    ("equals", {"value": 5}, "5", True),
    ("equals", {"value": True}, "true", True),
    ("equals", {"value": {"a": 1, "b": [True, None]}}, '{"b": [true, null], "a": 1.0}', True),
    ("equals", {"value": {"a": 1}}, '{"a": true}', False),
    ("equals", {"value": [1]}, "no JSON", False),
    ("starts-with", {"value": "ye"}, "yes", True),
    ("starts-with", {"value": "ye"}, " yes", False),
    ("regex", {"value": "^y.s$"}, "yes", True),
    ("regex", {"value": "^x"}, "yes", False),
    ("is-json", {}, "[1]", True),
    ("is-json", {}, "yes", False),
    ("is-json", {"value": {"type": "object"}}, "yes", False),
    ("is-json", {"value": {"type": "object"}}, "{}", True),
    ("is-json", {"value": {"type": "object"}}, "[]", False),
    ("is-json", {"value": "required: [a]"}, '{"a": 1}', True),
    ("contains-json", {}, 'It is {"a": 1}.', True),
    ("contains-json", {}, "It is [1].", False),
    ("contains-json", {"value": {"required": ["a"]}}, 'Not {"b": 1} but {"a": 1}.', True),
    ("contains-json", {"value": {"required": ["a"]}}, 'It is {"b": 1}.', False),
    ("word-count", {"value": 2}, "  one\n two ", True),
    ("word-count", {"value": "2"}, "one", False),
    ("word-count", {"value": {"min": 2}}, "one", False),
    ("word-count", {"value": {"max": 2}}, "one", True),
    ("word-count", {"value": {"min": 1, "max": 2}}, "one two three", False),
    ("levenshtein", {"value": "yesterday"}, "yes", False),
    ("levenshtein", {"value": "yes, it"}, "yes", True),
    ("levenshtein", {"value": "yesterday", "threshold": 6}, "yes", True),
    ("latency", {"threshold": 100}, "", True),
    ("latency", {"threshold": 99.9}, "", False),
    ("cost", {"threshold": 0.02}, "", True),
    ("cost", {"threshold": 0.019}, "", False),
]


@pytest.mark.parametrize(("kind", "keys", "text", "holds"), CHECKS)
@pytest.mark.parametrize("negation", ["", "not-"])
def test_assertions_without_a_judge(negation: str, kind: str, keys: dict[str, Any], text: str, *, holds: bool) -> None:
    """The output is taken as it is, and `not-` turns the result around."""
    answer = Answer(text, facts=AnswerFacts(duration_ms=Decimal(100), cost_usd=Decimal("0.02")))
    result = graded([{"type": f"{negation}{kind}", **keys}], answer)
    assert says(result) == ("1 pass" if holds is not bool(negation) else "0 fail")
    (evaluator,) = result.evaluators
    assert bool(evaluator.misses) is (evaluator.score == 0)


def test_every_assertion_is_among_them() -> None:
    """The table of checks and the grader name the same types."""
    named = {kind for kind, *_ in CHECKS}
    assert named == {*ASSERTIONS, *WAITING}
    assert GRADER.offline_types == named | {f"not-{kind}" for kind in named}


@pytest.mark.parametrize(
    ("assertion", "reason"),
    [
        ({"type": "javascript", "value": "true"}, "javascript are not run"),
        ({"type": "similar", "value": "x"}, "similar are not run"),
        ({"type": "model-graded-closedqa", "value": "x"}, "model-graded-closedqa are not run"),
        ({"type": "is-json", "value": {"format": "duration"}}, "the format duration, which this grader does not check"),
        ({"type": "contains", "value": "file://x.js"}, "what x.js returns"),
        ({"type": "contains", "value": "package:x:y"}, "the function x:y"),
        ({"type": "contains", "value": "x", "transform": "output.trim()"}, "`transform`"),
        (
            {"type": "llm-rubric", "value": "Is kind", "rubricPrompt": [{"role": "user"}]},
            "`rubricPrompt` is not a text",
        ),
        ({"type": "g-eval", "value": ["Is kind", "Is short"]}, "not a text"),
        ({"type": "cost", "threshold": 1}, "has no recorded `cost_usd`"),
        ({"type": "latency", "threshold": 1}, "has no recorded `duration_ms`"),
    ],
)
def test_what_is_not_run_is_said_and_takes_no_part(assertion: dict[str, Any], reason: str) -> None:
    """Alone it is an error: nobody knows whether the test passes."""
    result = graded([YES, assertion], "[1] yes" if assertion["type"] != "is-json" else '"yes"')
    assert says(result) == "1 pass"
    assert result.evaluators[1].status == "not run"
    assert reason in (result.evaluators[1].error or "")
    assert "None of the evaluators of this case was run" in says(graded([assertion], "[1]"))


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ({"assert": []}, "Nothing judges this test, and promptfoo passes it"),
        ({"assertScoringFunction": "file://x.js"}, "puts the scores together"),
        ({"options": {"transform": "output"}}, "`options.transform` is done to the output"),
        ({"assert": [rubric("1")], "options": {"rubricPrompt": ["x"]}}, "The `rubricPrompt` is not a text"),
        ({"assert": [rubric("1")], "options": {"rubricPrompt": "{% if x %}"}}, "more than names between braces"),
        ({"assert": [set_of(set_of(YES))]}, "A set cannot contain another set"),
        ({"vars": {"q": "file://q.txt"}}, "The variable q stands in q.txt, which cannot be read"),
        ({"vars": {"q": "file://q.py"}}, "The variable q is what q.py returns, which is not run."),
        ({"vars": {"q": "package:a:b"}}, "The variable q is what a function of a package returns, which is not run."),
        ({"vars": "file://vars.yaml"}, "The variables in file://vars.yaml cannot be read."),
        ({"threshold": 50}, "`threshold` must be a number from 0 to 1"),
        ({"assert": [{"type": "contains", "value": ["x"]}]}, "must be a text or a number"),
        ({"assert": [{"type": "contains-any", "value": '"x'}]}, "never closes"),
        ({"assert": [{"type": "contains-any", "value": '"x" y'}]}, "write a comma"),
        ({"assert": [{"type": "contains-any", "value": 5}]}, "a list of texts"),
        ({"assert": [{"type": "regex", "value": "("}]}, "cannot be used"),
        ({"assert": [{"type": "regex", "value": 5}]}, "must be a text"),
        ({"assert": [{"type": "starts-with", "value": 5}]}, "must be a text"),
        ({"assert": [{"type": "levenshtein", "value": 5}]}, "must be a text"),
        ({"assert": [{"type": "word-count", "value": "many"}]}, "must be a number"),
        ({"assert": [{"type": "word-count", "value": {}}]}, "`min`, `max` or both"),
        ({"assert": [{"type": "word-count", "value": {"min": 3, "max": 2}}]}, "more than `max`"),
        ({"assert": [{"type": "cost"}]}, "`threshold` is missing"),
    ],
)
def test_what_cannot_be_graded_is_an_error(rest: dict[str, Any], reason: str) -> None:
    """It has neither a score nor a verdict."""
    rest = dict(rest)
    assertions = rest.pop("assert", [YES])
    assert reason in says(graded(assertions, Answer("yes", facts=AnswerFacts(cost_usd=Decimal(1))), **rest))


def test_what_all_tests_start_from_gets_the_values_of_each() -> None:
    """Assertions are joined, the default's first; the threshold of the test goes before that of the default."""
    default = {"vars": {"name": "no"}, "threshold": 0.5, "assert": [{"type": "contains", "value": "{{ name }}"}]}
    tests = [
        {"description": "own", "vars": {"name": "yes"}, "assert": [YES]},
        {"description": "given", "assert": [YES]},
        {"description": "strict", "assert": [YES], "threshold": 0.6},
        {"description": "alone", "assert": [YES], "options": {"disableDefaultAsserts": True}},
        {"description": "nothing but the default"},
    ]
    found = cases_of(tests, defaultTest=default)
    results = [asyncio.run(grade(case, "yes", AnsweringJudge(said))) for case in found]
    assert [f"{each.eval_id}: {says(each)}" for each in results] == [
        "own: 1 pass",
        "given: 1/2 pass",
        "strict: 1/2 fail",
        "alone: 1 pass",
        "nothing-but-the-default: 0 fail",
    ]


def test_settings_of_a_scenario_are_joined_too() -> None:
    """A test of a scenario has the assertions of its setting and of the default."""
    scenario = {"config": [{"vars": {"x": "a"}, "assert": [NO]}, {"vars": {"x": "b"}}], "tests": [{"assert": [YES]}]}
    found = cases_of([], scenarios=[scenario], defaultTest={"assert": [{"type": "contains", "value": "{{ x }}"}]})
    assert {case.id: [each.config["value"] for each in case.evaluators] for case in found} == {  # type: ignore[union-attr]
        "scenario-1-1-1": ["a", "no", "yes"],
        "scenario-1-2-1": ["b", "yes"],
    }


def test_the_ids_of_tests() -> None:
    """By description or place, with numbers for equals, and with what tells the copies apart."""
    tests = [
        {"vars": {"q": "a"}, "assert": [YES]},
        {"description": "Says hello!", "vars": {"q": "a"}, "assert": [YES]},
        {"description": "Says hello?", "vars": {"q": ["a", "b"]}, "assert": [YES]},
    ]
    assert [case.id for case in cases_of(tests)] == ["test-1", "Says-hello", "Says-hello-2__q_a", "Says-hello-2__q_b"]
    two = cases_of(tests[:1], prompts=[{"id": "first", "raw": "{{ q }}"}, {"id": "second", "raw": "Do {{ q }}"}])
    assert [(case.id, case.test_id) for case in two] == [
        ("test-1__prompt_first", "test-1"),
        ("test-1__prompt_second", "test-1"),
    ]


def test_templates_of_values_and_of_variables_are_rendered() -> None:
    """A variable may be made of others; one that is not defined is empty."""
    value = {"type": "equals", "value": "Hi {{ whole }}{{ nobody }}"}
    (case,) = cases_of([{"vars": {"name": "Bob", "whole": "{{ name }}!"}, "assert": [value]}])
    assert case.evaluators[0].config["value"] == "Hi Bob!"  # type: ignore[union-attr]


def test_metrics_may_be_shared() -> None:
    """Each assertion has a name of its own in the result, so that judgements can be recorded for each."""
    result = graded([rubric("1", metric="tone"), rubric("0.9", metric="tone")])
    assert [each.name for each in result.evaluators] == ["tone", "tone-2"]


def test_the_output_of_a_test_is_its_answer_unless_one_is_recorded(tmp_path: Path) -> None:
    """`providerOutput` needs nobody to answer."""
    path = tmp_path / "promptfooconfig.yaml"
    tests = [{"providerOutput": "yes", "assert": [YES]}, {"providerOutput": "yes", "assert": [YES]}]
    path.write_text(json.dumps({"prompts": ["x"], "providers": ["echo"], "tests": tests}), encoding="utf-8")
    path.with_name("promptfooconfig.answers.json").write_text('{"test-2": "no"}', encoding="utf-8")
    source = AnswerSource(str(path))
    answers = [asyncio.run(source.answer(case)).text for case in load_all(path)[0].cases]
    assert answers == ["yes", "no"]


@pytest.mark.parametrize(
    ("one", "other", "limit", "expected"),
    [("", "", 0, 0), ("kitten", "sitting", 3, 3), ("kitten", "sitting", 2, None), ("a", "😀", 5, 2), ("abc", "", 9, 3)],
)
def test_edits_are_counted_in_units_of_javascript(one: str, other: str, limit: int, expected: int | None) -> None:
    """A character beyond 16 bits is two of them; more than the limit is not counted."""
    assert distance_within(one, other, limit) == expected
    assert distance_within(other, one, limit) == expected


def test_edits_of_long_texts_are_refused() -> None:
    """Counting them would take minutes."""
    with pytest.raises(CannotGrade, match="too long"):
        distance_within("a" * 10_000, "b" * 10_000, 10_000)


def test_texts_between_commas() -> None:
    """Quotes may be doubled or escaped, and empty places are passed over."""
    assert separated(' a b ,, "c, ""d""", "\\"e\\\\" , ') == ["a b", 'c, "d"', '"e\\']


def test_json_is_compared_like_javascript() -> None:
    """All numbers are floats, and the order of keys does not count."""
    assert same_json({"a": [1, "x"]}, {"a": [1.0, "x"]})
    assert not same_json({"a": 1}, {"b": 1})
    assert not same_json([1], [1, 2])
    assert not same_json(None, 0.0)
    assert not same_json(1, "1")


def test_a_prompt_may_be_in_a_file_and_have_a_label(tmp_path: Path) -> None:
    """The label is part of the id, and the text is what the judge sees as the task."""
    (tmp_path / "long.txt").write_text("At length: {{ q }}", encoding="utf-8")
    prompts = [{"id": "file://long.txt", "label": "long one"}, "file://long.txt", {"id": "short", "raw": "{{ q }}"}]
    config = {"prompts": prompts, "providers": ["echo"], "tests": [{"vars": {"q": "Why?"}, "assert": [YES]}]}
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(json.dumps(config), encoding="utf-8")
    assert {case.id: case.input_messages[0].content for case in load_all(path)[0].cases} == {
        "test-1__prompt_long-one": "At length: Why?",
        "test-1__prompt_long.txt": "At length: Why?",
        "test-1__prompt_short": "Why?",
    }


@pytest.mark.parametrize(
    ("name", "is_configuration"),
    [
        ("promptfooconfig.json", True),
        ("promptfooconfig.dev.yaml", True),
        ("promptfooconfig.answers.json", False),
        ("promptfooconfig-dev.answers.json", False),
    ],
)
def test_recorded_answers_are_no_configuration(name: str, *, is_configuration: bool) -> None:
    """They have the name of the configuration that they belong to."""
    assert (dialect_by_name(f"some/{name}") is PROMPTFOO) is is_configuration


def test_values_in_files(tmp_path: Path) -> None:
    """A text is trimmed, data is parsed, a list may have items in files; a schema may be JSON or YAML."""
    (tmp_path / "hello.txt").write_text(" yes\n", encoding="utf-8")
    (tmp_path / "texts.yaml").write_text("[y, s]", encoding="utf-8")
    (tmp_path / "schema.json").write_text('{"type": "object", "required": ["a"]}', encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("{a", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("type: strin", encoding="utf-8")
    values = {
        ("contains", "file://hello.txt"): "1 pass",
        ("contains-all", "file://texts.yaml"): "1 pass",
        ("contains-any", "[x, file://hello.txt]"): "1 pass",
        ("is-json", "file://schema.json"): "0 fail",
        ("contains-json", "file://schema.json"): "1 pass",
        ("is-json", "file://broken.yaml"): "error: is-json: broken.yaml is neither YAML nor JSON.",
        ("contains-json", "file://bad.yaml"): "error: contains-json: The schema is invalid at `/type`",
        ("contains", "file://hello.md"): "error: contains: The value in hello.md cannot be read",
        ("contains", "file://missing.txt"): "error: contains: The file missing.txt is neither",
    }
    tests = "".join(f"- assert: [{{type: {kind}, value: {value}}}]\n" for kind, value in values)
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(f"prompts: [x]\nproviders: [echo]\ntests:\n{tests}", encoding="utf-8")
    for case, expected in zip(load_all(path)[0].cases, values.values(), strict=True):
        # A missing file is also a problem that the check reports; grading alone is looked at here.
        alone = case.model_copy(update={"problems": (), "places": ()})
        result = asyncio.run(grade(alone, 'It is {"a": 1}, yes.', AnsweringJudge(said)))
        assert says(result).startswith(expected)


def test_each_configuration_has_answers_of_its_own(tmp_path: Path) -> None:
    """The name is that of the file without its last ending."""
    texts = {"promptfooconfig.yaml": "one", "promptfooconfig.dev.yaml": "two", "promptfooconfig.json": "one"}
    for name in ("promptfooconfig", "promptfooconfig.dev"):
        text = "two" if "dev" in name else "one"
        (tmp_path / f"{name}.answers.json").write_text(json.dumps({"test-1": text}), encoding="utf-8")
    for name, text in texts.items():
        (case,) = load_text(
            '{"prompts": ["x"], "providers": ["echo"], "tests": [{}]}', str(tmp_path / name), dialect=PROMPTFOO
        )[0].cases
        answer = AnswerSource(str(tmp_path / name)).known(case)
        assert answer is not None
        assert answer.text == text


@pytest.mark.parametrize("where", ["assertion", "options", "default"])
def test_a_prompt_of_the_judge_shows_rubric_output_and_variables(where: str) -> None:
    """The answer is fenced, as in every prompt; the rubric has the values of the test."""
    text = {"rubricPrompt": "By {{ rubric }}: {{output}} about {{ q }} in {{ n }} {{ unknown }}"}
    prompts: list[str] = []

    def note(question: Question) -> str:
        prompts.append(question.prompt.user)
        return json.dumps({"hits": [], "misses": [], "reasoning": "So it is.", "score": 1})

    test: dict[str, Any] = {"vars": {"q": "the sea", "n": 3}}
    test["assert"] = [{"type": "llm-rubric", "value": "Names {{ q }}", **(text if where == "assertion" else {})}]
    test |= {"options": text} if where == "options" else {}
    (case,) = cases_of([test], **({"defaultTest": {"options": text}} if where == "default" else {}))
    assert says(asyncio.run(grade(case, "{{ q }} is blue", AnsweringJudge(note)))) == "1 pass"
    assert prompts[0].startswith("By Names the sea:")
    assert "{{ q }} is blue" in prompts[0]
    assert "about the sea in 3 {{ unknown }}" in prompts[0]


def test_references_bring_assertions() -> None:
    """Those of a test, of the default and of other templates; keys beside a reference go first."""
    templates = {
        "yes": {"type": "contains", "value": "{{ q }}", "weight": 2},
        "again": {"$ref": "#/assertionTemplates/yes"},
        "list": [{"type": "contains", "value": 5}],
    }
    (case,) = cases_of(
        [
            {
                "vars": {"q": "yes"},
                "assert": [
                    {"$ref": "#/assertionTemplates/again"},
                    {"$ref": "#/assertionTemplates/yes", "weight": 3},
                    {"$ref": "#/assertionTemplates/list/0"},
                ],
            }
        ],
        assertionTemplates=templates,
        defaultTest={"assert": [{"$ref": "#/assertionTemplates/yes"}]},
    )
    result = asyncio.run(grade(case, "yes 5", AnsweringJudge(said)))
    assert says(result) == "1 pass"
    assert [str(each.weight) for each in result.evaluators] == ["2", "2", "3", "1"]


def test_a_reference_to_nothing_or_to_itself_is_an_error() -> None:
    """Nothing is graded, and nothing hangs."""
    templates = {"a": {"$ref": "#/assertionTemplates/b"}, "b": {"$ref": "#/assertionTemplates/a"}}
    for name in ("a", "none"):
        tests = [{"assert": [{"$ref": f"#/assertionTemplates/{name}"}]}]
        (case,) = cases_of(tests, assertionTemplates=templates)
        assert says(asyncio.run(grade(case, "yes", AnsweringJudge(said)))).startswith("error: ")

"""Assistance in configurations of promptfoo: completion, hover, names, symbols, by the same tables as elsewhere."""

from __future__ import annotations

import pytest
from assistance import finished
from completions import accepted, labels_at
from hovers import inside, said_at

from rubric_core.analysis.check import analyse, check_text
from rubric_core.assist.completion.snippets import snippets_of
from rubric_core.assist.names.lookup import definition_of, references_to
from rubric_core.assist.names.rename import RenameError, renamable_at, rename
from rubric_core.assist.symbols import parts, symbols_in
from rubric_core.dialects.registry import BY_NAME
from rubric_core.rules.problem import Severity
from rubric_core.text.spans import apply_edits

NAME = "promptfooconfig.yaml"
TEXT = """\
# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
prompts:
  - {label: short, raw: "Translate {{ text }}"}
providers: [echo]
defaultTest:
  assert:
    - type: icontains
      value: "{{ word }}"
tests:
  - description: One
    vars:
      text: Hello
      word: Bonjour
    assert:
      - type: llm-rubric
        value: Says {{ word }} and nothing else
        weight: 3
      - type: contains
        value: Bonjour
"""
DIALECT = BY_NAME["promptfoo"]


@pytest.mark.parametrize(
    ("old", "new", "proposed", "absent"),
    [
        ("defaultTest:\n", "$0\ndefaultTest:\n", "evaluateOptions", "evaluate_options"),
        ("    vars:\n", "    $0\n    vars:\n", "threshold", "id"),
        ("        weight: 3\n", "        $0\n", "rubricPrompt", "required"),
        ("defaultTest:\n", "defaultTest:\n  $0\n", "options", "prompts:"),
        ("type: contains", "type: $0", "not-contains-any", "human"),
    ],
)
def test_keys_and_types_are_completed(old: str, new: str, proposed: str, absent: str) -> None:
    """Those of the table, in camel case."""
    labels = labels_at(TEXT.replace(old, new, 1), path=NAME)
    assert proposed in labels
    assert absent not in labels


JSON = """\
{"prompts": ["Translate {{ text }}"], "providers": ["echo"], "tests": [
  {"vars": {"text": "Hello"}, "assert": [
    {"type": "is-json"}]}]}
"""


@pytest.mark.parametrize(
    ("old", "new", "proposed"),
    [
        ('"is-json"', '"$0"', "contains"),
        ('"is-json"', '"is-json", "$0"', "value"),
        ('"is-json"', '"is-json", va$0', "value"),
        ('"type": "is-json"', "$0", "type"),
        ('{"vars"', '{"thr$0": 1, "vars"', "threshold"),
        ('{"vars"', '{"options": {"$0"}, "vars"', "transform"),
        ('"tests"', '"defaultTest": {"assert": [{"type": "$0"}]}, "tests"', "contains"),
    ],
)
def test_keys_and_types_are_completed_in_json(old: str, new: str, proposed: str) -> None:
    """At every depth, whether or not the text is indented."""
    marked = JSON.replace(old, new, 1)
    assert proposed in labels_at(marked, path="promptfooconfig.json")
    assert proposed in labels_at(marked.replace("\n", ""), path="promptfooconfig.json")


def test_variables_are_completed_in_templates() -> None:
    """Those of the test."""
    assert {"text", "word"} <= set(labels_at(TEXT.replace("Says {{ word }}", "Says {{ $0 }}"), path=NAME))


def test_snippets_have_no_error() -> None:
    """Each is an assertion that is only to be filled in."""
    marked = TEXT.replace("      - type: contains\n", "      - $0\n      - type: contains\n")
    for snippet in snippets_of(DIALECT).items["evaluator"]:
        text = accepted(marked, snippet.name, path=NAME)
        found = check_text(text, path=NAME).problems
        codes = {each.code for each in found if each.severity is Severity.ERROR}
        # A value that is still empty is missing, and one output cannot be compared.
        assert codes <= {"RB005", "RB803", "RB804", "RB808"}, snippet.name


def test_an_empty_file_offers_a_configuration() -> None:
    """It is clean when its gaps are filled in."""
    text = accepted("$0", "eval suite (promptfoo)")
    assert "providers:" in text
    assert [each.message for each in check_text(text, path=NAME).problems if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("stretch", "expected"),
    [
        ("defaultTest", "What every test starts from"),
        ("llm-rubric", "A model judges the output by a rubric."),
        ("icontains", "The output contains a text, in upper or lower case."),
    ],
)
def test_keys_and_types_are_explained(stretch: str, expected: str) -> None:
    """By the table."""
    assert expected in said_at(inside(stretch, TEXT), path=NAME)


JUDGED = """\
prompts: ["Say {{ topic }}"]
providers: [echo]
defaultTest:
  threshold: 0.7
tests:
  - vars: {topic: ports}
    threshold: 0.8
    assert:
      - type: similar
        value: Ports
        threshold: 0.6
        weight: 3
      - type: not-factuality
        value: Ports are numbers
      - {type: latency, threshold: 500}
      - {type: is-json}
      - type: assert-set
        threshold: 0.5
        weight: 2
        assert:
          - {type: is-json, weight: 3.0}
          - {type: is-xml}
"""


@pytest.mark.parametrize(
    ("stretch", "expected"),
    [
        ("threshold: 0.7", "The test passes when the weighted mean of its assertions is at least 0.7."),
        ("threshold: 0.8", "The test passes when the weighted mean of its assertions is at least 0.8."),
        ("threshold: 0.6", "The assertion passes when its score is at least 0.6."),
        ("threshold: 500", "The output may take at most 500 milliseconds."),
        ("threshold: 0.5", "The set passes when the weighted mean of its assertions is at least 0.5."),
        ("weight: 3\n", "Weight 3 of 8, 37.5 % of the test's score."),
        ("weight: 2", "Weight 2 of 8, 1/4 or 25 % of the test's score."),
        ("weight: 3.0", "Weight 3 of 4, 75 % of the score of its list."),
        ("similar", "`threshold`: The score from which the assertion passes. Default: 0.75."),
        ("similar", "`value` (required)"),
        ("similar", "`not-` before it turns the result around."),
        ("not-factuality", "The same as `factuality`: `not-` is ignored."),
        ("is-json", "promptfoo does not read `threshold`."),
        ("latency", "`threshold` (required): How long the output may take, in milliseconds."),
    ],
)
def test_what_a_number_and_a_type_mean_here(stretch: str, expected: str) -> None:
    """Thresholds by where they are, weights as shares, types by what promptfoo reads of them."""
    assert expected in said_at(inside(stretch, JUDGED), path=NAME)


def test_tests_are_symbols() -> None:
    """A configuration has an outline."""
    analysis = analyse(TEXT, path=NAME)
    analysis.refresh()
    names = [symbol.name for part in parts(analysis) for symbol in symbols_in(analysis, part)]
    assert "defaultTest" in names
    assert "tests" in names or "One" in names


def test_a_variable_is_renamed_wherever_it_is_used() -> None:
    """In `vars`, in the prompts, and in the assertions of the test and of all tests."""
    at = TEXT.index("word: Bonjour")
    analysis = analyse(TEXT, path=NAME)
    name = renamable_at(analysis, at)
    assert name is not None
    after = apply_edits(TEXT, finished(rename(analysis, name, "greeting")))
    assert after == TEXT.replace("word", "greeting")


def renamed(text: str, at: str, new: str) -> str:
    """Return a text in which the name at a stretch is another one."""
    analysis = analyse(text, path=NAME)
    name = renamable_at(analysis, text.index(at))
    assert name is not None
    return apply_edits(text, finished(rename(analysis, name, new)))


def test_a_metric_is_renamed_where_it_is_computed_with() -> None:
    """In assertions and in the formulas of derived metrics."""
    text = TEXT.replace("weight: 3", "metric: tone").replace("value: Bonjour", "value: Bonjour\n        metric: tone")
    text = text.replace("tests:", "derivedMetrics:\n  - {name: twice, value: 2 * tone}\ntests:")
    assert renamed(text, "tone", "style") == text.replace("tone", "style")


@pytest.mark.parametrize("key", ["providers", "targets"])
def test_the_label_of_a_provider_is_renamed_where_tests_name_it(key: str) -> None:
    """In the list of providers and in each test that is sent to it."""
    text = TEXT.replace("providers: [echo]", f"{key}:\n  - {{id: echo, label: repeats}}")
    text = text.replace("    vars:\n", "    providers: [repeats]\n    vars:\n", 1)
    assert renamed(text, "repeats", "mirror") == text.replace("repeats", "mirror")
    assert renamed(text, "repeats]", "mirror") == text.replace("repeats", "mirror")


PROMPTS = """\
prompts:
  - {label: short, raw: "{{ text }}"}
  - {label: "long", raw: "Please: {{ text }}"}
providers:
  - id: echo
    prompts: [short, long]
tests:
  - vars: {text: Hello}
    prompts: ["short"]
    assert: [{type: is-json}]
"""


@pytest.mark.parametrize("at", ["short, raw", "short, long", 'short"]'])
def test_the_label_of_a_prompt_is_renamed_where_tests_and_providers_name_it(at: str) -> None:
    """From its definition and from each use."""
    assert renamed(PROMPTS, at, "brief") == PROMPTS.replace("short", "brief")
    analysis = analyse(PROMPTS, path=NAME)
    name = renamable_at(analysis, PROMPTS.index(at))
    assert name is not None
    found = finished(definition_of(analysis, name))
    assert found is not None
    assert found.name_span.start == PROMPTS.index("short")
    assert len(finished(references_to(analysis, name))) == PROMPTS.count("short")


def test_a_prompt_gets_no_label_that_another_one_has() -> None:
    """Both would be sent then."""
    with pytest.raises(RenameError, match="The label `long` is used for a prompt"):
        renamed(PROMPTS, "short", "long")


def test_a_prompt_that_is_not_described_here_is_not_renamed() -> None:
    """Its label is in another file, or nowhere."""
    with pytest.raises(RenameError, match="No prompt of this file has the label `other`"):
        renamed(PROMPTS.replace('["short"]', "[other]"), "other", "brief")


@pytest.mark.parametrize("place", ["    prompts: [$0]\n    vars:\n", "    prompts:\n      - sh$0\n    vars:\n"])
def test_labels_of_prompts_are_completed_where_a_test_chooses_them(place: str) -> None:
    """But not where the prompts themselves are listed."""
    assert labels_at(TEXT.replace("    vars:\n", place, 1), path=NAME) == ["short"]
    assert "short" not in labels_at(TEXT.replace('text }}"}\n', 'text }}"}\n  - $0\n', 1), path=NAME)

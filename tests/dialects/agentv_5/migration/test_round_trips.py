"""There and back again: a suite of AgentV 2 comes back byte for byte, whatever style it is written in."""

from __future__ import annotations

import pytest
from migrations import comments_of, criteria_in, errors_in, migrated
from suite_styles import STYLES, Style, read, write

# The shapes that the documentation of the format shows, in our words.
STRINGS = """\
evalcases:
  - id: port
    expected_outcome: Names the port of the service
    
    input_messages:
      - role: user
        content: Which port does the service have?
    
    rubrics:
      - Names port 8080
      - Says where it is set
"""  # noqa: W293 - lines of white space have to come back too.
CHECKLIST = """\
evalcases:
  - id: port
    expected_outcome: Names the port of the service

    input_messages:
      - role: user
        content: Which port does the service have?

    rubrics:
      - id: number
        expected_outcome: Names port 8080
        weight: 2.0
        required: true

      - id: reason
        expected_outcome: Says where it is set
        weight: 1.5
        required: false
"""
RANGES = """\
evalcases:
  - id: review
    expected_outcome: Reviews the code

    input_messages:
      - role: user
        content: Review this function

    rubrics:
      - id: correctness
        weight: 2.0
        required_min_score: 7  # below that it is of no use
        score_ranges:
          - score_range: [0, 6]
            expected_outcome: Misses bugs
          - score_range: [7, 10]
            expected_outcome: Finds all bugs

      - id: style
        score_ranges:
          0: Hard to read
          7: Clear
"""
WITH_SCRIPT = """\
evalcases:
  - id: parser
    expected_outcome: A function that parses a date
    
    input_messages:
      - role: user
        content: Write a function that parses a date
    
    # What a reader looks at
    rubrics:
      - Has type hints
      - Handles an empty text
    
    execution:
      evaluators:
        # The rubrics are an evaluator of their own
        
        # This one compiles the answer
        - name: syntax
          type: code_judge
          script: uv run python -m py_compile
"""  # noqa: W293 - the same.
ONLY_RUBRICS = """\
rubrics:
  - Names port 8080
  - id: reason
    expected_outcome: Says where it is set
    weight: 2.0
"""
ALL_KEYS = """\
# rubric: dialect=agentv-2
description: Everything   # that AgentV 2 has
execution:
  target: default
  evaluators:
    - name: tone
      type: llm_judge
      prompt: prompts/tone.md
evalcases:
  - id: first
    expected_outcome: >-
      Names the port,
      and the host
    input_messages:
      - role: user
        content: |
          Which port
            and which host?
    expected_messages:
      - role: assistant
        content: "8080"
    execution:
      evaluators:
        - name: list
          type: llm_judge
          rubrics:
            - id: a
              expected_outcome: Names port 8080
      target: other

  - {id: second, expected_outcome: 'Names it', input: Which?, rubrics: [Names it, {id: b, expected_outcome: Is short}]}
"""
TEXTS = {
    "strings": STRINGS,
    "checklist": CHECKLIST,
    "ranges": RANGES,
    "with a script": WITH_SCRIPT,
    "only rubrics": ONLY_RUBRICS,
    "all keys": ALL_KEYS,
}
NOTATION = """{evalcases: [
    {id: a, expected_outcome: Names the port, input_messages: [{role: user, content: Which port?}],
     expected_messages: [{role: assistant, content: "8080"}],
     rubrics: [Names port 8080, {id: c, required_min_score: 7, score_ranges: {0: Vague, 7: Clear}},
        {id: d, expected_outcome: Says why, weight: 2}]},
    {id: b, expected_outcome: Names the host, input: Which host?, rubrics: [Names it]},
    {id: c, expected_outcome: Names both, input: Which?,
     rubrics: [{id: e, score_ranges: [{score_range: [0, 4], expected_outcome: Bad},
        {score_range: [5, 10], expected_outcome: Good}]}]}]}"""
EVALUATORS = """{evalcases: [
    {id: a, expected_outcome: Names the port, input: Which port?,
     execution: {evaluators: [{name: x, type: llm_judge, rubrics: [{id: a, expected_outcome: Names it}]},
        {name: y, type: code_judge, script: [sh, a.sh]}]}}]}"""
VIA = ("agentv-4", "agentv-5")


def styled(notation: str, style: Style) -> str:
    """Return a suite in a style."""
    written = write(read(notation), style)
    assert written is not None
    return written.text


@pytest.mark.parametrize("via", VIA)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_suite_comes_back_byte_for_byte(text: str, via: str) -> None:
    """With everything applied that needs a look; nothing is left behind on the way."""
    there = migrated(text, "agentv-2", via)
    assert there.text != text
    assert migrated(there.text, via, "agentv-2").text == text


# Comments between `execution` and `evaluators` move above the list, and braces around one key are written as lines.
_OTHER_WAY_BACK = (Style(has_comments=True), Style("values"))
ROUND_TRIPS = [
    (style, notation)
    for style in STYLES
    for notation in (NOTATION, EVALUATORS)
    if notation is NOTATION or style not in _OTHER_WAY_BACK
]


@pytest.mark.parametrize("via", VIA)
@pytest.mark.parametrize(("style", "notation"), ROUND_TRIPS)
def test_every_style_comes_back_byte_for_byte(style: Style, notation: str, via: str) -> None:
    """Indentation, line breaks, brackets, quotes and comments are those of the text."""
    text = styled(notation, style)
    there = migrated(text, "agentv-2", via)
    assert comments_of(there.text) == comments_of(text)
    assert migrated(there.text, via, "agentv-2").text == text


@pytest.mark.parametrize("via", VIA)
@pytest.mark.parametrize("style", [*STYLES, Style("jsonl")], ids=str)
def test_a_migrated_suite_means_the_same(style: Style, via: str) -> None:
    """It has no error in the new dialect, and the same criteria with the same gates, weights and ranges."""
    path = "a.eval.jsonl" if style.shape == "jsonl" else "a.eval.yaml"
    text = styled(NOTATION, style)
    there = migrated(text, "agentv-2", via, path)
    assert not errors_in(there.text, via, path)
    assert criteria_in(there.text, via, path) == criteria_in(text, "agentv-2", path)


@pytest.mark.parametrize("via", VIA)
def test_json_lines_come_back_byte_for_byte(via: str) -> None:
    """Each line is a case."""
    text = styled(NOTATION, Style("jsonl"))
    there = migrated(text, "agentv-2", via, "a.jsonl")
    assert there.text.count("\n") == text.count("\n")
    assert migrated(there.text, via, "agentv-2", "a.jsonl").text == text

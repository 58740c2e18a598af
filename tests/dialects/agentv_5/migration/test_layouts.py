"""Where keys are among others: what moves, and what stays where it is."""

from __future__ import annotations

import pytest
from migrations import migrated

LAYOUTS = {
    "input and reference with a key between": (
        "agentv-4",
        "agentv-5",
        """\
tests:
  - id: a
    input: b
    # Why.
    metadata: {x: y}
    # The reference.
    expected_output: c
    assertions: [d]
""",
        """\
prompts: ["{{ input }}"]
tests:
  - id: a
    vars:
      input: b
      # The reference.
      expected_output: c
    # Why.
    metadata: {x: y}
    assert: [d]
""",
    ),
    "a test in braces with both lists": (
        "agentv-4",
        "agentv-5",
        """\
tests:
  - {id: a, input: b, rubrics: [c], assertions: [{name: q, type: cost, budget: 1}]}
""",
        """\
prompts: ["{{ input }}"]
tests:
  - {id: a, vars: {input: b}, assert: [{type: llm-rubric, value: [c]}, {metric: q, type: cost, budget: 1}]}
""",
    ),
    "variables in braces": (
        "agentv-4",
        "agentv-5",
        """\
tests:
  - id: a
    vars: {x: y}
    input: "b"
    assertions: [c]
""",
        """\
prompts: ["{{ input }}"]
tests:
  - id: a
    vars: {x: y, input: "b"}
    assert: [c]
""",
    ),
    "variables before another key": (
        "agentv-4",
        "agentv-5",
        """\
tests:
  - id: a
    input: b
    vars:
      x: y
    assertions: [c]
""",
        """\
prompts: ["{{ input }}"]
tests:
  - id: a
    vars:
      input: b
      x: y
    assert: [c]
""",
    ),
    "evaluators between other keys": (
        "agentv-2",
        "agentv-4",
        """\
evalcases:
  - id: a
    input: b
    expected_outcome: c
    execution:
      target: d
      # The list.
      evaluators: [{name: q, type: cost, budget: 1}]
      note: e
""",
        """\
tests:
  - id: a
    input: b
    criteria: c
    execution:
      target: d
      note: e
    # The list.
    assertions: [{name: q, type: cost, budget: 1}]
""",
    ),
    "evaluators in braces beside other keys": (
        "agentv-2",
        "agentv-4",
        """\
evalcases:
  - id: a
    input: b
    expected_outcome: c
    execution: {target: d, evaluators: [{name: q, type: cost, budget: 1}]}
""",
        """\
tests:
  - id: a
    input: b
    criteria: c
    execution: {target: d}
    assertions: [{name: q, type: cost, budget: 1}]
""",
    ),
    "a comment behind execution": (
        "agentv-2",
        "agentv-4",
        """\
evalcases:
  - id: a
    input: b
    expected_outcome: c
    execution:  # How it is judged.
      evaluators: [{name: q, type: cost, budget: 1}]
""",
        """\
tests:
  - id: a
    input: b
    criteria: c
    # How it is judged.
    assertions: [{name: q, type: cost, budget: 1}]
""",
    ),
    "an input behind the dash": (
        "agentv-4",
        "agentv-5",
        """\
tests:
  - input: b
    id: a
    assertions: [c]
""",
        """\
prompts: ["{{ input }}"]
tests:
  - vars:
      input: b
    id: a
    assert: [c]
""",
    ),
    "several documents": (
        "agentv-2",
        "agentv-4",
        """\
evalcases: []
---
cases:
  - {id: a, input: b, expected_outcome: c}
""",
        """\
tests: []
---
tests:
  - {id: a, input: b, criteria: c}
""",
    ),
}


@pytest.mark.parametrize(("source", "target", "before", "after"), LAYOUTS.values(), ids=LAYOUTS)
def test_keys_move_as_little_as_they_can(source: str, target: str, before: str, after: str) -> None:
    """With the comments directly above them."""
    assert migrated(before, source, target).text == after

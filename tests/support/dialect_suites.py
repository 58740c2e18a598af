"""One suite in each later dialect, with everything in it that the editor has something to say about."""

from __future__ import annotations

FOUR = """\
name: ports
assertions:
  - Is polite
tests:
  - id: web
    input: Which port has HTTPS?
    criteria: Names the port
    vars: {protocol: https}
    assertions:
      - Names the port
      - Gives a reason
      - name: depth
        type: rubrics
        weight: 2
        required: true
        min_score: 0.6
        criteria:
          - id: number
            outcome: Says 443
            weight: 3
          - id: detail
            outcome: Explains TLS
            min_score: 0.7
            score_ranges:
              0: Nothing
              7: All of it
      - type: contains
        value: "443"
  - id: mail
    input: Which port has SMTP?
    depends_on: [web]
    assertions:
      - type: llm-grader
        prompt: file://prompts/judge.md
"""

FIVE = """\
name: ports
prompts:
  - file://prompts/ask.md
providers:
  - {id: "openai:gpt-5", label: fast}
default_test:
  vars: {tone: kind}
  assert:
    - Is polite
tests:
  - id: web
    vars:
      protocol: https
    assert:
      - "Names the port of {{ protocol }}, {{ tone }}"
      - Gives a reason
      - metric: depth
        type: llm-rubric
        weight: 2
        required: true
        min_score: 0.6
        provider: fast
        value:
          - id: number
            outcome: Says 443
            weight: 3
          - id: detail
            outcome: Explains TLS
            min_score: 0.7
            score_ranges:
              0: Nothing
              7: All of it
      - type: contains
        value: "443"
  - id: mail
    depends_on: [web]
    assert:
      - type: llm-rubric
        value: Names 25
        prompt: file://prompts/judge.md
scenarios:
  - description: Both protocols
    config:
      - vars: {protocol: http}
    tests:
      - id: plain
        assert: ["Names the port of {{ protocol }}"]
"""

SUITES = {"agentv-4": FOUR, "agentv-5": FIVE}

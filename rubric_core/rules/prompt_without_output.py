"""
## What it does
Finds a prompt file that has neither `{{ output }}` nor `{{ expected_output }}` in it.

## Why is this bad?
The judge would never see the answer, so the upstream tool does not run a test that uses such a file. Its validation
does not read the file and calls the suite valid.

## Example
The file `graders/tone-alone.md` says "Judge the tone of the answer." and nothing else:

```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value: The answer is polite
        prompt: file://graders/tone-alone.md
```

Use instead a file that has `{{ output }}` in it:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value: The answer is polite
        prompt: file://graders/tone.md
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.references import References
from rubric_core.views.templates import shows_answer


def check(references: References, context: Context) -> Problems:
    for reference in references.files:
        text = context.texts.get(reference.path) if reference.kind == "prompt" else None
        if text is not None and not shows_answer(text):
            yield RULE.at(
                reference.place,
                f"The prompt file `{reference.path}` has neither `{{{{ output }}}}` nor `{{{{ expected_output }}}}`, "
                "so the test is not run; write `{{ output }}` where the judge should read the answer.",
            )


RULE = Rule("RB705", "prompt-without-output", Severity.ERROR, Subject.REFERENCES, check)

"""
## What it does
Finds a `prompt` that is the path of a file and lacks `file://` in front.

## Why is this bad?
The upstream tool gives the judge the path itself as its instructions. The file is never read, and the score means
nothing.

## Example
```yaml
tests:
  - id: port
    input: Which port?
    assertions:
      - name: tone
        type: llm-grader
        prompt: graders/tone.md
```

Use instead:
```yaml
tests:
  - id: port
    input: Which port?
    assertions:
      - name: tone
        type: llm-grader
        prompt: file://graders/tone.md
```

## Fix safety
The fix writes `file://` in front of the path. From then on the judge gets other instructions, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import one_edit
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import replace_text
from rubric_core.views.references import References


def check(references: References, context: Context) -> Problems:
    for reference in references.files:
        # If the file does not exist, this may be a text that ends like a path.
        if reference.kind == "path-as-prompt" and context.files.get(reference.path) is not False:
            url = FILE_URL + reference.path
            yield RULE.at(
                reference.node,
                f"The judge gets the path `{reference.path}` as its instructions, not the file; write `{url}`.",
                fixes=partial(one_edit, f"Write `{url}`", replace_text, reference.node, url),
            )


RULE = Rule("RB706", "prompt-is-a-path", Severity.WARNING, Subject.REFERENCES, check, fixes_are_safe=False)

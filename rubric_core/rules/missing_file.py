"""
## What it does
Finds a file that a case or an evaluator names and that does not exist: the `file` part of a message, the prompt of a
judge, or a word of a script that looks like a path. In a configuration of promptfoo this also finds a pattern such as
`file://tests/*.yaml` that no file matches, and prompts and providers that are written as a path alone.

## Why is this bad?
The answer would be asked for, or judged, without what the file holds, or the case stops when it is run.

A word of a script looks like a path when it starts with `./` or `../` or ends like a program's file, such as `.py`.
`python -m py_compile` names no file. What stands behind a variable or a pattern is left alone.

## Example
```yaml
evaluators:
  - name: tone
    type: llm_judge
    prompt: prompts/tome.md
```

Use instead:
```yaml
evaluators:
  - name: tone
    type: llm_judge
    prompt: prompts/tone.md
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.references import References

_WHAT = {"file": "file", "prompt": "prompt file", "judge-prompt": "prompt file", "script": "script"}


def check(references: References, context: Context) -> Problems:
    for file in references.files:
        if file.kind in _WHAT and context.files.get(file.path) is False:
            what = f"The {_WHAT[file.kind]} `{file.path}` does not exist; correct the path or add the file."
            yield RULE.at(file.place, what)


RULE = Rule("RB503", "missing-file", Severity.WARNING, Subject.REFERENCES, check)

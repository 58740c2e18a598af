"""
## What it does
Finds a `rubricPrompt`, a text or a file, that never shows the judge the output, and a judge that is called `echo`.

## Why is this bad?
A prompt of your own replaces that of promptfoo. Without `{{ output }}` the judge gives a verdict on something that it
cannot see. `echo` sends the prompt back, and the example of a reply in it passes.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
defaultTest:
  options:
    rubricPrompt: Does the answer meet "{{ rubric }}"?
tests:
  - vars: {question: Which port?}
    assert:
      - type: llm-rubric
        value: Names port 8080
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
defaultTest:
  options:
    rubricPrompt: Does the answer "{{ output }}" meet "{{ rubric }}"?
tests:
  - vars: {question: Which port?}
    assert:
      - type: llm-rubric
        value: Names port 8080
```
"""

from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, in_tests
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Scalar, walk
from rubric_core.text.patterns import lazily
from rubric_core.views.references import References
from rubric_core.views.templates import names_in, template_names

_PROMPT = "rubricPrompt"
_PROVIDER = "provider"
_ECHO = "echo"
# A function makes the prompt.
_CODE = lazily(r"\.(?:[cm]?[jt]sx?|py|rb|go)\Z")
# Names of the output in the prompts of several types.
_OUTPUT_NAMES = frozenset({"output", "completion", "answer"})


def check_references(references: References, context: Context) -> Problems:
    for reference in references.files:
        text = context.texts.get(reference.path) if reference.kind == "judge-prompt" else None
        is_code = _CODE.search(reference.path) is not None
        if text and not is_code and _OUTPUT_NAMES.isdisjoint(name.text for name in template_names(text)):
            message = f"`{reference.path}` never shows the judge the output; write `{{{{ output }}}}` where it belongs."
            yield RULE.at(reference.node, message)


def check(judged: Judged, _context: Context) -> Problems:
    rubrics = judged.rubrics()
    options = judged.node.get("options")
    for owner in (*(assertion.node for assertion in rubrics), options):
        if not isinstance(owner, Mapping):
            continue
        prompt, provider = owner.index.get(_PROMPT), owner.get(_PROVIDER)
        if prompt is not None and _hides_output(prompt.value):
            message = "This prompt never shows the judge the output; write `{{ output }}` where it belongs."
            yield RULE.at(prompt.key, message, chunk=judged.chunk)
        judge = (provider.get("id") or provider.get("text")) if isinstance(provider, Mapping) else provider
        if isinstance(judge, Scalar) and judge.value == _ECHO:
            message = "`echo` as a judge sends back the prompt, and the example of a reply in it passes; name a model."
            yield RULE.at(judge, message, chunk=judged.chunk)


def _hides_output(prompt: Node) -> bool:
    texts = [node.value for node in walk(prompt) if isinstance(node, Scalar)]
    is_elsewhere = any(text.startswith(FILE_URL) for text in texts)
    return any(texts) and not is_elsewhere and _OUTPUT_NAMES.isdisjoint(names_in(prompt))


_ALSO = ((Subject.FILE, in_defaults(check)), (Subject.REFERENCES, check_references))
RULE = Rule("RB810", "rubric-prompt-without-output", Severity.WARNING, Subject.CASE, in_tests(check), also=_ALSO)

"""
## What it does
Finds a name in the formula of a derived metric that no assertion has as its `metric`, and no derived metric above.

## Why is this bad?
Promptfoo takes 0 for it, or leaves out the derived metric, without failing the run.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
derivedMetrics:
  - name: total
    value: accuracy + clarty
tests:
  - vars: {question: Which port?}
    assert:
      - {type: contains, value: "8080", metric: accuracy}
      - {type: llm-rubric, value: Is one sentence, metric: clarity}
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
derivedMetrics:
  - name: total
    value: accuracy + clarity
tests:
  - vars: {question: Which port?}
    assert:
      - {type: contains, value: "8080", metric: accuracy}
      - {type: llm-rubric, value: Is one sentence, metric: clarity}
```

## Fix safety
The fix writes the metric that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.rules.messages import one_edit, place_in, suggestion
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span
from rubric_core.views.files import FileView

# A whole name that is not a function; promptfoo defines the names with two leading underscores.
_NAME = lazily(r"(?<![\w.$])(?!__)[A-Za-z_]\w*(?![\w.]*\()(?!\w)")
_DERIVED_METRICS = "derivedMetrics"
_WORDS = frozenset({"and", "e", "false", "i", "in", "mod", "not", "or", "pi", "tau", "to", "true", "xor"})


def check(file: FileView, _context: Context) -> Problems:
    if file.metrics is None:
        return
    known = set(file.metrics)
    for chunk, pair in file.under(_DERIVED_METRICS):
        for item in pair.value.items if isinstance(pair.value, Sequence) else []:
            name, formula = (item.get("name"), item.get("value")) if isinstance(item, Mapping) else (None, None)
            if isinstance(formula, Scalar) and formula.origin is None:
                for word, place in _unknown(formula, known, chunk.text):
                    ending, meant = suggestion(word, sorted(known)) if known else ("name one in an assertion.", None)
                    yield RULE.at(
                        place,
                        f"No assertion has the metric `{word}`; {ending}",
                        fixes=partial(one_edit, f"Change to `{meant}`", Edit, *place, meant)
                        if meant is not None and place != formula.span
                        else None,
                        chunk=chunk,
                    )
            if isinstance(name, Scalar):
                known.add(name.value)


def _unknown(formula: Scalar, known: set[str], text: str) -> Iterator[tuple[str, Span]]:
    written = formula.value
    if written.startswith(FILE_URL) or "=>" in written:
        return
    for word in _NAME.findall(written):
        if word not in known and word not in _WORDS:
            yield word, place_in(formula, word, text) or formula.span


RULE = Rule("RB819", "unknown-metric", Severity.WARNING, Subject.FILE, check, fixes_are_safe=False)

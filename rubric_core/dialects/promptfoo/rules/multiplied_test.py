"""
## What it does
Says how many rows a test has whose variables are lists.

## Why is this bad?
Promptfoo makes a row for each combination of the items. That is what most such lists are for, but a list that was meant
for `contains-any` makes rows too. `disableVarExpansion` under `options` keeps a list as one value.

## Example
```yaml
prompts: ["Translate {{ text }} into {{ language }}"]
providers: [echo]
tests:
  - vars:
      text: Hello
      language: [German, French]
    assert: [{type: is-json}]
```

Use instead:
```yaml
prompts: ["Translate {{ text }} into {{ language }}"]
providers: [echo]
tests:
  - vars: {text: Hello, language: German}
    assert: [{type: is-json}]
  - vars: {text: Hello, language: French}
    assert: [{type: is-json}]
```

## Fix safety
The fix adds `disableVarExpansion` to the options of the test, which then has one row. It is unsafe: mostly the rows are
wanted.
"""

from functools import partial
from math import prod

from rubric_core.dialects.promptfoo.rules.judged import judged_case
from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import insert_key
from rubric_core.syntax.nodes import Mapping, Pair, Sequence
from rubric_core.syntax.scalars import YamlVersion, as_boolean, is_text
from rubric_core.views.cases import CaseView

_OPTIONS = "options"
_KEEPS_LISTS = "disableVarExpansion"


def check(case: CaseView, context: Context) -> Problems:
    variables = case.node.get("vars")
    switch = judged_case(case, context).option(_KEEPS_LISTS)
    is_off = given_by_suite(context).keeps_lists if switch is None else as_boolean(switch, case.version)
    if not isinstance(variables, Mapping) or is_off:
        return
    counts = {pair.name: count for pair in variables.pairs if (count := _count(pair, case.version)) is not None}
    if not counts:
        return
    names = " and ".join(f"`{name}`" for name in counts)
    rows = prod(counts.values())
    what = "is a list, which makes" if len(counts) == 1 else "are lists, which make"
    yield RULE.at(
        variables.index[next(iter(counts)) or ""].key,
        f"{names} {what} {rows} {'row' if rows == 1 else 'rows'} of this test; "
        f"`{_KEEPS_LISTS}` under `options` keeps a list as one value.",
        fixes=partial(_fixes, case.node, context.text),
    )


def _fixes(case: Mapping, text: str) -> list[Fix | None]:
    options, title = case.index.get(_OPTIONS), f"Add `{_KEEPS_LISTS}` to `{_OPTIONS}`"
    if options is None:
        return [Fix.of(title, insert_key(text, case, _OPTIONS, {_KEEPS_LISTS: True}, after=case.index["vars"]))]
    if not isinstance(options.value, Mapping) or _KEEPS_LISTS in options.value.index:
        return []
    return [Fix.of(title, insert_key(text, options.value, _KEEPS_LISTS, True))]


def _count(pair: Pair, version: YamlVersion) -> int | None:
    """Return how many rows a list makes; None if it is one value, as are lists with items other than strings."""
    items = pair.value.items if isinstance(pair.value, Sequence) else []
    return len(items) if items and is_text(items[0], version) else None


RULE = Rule("RB813", "multiplied-test", Severity.HINT, Subject.CASE, check, fixes_are_safe=False)

"""
## What it does
Finds a `required_min_score` that lies inside a band of scores instead of at the lower edge of one.

The rule is silent where the score ranges overlap or leave scores out.

## Why is this bad?
The judge picks the band by its text and then a score within it. With the gate inside of the band, the same text both
passes and fails, and the difference is a number that nothing describes.

## Example
```yaml
rubrics:
  - id: correctness
    required_min_score: 7
    score_ranges:
      0: Names no port
      3: Names a wrong port
      6: Names port 8080 among others
      9: Names port 8080 alone
```

Use instead:
```yaml
rubrics:
  - id: correctness
    required_min_score: 6
    score_ranges:
      0: Names no port
      3: Names a wrong port
      6: Names port 8080 among others
      9: Names port 8080 alone
```

## Fix safety
The fixes move the gate down to the lower edge of its band or up to that of the next one. Either changes which scores
pass and is unsafe.
"""

from math import ceil

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Node
from rubric_core.views.criteria import CriterionView


def check(criterion: CriterionView, _context: Context) -> Problems:
    bands, pair, gates = criterion.bands, criterion.gate, criterion.dialect.table.gates
    # A gate between two scores is as good as the higher one.
    gate = None if criterion.minimum is None else ceil(criterion.minimum)
    band = bands.band_of(gate) if bands is not None and gate is not None else None
    if bands is None or gate is None or pair is None or band is None or band.extent is None:
        return
    low, high = band.extent
    if low == gate or not bands.covers_each_score_once:
        return
    failing, passing = _scores(low, gate - 1), _scores(gate, high)
    edges = [edge for edge in (low, high + 1) if LOWEST < edge <= HIGHEST]
    remedy = f"move it to {' or '.join(map(gates.written, edges))}" if edges else "split the band"
    yield RULE.at(
        pair.value,
        f"This gate splits the band {low}-{high}: {failing} and {passing} have the same text, but only the latter "
        f"can pass; {remedy}.",
        related=[(band.place, f"The band {low}-{high}.")],
        fixes=lambda: [_fix(pair.value, gate, edge, gates.written(edge)) for edge in edges],
    )


def _scores(low: int, high: int) -> str:
    return f"score {low}" if low == high else f"scores {low}-{high}"


def _fix(node: Node, gate: int, edge: int, written: str) -> Fix:
    verb = "Lower" if edge < gate else "Raise"
    return Fix(f"{verb} to {written}", (replace_node(node, written),))


RULE = Rule("RB304", "gate-inside-band", Severity.HINT, Subject.GATE, check, fixes_are_safe=False)

"""
## What it does
Finds a criterion that asks for two things: two clauses, each with its verb, joined by `and` or a semicolon, such as
`Mentions the port and explains the protocol`. It does not look at criteria with score ranges, and it is silent where
the second half may be part of the first: `Has clear headings and organization`, `Explains what the tool reads and
returns`.

## Why is this bad?
An answer that does one of the two is half right, and a criterion that is met or not cannot say so. Two criteria show
which half is missing.

## Example
```yaml
rubrics:
  - Mentions port 8080 and explains the protocol
```

Use instead:
```yaml
rubrics:
  - Mentions port 8080
  - Explains the protocol
```

## Fix safety
The fix makes a criterion of each clause. A `weight` that is written is divided among them, so that together they count
as before; without one each counts 1. `required` is repeated, and the further ids get a number. Results change, so the
fix is unsafe. It is not offered where a clause refers to the other one (`... and explains it`), for a text of several
lines, or where the criterion has a comment, an anchor or other keys.
"""

from functools import partial

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import dash_of, item_indent, replace_node, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence, walk
from rubric_core.text.lines import line_break_of, line_end
from rubric_core.text.spans import Edit, apply_edits
from rubric_core.views.clauses import as_sentences, clauses_of, stands_alone
from rubric_core.views.criteria import CriteriaView, CriterionView
from rubric_core.views.texts import normalised, numbered

_KEYS = frozenset(("id", "expected_outcome", "description", "weight", "required"))


def check(criteria: CriteriaView, context: Context) -> Problems:
    for criterion in criteria.readable:
        outcome = criterion.outcome
        if outcome is None or criterion.bands is not None or criterion.is_placeholder:
            continue
        clauses = clauses_of(outcome.value)
        if len(clauses) > 1:
            count = "two" if len(clauses) == 2 else str(len(clauses))  # noqa: PLR2004 - the usual number, as a word.
            yield RULE.at(
                outcome,
                f"This asks for {count} things, and the judge can only say yes or no to all of them; "
                f"split it into {count} criteria.",
                fixes=partial(_fixes, context.text, criteria, criterion, clauses),
            )


def _fixes(text: str, criteria: CriteriaView, criterion: CriterionView, clauses: list[str]) -> list[Fix]:
    sequence, item = criteria.node, criterion.node
    if not isinstance(sequence, Sequence) or not all(map(stands_alone, clauses)) or not _is_simple(text, item):
        return []
    sentences = as_sentences(clauses)
    others = {normalised(each.text) for each in criteria.readable if each is not criterion}
    if not others.isdisjoint(map(normalised, sentences)):
        # One of the parts would repeat another criterion.
        return []
    taken = {each.identifier for each in criteria.readable}
    versions: list[str] = []
    for sentence in sentences:
        edits = _rewording(criterion, sentence, len(clauses), taken if versions else set(), flow=sequence.flow)
        if edits is None:
            return []
        shifted = [edit.shifted(-item.start) for edit in edits]
        versions.append(apply_edits(text[item.start : item.end], shifted))
    title = f"Split into {len(clauses)} criteria"
    if sequence.flow:
        return [Fix(title, (Edit(item.start, item.end, ", ".join(versions)),))]
    dash = dash_of(text, item)
    lead = line_break_of(text) + item_indent(text, sequence) + text[dash : item.start]
    # Whatever stands behind the item on its line, a comment for one, stays with the first of the new ones.
    at = line_end(text, item.end)
    first = Edit(item.start, item.end, versions[0])
    return [Fix(title, (first, Edit(at, at, "".join(lead + version for version in versions[1:]))))]


def _is_simple(text: str, item: Node) -> bool:
    """Return whether the text of a criterion can be repeated: no comment, no anchor, no key that we do not know."""
    written = text[item.start : item.end]
    if "#" in written or any(node.meta is not None for node in walk(item)):
        return False
    if isinstance(item, Mapping):
        one_line = all("\n" not in text[pair.value.start : pair.value.end] for pair in item.pairs)
        return one_line and not item.duplicates and all(pair.name in _KEYS for pair in item.pairs)
    return "\n" not in written


def _rewording(
    criterion: CriterionView, sentence: str, parts: int, taken: set[str], *, flow: bool
) -> list[Edit] | None:
    """Return the edits that make one of the new criteria of the old one; the first keeps its id (nothing is taken)."""
    outcome, fields = criterion.outcome, criterion.fields
    if outcome is None:
        return None
    edits = [replace_text(outcome, sentence, flow=fields.flow if fields is not None else flow)]
    identifier, weight = criterion.pair("id"), criterion.pair("weight")
    if identifier is not None and taken and isinstance(identifier.value, Scalar):
        new = numbered(identifier.value.value, taken)
        taken.add(new)
        edits.append(replace_text(identifier.value, new))
    if weight is not None:
        whole = criterion.weight
        share = whole / parts if whole is not None else None
        if share is None or share * parts != whole:
            return None
        edits.append(replace_node(weight.value, f"{share:f}"))
    return edits


RULE = Rule("RB402", "compound-outcome", Severity.HINT, Subject.CRITERIA, check, fixes_are_safe=False)

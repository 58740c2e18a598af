"""
## What it does
Finds a text that is only a placeholder, such as `TODO`, `[tbd]`, `...` or `TODO: what the answer must do`.

These are placeholders:

* `TODO`, `TBD`, `FIXME` or `...` as the whole text, also in brackets as in `[todo]` and `<...>`, or behind marks as in
  `# TODO`;
* everything behind `TODO:`, `TBD:` or `FIXME:`, also with a name as in `TODO(ann): ...`;
* a text that starts with one of these words in capitals: `TODO write this`, `FIXME later`. Where comments, entries,
  items, lists, markers, notes or tags follow, the word is meant: `TODO comments are listed` is an ordinary text.

It looks at what cases, criteria and score ranges expect, at red flags, at bonuses, at messages and at the prompts of
evaluators. A text that only mentions such a word, as in `Lists every TODO comment`, is an ordinary one. In a message,
`...` and a text of several lines are ordinary too.

## Why is this bad?
A judge would take the placeholder for what is meant and give a score that says nothing. So a case with a placeholder is
not graded until the placeholder is gone. Fixes insert such texts where only you know what to write.

Where a comment or the configuration turns this rule off, its texts are taken for texts that are meant, and are graded;
`rubric grade` says how many.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: "TODO: what the answer must do"
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
```
"""

from collections.abc import Iterable

from rubric_core.dialects.eval_files import MESSAGE_KEYS
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.views.bands import BandsView
from rubric_core.views.cases import CaseView, MessageView
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.scorecards import ScorecardView
from rubric_core.views.texts import holds_placeholder, is_placeholder_message


def check_case(case: CaseView, _context: Context) -> Problems:
    outcome, index = case.outcome, case.node.index
    if outcome is not None and holds_placeholder(outcome):
        yield _problem(outcome, "what a good answer achieves")
    for key in MESSAGE_KEYS:
        if key in index and isinstance(index[key].value, Scalar):
            yield from _messages((index[key].value,))


def check(criteria: CriteriaView, _context: Context) -> Problems:
    for criterion in criteria.readable:
        if criterion.is_placeholder and criterion.outcome is not None:
            yield _problem(criterion.outcome, "what the answer must do")


def check_ranges(bands: BandsView, _context: Context) -> list[Problem]:
    return _placeholders([band.outcome for band in bands.bands], "what an answer with such a score is like")


def check_scorecard(scorecard: ScorecardView, _context: Context) -> list[Problem]:
    adjustments = (*scorecard.red_flags, *scorecard.bonuses)
    return _placeholders((adjustment.outcome for adjustment in adjustments), "what the judge looks for")


def check_message(message: MessageView, _context: Context) -> list[Problem]:
    content = message.content.value if message.content is not None else None
    if isinstance(content, Sequence):
        return _messages(part.get("value") for part in content.items if isinstance(part, Mapping))
    return _messages((content,))


def check_evaluator(evaluator: EvaluatorView, _context: Context) -> list[Problem]:
    prompt = evaluator.node.get("prompt") if evaluator.record.by_role[Role.CRITERIA] else None
    return [] if prompt is None else _placeholders((prompt,), "what the judge is told")


def _placeholders(nodes: Iterable[Node | None], what: str) -> list[Problem]:
    return [_problem(node, what) for node in nodes if node is not None and holds_placeholder(node)]


def _messages(nodes: Iterable[Node | None]) -> list[Problem]:
    return [_problem(node, "what is said") for node in nodes if node is not None and is_placeholder_message(node)]


def _problem(node: Node, what: str) -> Problem:
    return RULE.at(node, f"This text is a placeholder, and the case is not graded as long as it stands; write {what}.")


_ALSO = (
    (Subject.CASE, check_case),
    (Subject.RANGES, check_ranges),
    (Subject.SCORECARD, check_scorecard),
    (Subject.MESSAGE, check_message),
    (Subject.EVALUATOR, check_evaluator),
)
RULE = Rule("RB210", "placeholder-text", Severity.WARNING, Subject.WORDLESS, check, also=_ALSO, prevents_grading=True)

"""
## What it does
Finds a criterion whose whole text is praise without content, such as `Good code quality`, `Is well written` or
`Follows best practices`. One concrete word is enough to keep the rule silent. It does not look at criteria with score
ranges, whose bands say what is meant.

## Why is this bad?
What is good is left to the judge, and the next judge sees it differently. Say what the answer contains or does, so that
two people would come to the same result.

## Example
```yaml
rubrics:
  - Good code quality
```

Use instead:
```yaml
rubrics:
  - Handles a missing file without a traceback
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.texts import word_set, words_of

_PRAISE = word_set(
    "acceptable adequate adequately amazing appropriate appropriately awesome best decent excellent fantastic fine "
    "good great helpful impressive nice nicely ok okay outstanding perfect proper properly quality reasonable "
    "reasonably satisfactory sensible solid suitable useful well wonderful"
)
# Words without content: nouns that are praised, and function words.
_EMPTY = word_set(
    "a about agent all an and answer answers appears are assistant at be behavior behaviour code coding content does "
    "done enough explanation feels follows general generally gives has have high implementation in is it its level "
    "looks made makes model must of or output overall practices produces program provides quite reads really reply "
    "response result results should shows software solution standard standards structure structured style text the "
    "thing things this to uses very way work working works writes writing written"
)
UNSPECIFIC_WORDS = _PRAISE | _EMPTY
"""A text of such words alone is vague; a single other word makes it concrete."""
_MOST_CHARACTERS = 80


def check(criteria: CriteriaView, _context: Context) -> Problems:
    for criterion in criteria.readable:
        outcome = criterion.outcome
        if outcome is None or criterion.bands is not None:
            continue
        word = criterion.first_word
        if word not in UNSPECIFIC_WORDS and word.isalpha():
            continue
        if outcome.end - outcome.start <= _MOST_CHARACTERS and is_vague(outcome.value):
            yield RULE.at(
                outcome,
                f'"{criterion.text}" leaves it to the judge what that means; say what the answer must contain or do.',
            )


def is_vague(text: str) -> bool:
    """Return whether a text consists of praise and empty words alone."""
    # One concrete word is enough, and it mostly comes soon; splitting the whole text costs ten times as much.
    is_concrete = (word.isalpha() and word not in UNSPECIFIC_WORDS for word in text.casefold().split())
    if len(text) > _MOST_CHARACTERS or any(is_concrete):
        return False
    words = set(words_of(text))
    return words <= UNSPECIFIC_WORDS and not words.isdisjoint(_PRAISE)


RULE = Rule("RB401", "vague-outcome", Severity.HINT, Subject.CRITERIA, check)

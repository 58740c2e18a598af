"""
## What it does
Finds two score ranges of one criterion whose texts differ only in articles, punctuation or words of the same degree,
such as `mostly` and `largely`, and in short texts the order of words. Texts that are the same are RB110's.

## Why is this bad?
The judge cannot tell the two bands apart, so which of the scores it gives is chance.

## Example
```yaml
score_ranges:
  0: Names no port
  4: Mostly correct answer
  8: The answer is largely correct
```

Use instead:
```yaml
score_ranges:
  0: Names no port
  4: Names the port of another service
  8: Names port 8080
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.bands import Band, BandsView
from rubric_core.views.texts import normalised, word_set

_DEGREES: tuple[tuple[str, ...], ...] = (
    ("mostly", "largely", "mainly", "generally", "predominantly"),
    ("very", "extremely", "highly", "really"),
    ("somewhat", "rather", "fairly", "moderately"),
    ("slightly", "marginally"),
    ("entirely", "completely", "fully", "totally", "wholly"),
    ("several", "multiple"),
    ("poor", "bad"),
    ("outstanding", "excellent"),
    ("minor", "small"),
    ("errors", "mistakes"),
    ("error", "mistake"),
)
_PUNCTUATION = str.maketrans(",;:!?()\"'`", " " * 10)
# In a longer text the order of words carries the meaning: wrong code in good style, good code in wrong style.
_FREE_ORDER = 3
_SAME = {word: group[0] for group in _DEGREES for word in group}
# Words that make no difference at all.
_SAME.update(dict.fromkeys(word_set("a an the is are it this that there"), ""))


def check(bands: BandsView, _context: Context) -> Problems:
    if _are_distinguishable([band.comparable_text for band in bands.bands]):
        return
    first: dict[tuple[str, ...], Band] = {}
    for band in bands.bands:
        outcome, text = band.outcome, band.comparable_text
        gist = _gist(text)
        if outcome is None or not gist:
            continue
        earlier = first.setdefault(gist, band)
        if earlier is band or earlier.outcome is None or normalised(earlier.comparable_text) == normalised(text):
            continue
        yield RULE.at(
            outcome,
            f"This text says almost the same as that of {_name(earlier)}, so a judge cannot tell them apart; "
            "say what differs.",
            related=[(earlier.outcome, "The other text.")],
        )


def _gist(text: str) -> tuple[str, ...]:
    """Return the words of a text that can distinguish it from another."""
    words = text.rstrip(".").translate(_PUNCTUATION).split()
    gist = [same for word in words if (same := _SAME.get(word, word))]
    return tuple(sorted(gist) if len(gist) <= _FREE_ORDER else gist)


def _are_distinguishable(texts: list[str]) -> bool:
    """Return whether each text has a word that no other has, so that no two have the same gist."""
    while len(texts) > 1:
        words = texts.pop().split()
        others = "\n".join(texts)
        for word in reversed(words):
            if word not in others and word.isalpha() and word not in _SAME:
                break
        else:
            return False
    return True


def _name(band: Band) -> str:
    extent = band.extent
    return f"{extent[0]}-{extent[1]}" if extent is not None else "another range"


RULE = Rule("RB403", "near-identical-ranges", Severity.HINT, Subject.RANGES, check)

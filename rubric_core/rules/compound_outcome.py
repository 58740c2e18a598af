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

import re
from functools import partial

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import dash_of, item_indent, replace_node, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence, walk
from rubric_core.text.lines import line_break_of, line_end
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, apply_edits
from rubric_core.views.criteria import CriteriaView, CriterionView
from rubric_core.views.texts import capitalised, normalised, numbered, word_set

_KEYS = frozenset(("id", "weight", "required"))

# Only verbs that criteria commonly start with are known. Whatever else the second half starts with may be a noun, and
# then it is one clause, as in `Has clear headings and organization`.
# Verbs whose third person is hardly ever read as a noun.
_PLAIN_VERBS = word_set(
    "acknowledge add analyse analyze apologise apologize apply ask assess avoid begin calculate choose cite "
    "clarify compare compute confirm consider contain convert correct create decline define delete demonstrate "
    "describe detect determine discuss distinguish encourage ensure evaluate explain express extract fetch find "
    "follow generate give greet identify illustrate implement include indicate interpret introduce invite justify "
    "keep maintain make mention offer omit outline parse preserve prevent produce propose prove provide raise "
    "recommend refer refuse reject remove resolve respect respond select send sort specify suggest summarise "
    "summarize take thank validate verify warn write"
)
# Verbs whose third person is also a common plural.
_NOUN_LIKE_VERBS = word_set(
    "address answer call catch check cover display document end flag format handle highlight link list load name "
    "note open point print quote read reference report request return run save search set show start state store "
    "test throw update use"
)
# Words that follow a verb, or a noun only in another clause.
_BEHIND_VERB = word_set(
    "a all an any at both each every exactly how no only one out the their two three what when where whether which why"
)
# Words that follow a plural: `covers definitions and uses of the term`.
_BEHIND_NOUN = word_set(
    "about across after and are as before between but by during for from given have in into is made of on or over per "
    "sent set than that through to under used via was were where which who with within without written"
)
_PARTICIPLE = lazily(r"\w{2,}(?:ed|ing)\Z")
_IRREGULAR = {"have": "has", "do": "does", "be": "is"}
_ADVERBS = word_set("also always briefly clearly correctly explicitly first never not only then")
# Behind these words a verb may belong to a clause inside the clause: explains what the tool reads and writes.
_SUBORDINATE = word_set("how if that what when where whether which while who whose why because")
_REFERRING = lazily(
    r"\b(?:it|its|them|they|their|this|these|those|both|each|one|so|either|same|there)\b|\b(?:why|how|accordingly|instead|too|back)\Z",
    re.IGNORECASE,
)
_SUBJECT = lazily(
    r"(?:(?:the |an? )?(?:answer|response|reply|output|code|solution|function|script|agent|assistant|model)|it) "
    r"(?:must |should )?",
    re.IGNORECASE,
)
_JOINED = lazily(r";|\sand\s")
_JOINT = lazily(r"(?P<sign>, and|; and| and|;|,) +")


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
    if (
        not isinstance(sequence, Sequence)
        or not all(map(stands_alone, clauses))
        or not _is_simple(text, item, criteria.dialect.text_keys)
    ):
        return []
    sentences = as_sentences(clauses)
    others = {normalised(other.text) for other in criteria.readable if other is not criterion}
    if not others.isdisjoint(map(normalised, sentences)):
        # One of the parts would repeat another criterion.
        return []
    taken = {other.identifier for other in criteria.readable}
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
    # The rest of the line, such as a comment, stays with the first of the new criteria.
    at = line_end(text, item.end)
    first = Edit(item.start, item.end, versions[0])
    return [Fix(title, (first, Edit(at, at, "".join(lead + version for version in versions[1:]))))]


def _is_simple(text: str, item: Node, text_keys: tuple[str, ...]) -> bool:
    """Return whether the text of a criterion can be repeated: no comment, no anchor, no unknown key."""
    written = text[item.start : item.end]
    if "#" in written or any(node.meta is not None for node in walk(item)):
        return False
    if not isinstance(item, Mapping):
        return "\n" not in written
    is_known = all(pair.name in _KEYS or pair.name in text_keys for pair in item.pairs)
    values = (text[pair.value.start : pair.value.end] for pair in item.pairs)
    return is_known and not item.duplicates and not any("\n" in value for value in values)


def _rewording(
    criterion: CriterionView, sentence: str, parts: int, taken: set[str], *, flow: bool
) -> list[Edit] | None:
    """Return the edits that turn the old criterion into a new one. The first keeps its id (`taken` is empty)."""
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


def _third_person(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


_BASE, _THIRD = "base", "third"
_FEWEST_WORDS = 2
_VERBS: dict[str, tuple[str, bool]] = {
    word: (form, verb in _NOUN_LIKE_VERBS)
    for verb in (*_NOUN_LIKE_VERBS, *_PLAIN_VERBS, *_IRREGULAR)
    for word, form in ((verb, _BASE), (_third_person(verb), _THIRD))
}


def clauses_of(text: str) -> list[str]:
    """Return the verb clauses that a text joins with `and` or a semicolon; a single one if it joins none."""
    # Two plain searches take a tenth of the time of the pattern, and most texts join nothing.
    if ("and" not in text and ";" not in text) or not _JOINED.search(text):
        return [text]
    sentence = " ".join(text.split()).rstrip(".")
    subject = _SUBJECT.match(sentence)
    person = _person(sentence[subject.end() :] if subject else sentence, starts_text=True)
    if person is None or ". " in sentence:
        # Several sentences explain each other, and cutting them would take that apart.
        return [sentence]
    clauses: list[str] = []
    begin, sign = 0, ""
    for joint in _JOINT.finditer(sentence):
        left, right = sentence[begin : joint.start()], sentence[joint.end() :]
        if _person(right, starts_text=False) == person and _is_closed(left, joint["sign"]):
            clauses.append(left)
            begin, sign = joint.end(), joint["sign"]
    clauses.append(sentence[begin:])
    # Commas alone may list nouns or the steps of one thing.
    return clauses if sign not in {"", ","} else [sentence]


def _person(clause: str, *, starts_text: bool) -> str | None:
    """Return the form of the verb at the start of a clause; None if it starts with another word."""
    words = [word.strip(",.:") for word in clause.casefold().split(" ", 3)[:3]]
    if words and words[0] in _ADVERBS:
        words.pop(0)
    if len(words) < _FEWEST_WORDS or words[0] not in _VERBS:
        return None
    form, noun_like = _VERBS[words[0]]
    following = words[1]
    if starts_text or following in _BEHIND_VERB:
        return form
    if form == _BASE or (noun_like and (following in _BEHIND_NOUN or _PARTICIPLE.match(following))):
        # The trade-off between read and write performance; the states and names of the nodes.
        return None
    return form


def _is_closed(left: str, sign: str) -> bool:
    """Return whether a clause can end here, so that what follows does not belong to a clause inside of it."""
    if " " not in left:
        # `Writes and tests the function` is about one function.
        return False
    if left.count("(") != left.count(")") or left.count("`") % 2 or left.count('"') % 2:
        return False
    return ";" in sign or _SUBORDINATE.isdisjoint(left.casefold().split())


def stands_alone(clause: str) -> bool:
    """Return whether a clause means the same without the one before it."""
    return _REFERRING.search(clause) is None


def as_sentences(clauses: list[str]) -> list[str]:
    """Return clauses as texts of their own; they start as the first one does."""
    first = clauses[0]
    subject = _SUBJECT.match(first)
    lead = subject.group() if subject else ""
    rest = [clause if _SUBJECT.match(clause) else lead + clause for clause in clauses[1:]]
    return [first, *(capitalised(clause) if first[:1].isupper() else clause for clause in rest)]


RULE = Rule("RB402", "compound-outcome", Severity.HINT, Subject.CRITERIA, check, fixes_are_safe=False)

"""Sentences that ask for several things: where one verb clause ends and the next begins.

Only verbs that criteria commonly start with are known. Whatever else the second half starts with may be a noun, and
then nothing is found: `Has clear headings and organization` is one clause.
"""

from __future__ import annotations

import re

from rubric_core.views.wording import capitalised, word_set

# Verbs that are hardly ever read as a noun.
_PLAIN_VERBS = word_set(
    "acknowledge add analyse analyze apologise apologize apply ask assess avoid calculate cite clarify compare compute "
    "confirm consider contain convert correct create decline define demonstrate describe detect determine discuss "
    "distinguish ensure evaluate explain extract follow generate give identify illustrate implement include indicate "
    "interpret introduce justify keep maintain mention offer omit outline parse preserve prevent produce propose prove "
    "provide raise recommend refer refuse reject remove resolve respect respond sort specify suggest summarise "
    "summarize validate verify warn write"
)
# Verbs whose form is also a common noun; they count only in front of a word that a noun cannot stand before.
_NOUN_LIKE_VERBS = word_set(
    "address answer call catch check cover display document end flag format handle highlight link list name note open "
    "point print quote read reference report request return run set show start state test throw use"
)
_BEHIND_VERB = word_set(
    "a all an any at both each every exactly how no only one out that the their two three what when where whether "
    "which why"
)
_IRREGULAR = {"have": "has", "do": "does", "be": "is"}
_ADVERBS = word_set("also always briefly clearly correctly explicitly first never not only then")
# Behind these words a verb may belong to a clause inside the clause: explains what the tool reads and writes.
_SUBORDINATE = word_set("how if that what when where whether which while who whose why because")
_REFERRING = re.compile(r"\b(?:it|its|them|they|their|this|these|those|both|each|one|so|either|same)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:(?:the |an? )?(?:answer|response|reply|output|code|solution|function|script|agent|assistant|model)|it) "
    r"(?:must |should )?",
    re.IGNORECASE,
)
_JOINT = re.compile(r"(?P<sign>, and|; and| and|;|,) +")


def _third_person(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


_BASE, _THIRD = "base", "third"
_VERBS: dict[str, tuple[str, bool]] = {}
for _each in (*_NOUN_LIKE_VERBS, *_PLAIN_VERBS, *_IRREGULAR):
    _VERBS[_each] = (_BASE, _each in _NOUN_LIKE_VERBS)
    _VERBS[_third_person(_each)] = (_THIRD, _each in _NOUN_LIKE_VERBS)


def clauses_of(text: str) -> list[str]:
    """Return the verb clauses that a text joins with `and` or a semicolon; a single one where it joins none."""
    sentence = " ".join(text.split()).rstrip(".")
    if " and " not in sentence and ";" not in sentence:
        return [sentence]
    person = _person(_SUBJECT.sub("", sentence, count=1) if _SUBJECT.match(sentence) else sentence, starts_text=True)
    if person is None:
        return [sentence]
    clauses: list[str] = []
    begin, sign = 0, ""
    for joint in _JOINT.finditer(sentence):
        left, right = sentence[begin : joint.start()], sentence[joint.end() :]
        if _person(right, starts_text=False) != person or not _is_closed(left, joint["sign"]):
            continue
        clauses.append(left)
        begin, sign = joint.end(), joint["sign"]
    clauses.append(sentence[begin:])
    # Commas alone may list nouns or the steps of one thing.
    return clauses if sign not in {"", ","} else [sentence]


def _person(clause: str, *, starts_text: bool) -> str | None:
    """Return the form of the verb that a clause starts with; None where it starts with anything else."""
    words = [word.strip(",.:") for word in clause.casefold().split(" ", 3)[:3]]
    if words and words[0] in _ADVERBS:
        words.pop(0)
    form, noun_like = _VERBS.get(words[0], (None, False)) if len(words) > 1 else (None, False)
    if noun_like and not starts_text and words[1] not in _BEHIND_VERB:
        return None
    return form


def _is_closed(left: str, sign: str) -> bool:
    """Tell whether a clause can end here, so that what follows does not belong to a clause inside of it."""
    if left.count("(") != left.count(")") or left.count("`") % 2 or left.count('"') % 2:
        return False
    return ";" in sign or _SUBORDINATE.isdisjoint(left.casefold().split())


def stands_alone(clause: str) -> bool:
    """Tell whether a clause means the same without the one before it."""
    return _REFERRING.search(clause) is None


def as_sentences(clauses: list[str]) -> list[str]:
    """Return clauses as texts of their own; they start as the first one does."""
    first = clauses[0]
    subject = _SUBJECT.match(first)
    lead = subject.group() if subject else ""
    rest = [clause if _SUBJECT.match(clause) else lead + clause for clause in clauses[1:]]
    return [first, *(capitalised(clause) if first[:1].isupper() else clause for clause in rest)]

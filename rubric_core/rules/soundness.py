"""Telling at a glance that parts of a case are sound, so that no rule has to look at them.

Nearly all criteria of a file are sound, and a dozen rules would each look at every one of them. Here one pass over the
nodes settles what all rules about criteria, gates, weights and score ranges ask; the same goes for evaluators and
messages. It says yes only where it is sure; everything else is shown to the rules, which decide. A test holds the two
to the same verdict.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from rubric_core.rules.near_identical_ranges import are_told_apart
from rubric_core.rules.script_without_file import command_without_file
from rubric_core.rules.vague_outcome import UNSPECIFIC_WORDS, is_vague
from rubric_core.schema.records import ROLES
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, PlainPair, Scalar, Sequence, Style
from rubric_core.syntax.scalars import (
    LONGEST_WORD,
    NOT_ONLY_STRINGS,
    NUMBER_STARTS,
    Kind,
    YamlVersion,
    as_boolean,
    as_text,
    is_blank,
    kind_of,
)
from rubric_core.text.patterns import lazily
from rubric_core.views.bands import HIGHEST, LOWEST, SCORES
from rubric_core.views.clauses import clauses_of
from rubric_core.views.evaluators import INLINE_NAME
from rubric_core.views.texts import PLACEHOLDER_STARTS, holds_placeholder, is_placeholder
from rubric_core.views.wording import first_word, normalised

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Pair
    from rubric_core.views.evaluators import EvaluatorsView
    from rubric_core.views.messages import MessageView

# Looking up a member of an Enum takes as long as a quarter of a criterion.
_PLAIN = Style.PLAIN
_V1_2 = YamlVersion.V1_2
# Weights are the same few texts in all cases. They are counted in millionths here, which keeps their sums exact.
_COMMON_WEIGHT = lazily(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")
_UNIT = 1_000_000
_TWO = 2
_MOST_WEIGHTS = 4096
_weights: dict[str, int] = {}
# The ids that criteria without one get start like this.
_GENERATED = "rubric-"
# What failing a criterion does: it fails the case, it does so because the author says it in words, or it need not.
_GATE, _SAID, _OPTIONAL = range(3)
# What the rules about a whole list have to know of a criterion: text, id, weight, and what failing it does.
_Gist = tuple[str, str, int, int]


def criteria_are_sound(node: Node, version: YamlVersion) -> bool:  # noqa: PLR0911 - an answer as soon as it is known.
    """Tell whether no rule can have anything to say about a list of criteria, their keys and types included."""
    if version is not _V1_2 or not isinstance(node, Sequence) or not node.items:
        return False
    texts: list[str] = []
    words: set[str] = set()
    identifiers: list[str] = []
    total = largest = largest_optional = gates = said = 0
    for item in node.items:
        gist = _gist_of_mapping(item) if isinstance(item, Mapping) else (_text_of(item), "", _UNIT, _GATE)
        if gist is None:
            return False
        text, identifier, weight, role = gist
        if text:
            word = first_word(text)
            if not _is_clear(text, word):
                return False
            texts.append(text)
            words.add(word)
        elif not isinstance(item, Mapping):
            return False
        if identifier:
            identifiers.append(identifier)
        total += weight
        largest = max(largest, weight)
        if role == _OPTIONAL:
            largest_optional = max(largest_optional, weight)
        else:
            gates += 1
            said += role
    count = len(node.items)
    if len(set(identifiers)) != len(identifiers):
        return False
    # Texts that start with different words are different, and most lists are told apart by that.
    if (len(words) != len(texts) or "" in words) and len(set(map(normalised, texts))) != len(texts):
        return False
    # A pass needs four fifths of the weight.
    dominates = gates <= 1 and largest * 5 >= total * 4
    return count == 1 or not (said == count or dominates or largest_optional * 5 > total)


def evaluators_are_sound(evaluators: EvaluatorsView, version: YamlVersion) -> bool:
    """Tell whether no rule can have anything to say about a list of evaluators; their criteria are not looked at."""
    if version is not _V1_2:
        return False
    names = {INLINE_NAME} if evaluators.inline is not None else set()
    count = len(names)
    for evaluator in evaluators.evaluators:
        index = evaluator.node.index
        weight = index.get("weight")
        if evaluator.kind is None or (weight is not None and not _weight_of(weight)):
            return False
        if evaluator.name is not None:
            count += 1
            names.add(evaluator.name.value.strip())
        if evaluator.kind == "code_judge" and not _is_sound_script(index.get("script")):
            return False
    return len(names) == count


def _is_sound_script(pair: Pair | None) -> bool:
    """Return whether a script starts with a word and is not a command that wants a file and names none."""
    script = pair.value if pair is not None else None
    first = script.items[0] if isinstance(script, Sequence) and script.items else script
    has_words = isinstance(first, Scalar) and not is_blank(first)
    return has_words and script is not None and command_without_file(script) is None


def message_is_sound(message: MessageView, version: YamlVersion) -> bool:
    """Tell whether no rule can have anything to say about a message."""
    if message.role is None or message.content is None:
        return False
    role, content = message.role.value, message.content.value
    if not isinstance(role, Scalar) or role.meta is not None or role.value not in ROLES:
        return False
    if isinstance(content, Sequence):
        return bool(content.items) and all(_is_text_part(part) for part in content.items)
    is_text = isinstance(content, Scalar) and kind_of(content, version) is Kind.STRING
    return is_text and not holds_placeholder(content)


def _is_text_part(part: Node) -> bool:
    """Tell whether a part of a message's content is text; the path of a file has to be looked at."""
    if not isinstance(part, Mapping):
        return False
    kind, value = part.index.get("type"), part.index.get("value")
    if kind is None or value is None or not isinstance(kind.value, Scalar) or kind.value.meta is not None:
        return False
    is_text = kind.value.value == "text" and _text_of(value.value) is not None
    return is_text and not holds_placeholder(value.value)


def _gist_of_mapping(node: Mapping) -> _Gist | None:  # noqa: PLR0911 - an answer as soon as it is known.
    """Return what the list has to know of a criterion; None where it has to be looked at by itself."""
    get = node.index.get
    outcome, ranges = get("expected_outcome"), get("score_ranges")
    required, minimum = get("required"), get("required_min_score")
    identifier, weight = get("id"), get("weight")
    text = _text_of(outcome.value) if outcome is not None else ""
    name = _text_of(identifier.value) if identifier is not None else ""
    known = (outcome, ranges, required, minimum, identifier, weight)
    if text is None or name is None or name.startswith(_GENERATED) or len(node.pairs) != len(known) - known.count(None):
        # Another key has to be looked at, a repeated one as well.
        return None
    counts = _UNIT if weight is None else _weight_of(weight)
    if not counts:
        return None
    if ranges is None:
        says = True if required is None else as_boolean(required.value)
        if not text or minimum is not None or says is None:
            return None
        return text, name, counts, (_GATE if required is None else _SAID) if says else _OPTIONAL
    starts = _starts_of_bands(ranges.value)
    if starts is None or required is not None:
        return None
    if minimum is None:
        return text, name, counts, _OPTIONAL
    gate = _score_of(minimum.value)
    return (text, name, counts, _GATE) if gate and gate in starts else None


def _is_clear(text: str, word: str) -> bool:
    """Tell whether a text with this first word says what it wants, and one thing only."""
    if (not word or word.startswith(PLACEHOLDER_STARTS)) and is_placeholder(text):
        return False
    # A first word that says something is enough, and so is a text that joins nothing.
    if (word in UNSPECIFIC_WORDS or not word.isalpha()) and is_vague(text):
        return False
    return ("and" not in text and ";" not in text) or len(clauses_of(text)) == 1


def _text_of(node: Node) -> str | None:
    """Return the text of a string that says something; None for everything else, and behind anchors and tags.

    Of a block scalar it is the text as written: only white space makes it different from the value, and that matters
    to no rule.
    """
    if not isinstance(node, Scalar) or node.meta is not None:
        return None
    if node.style is _PLAIN:
        text = node.value
        if text and (text[0] not in NOT_ONLY_STRINGS or (len(text) > LONGEST_WORD and text[0] not in NUMBER_STARTS)):
            return text
        return text if text and as_text(node) is not None else None
    text = node.raw.partition("\n")[2] if isinstance(node, BlockScalar) else node.value
    return text if text and not text.isspace() else None


def _weight_of(pair: Pair) -> int:
    """Return a weight in millionths; 0 for one that has to be looked at."""
    node = pair.value
    if not isinstance(node, Scalar) or node.style is not _PLAIN or node.meta is not None:
        return 0
    text = node.value
    weight = _weights.get(text)
    if weight is None:
        if len(_weights) >= _MOST_WEIGHTS:
            _weights.clear()
        weight = _weights[text] = int(Decimal(text) * _UNIT) if _COMMON_WEIGHT.fullmatch(text) else 0
    return weight


def _score_of(node: Node) -> int | None:
    """Return a score that is written as a plain integer from 0 to 10."""
    if isinstance(node, Scalar) and node.style is _PLAIN and node.meta is None:
        return SCORES.get(node.value)
    return None


def _starts_of_bands(node: Node) -> list[int] | None:
    """Return where the bands of sound score ranges start; None where they have to be looked at."""
    starts: list[int] = []
    texts: list[str] = []
    if isinstance(node, Mapping):
        is_cover = not node.duplicates and _read_map(node, starts, texts)
    else:
        is_cover = isinstance(node, Sequence) and _read_array(node, starts, texts)
    return starts if is_cover and are_told_apart(texts) and not any(map(is_placeholder, texts)) else None


def _read_map(node: Mapping, starts: list[int], texts: list[str]) -> bool:
    """Collect the bands of a map; tell whether its keys start at 0 and rise."""
    for pair in node.pairs:
        is_plain = isinstance(pair, PlainPair) or pair.key.meta is None
        start = SCORES.get(pair.name or "") if is_plain else None
        text = _text_of(pair.value)
        if start is None or text is None or (start <= starts[-1] if starts else start != LOWEST):
            return False
        starts.append(start)
        texts.append(text)
    return bool(starts)


def _read_array(node: Sequence, starts: list[int], texts: list[str]) -> bool:
    """Collect the bands of an array; tell whether they cover each score once, in order."""
    expected = LOWEST
    for item in node.items:
        if not isinstance(item, Mapping) or len(item.pairs) != _TWO:
            return False
        bounds, outcome = item.index.get("score_range"), item.index.get("expected_outcome")
        if bounds is None or outcome is None or not isinstance(bounds.value, Sequence):
            return False
        scores = bounds.value.items
        text = _text_of(outcome.value)
        if text is None or len(scores) != _TWO or _score_of(scores[0]) != expected:
            return False
        upper = _score_of(scores[1])
        if upper is None or upper < expected:
            return False
        starts.append(expected)
        texts.append(text)
        expected = upper + 1
    return expected == HIGHEST + 1

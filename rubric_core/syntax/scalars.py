"""The typed values of scalars: null, boolean, integer, float or string, by YAML 1.2 core or by YAML 1.1.

Nodes have text only. Most scalars are words, which their first character alone shows.
"""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import NamedTuple

from rubric_core.syntax.nodes import BlockScalar, Node, Scalar, ScalarStyle
from rubric_core.text.patterns import lazily


class YamlVersion(Enum):
    """The version of YAML that gives plain scalars their meaning."""

    V1_1 = "1.1"
    V1_2 = "1.2"

    # Members are compared by identity, and the hash that Enum gives them is written in Python.
    __hash__ = object.__hash__


class ScalarKind(Enum):
    """The type of a scalar's value."""

    NULL = "null"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOAT = "float"
    STRING = "string"

    # Members are compared by identity, and the hash that Enum gives them is written in Python.
    __hash__ = object.__hash__


Value = bool | int | Decimal | str | None


class Resolved(NamedTuple):
    """A scalar's type and its value: None, bool, int, Decimal (for floats, so that they stay exact) or str."""

    kind: ScalarKind
    value: Value


# Looking up a member of an Enum takes as long as the rest of resolving a word.
_V1_2 = YamlVersion.V1_2
_STRING = ScalarKind.STRING
_NULL_KIND = ScalarKind.NULL
_PLAIN = ScalarStyle.PLAIN
_NULL = Resolved(ScalarKind.NULL, None)
_TRUE = Resolved(ScalarKind.BOOLEAN, value=True)
_FALSE = Resolved(ScalarKind.BOOLEAN, value=False)


def _in_three_cases(word: str) -> tuple[str, str, str]:
    return word, word.capitalize(), word.upper()


_NULLS = dict.fromkeys(("", "~", *_in_three_cases("null")), _NULL)
_BOOLEANS_1_2 = {
    **dict.fromkeys(_in_three_cases("true"), _TRUE),
    **dict.fromkeys(_in_three_cases("false"), _FALSE),
}
_BOOLEANS_1_1 = {
    **_BOOLEANS_1_2,
    **dict.fromkeys((*_in_three_cases("yes"), *_in_three_cases("on"), "y", "Y"), _TRUE),
    **dict.fromkeys((*_in_three_cases("no"), *_in_three_cases("off"), "n", "N"), _FALSE),
}
NUMBER_STARTS = frozenset("+-.0123456789")
LONGEST_WORD = len("false")
"""How long a plain scalar can be that is a boolean or null; a longer one that starts no number is a string."""
_INFINITIES = {sign + "." + word for sign in ("", "+", "-") for word in ("inf", "Inf", "INF")}
_NOT_A_NUMBERS = {".nan", ".NaN", ".NAN"}

_DECIMAL_INTEGER = lazily(r"[-+]?[0-9]+\Z")
_PREFIXED_INTEGER_1_2 = lazily(r"0(?:o[0-7]+|x[0-9a-fA-F]+)\Z")
_FLOAT_1_2 = lazily(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_INTEGER_1_1 = lazily(r"([-+]?)(?:0b([01_]+)|0x([0-9a-fA-F_]+)|0([0-7_]+)|(0|[1-9][0-9_]*))\Z")
_BASES_1_1 = (2, 16, 8, 10)
_SEXAGESIMAL_1_1 = lazily(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+\Z")
_FLOAT_1_1 = lazily(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?\Z")

# Python refuses to print integers of thousands of digits, so a longer one is kept as a Decimal, which it does print.
_LONGEST_INTEGER = 1000
# A larger exponent overflows every float, and exact numbers of this size would take all memory.
_LARGEST_EXPONENT = 9999

_SHORT = 8
_MOST_SHORT = 4096
_short_1_2: dict[str, Resolved] = {}

_STRING_TAGS = {"!", "!!str"}
_HEADER_LINE = lazily(r"[^\r\n]*")
_TEXT = lazily(r"\S")


def resolve(scalar: Scalar, version: YamlVersion = YamlVersion.V1_2) -> Resolved:
    """Return the typed value of a scalar. Quoted and block scalars are strings unless a tag says otherwise."""
    meta = scalar.meta
    if meta is not None and meta.alias is not None and meta.origin is None:
        # The value of an alias without an anchor is unknown, but not null.
        return Resolved(_STRING, f"*{meta.alias}")
    if meta is not None and meta.tag is not None:
        return _resolve_tagged(scalar.value, meta.tag, version, plain=scalar.is_plain)
    if scalar.style is not _PLAIN:
        return Resolved(_STRING, scalar.value)
    return _resolve_plain(scalar.value, version)


def kind_of(scalar: Scalar, version: YamlVersion = YamlVersion.V1_2) -> ScalarKind:
    """Return the type of a scalar without its value: block scalars are not decoded, words cost one look-up."""
    if scalar.meta is not None:
        return resolve(scalar, version).kind
    if scalar.style is not _PLAIN:
        return _STRING
    text = scalar.value
    if text and (
        text[0] not in (NOT_ONLY_STRINGS if version is _V1_2 else _CANDIDATES_1_1)
        or (len(text) > LONGEST_WORD and text[0] not in NUMBER_STARTS)
    ):
        return _STRING
    return _resolve_plain(text, version).kind


def is_null(node: Node) -> bool:
    """Return whether a node is null, written or left out."""
    return isinstance(node, Scalar) and kind_of(node) is _NULL_KIND


def is_blank(node: Node) -> bool:
    """Return whether a node is null or a string without a visible character. A block scalar is not decoded for it."""
    if not isinstance(node, Scalar):
        return False
    if node.style is _PLAIN and node.meta is None:
        text = node.value
        # Only a short text can be null, so a long one is not hashed.
        return text.isspace() if len(text) >= LONGEST_WORD else text in _NULLS or text.isspace()
    if isinstance(node, BlockScalar):
        header = _HEADER_LINE.match(node.raw)
        return _TEXT.search(node.raw, header.end() if header else 0) is None
    if node.meta is None:
        return not node.value.strip()
    resolved = resolve(node)
    return resolved.kind is _NULL_KIND or (isinstance(resolved.value, str) and not resolved.value.strip())


def as_number(node: Node, version: YamlVersion = YamlVersion.V1_2) -> Decimal | None:
    """Return an integer or a float as an exact number, or None for everything else (booleans too)."""
    value = _value_of(node, version)
    return None if isinstance(value, bool) or not isinstance(value, (int, Decimal)) else Decimal(value)


def number_in(text: str, version: YamlVersion = YamlVersion.V1_2) -> Decimal | None:
    """Return the number that a text is if it is written without quotes."""
    return as_number(Scalar(0, 0, text, _PLAIN), version)


def as_integer(node: Node, version: YamlVersion = YamlVersion.V1_2) -> int | None:
    """Return the value of an integer, or None for everything else; `1.0` is a float."""
    value = _value_of(node, version)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_boolean(node: Node, version: YamlVersion = YamlVersion.V1_2) -> bool | None:
    """Return the value of a boolean, or None for everything else."""
    value = _value_of(node, version)
    return value if isinstance(value, bool) else None


def as_text(node: Node, version: YamlVersion = YamlVersion.V1_2) -> str | None:
    """Return the value of a string, or None for everything else; a number without quotes is no string."""
    value = _value_of(node, version)
    return value if isinstance(value, str) else None


def is_text(node: Node, version: YamlVersion = YamlVersion.V1_2) -> bool:
    """Return whether a value is a string. A block scalar is not decoded for it."""
    return isinstance(node, Scalar) and kind_of(node, version) is _STRING


def _value_of(node: Node, version: YamlVersion) -> Value:
    return resolve(node, version).value if isinstance(node, Scalar) else None


def _resolve_plain(text: str, version: YamlVersion) -> Resolved:
    # Members of an Enum are slow as keys of a dict, so the version of nearly all files is compared first.
    candidates = NOT_ONLY_STRINGS if version is _V1_2 else _CANDIDATES_1_1
    if text and text[0] not in candidates:
        return Resolved(_STRING, text)
    if version is _V1_2 and len(text) <= _SHORT:
        # Weights, scores and booleans are a few texts that each case of a file repeats.
        cached = _short_1_2.get(text)
        if cached is None:
            if len(_short_1_2) >= _MOST_SHORT:
                _short_1_2.clear()
            cached = _short_1_2[text] = _resolve_candidate(text, version)
        return cached
    return _resolve_candidate(text, version)


def _resolve_candidate(text: str, version: YamlVersion) -> Resolved:
    """Resolve a text that may not be a string, by its first character."""
    word = _WORDS[version].get(text)
    if word is not None:
        return word
    if text[0] not in NUMBER_STARTS:
        return Resolved(_STRING, text)
    return _INTEGERS[version](text) or _floating(text, version) or Resolved(_STRING, text)


def _resolve_tagged(text: str, tag: str, version: YamlVersion, *, plain: bool) -> Resolved:
    """Apply a tag if the text is valid for it; `!!int many` remains a string."""
    if tag in _STRING_TAGS:
        return Resolved(_STRING, text)
    resolver = _TAGS.get(tag)
    resolved = resolver(text, version) if resolver else None
    if resolved is not None:
        return resolved
    return _resolve_plain(text, version) if plain and tag not in _TAGS else Resolved(_STRING, text)


def _integer_1_2(text: str) -> Resolved | None:
    if _DECIMAL_INTEGER.match(text):
        return _whole(text, 10)
    if _PREFIXED_INTEGER_1_2.match(text):
        return _whole(text[2:], 8 if text[1] == "o" else 16)
    return None


def _integer_1_1(text: str) -> Resolved | None:
    match = _INTEGER_1_1.match(text)
    if match:
        sign, *candidates = match.groups()
        for base, digits in zip(_BASES_1_1, candidates, strict=True):
            if digits and digits.strip("_"):
                return _whole(sign + digits.replace("_", ""), base)
    if _SEXAGESIMAL_1_1.match(text) and len(text) <= _LONGEST_INTEGER:
        total = 0
        for part in text.lstrip("+-").replace("_", "").split(":"):
            total = total * 60 + int(part)
        return Resolved(ScalarKind.INTEGER, -total if text[0] == "-" else total)
    return None


def _whole(digits: str, base: int) -> Resolved:
    if len(digits) <= _LONGEST_INTEGER:
        return Resolved(ScalarKind.INTEGER, int(digits, base))
    return Resolved(ScalarKind.FLOAT, Decimal(digits) if base == 10 else Decimal("Infinity"))  # noqa: PLR2004 - the base.


def _floating(text: str, version: YamlVersion) -> Resolved | None:
    if text in _INFINITIES:
        return Resolved(ScalarKind.FLOAT, Decimal(text.replace(".", "")))
    if text in _NOT_A_NUMBERS:
        return Resolved(ScalarKind.FLOAT, Decimal("NaN"))
    if not _FLOATS[version].match(text):
        return None
    try:
        number = Decimal(text.replace("_", ""))
    except InvalidOperation:
        # The exponent is too large for Decimal.
        return Resolved(ScalarKind.FLOAT, _beyond(text, "-" in text.lower().partition("e")[2]))
    if number and abs(number.adjusted()) > _LARGEST_EXPONENT and "e" in text.lower():
        return Resolved(ScalarKind.FLOAT, _beyond(text, number.adjusted() < 0))
    return Resolved(ScalarKind.FLOAT, number)


def _beyond(text: str, too_small: bool) -> Decimal:  # noqa: FBT001 - a fact about the text.
    """Return the value of a float whose exponent is out of range: zero or infinity, as in other parsers."""
    if too_small:
        return Decimal(0)
    return Decimal("-Infinity" if text[0] == "-" else "Infinity")


def _tagged_float(text: str, version: YamlVersion) -> Resolved | None:
    """Read a number as a float, also one that is written as an integer."""
    whole = _INTEGERS[version](text)
    if whole is not None and isinstance(whole.value, (int, Decimal)):
        return Resolved(ScalarKind.FLOAT, Decimal(whole.value))
    return _floating(text, version)


_BOOLEANS = {YamlVersion.V1_1: _BOOLEANS_1_1, YamlVersion.V1_2: _BOOLEANS_1_2}
_WORDS = {version: {**_NULLS, **booleans} for version, booleans in _BOOLEANS.items()}
_CANDIDATES_1_1 = NUMBER_STARTS.union(word[:1] for word in _WORDS[YamlVersion.V1_1])
NOT_ONLY_STRINGS = NUMBER_STARTS.union(word[:1] for word in _WORDS[YamlVersion.V1_2])
"""The first characters of plain scalars that may be something else than a string, by YAML 1.2."""
_INTEGERS: dict[YamlVersion, Callable[[str], Resolved | None]] = {
    YamlVersion.V1_1: _integer_1_1,
    YamlVersion.V1_2: _integer_1_2,
}
_FLOATS = {YamlVersion.V1_1: _FLOAT_1_1, YamlVersion.V1_2: _FLOAT_1_2}
_TAGS: dict[str, Callable[[str, YamlVersion], Resolved | None]] = {
    "!!int": lambda text, version: _INTEGERS[version](text),
    "!!float": _tagged_float,
    "!!bool": lambda text, version: _BOOLEANS[version].get(text),
    "!!null": lambda _text, _version: _NULL,
}

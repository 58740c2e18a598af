"""What a suite gives to every test: variables, prompts, assertions and the pass mark."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import NamedTuple

from rubric_core.dialects.registry import DIALECTS
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, walk
from rubric_core.syntax.scalars import is_null, number_in
from rubric_core.text.patterns import lazily
from rubric_core.views.templates import names_in, names_of

_DEFAULT_TESTS = frozenset(dialect.default_test_key for dialect in DIALECTS)
PROVIDERS = frozenset({"providers", "targets"})
"""The keys of what answers."""
_MAKING_VARS = frozenset({"extensions", "redteam"})
INHERITED_KEYS = frozenset({"assert", "assertions", "execution", "nunjucksFilters", "prompts", "threshold"}).union(
    _DEFAULT_TESTS, PROVIDERS, _MAKING_VARS
)
# The keys under which a suite has assertions for all cases.
_ASSERTION_KEYS = frozenset({"assert", "assertions", "execution"}) | _DEFAULT_TESTS
_ASSERT = "assert"
_NONE: frozenset[str] = frozenset()
_WHOLE = lazily(r"\s*\{\{-?\s*(?:vars\.)?(\w+)\s*-?\}\}\s*\Z")


class Inherited(NamedTuple):
    """What every test of a suite has beside its own keys.

    `vars` are the names of variables, and `prompt_names` those that prompts of this file use. `is_known` is False where
    another file has a part of it. `pass_mark` is the suite's threshold, if it has one. `may_judge` tells that something
    is written where assertions for all tests stand, in whatever dialect, or that it is in another file.
    """

    vars: frozenset[str] = _NONE
    prompt_names: frozenset[str] = _NONE
    has_assertions: bool = False
    pass_mark: Decimal | None = None
    is_known: bool = True
    may_judge: bool = False
    has_rubric_prompt: bool = False
    # How many prompts and providers there are; None where that is not known.
    prompt_count: int | None = None
    provider_count: int | None = None
    # Whether code or a red team may bring more variables, the filters of templates besides the usual ones (None where
    # these are not known), and whether a list in `vars` stays one value.
    may_add_vars: bool = False
    filters: frozenset[str] | None = _NONE
    keeps_lists: bool = False
    # The names of prompts and of providers; None where these are not known.
    prompt_labels: frozenset[str] | None = None
    provider_labels: frozenset[str] | None = None
    # Whether all assertions that every test has weigh nothing.
    weighs_nothing: bool = False
    # Variables that are a whole prompt, so that they may be lists of messages.
    sent_vars: frozenset[str] = _NONE

    @property
    def has_one_output(self) -> bool:
        """Return whether there is one output for each test."""
        return self.prompt_count == 1 and self.provider_count == 1

    def joined(self, other: "Inherited") -> "Inherited":
        """Return what two parts of a suite give together."""
        return Inherited(
            self.vars | other.vars,
            self.prompt_names | other.prompt_names,
            self.has_assertions or other.has_assertions,
            self.pass_mark if self.pass_mark is not None else other.pass_mark,
            self.is_known and other.is_known,
            self.may_judge or other.may_judge,
            self.has_rubric_prompt or other.has_rubric_prompt,
            self.prompt_count if self.prompt_count is not None else other.prompt_count,
            self.provider_count if self.provider_count is not None else other.provider_count,
            self.may_add_vars or other.may_add_vars,
            None if self.filters is None or other.filters is None else self.filters | other.filters,
            self.keeps_lists or other.keeps_lists,
            self.prompt_labels if self.prompt_labels is not None else other.prompt_labels,
            self.provider_labels if self.provider_labels is not None else other.provider_labels,
            self.weighs_nothing or other.weighs_nothing,
            self.sent_vars | other.sent_vars,
        )


NOTHING_INHERITED = Inherited()


def read_inherited(entries: Iterable[Pair]) -> Inherited:
    """Read what top-level entries give to every test."""
    found = NOTHING_INHERITED
    for pair in entries:
        if pair.name in INHERITED_KEYS:
            found = found.joined(_read(pair.name, pair.value)._replace(may_judge=_may_judge(pair)))
    return found


def _may_judge(pair: Pair) -> bool:
    inner = pair.value.index.values() if isinstance(pair.value, Mapping) else ()
    return any(
        each.name in _ASSERTION_KEYS and not isinstance(each.value, Mapping) and not is_null(each.value)
        for each in (pair, *inner)
    )


def _read(key: str, value: Node) -> Inherited:
    if key in _READERS:
        return _READERS[key](value)
    if not isinstance(value, Mapping):
        return Inherited(is_known=not isinstance(value, Scalar) or not value.value)
    keeps = _option(value, "disableVarExpansion")
    return Inherited(
        vars=names_of(value.get("vars")),
        has_assertions=key in _DEFAULT_TESTS and _is_filled_list(value.get(_ASSERT)),
        pass_mark=_number(value.get("threshold")),
        has_rubric_prompt=_option(value, "rubricPrompt") is not None,
        may_add_vars=_option(value, "transformVars") is not None,
        keeps_lists=isinstance(keeps, Scalar) and keeps.value == "true",
        weighs_nothing=_weighs_nothing(value.get(_ASSERT)),
    )


_READERS: dict[str, Callable[[Node], Inherited]] = {
    "prompts": lambda value: Inherited(
        prompt_names=frozenset(names_in(value)),
        prompt_count=_count(value),
        prompt_labels=_labels(value, "raw"),
        sent_vars=_whole_prompts(value),
    ),
    **dict.fromkeys(
        PROVIDERS, lambda value: Inherited(provider_count=_count(value), provider_labels=_labels(value, "id"))
    ),
    _ASSERT: lambda value: Inherited(has_assertions=_is_filled_list(value)),
    "threshold": lambda value: Inherited(pass_mark=_number(value)),
    "assertions": lambda _value: NOTHING_INHERITED,
    **dict.fromkeys(_MAKING_VARS, lambda value: Inherited(may_add_vars=not is_null(value))),
    "nunjucksFilters": lambda value: Inherited(filters=names_of(value) if isinstance(value, Mapping) else None),
}


def _whole_prompts(prompts: Node) -> frozenset[str]:
    """Return the variables that are all of a prompt."""
    texts = [node.value for node in walk(prompts) if isinstance(node, Scalar)]
    return frozenset(found[1] for text in texts if (found := _WHOLE.match(text)))


def _option(default_test: Mapping, name: str) -> Node | None:
    options = default_test.get("options")
    return options.get(name) if isinstance(options, Mapping) else None


def _count(value: Node) -> int | None:
    """Return how many things a list names; None where a file may hold several of them."""
    items = value.items if isinstance(value, Sequence) else [value]
    is_known = all(isinstance(item, Mapping) or (isinstance(item, Scalar) and not _is_file(item)) for item in items)
    holds_file = any(isinstance(each, Scalar) and _is_file(each) for item in items for each in _sources(item))
    return len(items) if is_known and not holds_file and not isinstance(value, Mapping) else None


def _sources(item: Node) -> list[Node | None]:
    """Return what may be a file with several prompts or providers; what is set for one of them is none."""
    if not isinstance(item, Mapping):
        return [item]
    return [*(pair.key for pair in item.pairs), *(item.get(key) for key in ("id", "raw", "label"))]


def _labels(value: Node, key: str) -> frozenset[str] | None:
    """Return the names of the things in a list; None where a file may hold more of them."""
    if not isinstance(value, Sequence) or _count(value) is None:
        return None
    named = [item for item in value.items if isinstance(item, Mapping)]
    nodes = [*value.items, *(item.get(each) for item in named for each in ("label", "id", key))]
    # A mapping without an id has it as its key.
    keys = [name for item in named if "id" not in item.index and key not in item.index for name in item.index]
    inner = [pair.value.get("label") for item in named for pair in item.pairs if isinstance(pair.value, Mapping)]
    return frozenset((*keys, *(node.value for node in (*nodes, *inner) if isinstance(node, Scalar))))


def _is_file(node: Scalar) -> bool:
    return node.value.startswith(FILE_URL) or "*" in node.value or node.value.endswith((".txt", ".json", ".yaml"))


def _weighs_nothing(node: Node | None) -> bool:
    """Return whether no assertion of a list has a weight; a set without one can fail all the same."""
    items = node.items if isinstance(node, Sequence) else []
    return bool(items) and all(
        isinstance(item, Mapping) and _ASSERT not in item.index and _number(item.get("weight")) == 0 for item in items
    )


def _is_filled_list(node: Node | None) -> bool:
    return isinstance(node, Sequence) and bool(node.items)


def _number(node: Node | None) -> Decimal | None:
    number = number_in(node.value) if isinstance(node, Scalar) else None
    return number if number is not None and number.is_finite() else None

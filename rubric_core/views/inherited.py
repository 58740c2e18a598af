"""The inherited part of every test of a suite: how it is read and joined."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import cache
from operator import and_, or_
from typing import TYPE_CHECKING, Any, TypeVar

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import JUDGING_KEYS
from rubric_core.dialects.parts import SUITE
from rubric_core.syntax.nodes import Mapping as MappingNode
from rubric_core.syntax.nodes import Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import is_null, number_in
from rubric_core.views.files import FileView
from rubric_core.views.templates import names_of

if TYPE_CHECKING:
    # Importing this takes as long as checking thirty cases.
    from typing_extensions import Self

_THRESHOLD = "threshold"
T = TypeVar("T", bound="Inherited")


def _first(own: Any, other: Any) -> Any:
    return other if own is None else own


def _union(own: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    return None if own is None or other is None else own | other


# How two values of a field are joined, by the field's default, which is neutral.
_JOINED: Mapping[object, Callable[[Any, Any], Any]] = {False: or_, True: and_, None: _first, frozenset(): _union}


@dataclass(frozen=True, slots=True)
class Inherited:
    """What every test of a suite inherits. Dialects have subclasses with more fields for their rules.

    `vars` are the names of variables. `is_known` is False if another file has a part of it. `pass_mark` is the suite's
    threshold, if it has one. `may_judge` means that there is a value under a key for assertions of all tests, in any
    dialect, or that it is in another file. `sent_vars` are variables that are a whole prompt, so
    that they may be lists of messages.
    """

    vars: frozenset[str] = frozenset()
    pass_mark: Decimal | None = None
    is_known: bool = True
    may_judge: bool = False
    sent_vars: frozenset[str] = frozenset()

    def joined(self, other: "Inherited") -> "Self":
        """Return the union of two parts of a suite, without fields that only the type of the other has."""
        common = {part.name: _JOINED[part.default] for part in fields(self) if hasattr(other, part.name)}
        return replace(self, **{name: join(getattr(self, name), getattr(other, name)) for name, join in common.items()})


NOTHING_INHERITED = Inherited()


@dataclass(frozen=True, eq=False)
class SuiteReader:
    """Reads what tests inherit from suites of a dialect; without arguments, only what every dialect has.

    `nothing` is the result for a suite without any of the keys, and `readers` has a reader for each top-level key.
    `metrics_in` is called for each chunk of a file with the key `derived_key`.
    """

    nothing: Inherited = NOTHING_INHERITED
    readers: Mapping[str, Callable[[Node], Inherited]] = field(default_factory=dict)
    derived_key: str = ""

    def given_to_file(self, inherited: Inherited, _text: str) -> Inherited:
        """Return what the tests of a file inherit from the suite that names it; the text is that of the suite."""
        return inherited

    def metrics_in(self, _text: str) -> list[str]:
        """Return the names of metrics in the text of a chunk."""
        return []

    def changes_prompts(self, _text: str, *, is_case: bool) -> bool:  # noqa: ARG002 - others ask.
        """Return whether a case of a chunk may exclude some of the prompts, or have other variables."""
        return False

    def prompt_files(self, _file: FileView) -> frozenset[str]:
        """Return the paths of files with prompts that rules compare with the variables of all cases."""
        return frozenset()


DEFAULT_READER = SuiteReader()


@cache
def inherited_keys(dialect: Dialect) -> frozenset[str]:
    """Return the top-level keys whose values tests inherit."""
    places = (place or _THRESHOLD for place in dialect.table.thresholds.suite)
    return JUDGING_KEYS.union(SUITE.of(dialect).readers, places)


def read_inherited(entries: Iterable[Pair], dialect: Dialect) -> Inherited:
    """Read what top-level entries give to every test."""
    reader, places = SUITE.of(dialect), dialect.table.thresholds.suite
    inherited = reader.nothing
    for pair in entries:
        name, value = pair.name, pair.value
        if name not in inherited_keys(dialect):
            continue
        if name in reader.readers:
            inherited = inherited.joined(reader.readers[name](value))
        threshold = value.get(_THRESHOLD) if isinstance(value, MappingNode) and name in places else None
        mark = number_of(value if name == _THRESHOLD and "" in places else threshold)
        inherited = inherited.joined(Inherited(pass_mark=mark, may_judge=may_judge((pair,))))
    return inherited


def may_judge(entries: Iterable[Pair]) -> bool:
    """Return whether there is something under a key for assertions of all tests, in whichever dialect."""
    outer = [pair for pair in entries if pair.name in JUDGING_KEYS]
    inner = (below for pair in outer if isinstance(pair.value, MappingNode) for below in pair.value.index.values())
    written = (pair for pair in (*outer, *inner) if pair.name in JUDGING_KEYS)
    return any(not isinstance(pair.value, MappingNode) and not is_null(pair.value) for pair in written)


def starting_values(value: Node) -> Inherited:
    """Return the variables of a mapping from which every test starts, and whether another file has it."""
    if isinstance(value, MappingNode):
        return Inherited(vars=names_of(value.get("vars")))
    return Inherited(is_known=not isinstance(value, Scalar) or not value.value)


def is_filled_list(node: Node | None) -> bool:
    """Return whether a node is a list with items."""
    return isinstance(node, Sequence) and bool(node.items)


def number_of(node: Node | None) -> Decimal | None:
    """Return a finite number that a node is."""
    number = number_in(node.value) if isinstance(node, Scalar) else None
    return number if number is not None and number.is_finite() else None

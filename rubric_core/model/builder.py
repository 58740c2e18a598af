"""Helpers for building at every level: looking fields up, making models, recording places and failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as PlainMapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import DIALECTS
from rubric_core.files.project import DiskProject
from rubric_core.model.base import JsonValue, Model
from rubric_core.model.suite import LeftOut, ModelPath
from rubric_core.schema.fields import Record
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion, as_number, is_null, resolve
from rubric_core.text.spans import Span
from rubric_core.views.records import field_value

if TYPE_CHECKING:
    from rubric_core.model.expand import CaseItem


def plain(node: Node, version: YamlVersion = YamlVersion.V1_2) -> JsonValue:
    """Return the value of a node as plain data. The parser's limit on depth bounds the recursion."""
    if isinstance(node, Mapping):
        return plain_mapping(node, version)
    if isinstance(node, Sequence):
        return [plain(item, version) for item in node.items]
    value = resolve(cast("Scalar", node), version).value
    return float(value) if isinstance(value, Decimal) else value


def plain_mapping(
    node: Mapping, version: YamlVersion = YamlVersion.V1_2, without: frozenset[str] = frozenset()
) -> dict[str, JsonValue]:
    """Return a mapping with its keys as strings, without the given keys and without collections as keys."""
    return {name: plain(pair.value, version) for name, pair in node.index.items() if name not in without}


Made = TypeVar("Made", bound=Model)
T = TypeVar("T")


def value_of(mapping: Mapping, record: Record, name: str) -> Node | None:
    """Return a field's value under its name or else its first alias; null counts as absent."""
    field = record.by_key.get(name)
    node = field_value(mapping, field) if field is not None else None
    return None if node is None or is_null(node) else node


def text_of(node: Node | None) -> str | None:
    """Return the text of a scalar as written, so that `id: 5` still has a name; None for collections."""
    return node.value if isinstance(node, Scalar) else None


class Elsewhere(NamedTuple):
    """A reference to another file: its place in this one, and the other file's name."""

    span: Span
    file: str


@dataclass(slots=True, eq=False)
class Builder:
    """Records the places of the models of one suite, and the parts that had to be left out.

    While `elsewhere` is set, models are built from another file, and their place is the reference in this file.
    """

    version: YamlVersion
    dialect: Dialect
    # The scorecards of the configuration.
    scorecards: PlainMapping[str, Any]
    files: DiskProject | None
    # The variables of the environment that templates may use.
    environment: PlainMapping[str, str | None]
    elsewhere: Elsewhere | None = None
    # Default cases by key.
    defaults: dict[str, CaseItem | None] = field(default_factory=dict)
    spans: dict[ModelPath, Span] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    names: dict[ModelPath, list[tuple[Span, str]]] = field(default_factory=dict)

    def name(self, path: ModelPath, span: Span, name: str) -> None:
        """Record the name of a part of a case or of the suite, even if no model of it can be made."""
        self.names.setdefault(path[:2], []).append((self.place(span), name))

    def place(self, span: Span) -> Span:
        """Return the place of a node in this file."""
        return span if self.elsewhere is None else self.elsewhere.span

    def make(self, kind: type[Made], path: ModelPath, span: Span, values: dict[str, Any]) -> Made | None:
        """Make a model and record its place; for invalid values, record the reason and return None."""
        try:
            made = kind.model_validate(values)
        except ValidationError as error:
            self.leave_out(path, span, reason_of(error))
            return None
        self.spans[path] = self.place(span)
        return made

    def leave_out(self, path: ModelPath, span: Span, reason: str) -> None:
        """Record that a part cannot be represented, and drop the places of models inside of it."""
        while self.spans and next(reversed(self.spans))[: len(path)] == path:
            self.spans.popitem()
        if self.elsewhere is not None:
            reason = f"{self.elsewhere.file}: {reason}"
        self.left_out.append(LeftOut(path, self.place(span), reason))

    def each(
        self, owner: ModelPath, items: Iterable[T], build: Callable[[ModelPath, int, T], Made | None], first: int = 0
    ) -> tuple[Made, ...]:
        """Build the items of a list, which follow `first` others in the model.

        `build` gets the path, the place as written and the item.
        """
        built: list[Made] = []
        for place, item in enumerate(items):
            made = build((*owner, first + len(built)), place, item)
            if made is not None:
                built.append(made)
        return tuple(built)

    def number(self, node: Node) -> Any:
        """Return a number exactly, or any other value for the model to refuse."""
        exact = as_number(node, self.version)
        return plain(node, self.version) if exact is None else exact

    def share(self, node: Node) -> Decimal | None:
        """Return a number above 0 and up to 1 exactly; None for other values."""
        exact = as_number(node, self.version)
        return exact if exact is not None and exact.is_finite() and 0 < exact <= 1 else None

    def plain(self, node: Node | None) -> Any:
        """Return a value as plain data; None where there is none."""
        return None if node is None else plain(node, self.version)


def below(item: Located, node: Node | None) -> list[Located]:
    """Return the items of a list that is inside `item`; nothing without a list."""
    if not isinstance(node, Sequence):
        return []
    return [item._replace(node=child) for child in node.items]


def reason_of(error: ValidationError) -> str:
    """Return the validation errors in plain words, one sentence for each field."""
    faults: dict[tuple[str, ...], list[str]] = {}
    for fault in error.errors(include_input=False, include_url=False):
        faults.setdefault(_fields(fault), []).append(_what(fault))
    # If a value may have several shapes, the errors inside of one are more helpful than a mismatch with the others.
    inner = {place[:length] for place in faults for length in range(len(place))}
    return " ".join(_sentence(place, reasons) for place, reasons in faults.items() if place not in inner or not place)


# Wording of pydantic's kinds of errors.
_FAULTS = {
    "missing": "is missing",
    "string_type": "must be a string",
    "string_pattern_mismatch": "is blank",
    "bool_type": "must be true or false",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "decimal_type": "must be a number",
    "decimal_parsing": "must be a number",
    "is_instance_of": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be above {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "dict_type": "must be a mapping",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "literal_error": "must be {expected}",
}
_MUST_BE = "must be "
_FIELD_NAMES = frozenset(
    {"minimum", "maximum"}.union(*(record.by_key for dialect in DIALECTS for record in dialect.records.values()))
)


def _fields(fault: ErrorDetails) -> tuple[str, ...]:
    """Return the path of an error, without the names of types that pydantic inserts."""
    return tuple(str(part) for part in fault["loc"] if isinstance(part, int) or part in _FIELD_NAMES)


def _what(fault: ErrorDetails) -> str:
    if fault["type"] == "value_error":
        # Pydantic's prefix for the messages of validators.
        return f": {fault['msg'].removeprefix('Value error, ')}"
    return _FAULTS.get(fault["type"], "cannot be used as it is written").format(**fault.get("ctx", {}))


def _sentence(place: tuple[str, ...], reasons: list[str]) -> str:
    shapes = [what.removeprefix(_MUST_BE) for what in dict.fromkeys(reasons)]
    if "an integer" in shapes:
        # Only what is computed, such as a share of the scale, may be a fraction there.
        shapes = [shape for shape in shapes if shape != "a number"]
    # Where a value has one of the shapes that it may have, only what else is wrong with it counts.
    other = next((what for what in reasons if not what.startswith(_MUST_BE)), None)
    what = other or _MUST_BE + " or ".join(filter(None, (", ".join(shapes[:-1]), shapes[-1])))
    where = f"`{'.'.join(place)}`" if place else ""
    if what.startswith(": "):
        return f"{where}{what}." if place else f"{what[2:3].upper()}{what[3:]}."
    return f"{where or 'This'} {what}."
